// Tests that every import of a file is found, and nothing that only looks like one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { some } from '../../../../test/kit/effort.ts';
import { readImports } from './read-imports.ts';

/** `module`, with `type` and `dynamic` where they hold. */
const seen = (path: string, text: string): string[] =>
  (readImports(path, text)?.imports ?? []).map((each) =>
    [
      each.module,
      ...each.names.map((name) => `.${name}`),
      each.isTypeOnly ? ' type' : '',
      each.isDynamic ? ' dynamic' : '',
    ].join(''),
  );

/** The modules that the compiler's own tree names. */
function compiled(file: string, text: string): Set<string> {
  const kind = /\.[cm]?js$/.test(file) ? ts.ScriptKind.JSX : undefined;
  const found = new Set<string>();
  const add = (node: ts.Node | undefined): void => {
    if (node !== undefined && ts.isStringLiteralLike(node)) found.add(node.text);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier);
    else if (ts.isExternalModuleReference(node)) add(node.expression);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal);
    else if (ts.isCallExpression(node)) {
      const name = node.expression.getText();
      if (/^(?:import|require|require\.resolve|module\.require)$/.test(name)) add(node.arguments[0]);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind));
  return found;
}

describe('imports of JavaScript and TypeScript', () => {
  // [text, imports, file]
  const cases: [string, string[], string?][] = [
    ["import 'a';", ['a']],
    ["import a from 'a'; import * as b from \"b\"; import c, { d as e } from 'c'", ['a', 'b', 'c']],
    ["import {\n  a,\n  b,\n} from './x.ts';", ['./x.ts']],
    ["import type { A } from 'a';", ['a type']],
    ["import { type A, type B } from 'a';", ['a type']],
    ["import { type A, b } from 'a';", ['a']],
    ["import x, { type A } from 'a';", ['a']],
    ["import { type as b } from 'a';", ['a']],
    ["import type from 'a';", ['a']],
    ["import type, { A } from 'a';", ['a']],
    ["import type X from 'a';", ['a type']],
    ["import {} from 'a';", ['a']],
    ["import x = require('a');", ['a']],
    ["import type x = require('a');", ['a type']],
    ["import a from 'a' with { type: 'json' };", ['a']],
    [
      "export * from 'a'; export * as n from 'b'; export { x } from 'c'; export type { T } from 'd';",
      ['a', 'b', 'c', 'd type'],
    ],
    ["export { x }; const a = 'from'; export type A = 'b';", []],
    [
      "const a = await import('a'); require('b'); require.resolve('c'); module.require('d');",
      ['a dynamic', 'b dynamic', 'c dynamic', 'd dynamic'],
    ],
    ['import(`a`); import(`./${x}`); import(x);', ['a dynamic']],
    ["let a: import('a').B; let b: typeof import('b');", ['a type dynamic', 'b type dynamic']],
    ["import('a').then(x);", ['a dynamic']],
    ["import('a', { with: {} });", ['a dynamic']],
    ['import.meta.url; a.import("x"); a.require("y"); ({ import: 1 });', []],
    [
      "// import 'a'\n/* import 'b' */ const c = \"import 'd'\"; const e = `import 'f'`; const g = /import 'h'/;",
      [],
    ],
    ['const a = `${await import("b")}`; `${`${require("c")}`}`;', ['b dynamic', 'c dynamic']],
    ["const a = b / c; import('d'); const e = f / 1;", ['d dynamic']],
    ["if (x) /'/.test(y); require('a'); x = y++ / 2; '/'", ['a dynamic']],
    ["const a = { b: 1 } / 2; require('c') / 3", ['c dynamic']],
    ["x = a! / b; require('c'); '/'", ['c dynamic']],
    ["#!/usr/bin/env node\nimport 'a';", ['a']],
    ["import 'a\\u002fb';", ['a/b']],
    ["im\\u0070ort 'a';", []],
    ["const x = <p>don't import 'a' from {require('b')}</p>;", ['b dynamic'], 'a.tsx'],
    ["const x = <A b='it\"s' c={() => <B/>}>{/* ' */}</A>; require('d');", ['d dynamic'], 'a.tsx'],
    ["const x = <><A.B /> it's</>; import('c')", ['c dynamic'], 'a.jsx'],
    ["const f = <T,>(a: T) => a; const g = <T extends X>(a: T) => a; import('b');", ['b dynamic'], 'a.tsx'],
    ["type F = <T>(a: T) => void; import('b');", ['b dynamic'], 'a.tsx'],
    ["const f = <T>(a: T) => a; const s = 'x'; import('b');", ['b dynamic'], 'a.ts'],
    ["const x = <A<B> c>it's</A>; import('d')", ['d dynamic'], 'a.tsx'],
    ["@Injectable() class A { @Input() x = require('a'); }", ['a dynamic']],
    ["const re = /[/'\"]/g; import 'a';", ['a']],
    ['const a = "\\"import \'x\'"; label: for (;;) break label;', []],
  ];
  test.each(cases)('%s', (text, imports, file = 'a.ts') => {
    expect(readImports(file, text)?.doubt).toBe(null);
    expect(seen(file, text)).toEqual(imports);
  });

  // Not `im\u0070ort`: an escape in a keyword is an error to every parser.
  test.each([
    "const a = `x; import 'b'",
    "const a = `x ${ b; import 'c'",
    "/* x; import 'a'",
    "/*/ import 'a'",
    "import 'a",
  ])('cannot decide on %s', (text) => expect(readImports('a.tsx', text)?.doubt).not.toBe(null));

  const files = [
    'src',
    'test',
    'scripts',
    'node_modules/valibot',
    'node_modules/commander',
    'node_modules/yaml',
    'node_modules/picomatch',
    'node_modules/unbash',
  ].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[cm]?[jt]sx?$/.test(name) && !name.includes('fixtures'))
      .map((name) => join(folder, name)),
  );
  test('are those that the compiler sees, in every file of this project and of some packages', () => {
    expect(files.length).toBeGreaterThan(400);
    for (const file of some(files, 150)) {
      const text = readFileSync(file, 'utf8');
      const expected = compiled(file, text);
      const found = readImports(file, text);
      expect(found?.doubt, file).toBe(null);
      expect(new Set(found?.imports.map((each) => each.module)), file).toEqual(expected);
    }
  });
});

describe('imports of Python', () => {
  const cases: [string, string[]][] = [
    ['import os', ['os']],
    ['import os, sys as s, a.b', ['os', 'sys', 'a.b']],
    ['from a import b', ['a.b']],
    ['from a.b import (c, d as e,\n  f)', ['a.b.c.d.f']],
    ['from . import a', ['..a']],
    ['from ..a import b', ['..a.b']],
    ['from .a.b import *', ['.a.b.*']],
    ['import a; import b', ['a', 'b']],
    ['if x: import a', ['a']],
    ['try:\n    import a\nexcept ImportError:\n    a = None', ['a']],
    ['def f():\n  from a import b', ['a.b']],
    ['from a \\\n  import b', ['a.b']],
    ['if TYPE_CHECKING:\n    import a\nimport b', ['a type', 'b']],
    ['if typing.TYPE_CHECKING:\n    import a\nelse:\n    import b', ['a type', 'b']],
    ['if TYPE_CHECKING: import a', ['a type']],
    [
      '__import__("a"); importlib.import_module("b.c"); import_module(\'d\')',
      ['a dynamic', 'b.c dynamic', 'd dynamic'],
    ],
    ['importlib.import_module("a" + x); importlib.import_module(x)', []],
    ['f("x", __import__("a"))', ['a dynamic']],
    ['"""\nimport a\n"""\n# import b\nx = "import c"', []],
    ["x = '''it's\nimport a'''\nimport b", ['b']],
    ['x = f"{a["b"]} import c"\nimport d', ['d']],
    ["x = f'{x!r:{width}} it{{s'\nimport a", ['a']],
    ['x = r"\\"\nimport a', []],
    ['importer = 1\nfrom_ = 2\nx = {"import": 1}', []],
    ['\ufeffimport a', ['a']],
    ['import a # import b', ['a']],
    ['x = (1,\n  2)\nimport a', ['a']],
  ];
  test.each(cases)('%s', (text, imports) => expect(seen('a.py', text)).toEqual(imports));

  test.each(['x = "\nimport a', 'f(\nimport a', ')\nimport a', "x = '''import a", 'import (a'])(
    'cannot decide on %s',
    (text) => {
      expect(readImports('a.py', text)?.doubt).not.toBe(null);
    },
  );

  test('its public classes are those that may not share a file', () => {
    const text = [
      'class A: pass',
      'class _B: pass',
      'class C(Enum): x = 1',
      'class D(enum.StrEnum):\n  pass',
      '@dataclass(frozen=True)\nclass E: pass',
      '@dataclass(frozen=False)\nclass F: pass',
      'def f():\n  class G: pass',
      '@x\n@dataclasses.dataclass(slots=True, frozen=True)\nclass H(Base): pass',
      'class I(A, metaclass=M):\n  class Inner: pass',
    ].join('\n');
    expect(readImports('a.py', text)?.classes.map((each) => each.name)).toEqual(['A', 'F', 'I']);
  });

  test('of a notebook are those of its code', () => {
    const book = JSON.stringify({
      cells: [
        { cell_type: 'code', source: ['%pip x\n', 'import a'] },
        { cell_type: 'markdown', source: 'import b' },
      ],
    });
    expect(seen('a.ipynb', book)).toEqual(['a']);
  });
});

describe('imports of Go', () => {
  const cases: [string, string[]][] = [
    ['package a\nimport "fmt"', ['fmt']],
    ['package a\nimport (\n  "fmt"\n  x "a/b"; _ "c"\n  . "d"\n)', ['fmt', 'a/b', 'c', 'd']],
    ['package a\nimport `fmt`', ['fmt']],
    ['package a\n// import "b"\n/* import "c" */\nvar x = "import"', []],
    ['package a\nfunc f() { x := "import (" }', []],
    ['package a\nvar q = \'"\'\nvar s = `\nimport "x"\n`', []],
    ['package a\nimport "a"\nimport "b"\nfunc f() {}', ['a', 'b']],
    ['package a\nimport "a"\nfunc f() { "', ['a']],
  ];
  test.each(cases)('%s', (text, imports) => expect(seen('a.go', text)).toEqual(imports));

  test.each(['import (\n"a"', 'import "', '} import "a"'])('cannot decide on %s', (text) => {
    expect(readImports('a.go', text)?.doubt).not.toBe(null);
  });
});

test('a language that is not read has no imports', () =>
  expect(readImports('a.rb', "require 'x'")).toBe(null));
