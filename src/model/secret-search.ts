// Finds which kinds of secrets a text can hold; for nearly every text the answer is none.

import { IN_NAMES } from './secret-names.ts';
import { SECRETS } from './secret-table.ts';

/**
 * Whether a text (in lower case) can hold a secret that is known by its name: such a word, and behind the name what
 * NAMES and ELEMENT of secret-names.ts ask for. Most texts speak of tokens and keys; few give one.
 */
const namedPattern = (): RegExp =>
  new RegExp(
    String.raw`${IN_NAMES}[\w.-]{0,80}(?![\w.-])(?:${[
      String.raw`["'\`\\\]]{0,4}\*{0,2}[ \t]{0,3}(?:\([^)\n]{1,30}\))?(?:[?:]?=(?!=)|:(?!:))`,
      String.raw`(?<=\bdefine\(\s{0,3}["'][\w.]{2,120})["'],`,
      String.raw`["'\`]?\*{0,2}[ \t]{0,80}\|[ \t]{0,80}[^\s|]`,
      String.raw`(?<=[\s"']--?[a-z][a-z-]{1,40})(?: (?!-)|["'],)`,
      String.raw`(?<=\b(?:setx?|env|arg|add|put|config)\s(?:--?[a-z]{1,12}\s)?[a-z][\w.-]{2,122}) `,
      String.raw`(?<=[\s{(]:[a-z][a-z_-]{1,40})\s{1,3}"`,
      String.raw`["']?,?(?:\s|\\[nr]){0,80}["']?value["']?:`,
      String.raw`(?<=<\/[\w.:-]{2,120})>`,
    ].join('|')})`,
  );

/** Made when first needed, and kept: many texts may be looked at one by one. */
let named: RegExp | undefined;
let anyHint: RegExp | undefined;
let everyHint: RegExp | undefined;

export function mayHoldNamed(lower: string): boolean {
  named ??= namedPattern();
  return named.test(lower);
}

/** Whether a text (in lower case) holds anything that a secret could be a part of. */
export function mayHoldSecret(lower: string): boolean {
  anyHint ??= new RegExp(SECRETS.map(({ hint }) => hint).join('|'));
  return anyHint.test(lower) || mayHoldNamed(lower);
}

/** The names of the kinds whose hint stands in a text. */
function findHints(lower: string): Set<string> {
  everyHint ??= new RegExp(SECRETS.map(({ hint }) => `(${hint})`).join('|'), 'g');
  const hints = everyHint;
  hints.lastIndex = 0;
  const found = new Set<string>();
  for (let match = hints.exec(lower); match !== null; match = hints.exec(lower)) {
    // A hint can begin inside another one.
    hints.lastIndex = match.index + 1;
    const kind = SECRETS[match.indexOf(match[0], 1) - 1];
    if (kind !== undefined) found.add(kind.name);
  }
  return found;
}

/** The patterns that a text (in lower case) may match, by its hints: of whole secrets, and of what follows a prefix. */
export function patternsIn(lower: string): { shapes: RegExp[]; prefixed: RegExp[] } {
  const found = findHints(lower);
  // Where two begin alike, one hint speaks for both.
  if (found.has('awsOther')) found.add('twilio');
  if (found.has('login')) found.add('database');
  const made = (hasPrefix: boolean): RegExp[] =>
    SECRETS.filter((kind) => kind.hasPrefix === hasPrefix && found.has(kind.name)).flatMap(({ patterns }) =>
      patterns.map((pattern) => pattern()),
    );
  return { shapes: made(false), prefixed: made(true) };
}

/** What stands right before a shape where text is escaped (JSON, URLs) or coloured: it is no part of a word. */
const ESCAPE = () =>
  /(?:\\[nrtbfv0]|\\u[0-9a-fA-F]{4}|%[0-9A-Fa-f]{2}|(?:\x1b|\\(?:x1b|u001b|033|e))\[[0-9;]{0,12}m)$/;

/** Whether a shape can begin here: in the middle of a word it is a part of that word. */
export const isBeginning = (text: string, at: number): boolean =>
  at === 0 ||
  text[at] === '-' ||
  /[^A-Za-z0-9]/.test(text[at - 1] ?? '') ||
  ESCAPE().test(text.slice(Math.max(0, at - 24), at));
