// The ways to remove a key from a TOML text, the best first; the caller takes the first one that proves sound.
import { eolOf, type Span } from '../model/spans.ts';
import { type Place, pairAt, replacing } from './edit-place.ts';
import { isBelow, type Line, type Pair } from './toml-lines.ts';

/** Removes a line; its comments stay on lines of their own. */
function withoutLine(text: string, lines: readonly Line[], index: number): Span {
  const line = lines[index];
  if (line === undefined || line.kind === 'blank' || line.kind === 'comment') throw new Error('No such line');
  const eol = eolOf(text);
  const indent = /^[ \t]*/.exec(text.slice(line.from))?.[0] ?? '';
  const inside = line.kind === 'pair' ? line.pair.comments : [];
  const comments = line.comment === null ? inside : [...inside, line.comment];
  const { from } = line;
  let { to } = line;
  // Of the blank lines around a line on its own, one stays.
  const isAlone = (index === 0 || lines[index - 1]?.kind === 'blank') && lines[index + 1]?.kind === 'blank';
  if (comments.length === 0 && isAlone) to = lines[index + 1]?.to ?? to;
  return { from, to, text: comments.map((comment) => `${indent}${comment}${eol}`).join('') };
}

/** The header of the table in which a line is alone; null when a comment belongs to that table. */
function loneHeader(lines: readonly Line[], index: number): number | null {
  const header = lines.findLastIndex((line, at) => at < index && line.kind === 'header');
  const line = lines[header];
  if (line?.kind !== 'header' || line.isArray || line.comment !== null) return null;
  if (lines[header - 1]?.kind === 'comment') return null;
  const next = lines.findIndex((each, at) => at > header && each.kind === 'header');
  const block = lines.slice(header + 1, next < 0 ? lines.length : next);
  return block.every((each) => each.kind === 'blank' || each === lines[index]) ? header : null;
}

function* fromLine(text: string, lines: readonly Line[], index: number): Generator<readonly Span[]> {
  const line = lines[index];
  const header = loneHeader(lines, index);
  const top = header === null ? undefined : lines[header];
  const hasComments = line?.kind === 'pair' && (line.comment !== null || line.pair.comments.length > 0);
  if (header !== null && top !== undefined && line !== undefined && !hasComments) {
    // Removes the blank line above too, when another one or the end follows.
    const isSpaced = index + 1 >= lines.length || lines[index + 1]?.kind === 'blank';
    const above = lines[header - 1];
    const from = isSpaced && above?.kind === 'blank' ? above.from : top.from;
    yield [{ from, to: line.to, text: '' }];
  }
  yield [withoutLine(text, lines, index)];
}

/** Removes an entry of an inline table with the comma beside it. */
function* fromInline(text: string, { around, pair }: Place): Generator<readonly Span[]> {
  const entries = around.at(-1)?.entries ?? [];
  const at = entries.indexOf(pair);
  const [before, after] = [entries[at - 1], entries[at + 1]];
  if (before !== undefined) yield [{ from: before.value.to, to: pair.value.to, text: '' }];
  if (after !== undefined) yield [{ from: pair.from, to: after.from, text: '' }];
  const comma = /^\s*,/.exec(text.slice(pair.value.to))?.[0].length ?? 0;
  yield [{ from: pair.from, to: pair.value.to + comma, text: '' }];
}

/** The text of an inline table's entries without one of them. */
const remaining = (text: string, table: Pair, without: Pair): string =>
  (table.entries ?? [])
    .filter((each) => each !== without)
    .map((each) => text.slice(each.from, each.value.to))
    .join(', ');

/** The ways to remove a key, or the headers of an otherwise empty table. */
export function* removals(
  text: string,
  lines: readonly Line[],
  path: readonly string[],
): Generator<readonly Span[]> {
  const place = pairAt(lines, path);
  if (place === null) {
    const headers = lines.flatMap((line, index) =>
      line.kind === 'header' && isBelow(line.path, path) ? [index] : [],
    );
    yield headers.map((index) => withoutLine(text, lines, index));
    return;
  }
  // An inline table that holds nothing else goes as a whole.
  let { pair } = place;
  const around = [...place.around];
  while (around.length > 0 && around.at(-1)?.entries?.length === 1) pair = around.pop() ?? pair;
  const line = lines[place.line];
  const table = around.at(-1);
  if (table === undefined) {
    yield* fromLine(text, lines, place.line);
    return;
  }
  yield* fromInline(text, { ...place, around, pair });
  if (line !== undefined)
    yield replacing(text, line, table, `{ ${remaining(text, table, pair)} }`, eolOf(text));
}
