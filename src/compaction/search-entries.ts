// Finds the things said that hold given words: all words before some, whole words before parts, the newest first.

/** Something that was said, where it can be looked up. */
export interface Saying {
  /** Id, or null where it is not known any more. */
  session: string | null;
  /** Line in the session's transcript, counted from 1; null where only the ledger knows it. */
  line: number | null;
  /** ISO time, or null. */
  time: string | null;
  /** Compactions of the session before it. */
  segment: number;
  /** Who said it, or what it is. */
  who: 'user' | 'other' | 'agent' | 'command' | 'output' | 'answer' | 'refusal';
  /** What it belongs to: the command of an output, the question of an answer; or null. */
  of: string | null;
  text: string;
}

export interface RecallMatch extends Saying {
  /** How many of the words it holds, and how many of them as whole words. */
  words: number;
  wholeWords: number;
  /** Where the first of them stands in the text. */
  at: number;
}

/** Letters of one word are written in many ways; what is looked for must be found in each. */
export const foldText = (text: string): string => text.normalize('NFKC').toLowerCase();

const LETTER = /[\p{L}\p{N}_]/u;

/** Scripts that put no blanks between words: each part of a text can be a word there. */
const NO_BLANKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function isWhole(text: string, at: number, word: string): boolean {
  if (NO_BLANKS.test(word)) return true;
  const before = text.slice(Math.max(0, at - 1), at);
  const after = text.slice(at + word.length, at + word.length + 1);
  return !LETTER.test(before) && !LETTER.test(after);
}

/** Whether a word stands in a text, and as a whole word; -1 where it does not. */
function findWord(text: string, word: string): { at: number; isWhole: boolean } {
  const first = text.indexOf(word);
  for (let at = first; at >= 0; at = text.indexOf(word, at + 1)) {
    if (isWhole(text, at, word)) return { at, isWhole: true };
  }
  return { at: first, isWhole: false };
}

const compare = (a: RecallMatch, b: RecallMatch): number =>
  b.words - a.words ||
  b.wholeWords - a.wholeWords ||
  (b.time ?? '').localeCompare(a.time ?? '') ||
  (b.line ?? 0) - (a.line ?? 0);

/** Keeps the best of what it is given, however much that is. */
export function startSearch(words: readonly string[], limit: number) {
  const looked = [...new Set(words.map(foldText))].filter((word) => word !== '');
  let best: RecallMatch[] = [];
  return {
    add(saying: Saying): void {
      const text = foldText(saying.text);
      const found = looked.map((word) => findWord(text, word)).filter(({ at }) => at >= 0);
      const most = best[0]?.words ?? 1;
      // What holds fewer of the words than something else is no answer to all of them.
      if (found.length < most) return;
      if (found.length > most) best = [];
      best.push({
        ...saying,
        words: found.length,
        wholeWords: found.filter((each) => each.isWhole).length,
        at: Math.min(...found.map(({ at }) => at)),
      });
      if (best.length > limit * 4) best = best.sort(compare).slice(0, limit);
    },
    result: (): RecallMatch[] => best.sort(compare).slice(0, limit),
  };
}
