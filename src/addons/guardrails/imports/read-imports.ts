// Reads the imports of a file in the language that its name tells.

import { readNotebookCode } from '../../../hosts/claude-code/tools/after-edit.ts';
import { findLanguage, type Import, type Imports } from './found-import.ts';
import { readPythonImports } from './python.ts';

/** What hides code, or is hidden: comments, strings of one line, patterns; and the signs that open or close a template. */
const PIECE = new RegExp(
  [
    String.raw`\/\/[^\n]*`,
    String.raw`\/\*[\s\S]*?(?:\*\/|$)`,
    String.raw`"(?:\\[\s\S]|[^"\\\n])*"`,
    // In the text of JSX ("don't") one stands behind a letter; in code only a keyword does.
    String.raw`'(?:(?<!\w')|(?<=\b(?:from|import|require|return|case|typeof|in|of|else|default|await|yield|export|as|throw|void)'))(?:\\[\s\S]|[^'\\\n])*'`,
    // A pattern stands where a value may: a slash behind a value divides.
    String.raw`\/(?<=(?:^|[(,=:[&|?{;+*%~^]|(?<![\w)\]])!|=>|\)\s|\b(?:return|typeof|case|in|of|do|else|void|throw|await|yield|default))\s*\/)(?:\\.|\[(?:\\.|[^\]\\\n]){0,400}\]|[^[/\\\n])+\/[a-z]*`,
    '[`{}]',
  ].join('|'),
  'g',
);
/** The text of a template up to its end, or to the next code in it. */
const TEMPLATE = /(?:\\[\s\S]|(?!\$\{)[^`\\])*(?:`|\$\{|$)/y;

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** The code of a text, every sign at its place; of strings only the quotes are left. `open`: what does not end. */
function maskCode(text: string): { code: string; open: string | null } {
  const parts: string[] = [];
  /** For each template that is open, how many braces of its code are. */
  const templates: number[] = [];
  let open: string | null = null;
  let done = 0;
  PIECE.lastIndex = 0;
  const template = (at: number): void => {
    TEMPLATE.lastIndex = at;
    const [found = ''] = TEMPLATE.exec(text) ?? [];
    const end = found.endsWith('${') ? 2 : found.endsWith('`') ? 1 : 0;
    if (end === 0) open = 'an open template';
    parts.push(blank(found.slice(0, found.length - end)), found.slice(found.length - end));
    done = at + found.length;
    PIECE.lastIndex = done;
    if (end === 2) templates.push(0);
  };
  for (let match = PIECE.exec(text); match !== null; match = PIECE.exec(text)) {
    const [piece] = match;
    const end = match.index + piece.length;
    parts.push(text.slice(done, match.index));
    done = end;
    const depth = templates.at(-1);
    if (piece === '`' || (piece === '}' && depth === 0)) {
      if (piece === '}') templates.pop();
      parts.push(piece);
      template(end);
      continue;
    }
    if (piece === '{' || piece === '}') {
      if (depth !== undefined) templates[templates.length - 1] = depth + (piece === '{' ? 1 : -1);
      parts.push(piece);
    } else if (/^["']/.test(piece)) parts.push(piece[0] ?? '', blank(piece.slice(1, -1)), piece.at(-1) ?? '');
    else parts.push(blank(piece));
    if (/^\/\*(?!.*\*\/$)/s.test(piece)) open = 'an open comment';
  }
  parts.push(text.slice(done));
  return { code: parts.join(''), open: templates.length > 0 ? 'an open template' : open };
}

const NAME = String.raw`[^\s,{}*'"\x60;()=.]+`;
/** Where a statement can begin: an import in the middle of a line is a call, or words of JSX. */
const STATEMENT = String.raw`(?<=(?:^|[;{}\n])\s*\w{6})`;
const STRING = String.raw`(?<module>(?<quote>["'\x60])\s*\k<quote>)`;
/** What stands before a word that is the end of a longer one, or a member of an object. */
const MEMBER = String.raw`(?:[\w$#\\]|(?<!\.\.)\.\s*)`;

/** `import a, { b } from 'c'`, `import 'c'`, `import a = require('c')`. */
const IMPORT = new RegExp(
  String.raw`\bimport\b${STATEMENT}\s*(?:(?<type>type\s+(?!from\s*["'\x60])|type(?=\{))?(?<name>${NAME}\s*(?:,\s*)?)?(?:\*\s*as\s+${NAME}\s*|\{(?<names>[^{}]*)\}\s*)?from\s*|(?<equals>(?:type\s+)?${NAME}\s*=\s*require\s*\(\s*)|)${STRING}`,
  'g',
);
/** `export * from 'c'`, `export { a } from 'c'`. */
const EXPORT = new RegExp(
  String.raw`\bexport\b${STATEMENT}\s*(?<type>type\b\s*)?(?:\*\s*(?:as\s+(?:${NAME}|["']\s*["'])\s*)?|\{(?<names>[^{}]*)\}\s*)from\s*${STRING}`,
  'g',
);
/** `import('x')` and `require('x')`; of a type, when a name that is no method of a promise is taken from it. */
const DYNAMIC = new RegExp(
  String.raw`\b(?:(?<import>import)(?<!${MEMBER}import)|require(?:(?<!${MEMBER}require)|(?<=\bmodule\.require))(?:\s*\.\s*resolve)?)\s*\(\s*${STRING}\s*(?:,|\)(?<member>\s*\.\s*(?!then\b|catch\b|finally\b)[\w$])?)`,
  'g',
);

/** `type A, type B`: nothing at run time. */
const isAllTypes = (names: string | undefined): boolean => {
  const all = (names ?? '').split(',').filter((name) => name.trim() !== '');
  return all.length > 0 && all.every((name) => /^\s*type\s+(?!as\b)/.test(name));
};

/** A string as its value: escapes are rare in module names, and only plain ones are undone. */
const unescaped = (text: string): string =>
  text
    .replace(/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]+)\})/g, (_, x, u, long) =>
      String.fromCodePoint(Number.parseInt(x ?? u ?? long, 16)),
    )
    .replace(/\\(?:\r?\n)?/g, '');

/** A module's name that does not end on its line: of a string that ends only blanks are left between the quotes. */
const OPEN_MODULE = /\b(?:import|from|require\s*\()\s*(["'])(?!\s*\1)/;

/** Where an import can be; most files with only the words in comments are passed over. */
const MENTION = /\bimport\s*[\w\s"'`{*($/]|\brequire\s*[(./]|\bfrom\s*["'`/]/;

function readJavaScriptImports(text: string): Imports {
  if (!MENTION.test(text)) return { imports: [], classes: [], doubt: null };
  const { code, open } = maskCode(text);
  const found: (Import & { at: number })[] = [];
  const add = (match: RegExpExecArray, isTypeOnly: boolean, isDynamic: boolean): void => {
    const { module = '' } = match.groups ?? {};
    const at = match.index + match[0].lastIndexOf(module);
    const name = unescaped(text.slice(at + 1, at + module.length - 1));
    found.push({ module: name, names: [], line: 0, isTypeOnly, isDynamic, at });
  };
  for (const match of [...code.matchAll(IMPORT), ...code.matchAll(EXPORT)]) {
    const { type, name, names, equals } = match.groups ?? {};
    const isType = type !== undefined || /^type\s/.test(equals ?? '');
    add(match, isType || (name === undefined && isAllTypes(names)), false);
  }
  for (const match of code.matchAll(DYNAMIC)) {
    const { import: isImport, member } = match.groups ?? {};
    const before = code.slice(Math.max(0, match.index - 200), match.index);
    // `import x = require('y')` is static.
    if (/\bimport\s+(?:type\s+)?[^\s;(){}'"]+\s*=\s*$/.test(before)) continue;
    const isTaken = member !== undefined || /\btypeof\s+$/.test(before);
    add(match, isImport !== undefined && isTaken, true);
  }
  found.sort((a, b) => a.at - b.at);
  let line = 1;
  let counted = 0;
  const imports = found.map(({ at, ...each }): Import => {
    for (let end = text.indexOf('\n', counted); end >= 0 && end < at; end = text.indexOf('\n', end + 1)) {
      line++;
      counted = end + 1;
    }
    return { ...each, line };
  });
  return { imports, classes: [], doubt: open ?? (OPEN_MODULE.test(code) ? 'an open string' : null) };
}

/** Comments, strings, runes, words and signs. */
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n])*"?|`[^`]*`?|'(?:\\.|[^'\\\n])+'?|[\p{L}_][\p{L}\p{N}_]*|\n|[^\s]/gu;

function readGoImports(text: string): Imports {
  const imports: Import[] = [];
  let line = 1;
  let depth = 0;
  let state: 'none' | 'one' | 'block' = 'none';
  let doubt: string | null = null;
  for (const [token] of text.matchAll(TOKEN)) {
    const here = line;
    line += token === '\n' ? 1 : token.split('\n').length - 1;
    if (token.startsWith('//') || token.startsWith('/*')) continue;
    if (/^["`]./s.test(token) && token.endsWith(token[0] ?? '')) {
      if (state !== 'none')
        imports.push({
          module: token.slice(1, -1),
          names: [],
          line: here,
          isTypeOnly: false,
          isDynamic: false,
        });
      if (state === 'one') state = 'none';
    } else if (/^["`]/.test(token)) doubt ??= `an open string at line ${here}`;
    else if (token === 'import' && depth === 0) state = 'one';
    // Imports stand before all else.
    else if (depth === 0 && /^(?:func|type|var|const)$/.test(token)) return { imports, classes: [], doubt };
    else if (token === '(' && state === 'one') state = 'block';
    else if (token === ')' && state === 'block') state = 'none';
    else if ('([{'.includes(token)) depth++;
    else if (')]}'.includes(token)) depth--;
    if (depth < 0) doubt ??= `a "${token}" too many at line ${here}`;
  }
  if (state === 'block' || depth > 0) doubt ??= 'an open bracket at the end';
  return { imports, classes: [], doubt };
}

/** Null for a language that is not read. */
export function readImports(path: string, text: string): Imports | null {
  switch (findLanguage(path)) {
    case 'javascript':
      return readJavaScriptImports(text);
    case 'python': {
      const code = path.endsWith('.ipynb') ? readNotebookCode(text) : text;
      return code === null
        ? { imports: [], classes: [], doubt: 'the notebook cannot be read' }
        : readPythonImports(code);
    }
    case 'go':
      return readGoImports(text);
    default:
      return null;
  }
}
