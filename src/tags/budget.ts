// How many tokens will a text cost at the most, and what goes first when it is too long?
import { shorten } from '../model/work.ts';

/**
 * A conservative count of the tokens of a text: letters in groups of four, digits in groups of two, every sign and
 * line break one, every other character one and a half. No single divisor is an upper bound over prose, paths, JSON
 * and other scripts; this count is, on the texts that the tests hold against a real tokenizer.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const run of text.match(/[A-Za-z]+|\d+|[ \t]+|[^\x00-\x7f]|[^A-Za-z\d \t]/g) ?? []) {
    const first = run.charCodeAt(0);
    if (first > 0x7f) tokens += 1.5;
    else if ((first >= 65 && first <= 90) || (first >= 97 && first <= 122))
      tokens += Math.ceil(run.length / 4);
    else if (first >= 48 && first <= 57) tokens += Math.ceil(run.length / 2);
    else if (first === 32 || first === 9) tokens += run.length > 1 ? 1 : 0;
    else tokens += 1;
  }
  return Math.ceil(tokens);
}

/** Cuts text to a number of tokens, at a word where there is one, and says so with an ellipsis. */
export function cutToTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (estimateTokens(text.slice(0, middle)) + 2 <= tokens) low = middle;
    else high = middle - 1;
  }
  return shorten(text, Math.max(low, 2));
}

/** Budgets in tokens of the estimator above; ceilings that no tag exceeds. */
export const BUDGETS = {
  monitorShort: 60,
  monitor: 260,
  alert: 500,
  /** Characters (UTF-16 units) of one hook answer; the host cuts at 10,000 and loses the closing tag. */
  answerCharacters: 9_500,
  /** Bytes of PreCompact's words for the summariser. */
  summariserBytes: 1_000,
} as const;

/** A line of a tag with its rank: the higher the rank, the sooner it is dropped. 0 is never dropped. */
export interface Line {
  text: string;
  rank: number;
  /** What is said when the line is dropped, e.g. "open tasks". */
  called?: string;
  /** A title, shown only while a line of its list follows. */
  isTitle?: true;
}

/** Leaves out titles without a list and empty lines without a block. */
function tidy(lines: readonly Line[]): Line[] {
  const titled = lines.filter(
    (line, index) => !line.isTitle || /^(?:-|\d+\.) /.test(lines[index + 1]?.text ?? ''),
  );
  return titled.filter((line, index) => {
    const next = titled[index + 1]?.text;
    return line.text !== '' || !(next === undefined || next === '' || next.startsWith('</'));
  });
}

/**
 * Fits lines into a budget by dropping whole lines, highest rank first and the last of equals first.
 * What was dropped is named in one line, with the place to read it, when the lines have names.
 */
export function fitLines(lines: readonly Line[], budget: number, whereToRead: string | null): string {
  const kept = [...lines];
  const dropped: string[] = [];
  const note = (): string[] =>
    dropped.length === 0
      ? []
      : [`Left out for length: ${dropped.join(', ')}${whereToRead ? ` (see ${whereToRead})` : ''}`];
  const compose = (): string => {
    const texts = tidy(kept).map((line) => line.text);
    texts.splice(Math.max(texts.length - 1, 0), 0, ...note());
    return texts.join('\n');
  };
  let text = compose();
  while (estimateTokens(text) > budget) {
    const rank = Math.max(...kept.map((line) => line.rank));
    if (rank <= 0) break;
    const index = kept.findLastIndex((line) => line.rank === rank);
    const [line] = kept.splice(index, 1);
    if (line?.called && !dropped.includes(line.called)) dropped.push(line.called);
    text = compose();
  }
  return text;
}
