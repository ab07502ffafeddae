// Expands a word of a command to the texts that it may stand for, each as the fields that it becomes.

import { expandBraces, matchesName } from '../../../text/globs.ts';
import { normalize } from '../../../text/path-text.ts';
import type { Assignment, ShellNode, Word, WordPart } from './command-tree.ts';
import type { ShellState, Values } from './shell-state.ts';
import { GLOB, GLOB_END, joinSets, MOST_VALUES, SPLIT, UNKNOWN_PART, UNSET } from './shell-state.ts';

const LONGEST = 1000;

/** `#`, `##`, `%`, `%%`: the shortest or longest start or end that matches is taken off. */
export function withoutMatch(value: string, operator: string, pattern: string): string {
  if (value.length > LONGEST || value.includes(UNKNOWN_PART) || pattern.includes(UNKNOWN_PART))
    return UNKNOWN_PART;
  const isLong = operator.length === 2;
  const isStart = operator.startsWith('#');
  const lengths = Array.from({ length: value.length + 1 }, (_, index) => index);
  if (isLong) lengths.reverse();
  for (const length of lengths) {
    const part = isStart ? value.slice(0, length) : value.slice(value.length - length);
    if (matchesName(pattern, part))
      return isStart ? value.slice(length) : value.slice(0, value.length - length);
  }
  return value;
}

/** `/`, `//`, `/#`, `/%` with a plain pattern; with a real one the result is not known. */
export function withReplaced(value: string, operator: string, pattern: string, text: string): string {
  if (value.includes(UNKNOWN_PART) || /[*?[\u0000\\]/.test(pattern)) return UNKNOWN_PART;
  if (pattern === '') return value;
  if (operator === '//') return value.split(pattern).join(text);
  if (operator === '/#') return value.startsWith(pattern) ? text + value.slice(pattern.length) : value;
  if (operator === '/%') return value.endsWith(pattern) ? value.slice(0, -pattern.length) + text : value;
  const at = value.indexOf(pattern);
  return at < 0 ? value : value.slice(0, at) + text + value.slice(at + pattern.length);
}

/** `^`, `^^`, `,`, `,,` without a pattern. */
function withCase(value: string, operator: string): string {
  const change = (text: string): string =>
    operator.startsWith('^') ? text.toUpperCase() : text.toLowerCase();
  return operator.length === 2 ? change(value) : change(value.slice(0, 1)) + value.slice(1);
}

/** `:offset:length` with plain numbers. */
function sliced(value: string, offset: string, length: string | undefined): string {
  const from = Number(offset.trim() || '0');
  const count = length === undefined ? Number.POSITIVE_INFINITY : Number(length.trim());
  if (Number.isNaN(from) || Number.isNaN(count) || value.includes(UNKNOWN_PART)) return UNKNOWN_PART;
  const start = from < 0 ? Math.max(0, value.length + from) : from;
  const end = count < 0 ? value.length + count : Math.min(value.length, start + count);
  return value.slice(start, end);
}

/** What expansion asks of the walk: run a script for what it does, and say what it prints where that is known. */
export interface Scripts {
  /** Texts that the script may print; a hole where that cannot be known. */
  output(script: ShellNode, state: ShellState): Values;
  walk(script: ShellNode, state: ShellState): void;
}

const NUMBERS = /^(?:[$!?#]|RANDOM|SECONDS|LINENO|UID|EUID|PPID|BASHPID|EPOCHSECONDS)$/;

export function listPartValues(name: string, state: ShellState): Values {
  if (/^BASH_SOURCE(?:\[0\])?$/.test(name)) return state.variables.get('0') ?? UNSET;
  const element = /^(\w+)\[(.*)\]$/s.exec(name);
  if (element) {
    const [, array = '', index = ''] = element;
    const all = state.variables.get(`${array}[@]`) ?? state.variables.get(array) ?? UNSET;
    return index === '@' || index === '*'
      ? all
      : joinSets(
          [],
          all.flatMap((text) => text.split(SPLIT)),
        );
  }
  if (NUMBERS.test(name)) return ['0'];
  if (name === 'PWD') return state.folders ?? [UNKNOWN_PART];
  if (name === 'OLDPWD') return state.before ?? [UNKNOWN_PART];
  return state.variables.get(name) ?? UNSET;
}

/** A value where the shell splits it and looks for patterns in it; those that it has already stay as they are. */
const loose = (value: string): string =>
  value
    .replace(/[ \t\n]+/g, SPLIT)
    .replace(/\u0001[^\u0003]*\u0003|\*+|\?|\[[^\]/]+\]/g, (found) =>
      found.startsWith(GLOB) ? found : GLOB + found + GLOB_END,
    );

/** A pattern operand as plain text: marks taken out. */
export const plain = (text: string): string => text.replaceAll(GLOB, '').replaceAll(GLOB_END, '');

/** A text with its patterns as a pattern of file names: what is literal is escaped. */
export function buildPattern(text: string): string {
  return text
    .split(GLOB)
    .map((part, index) => {
      const end = index === 0 ? 0 : part.indexOf(GLOB_END) + 1;
      return part.slice(0, Math.max(0, end - 1)) + part.slice(end).replace(/[*?[\]\\]/g, '\\$&');
    })
    .join('');
}

function variable(piece: Extract<WordPart, { is: 'variable' }>, state: ShellState, scripts: Scripts): Values {
  const { change, name } = piece;
  const values = listPartValues(name, state);
  if (change === null) return values;
  const words = change.words.map((word) => listTexts(word, state, scripts));
  const first = words[0] ?? [''];
  const each = (apply: (value: string, operand: string) => string): Values =>
    joinSets(
      [],
      values.flatMap((value) => first.map((operand) => apply(value, operand))),
    );
  switch (change.kind) {
    case 'default': {
      const isSet = values !== UNSET;
      if (change.operator.endsWith('+')) return isSet ? first : joinSets(['', UNKNOWN_PART], first);
      if (change.operator.endsWith('?')) return values;
      const result = isSet
        ? joinSets(
            values.filter((value) => value !== ''),
            values.includes('') ? first : [],
          )
        : first;
      if (change.operator.endsWith('=')) state.variables.set(name, result);
      return result;
    }
    case 'remove':
      return each((value, operand) => withoutMatch(value, change.operator, plain(operand)));
    case 'replace':
      return each((value, operand) =>
        withReplaced(value, change.operator, plain(operand), plain(words[1]?.[0] ?? '')),
      );
    case 'case':
      return change.words.length > 0 ? [UNKNOWN_PART] : each((value) => withCase(value, change.operator));
    case 'slice':
      return each((value, operand) => sliced(value, operand, words[1]?.[0]));
    case 'length':
      return ['0'];
    case 'indirect':
      return joinSets(
        [],
        values.flatMap((value) => (/^\w+$/.test(value) ? listPartValues(value, state) : [UNKNOWN_PART])),
      );
    default:
      return [UNKNOWN_PART];
  }
}

const escaped = (text: string): string => text.replace(/[{},\\]/g, '\\$&');

function braces(pieces: readonly WordPart[], state: ShellState, scripts: Scripts): string[] {
  let texts = [''];
  for (const piece of pieces) {
    const values =
      piece.is === 'text'
        ? [piece.quoted ? escaped(piece.text) : piece.text]
        : piece.is === 'braces'
          ? [`{${braces(piece.pieces, state, scripts).map(escaped).join(',')}}`]
          : valuesOfPiece(piece, state, scripts).map(escaped);
    texts = texts.flatMap((text) => values.map((value) => text + value)).slice(0, MOST_VALUES);
  }
  return texts.flatMap((text) => {
    const inner = /^\{.*\}$/s.test(text) ? text : `{${text}}`;
    return expandBraces(inner).map((each) => each.replace(/\\([{},\\])/g, '$1'));
  });
}

function valuesOfPiece(piece: WordPart, state: ShellState, scripts: Scripts): Values {
  switch (piece.is) {
    case 'text':
      return [piece.text];
    case 'glob':
      return [GLOB + piece.text + GLOB_END];
    case 'variable': {
      const values = variable(piece, state, scripts);
      if (piece.quoted)
        return /(?:^|\[)\*\]?$/.test(piece.name)
          ? values.map((value) => value.replaceAll(SPLIT, ' '))
          : values;
      return values.map(loose);
    }
    case 'output': {
      const values = scripts.output(piece.script, state);
      return piece.quoted ? values : values.map(loose);
    }
    case 'process':
      scripts.walk(piece.script, state);
      return ['/dev/fd/63'];
    case 'number':
      for (const script of piece.scripts) scripts.walk(script, state);
      return ['0'];
    default:
      return [UNKNOWN_PART];
  }
}

function tilde(text: string, state: ShellState): string {
  const found = /^~([^/]*)/.exec(text);
  if (!found) return text;
  const rest = text.slice(found[0].length);
  if (found[1] === '') return (state.variables.get('HOME')?.[0] ?? UNKNOWN_PART) + rest;
  if (found[1] === '+') return (state.folders?.[0] ?? UNKNOWN_PART) + rest;
  if (found[1] === '-') return (state.before?.[0] ?? UNKNOWN_PART) + rest;
  return found[1] === 'root' ? `/root${rest}` : UNKNOWN_PART + rest;
}

/** Alternatives of a word; each is a list of rows (from braces), and a row may still hold splits. */
function rowsOf(word: Word, state: ShellState, scripts: Scripts): string[][] {
  let alternatives: string[][] = [['']];
  for (const piece of word.pieces) {
    if (piece.is === 'braces') {
      const texts = braces(piece.pieces, state, scripts);
      alternatives = alternatives.map((rows) =>
        rows.flatMap((row) => texts.map((text) => row + text)).slice(0, 1024),
      );
      continue;
    }
    const values = valuesOfPiece(piece, state, scripts);
    if (alternatives.length * values.length > MOST_VALUES) return [[UNKNOWN_PART]];
    alternatives = alternatives.flatMap((rows) => values.map((value) => rows.map((row) => row + value)));
  }
  return word.tilde ? alternatives.map((rows) => rows.map((row) => tilde(row, state))) : alternatives;
}

/** Alternatives of a word as one text each: for values, targets of redirections and the like. */
export function listTexts(word: Word, state: ShellState, scripts: Scripts): Values {
  return joinSets(
    [],
    rowsOf(word, state, scripts).map((rows) => rows.join(SPLIT)),
  );
}

const hasText = (word: Word): boolean => word.pieces.some((piece) => piece.is === 'text' && piece.quoted);

function fieldsOf(word: Word, state: ShellState, scripts: Scripts): string[][] {
  return rowsOf(word, state, scripts).map((rows) => {
    const fields = rows.flatMap((row) => row.split(SPLIT));
    return hasText(word) || word.pieces.some((piece) => piece.is === 'variable' && piece.quoted)
      ? fields
      : fields.filter((field) => field !== '');
  });
}

/** An assignment that stands as an argument (`env A=b`, `export A=b`), as one field. */
function argumentOf(each: Assignment, state: ShellState, scripts: Scripts): string[][] {
  const value = each.isArray
    ? [UNKNOWN_PART]
    : each.values.flatMap((word) => listTexts(word, state, scripts));
  return value.map((text) => [`${each.name}${each.append ? '+' : ''}=${text}`]);
}

/** The lists of arguments that words stand for: each combination of their alternatives. */
export function listVectors(
  words: readonly (Word | Assignment)[],
  state: ShellState,
  scripts: Scripts,
): string[][] {
  let vectors: string[][] = [[]];
  for (const word of words) {
    let found = 'pieces' in word ? fieldsOf(word, state, scripts) : argumentOf(word, state, scripts);
    if (vectors.length * found.length > MOST_VALUES) found = [[UNKNOWN_PART]];
    const [only = []] = found;
    // A copy for each word would take a minute where a command has some ten thousand.
    if (found.length === 1) for (const vector of vectors) for (const field of only) vector.push(field);
    else vectors = vectors.flatMap((vector) => found.map((fields) => [...vector, ...fields]));
  }
  return vectors;
}

/** Where the end of a text after its last hole is known, and begins with a slash. */
export function findTail(text: string): string | undefined {
  const end = plain(text.slice(text.lastIndexOf(UNKNOWN_PART) + 1));
  const at = end.indexOf('/');
  return text.includes(UNKNOWN_PART) && at >= 0 ? normalize(end.slice(at)) : undefined;
}

/** The name, or the pattern of it, at the end of a path that stands for those which a search finds. */
export const findInFolders = (text: string): string | undefined =>
  /^\/\u0001([^/]+)\u0003$/.exec(text.slice(text.lastIndexOf(UNKNOWN_PART) + 1))?.[1];
