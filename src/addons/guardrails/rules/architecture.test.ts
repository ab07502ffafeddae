// Tests that a forbidden import is refused, on the file as it would be, and nothing else.
import { describe, expect, test } from 'vitest';
import type { ArchitectureLayer, ArchitectureOptions } from '../../../settings/guardrail-options.ts';
import { buildOptions } from '../../../settings/guardrail-options.ts';
import type { FileSystemPort } from '../guard-call.ts';
import { readImports } from '../imports/read-imports.ts';
import { checkGuardedCall } from '../judge.ts';

const LAYERS: ArchitectureLayer[] = [
  { name: 'domain', files: ['src/domain/**', 'internal/domain/**'], only: [], packages: ['lodash'] },
  { name: 'store', files: ['src/store/**'], only: ['domain'] },
  {
    name: 'app',
    files: ['src/app/**'],
    forbid: ['store', 'node:fs', '@secret/*', 'src/legacy/**', 'requests'],
  },
];

const FILES: Record<string, string> = {
  'src/domain/old.ts': "import '../app/x.ts';\n",
  'src/domain/now.ts': 'export const a = 1;\n',
  'go.mod': 'module example.org/shop\n\ngo 1.22\n',
};

const sight = (files: Record<string, string>): FileSystemPort => ({
  resolve: (path) => ({ path, kind: 'file', folds: false, worktree: null }),
  read: (path) => files[path.slice('/p/'.length)] ?? null,
  expand: () => null,
  commands: null,
  imports: readImports,
});

function verdict(
  tool: string,
  input: Record<string, unknown>,
  more: Partial<ArchitectureOptions> = {},
  strict = false,
) {
  const options = buildOptions({
    mode: 'enforce',
    preset: 'none',
    strict,
    architecture: { layers: LAYERS, ...more },
  });
  return checkGuardedCall({ tool, input, cwd: '/p', root: '/p', home: '/h' }, options, sight(FILES));
}
const write = (file: string, content: string, more: Partial<ArchitectureOptions> = {}) =>
  verdict('Write', { file_path: `/p/${file}`, content }, more).decision;

describe('the architecture rule', () => {
  // [file, text, decision]
  const cases: [string, string, string][] = [
    ['src/domain/a.ts', "import './b.ts'; import '../domain/c.ts';", 'abstain'],
    ['src/domain/a.ts', "import '../store/b.ts';", 'deny'],
    ['src/domain/a.ts', "import '../store';", 'deny'],
    ['src/domain/a.ts', "import '../other/b.ts';", 'deny'],
    ['src/domain/a.ts', "import _ from 'lodash'; import get from 'lodash/get';", 'abstain'],
    ['src/domain/a.ts', "import 'lodash-es';", 'deny'],
    ['src/domain/a.ts', "import 'node:fs';", 'deny'],
    ['src/domain/a.ts', "const a = await import('../store/b.ts');", 'deny'],
    ['src/domain/a.js', "const a = require('../store/b');", 'deny'],
    ['src/domain/a.ts', "export * from '../store/b.js';", 'deny'],
    ['src/domain/a.ts', "import type { A } from '../store/b.ts';", 'abstain'],
    ['src/domain/a.ts', "// import '../store/b.ts'", 'abstain'],
    ['src/domain/deep/er/a.ts', "import '../../../store/b.ts';", 'deny'],
    ['src/store/a.ts', "import '../domain/b.ts'; import 'anything';", 'abstain'],
    ['src/store/a.ts', "import '../app/b.ts';", 'deny'],
    ['src/app/a.ts', "import '../store/b.ts';", 'deny'],
    ['src/app/a.ts', "import 'node:fs/promises';", 'deny'],
    ['src/app/a.ts', "import 'node:fsx';", 'abstain'],
    ['src/app/a.ts', "import '@secret/x';", 'deny'],
    ['src/app/a.ts', "import '../legacy/b.ts';", 'deny'],
    ['src/app/a.ts', "import '../other/b.ts'; import 'x';", 'abstain'],
    ['src/other/a.ts', "import '../store/b.ts';", 'abstain'],
    ['src/domain/a.ts', "import 'x", 'warn'],
    ['src/domain/a.css', "@import 'x';", 'abstain'],
    ['src/domain/a.py', 'from src.store import db', 'deny'],
    ['src/domain/a.py', 'from store.db import x', 'deny'],
    ['src/domain/a.py', 'import src.store.db as d', 'deny'],
    ['src/domain/a.py', 'from ..store import db', 'deny'],
    ['src/domain/a.py', 'from .. import store', 'deny'],
    ['src/domain/a.py', 'from . import b', 'abstain'],
    ['src/domain/a.py', 'importlib.import_module("store.db")', 'deny'],
    ['src/domain/a.py', 'if TYPE_CHECKING:\n    from store import db', 'abstain'],
    ['src/app/a.py', 'import requests.adapters', 'deny'],
    ['src/app/a.py', 'import requests_mock', 'abstain'],
    ['src/store/a.py', 'from domain.x import y', 'abstain'],
    ['internal/domain/a.go', 'package domain\nimport "example.org/shop/src/store"', 'deny'],
    ['internal/domain/a.go', 'package domain\nimport "example.org/shop/internal/domain/x"', 'abstain'],
    ['internal/domain/a.go', 'package domain\nimport "example.org/shopping"', 'deny'],
    ['internal/domain/a.go', 'package domain\nimport "lodash"', 'abstain'],
  ];
  test.each(cases)('a file %s with %j: %s', (file, text, decision) => {
    expect(write(file, text)).toBe(decision);
  });

  test('judges types as well when it is told to', () => {
    expect(write('src/domain/a.ts', "import type { A } from '../store/b.ts';", { type_only: 'judged' })).toBe(
      'deny',
    );
  });

  test('follows aliases', () => {
    const aliases = { '@/': 'src/', '#store': 'src/store/index.ts' };
    expect(write('src/domain/a.ts', "import '@/store/b';", { aliases })).toBe('deny');
    expect(write('src/domain/a.ts', "import '#store';", { aliases })).toBe('deny');
    expect(write('src/domain/a.ts', "import '@/domain/b';", { aliases })).toBe('abstain');
  });

  test('leaves exempt files alone', () => {
    expect(write('src/domain/a.test.ts', "import '../store/b.ts';", { exempt: ['*.test.ts'] })).toBe(
      'abstain',
    );
  });

  test('judges the file as it would be after an edit, or several', () => {
    const edit = (old_string: string, new_string: string) => ({ old_string, new_string });
    const file_path = '/p/src/domain/now.ts';
    const bad = "import '../store/b.ts';\nexport";
    expect(verdict('Edit', { file_path, ...edit('export', bad) }).decision).toBe('deny');
    expect(
      verdict('MultiEdit', { file_path, edits: [edit('export', bad), edit('../store', '../domain')] })
        .decision,
    ).toBe('abstain');
    expect(
      verdict('MultiEdit', {
        file_path,
        edits: [edit('export', "import '../domain/b.ts';\nexport"), edit('domain', 'store')],
      }).decision,
    ).toBe('deny');
    expect(verdict('Edit', { file_path, ...edit('not there', bad) }).decision).toBe('abstain');
  });

  test('warns of what was there before, and refuses what is new', () => {
    const file_path = '/p/src/domain/old.ts';
    const more = (text: string) =>
      verdict('Write', { file_path, content: `${FILES['src/domain/old.ts']}${text}` });
    expect(more('export const a = 1;').decision).toBe('warn');
    expect(more("import '../store/b.ts';").decision).toBe('deny');
    expect(verdict('Write', { file_path, content: '' }).decision).toBe('abstain');
  });

  test('says line, module, rule and what to do', () => {
    const { reason, rule, trace } = verdict('Write', {
      file_path: '/p/src/domain/a.ts',
      content: "\nimport '../store/b.ts';",
    });
    expect(rule).toBe('architecture');
    expect(reason).toBe(
      'src/domain/a.ts:2 imports ../store/b.ts, which is in layer "store"; layer "domain" may import only domain (guardrail rule "architecture", guardrails.architecture). Pass the value in as an argument, move the code to the layer that may use it, or ask the user to change guardrails.architecture.',
    );
    expect(trace.at(-1)).toMatchObject({ rule: 'architecture', at: 'src/domain/a.ts:2', decision: 'deny' });
  });

  test('refuses what it cannot decide when it is strict', () => {
    expect(
      verdict('Write', { file_path: '/p/src/domain/a.ts', content: "import 'x" }, {}, true).decision,
    ).toBe('deny');
  });

  test('allows one public class per Python file when it is told to', () => {
    const two = 'class A: pass\nclass B: pass\n';
    expect(write('x/a.py', two, { one_class: true })).toBe('deny');
    expect(write('x/a.py', two)).toBe('abstain');
    expect(write('x/__init__.py', two, { one_class: true })).toBe('abstain');
    expect(write('x/a.py', 'class A: pass\nclass _B: pass\nclass C(Enum): pass\n', { one_class: true })).toBe(
      'abstain',
    );
  });

  test('says what a layer has to say instead, of lines that are new', () => {
    const layers = [{ name: 'domain', files: ['src/domain/**'], packages: [], instead: 'Pass it in.' }];
    const content = "import 'node:fs';";
    const { reason } = verdict('Write', { file_path: '/p/src/domain/a.ts', content }, { layers });
    expect(reason).toMatch(/\(guardrail rule "architecture", guardrails\.architecture\)\. Pass it in\.$/);
  });
});
