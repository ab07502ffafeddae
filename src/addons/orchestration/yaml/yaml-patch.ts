// Applies the difference of two rendered YAML texts to the text that a person wrote.
import { diffArrays } from 'diff';

interface Token {
  text: string;
  from: number;
  to: number;
}

/** Texts that differ in more tokens than this are not aligned: the search would take too long. */
const MOST_DIFFERENCES = 2_000;

const tokensOf = (text: string): Token[] =>
  Array.from(text.matchAll(/[\p{L}\p{N}_]+|\S/gu), ({ 0: word, index }) => ({
    text: word,
    from: index,
    to: index + word.length,
  }));

/** For each token of one text its counterpart in the other; null when they have too little in common. */
function alignTokens(one: readonly Token[], other: readonly Token[]): Map<number, number> | null {
  const changes = diffArrays(
    one.map(({ text }) => text),
    other.map(({ text }) => text),
    { maxEditLength: MOST_DIFFERENCES },
  );
  if (changes === undefined) return null;
  const pairs = new Map<number, number>();
  let [i, j] = [0, 0];
  for (const { added, removed, count } of changes) {
    for (let step = 0; step < count && !added && !removed; step++) pairs.set(i + step, j + step);
    if (!added) i += count;
    if (!removed) j += count;
  }
  return pairs;
}

const lead = (gap: string): string => /^\s*/.exec(gap)?.[0] ?? '';
const tail = (gap: string): string => /\s*$/.exec(gap)?.[0] ?? '';

/** A stretch between two tokens that changes: blanks around it stay as the person wrote them, if they are to stay. */
function changeGap(written: string, before: string, after: string, indented: string): string {
  const isBlank = before.trim() === '';
  // A comment that the rendering does not know stays in front of what is new.
  if (isBlank && written.trim() !== '')
    // The same holds for a comma behind the last item.
    return written.trim() === ',' && after.startsWith(',') ? written : written.trimEnd() + indented;
  if (after.trim() === '') return indented;
  const keepsLead = lead(before) === lead(after) && (!isBlank || before.includes('\n'));
  const keepsTail = tail(before) === tail(after);
  return lead(keepsLead ? written : indented) + indented.trim() + tail(keepsTail ? written : indented);
}

/** A column of a rendered text, at some place of it, and the column that it has in the written one. */
interface Column {
  at: number;
  rendered: number;
  written: number;
}

/** The column of a token that only blanks and dashes stand before on its line; null for others and for comments. */
function columnOf(text: string, token: Token): number | null {
  const column = token.from - (token.from === 0 ? 0 : text.lastIndexOf('\n', token.from - 1) + 1);
  return token.text !== '#' && /^[ -]*$/.test(text.slice(token.from - column, token.from)) ? column : null;
}

/** Gives a rendered line the column of its neighbours in the written text, else the distance from what it stands in. */
function columnAt(columns: readonly Column[], at: number, rendered: number): number {
  // A column counts as long as nothing stands further left.
  const isEnd = (each: Column): boolean => each.rendered <= rendered;
  const above = columns.findLast((each) => each.at < at && isEnd(each));
  const below = columns.find((each) => each.at >= at && isEnd(each));
  const beside = [above, below].find((each) => each?.rendered === rendered);
  if (beside !== undefined) return beside.written;
  return above === undefined ? rendered : above.written + rendered - above.rendered;
}

/**
 * The written text with what differs between `before` and `after`, which are rendered alike; everything between tokens
 * that stay (blanks, quotes, comments, line ends) stays as it is written, and new lines are indented as those around them.
 * @returns null when the written text is too different from the rendered one
 */
export function patchText(written: string, before: string, after: string, eol: string): string | null {
  const [mine, old, next] = [tokensOf(written), tokensOf(before), tokensOf(after)];
  const toOld = alignTokens(next, old);
  const toMine = alignTokens(old, mine);
  if (toOld === null || toMine === null) return null;
  const kept = next.flatMap((token, index) => {
    const oldIndex = toOld.get(index) ?? -1;
    const [oldToken, mineToken] = [old[oldIndex], mine[toMine.get(oldIndex) ?? -1]];
    return oldToken === undefined || mineToken === undefined ? [] : { token, oldToken, mineToken };
  });
  const columns = kept.flatMap(({ token, mineToken }): Column[] => {
    const rendered = columnOf(after, token);
    // A bracket behind its key is closed at the column of the key.
    const isBehind = /^[[{]$/.test(token.text);
    const start = written.lastIndexOf('\n', mineToken.from) + 1;
    const own = isBehind ? written.slice(start).search(/[^ -]/) : columnOf(written, mineToken);
    return rendered === null || own === null ? [] : [{ at: token.from, rendered, written: own }];
  });
  /** A stretch of the rendered text with its lines indented as the written ones. */
  const indented = (from: number, to: number): string =>
    after
      .slice(from, to)
      .replace(/\n( *)(?=([^ \n]?))/g, (line: string, pad: string, first: string, index: number) => {
        const at = from + index + line.length;
        if (first === '' && at < to) return eol;
        const column = columnAt(columns, at, pad.length);
        const place = columns.findIndex((each) => each.at >= at);
        if (columns[place]?.at !== at)
          columns.splice(place < 0 ? columns.length : place, 0, {
            at,
            rendered: pad.length,
            written: column,
          });
        return eol + ' '.repeat(column);
      });
  let result = '';
  let [atMine, atOld, atNext] = [0, 0, 0];
  const takeGap = (mineTo: number, oldTo: number, nextTo: number): void => {
    const [rendered, meant] = [before.slice(atOld, oldTo), after.slice(atNext, nextTo)];
    const own = written.slice(atMine, mineTo);
    result += rendered === meant ? own : changeGap(own, rendered, meant, indented(atNext, nextTo));
  };
  for (const { token, oldToken, mineToken } of kept) {
    takeGap(mineToken.from, oldToken.from, token.from);
    result += token.text;
    [atMine, atOld, atNext] = [mineToken.to, oldToken.to, token.to];
  }
  takeGap(written.length, before.length, after.length);
  return result;
}
