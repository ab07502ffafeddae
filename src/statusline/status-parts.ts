// The parts and the format of the status line, and which words stay when there is not room for all.

/** The parts by their names in the format. */
export const STATUS_PARTS = [
  'model',
  'bar',
  'usage',
  'tier',
  'headroom',
  'compactions',
  'checkpoint',
  'workflow',
  'age',
] as const;
export type StatusPart = (typeof STATUS_PARTS)[number];

export const STATUS_FORMAT =
  '{model} {bar} {usage} {tier} · {headroom} · {compactions} · {checkpoint} · {workflow}';

/** What goes first where the line is too long; the usage never goes. */
const LEAST_FIRST: readonly StatusPart[] = [
  'age',
  'compactions',
  'checkpoint',
  'workflow',
  'model',
  'headroom',
  'bar',
  'tier',
  'usage',
];

/** A piece of the format: text as it stands, or a part. */
export type FormatItem = { text: string } | { part: StatusPart };

const isPart = (name: string): name is StatusPart => (STATUS_PARTS as readonly string[]).includes(name);

/** A format as its words, each of pieces without a blank between them. */
export const formatPart = (format: string): FormatItem[][] =>
  format
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) =>
      word
        .split(/(\{[^{}]*\})/)
        .filter((piece) => piece !== '')
        .map((piece) => {
          const name = /^\{(.*)\}$/.exec(piece)?.[1];
          return name !== undefined && isPart(name) ? { part: name } : { text: piece };
        }),
    );

const partsOf = (word: readonly FormatItem[]): StatusPart[] =>
  word.flatMap((piece) => ('part' in piece ? [piece.part] : []));

/** How much a word matters: as much as its most important part. */
const weight = (word: readonly FormatItem[]): number =>
  Math.max(...partsOf(word).map((part) => LEAST_FIRST.indexOf(part)));

/** A word without a part stands between two words with one, once, or not at all. */
function withoutLooseSeparators(words: readonly FormatItem[][]): FormatItem[][] {
  const kept: FormatItem[][] = [];
  let between: FormatItem[] | null = null;
  for (const word of words) {
    if (partsOf(word).length === 0) between ??= word;
    else {
      if (between !== null && kept.length > 0) kept.push(between);
      between = null;
      kept.push(word);
    }
  }
  return kept;
}

/**
 * The words that are shown: those with an unknown part are gone, and, least important first, those for which there is
 * no room. The usage stays.
 * @param widthOf columns that words take, blanks between them
 */
export function wordsThatFit(
  format: string,
  isKnown: (part: StatusPart) => boolean,
  width: number,
  widthOf: (words: readonly FormatItem[][]) => number,
): FormatItem[][] {
  let words = formatPart(format).filter((word) => partsOf(word).every(isKnown));
  for (;;) {
    const shown = withoutLooseSeparators(words);
    const least = shown
      .filter((word) => partsOf(word).length > 0 && !partsOf(word).includes('usage'))
      .sort((a, b) => weight(a) - weight(b))[0];
    if (least === undefined || widthOf(shown) <= width) return shown;
    words = words.filter((word) => word !== least);
  }
}
