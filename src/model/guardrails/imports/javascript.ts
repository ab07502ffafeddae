// Reads the imports of a JavaScript or TypeScript file.
import type { Import, Imports } from './import.ts';
import type { Token } from './js-tokens.ts';
import { lineAt, tokensOf } from './js-tokens.ts';

const isSign = (token: Token | undefined, text: string): boolean =>
  token?.is === 'sign' && token.text === text;
const isWord = (token: Token | undefined, text: string): boolean =>
  token?.is === 'word' && token.text === text;

/** A string as its value: escapes are rare in module names, and only plain ones are undone. */
const unescaped = (token: Token): string =>
  token.text
    .replace(/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]+)\})/g, (_, x, u, long) =>
      String.fromCodePoint(Number.parseInt(x ?? u ?? long, 16)),
    )
    .replace(/\\(?:\r?\n)?/g, '');

interface Found {
  module: Token;
  isTypeOnly: boolean;
  isDynamic: boolean;
}

/** `{ type A, type B }`: nothing at run time. */
function isAllTypes(tokens: readonly Token[]): boolean {
  if (!isSign(tokens[0], '{')) return false;
  const names = split(
    tokens.slice(
      1,
      tokens.findIndex((token) => isSign(token, '}')),
    ),
  );
  return (
    names.length > 0 &&
    names.every((name) => isWord(name[0], 'type') && name.length > 1 && !isWord(name[1], 'as')) &&
    isSign(tokens.at(-1), '}')
  );
}

function split(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (isSign(token, ',')) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.length > 0);
}

/** The clause from behind `import` or `export` to its module, when one follows. */
function clauseAt(tokens: readonly Token[], start: number): Found | null {
  let at = start;
  let isTypeOnly = false;
  if (isWord(tokens[at], 'type')) {
    const next = tokens[at + 1];
    const isName =
      isSign(next, ',') || isSign(next, '=') || (isWord(next, 'from') && tokens[at + 2]?.is === 'string');
    if (!isName) {
      isTypeOnly = true;
      at++;
    }
  }
  const from = at;
  let depth = 0;
  for (; at < tokens.length && at - from < 4000; at++) {
    const token = tokens[at] as Token;
    if (token.is === 'string' && depth === 0) {
      if (at === from && !isTypeOnly) return { module: token, isTypeOnly: false, isDynamic: false };
      if (!isWord(tokens[at - 1], 'from')) return null;
      const isTypes = isTypeOnly || isAllTypes(tokens.slice(from, at - 1));
      return { module: token, isTypeOnly: isTypes, isDynamic: false };
    }
    if (isSign(token, '{')) depth++;
    else if (isSign(token, '}')) depth--;
    else if (token.is === 'sign' && !/^[,*]$/.test(token.text)) return required(tokens, at, isTypeOnly);
    else if (token.is === 'other' || (depth === 0 && isWord(token, 'import'))) return null;
    if (depth < 0) return null;
  }
  return null;
}

/** `import x = require('y')`. */
function required(tokens: readonly Token[], at: number, isTypeOnly: boolean): Found | null {
  const [equals, name, open, module] = tokens.slice(at, at + 4);
  const fits = isSign(equals, '=') && isWord(name, 'require') && isSign(open, '(') && module?.is === 'string';
  return fits ? { module, isTypeOnly, isDynamic: false } : null;
}

/** `import('x')` and `require('x')`; of a type, when a name that is no method of a promise is taken from it. */
function calledAt(tokens: readonly Token[], at: number): Found | null {
  const [open, module, close, dot, name] = tokens.slice(at + 1, at + 6);
  if (!isSign(open, '(') || module?.is !== 'string' || !(isSign(close, ')') || isSign(close, ',')))
    return null;
  const isImport = isWord(tokens[at], 'import');
  const isNamed =
    isSign(close, ')') && isSign(dot, '.') && !/^(?:then|catch|finally)$/.test(name?.text ?? '');
  return { module, isTypeOnly: isImport && (isNamed || isWord(tokens[at - 1], 'typeof')), isDynamic: true };
}

function foundAt(tokens: readonly Token[], at: number): Found | null {
  const token = tokens[at] as Token;
  if (token.is !== 'word') return null;
  const before = tokens[at - 1];
  const isMember = isSign(before, '.') || isSign(before, '?.');
  if (token.text === 'require') {
    const isModule = isMember && isWord(tokens[at - 2], 'module');
    if (isMember && !isModule) return null;
    // `import x = require('y')` was seen at its `import`.
    if (isSign(before, '=') && [tokens[at - 3], tokens[at - 4]].some((each) => isWord(each, 'import')))
      return null;
    const isResolve = isSign(tokens[at + 1], '.') && isWord(tokens[at + 2], 'resolve');
    return calledAt(tokens, isResolve ? at + 2 : at);
  }
  if (isMember) return null;
  if (token.text === 'import') {
    return isSign(tokens[at + 1], '(') ? calledAt(tokens, at) : clauseAt(tokens, at + 1);
  }
  if (token.text !== 'export') return null;
  const next = tokens[at + 1];
  const isFrom = isSign(next, '{') || isSign(next, '*') || isWord(next, 'type');
  const found = isFrom ? clauseAt(tokens, at + 1) : null;
  return found !== null && tokens[at + 1] === found.module ? null : found;
}

/** Where an import can be; most of the words in comments are passed over. */
const MENTION = /\bimport\s*[\w\s"'`{*($/]|\brequire\s*[(./]|\bfrom\s*["'`/]/g;

export function importsOfJavaScript(path: string, text: string): Imports {
  const canBeJsx = /\.(?:[cm]?jsx?|tsx|vue|svelte)$/i.test(path);
  let last = -1;
  for (const { index } of text.matchAll(MENTION)) last = index;
  if (last < 0) return { imports: [], classes: [], doubt: null };
  let read = tokensOf(text, canBeJsx, last);
  // What looked like JSX may have been the type of a generic function.
  if (read.doubt !== null && canBeJsx) {
    const plain = tokensOf(text, false, last);
    if (plain.doubt === null) read = plain;
  }
  const { tokens, doubt } = read;
  const imports: Import[] = [];
  let line = 1;
  let counted = 0;
  const lineOf = (at: number): number => {
    // Modules come in the order of the text, but for those of two imports in one.
    if (at < counted) return lineAt(text, at);
    for (let end = text.indexOf('\n', counted); end >= 0 && end < at; end = text.indexOf('\n', end + 1)) {
      line++;
      counted = end + 1;
    }
    return line;
  };
  tokens.forEach((_, at) => {
    const found = foundAt(tokens, at);
    if (found === null) return;
    const { module, isTypeOnly, isDynamic } = found;
    imports.push({
      module: unescaped(module),
      names: [],
      line: lineOf(module.at),
      isTypeOnly,
      isDynamic,
    });
  });
  return { imports, classes: [], doubt };
}
