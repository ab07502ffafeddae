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
function changeGap(written: string, before: string, after: string): string {
  const isBlank = before.trim() === '';
  // A comment that the rendering does not know stays in front of what is new.
  if (isBlank && written.trim() !== '') return written.trimEnd() + after;
  if (after.trim() === '') return after;
  const keepsLead = lead(before) === lead(after) && (!isBlank || before.includes('\n'));
  const keepsTail = tail(before) === tail(after);
  return (keepsLead ? lead(written) : lead(after)) + after.trim() + (keepsTail ? tail(written) : tail(after));
}

/**
 * The written text with what differs between `before` and `after`, which are rendered alike; everything between tokens
 * that stay (blanks, quotes, comments, line ends) stays as it is written.
 * @returns null when the written text is too different from the rendered one
 */
export function patchText(written: string, before: string, after: string, eol: string): string | null {
  const [mine, old, next] = [tokensOf(written), tokensOf(before), tokensOf(after)];
  const toOld = alignTokens(next, old);
  const toMine = alignTokens(old, mine);
  if (toOld === null || toMine === null) return null;
  let result = '';
  let [atMine, atOld, atNext] = [0, 0, 0];
  const takeGap = (mineTo: number, oldTo: number, nextTo: number): void => {
    const [rendered, meant] = [before.slice(atOld, oldTo), after.slice(atNext, nextTo)];
    const own = written.slice(atMine, mineTo);
    result += rendered === meant ? own : changeGap(own, rendered, meant.replaceAll('\n', eol));
  };
  next.forEach((token, index) => {
    const oldIndex = toOld.get(index) ?? -1;
    const [oldToken, mineToken] = [old[oldIndex], mine[toMine.get(oldIndex) ?? -1]];
    if (oldToken === undefined || mineToken === undefined) return;
    takeGap(mineToken.from, oldToken.from, token.from);
    result += token.text;
    [atMine, atOld, atNext] = [mineToken.to, oldToken.to, token.to];
  });
  takeGap(written.length, before.length, after.length);
  return result;
}
