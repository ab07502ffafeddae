// Makes foreign text safe for one terminal line, and measures and cuts text by terminal columns.

/** Escape sequences that move the cursor or set colours, titles or links, complete or cut off. */
const SEQUENCES =
  /[\u001b\u009b](?:[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)|[[\]()#;?]*(?:[\d;:<=>?]*[ -/]*[@-~])?)/g;
/** Control characters, what turns the direction of writing or cannot be seen, breaks of lines, halves of characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Longer texts are no names. */
const LONGEST = 4096;

/** The characters of nearly every line: one column each, without tables of Unicode, which take 2 ms to load. */
const PLAIN = /^[ -~█░·…]*$/;

/** Foreign text for a line of a terminal: one line, and nothing in it but what can be read. */
export const readable = (text: string): string =>
  PLAIN.test(text) ? text.replace(/ +/g, ' ').trim().slice(0, LONGEST) : cleaned(text);

const cleaned = (text: string): string =>
  text
    .slice(0, LONGEST)
    .replace(SEQUENCES, '')
    .replace(/\s+/g, ' ')
    .replace(UNSEEN, (sign) => (sign === '\u200d' ? sign : ''))
    .trim();

/** One visible character: a letter with its accents, or an emoji of several code points. */
const SIGN =
  /\p{Regional_Indicator}{2}|\p{Emoji}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Emoji}(?:\ufe0f|\p{Emoji_Modifier})?)+|\P{M}(?:\p{M}|\p{Emoji_Modifier}|\u200d)*|\p{M}+/gu;
const WIDE =
  /^(?![\uff61-\uffdc])(?:[\p{Emoji_Presentation}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303e\u30fb\u30fc\uff01-\uff60\uffe0-\uffe6]|\p{Regional_Indicator}{2}|\p{Emoji}\ufe0f|\p{Emoji}.*\u200d)/u;

const signsIn = (text: string): string[] => text.match(SIGN) ?? [];
const widthOf = (sign: string): number => (WIDE.test(sign) ? 2 : /^\p{M}/u.test(sign) ? 0 : 1);

/** Columns of a text without sequences. */
export const countColumns = (text: string): number =>
  PLAIN.test(text) ? text.length : signsIn(text).reduce((sum, sign) => sum + widthOf(sign), 0);

/** A text of at most so many columns; what is cut off leaves `…`. */
export function cutToColumns(text: string, most: number): string {
  if (countColumns(text) <= most) return text;
  let result = '';
  let width = 1;
  for (const sign of signsIn(text)) {
    width += widthOf(sign);
    if (width > most) break;
    result += sign;
  }
  return most < 1 ? '' : `${result.trimEnd()}…`;
}

/** Formats a value so that every character is visible, also those that a terminal obeys or that have no width. */
export const stripInvisible = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`,
  );
