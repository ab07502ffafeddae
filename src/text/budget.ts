// Estimates the tokens of a text, cuts text to a budget, and drops the least important lines of a message first.

import { escapeInline } from './escape.ts';

const DIGIT = 1;
const LETTER = 2;
const WORD = DIGIT | LETTER;
const BLANK = 4;

/** The kind of each ASCII character by its code; signs are 0. */
const KINDS = new Uint8Array(128).fill(DIGIT, 0x30, 0x3a).fill(LETTER, 0x41, 0x5b).fill(LETTER, 0x61, 0x7b);
KINDS[0x20] = BLANK;
KINDS[0x09] = BLANK;

/** Tokens of a word, a number, or an id of both. */
function tokensOfWord(length: number, kinds: number): number {
  if (kinds === WORD) return Math.ceil(length / 1.33);
  return Math.ceil(length / (kinds === LETTER ? (length > 16 ? 3 : 4) : 2));
}

/** Tokens of one UTF-16 unit that is no part of a word and no blank. */
const tokensOfSign = (code: number): number => (code <= 0x7f ? 1 : code >= 0x2070 && code < 0x2e80 ? 3 : 2);

/**
 * A conservative count of the tokens of a text: words in groups of four letters, numbers in groups of two digits,
 * ids and hashes at 1.33 characters a token, every sign and line break one, other scripts two, symbols three.
 * No single divisor is an upper bound over prose, paths, JSON and other scripts; this count is, on the texts that the
 * tests hold against a real tokenizer.
 */
export const estimateTokens = (text: string): number => count(text, Number.POSITIVE_INFINITY).tokens;

/**
 * Counts the tokens of a text up to a limit, and the units that they cover; a word that does not fit as a whole is left
 * out.
 *
 * One pass over the units, as little as can be at each: in a process that lives for milliseconds nothing is compiled, and
 * expressions and calls cost more than they count.
 */
function count(text: string, most: number): { tokens: number; units: number } {
  const { length } = text;
  let sum = 0;
  // Length and kinds of the word, and number of the blanks, that end here.
  let word = 0;
  let kinds = 0;
  let blanks = 0;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    const kind = KINDS[code] ?? 0;
    if ((kind & WORD) !== 0) {
      word++;
      kinds |= kind;
      blanks = 0;
      continue;
    }
    const before = sum;
    if (word > 0) {
      sum += tokensOfWord(word, kinds);
      if (sum > most) return { tokens: before, units: at - word };
      word = 0;
      kinds = 0;
    }
    const cost = kind === 0 ? tokensOfSign(code) : ++blanks === 2 ? 1 : 0;
    if (kind === 0) blanks = 0;
    if (sum + cost > most) return { tokens: sum, units: at };
    sum += cost;
  }
  const cost = word > 0 ? tokensOfWord(word, kinds) : 0;
  return sum + cost > most ? { tokens: sum, units: length - word } : { tokens: sum + cost, units: length };
}

/** The number of UTF-16 units at the beginning of a text that fit into so many tokens. */
function unitsWithin(text: string, most: number): number {
  const { tokens, units } = count(text, most);
  const [word = ''] = /^[0-9A-Za-z]*/.exec(text.slice(units)) ?? [];
  let low = 0;
  let high = word.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (estimateTokens(word.slice(0, middle)) <= most - tokens) low = middle;
    else high = middle - 1;
  }
  return units + low;
}

const ELLIPSIS = '…';

/**
 * Cuts text to a number of tokens, at a word where there is one, and marks the cut with an ellipsis. It reads no more
 * of the text than fits.
 */
export function cutToTokens(text: string, tokens: number): string {
  if (count(text, tokens).units === text.length) return text;
  const most = unitsWithin(text, tokens - estimateTokens(ELLIPSIS));
  const space = text.lastIndexOf(' ', most);
  const kept = text.slice(0, space > most * 0.6 ? space : most);
  return `${kept.replace(/[\uD800-\uDBFF]$/, '').trimEnd()}${ELLIPSIS}`;
}

/** Budgets in tokens of the estimator above; ceilings that no tag exceeds. */
export const BUDGETS = {
  monitorShort: 60,
  monitor: 260,
  alert: 500,
  /** When the user's requirements need more. */
  alertMost: 900,
  resumption: 1_200,
  resumptionPointer: 60,
  quality: 700,
  project: 200,
  track: 900,
  reinforcement: 600,
  /** Files that a command has changed, after a tool. */
  changedFiles: 400,
  /** Everything that is injected at a start, and at a prompt. */
  start: 2_300,
  prompt: 1_300,
  /** Characters (UTF-16 units) of one hook answer; the host cuts at 10,000 and loses the closing tag. */
  answerCharacters: 9_500,
  /** Bytes of the words for the summariser. */
  summariserBytes: 1_000,
} as const;

/** A line of a tag with its rank: the higher the rank, the sooner it is dropped. 0 is never dropped. */
export interface RankedLine {
  text: string;
  rank: number;
  /** The name under which a dropped line is reported, e.g. "open tasks". */
  called?: string;
  /** A title, shown only while a line of its list follows. */
  isTitle?: true;
}

/** Leaves out titles without a list and empty lines without a block. */
function tidy(lines: readonly RankedLine[]): RankedLine[] {
  const titled = lines.filter(
    (line, index) => !line.isTitle || /^(?:-|\d+\.) /.test(lines[index + 1]?.text ?? ''),
  );
  return titled.filter((line, index) => {
    const next = titled[index + 1]?.text;
    return line.text !== '' || !(next === undefined || next === '' || next.startsWith('</'));
  });
}

/** Up to this many lines are dropped one by one; with more, the number to drop is first searched for in larger steps. */
const FEW = 50;

/**
 * Fits lines into a budget by dropping whole lines, highest rank first and the last of equals first.
 * What was dropped is named in one line, with the place to read it, when the lines have names.
 */
export function fitLines(lines: readonly RankedLine[], budget: number, whereToRead: string | null): string {
  const order = lines
    .map((line, index) => ({ line, index }))
    .filter(({ line }) => line.rank > 0)
    .sort((a, b) => b.line.rank - a.line.rank || b.index - a.index);
  /** The text without the first so many of that order. */
  const without = (count: number): string => {
    const gone = order.slice(0, count);
    const indexes = new Set(gone.map(({ index }) => index));
    const texts = tidy(lines.filter((_, index) => !indexes.has(index))).map(({ text }) => text);
    const names = [...new Set(gone.flatMap(({ line }) => (line.called ? [line.called] : [])))];
    const where = whereToRead ? ` (see ${escapeInline(whereToRead)})` : '';
    const note = names.length === 0 ? [] : [`Left out for length: ${names.join(', ')}${where}`];
    texts.splice(Math.max(texts.length - 1, 0), 0, ...note);
    return texts.join('\n');
  };
  // The cost is a sum over lines, and most lines stay as they are from one round to the next.
  const known = new Map<string, number>();
  const costOf = (line: string): number => {
    const cost = known.get(line) ?? estimateTokens(line);
    known.set(line, cost);
    return cost;
  };
  const tokens = (text: string): number => text.split('\n').reduce((sum, line) => sum + 1 + costOf(line), -1);
  let count = 0;
  for (let step = order.length; order.length > FEW && step >= 1; step = Math.floor(step / 2))
    while (count + step <= order.length && tokens(without(count + step - 1)) > budget) count += step;
  let text = without(count);
  while (count < order.length && tokens(text) > budget) text = without(++count);
  return text;
}
