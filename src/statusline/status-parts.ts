// The parts and the format of the status line, and which words stay when there is not room for all.

import type { Assessment } from '../context/assessment.ts';
import { isAtLeast, type Tier } from '../context/tier.ts';
import { countColumns, cutToColumns, readable } from '../text/columns.ts';
import { formatAge } from '../text/time.ts';

// The line below the prompt of Claude Code: model, context usage, tier, headroom, checkpoint and workflow of a session.
export interface StatusFacts {
  /** Name of the model, or null. */
  model: string | null;
  /** Null when the session is not known. */
  assessment: Assessment | null;
  /** Compactions so far, or null when not known. */
  compactions: number | null;
  /** The last one; null: none; undefined: not known. */
  checkpoint: { id: string; age_s: number } | null | undefined;
  workflow: { id: string; freshness: 'FRESH' | 'STALE' | 'CRITICAL' } | null;
}

const CELLS = 10;
/** Words for the staleness of a workflow that cannot be mistaken for a tier. */
const LAG = { FRESH: '', STALE: ': stale', CRITICAL: ': not updated yet' };
const MOST_COLUMNS_OF_A_NAME = 30;

/** 167000 → "167k", 1000000 → "1M"; rounded down, so that no headroom is shown that is not there. */
const short = (tokens: number): string =>
  tokens >= 1_000_000
    ? `${Math.floor(tokens / 100_000) / 10}M`
    : tokens >= 1_000
      ? `${Math.floor(tokens / 1_000)}k`
      : String(tokens);

const counted = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`;
const name = (text: string): string | null => cutToColumns(readable(text), MOST_COLUMNS_OF_A_NAME) || null;

function usageText({
  reading,
  effectiveLimit,
  fractionOfLimit: fraction,
  window,
  autoCompactAt,
}: Assessment): string {
  if (fraction === null || reading.tokens === null) return 'usage unknown';
  const isAssumed =
    window.confidence !== 'certain' ||
    (effectiveLimit === autoCompactAt.tokens && autoCompactAt.confidence === 'assumed');
  // Rounded down as tiers are (69.9% is not 70%), but a known usage never reads as 0%.
  const share = fraction < 0.01 ? '<1%' : `${Math.floor(fraction * 100 + 1e-9)}%`;
  const of = `of ${isAssumed ? '~' : ''}${short(effectiveLimit)}`;
  return reading.estimated ? `~${share} ${of} (estimate)` : `${share} ${of}`;
}

function barText({ fractionOfLimit: fraction }: Assessment): string | null {
  if (fraction === null) return null;
  const full = Math.min(CELLS, Math.floor(fraction * CELLS + 1e-9));
  return '█'.repeat(full) + '░'.repeat(CELLS - full);
}

/** The text of each part; null when its value is not known. Only the usage part says itself that it is unknown. */
export function statusParts(facts: StatusFacts): Record<StatusPart, string | null> {
  const { assessment, checkpoint, compactions, workflow } = facts;
  const { tier = null, headroom = null, tierIfStandardWindow: standard = null } = assessment ?? {};
  const id = workflow === null ? null : name(workflow.id);
  return {
    model: facts.model === null ? null : name(facts.model),
    bar: assessment === null ? null : barText(assessment),
    usage: assessment === null ? 'usage unknown' : usageText(assessment),
    tier:
      tier === null || standard === null || standard === 'NOMINAL' || standard === tier
        ? tier
        : `${tier} (${standard} if the window is 200k)`,
    headroom: headroom === null ? null : `${assessment?.reading.estimated ? '~' : ''}${short(headroom)} left`,
    compactions: compactions === null ? null : counted(compactions, 'compaction'),
    checkpoint:
      checkpoint === undefined
        ? null
        : checkpoint === null
          ? 'no checkpoint'
          : `${readable(checkpoint.id)} ${formatAge(checkpoint.age_s)}`,
    workflow: workflow === null || id === null ? null : `${id}${LAG[workflow.freshness]}`,
    age: assessment?.reading.age_s == null ? null : `read ${formatAge(assessment.reading.age_s)}`,
  };
}

const TIER_COLOURS: Record<Tier, string> = {
  NOMINAL: '32',
  LOW: '36',
  WARNING: '33',
  CRITICAL: '31',
  EMERGENCY: '1;31',
};

/** The colour of a part; null leaves it to the client, which shows such text in grey. */
function colourOf(part: StatusPart, { assessment, workflow }: StatusFacts): string | null {
  const tier = assessment?.tier ?? null;
  if (tier === null) return null;
  if (part === 'bar' || part === 'usage' || part === 'tier') return TIER_COLOURS[tier];
  // From WARNING on the agent is asked to bring the section up to date.
  const isDue = part === 'workflow' && workflow?.freshness !== 'FRESH' && isAtLeast(tier, 'WARNING');
  return isDue ? TIER_COLOURS.WARNING : null;
}

/**
 * The line of a format, at most so many columns wide.
 * @param width columns; infinity where they are not known
 */
export function statusLine(
  facts: StatusFacts,
  options: { format: string; width: number; colours: boolean },
): string {
  const parts = statusParts(facts);
  const { format, width, colours } = options;
  const plain = (piece: FormatItem): string =>
    'part' in piece ? (parts[piece.part] ?? '') : readable(piece.text);
  const plainLine = (words: readonly FormatItem[][]): string =>
    words.map((word) => word.map(plain).join('')).join(' ');
  const words = fitWords(
    format,
    (part) => parts[part] !== null,
    width,
    (shown) => countColumns(plainLine(shown)),
  );
  const line = plainLine(words);
  if (countColumns(line) > width) return cutToColumns(line, width);
  if (!colours) return line;
  const painted = (piece: FormatItem): string => {
    const colour = 'part' in piece ? colourOf(piece.part, facts) : null;
    return colour === null ? plain(piece) : `\u001b[${colour}m${plain(piece)}\u001b[0m`;
  };
  return words.map((word) => word.map(painted).join('')).join(' ');
}

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
export function fitWords(
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
