// Builds the lines of messages about work: labelled values, titles and lists, with foreign text made harmless.
import { cutToTokens, type RankedLine } from './budget.ts';
import { escapeInline } from './escape.ts';

/** 167000 → "167,000"; the tables of `toLocaleString` take 29 ms to load. */
export const formatThousands = (value: number): string =>
  String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');

/** Foreign text in our tag: on one line, harmless, and at most so many tokens long. */
export const fitInline = (value: string, tokens: number): string => cutToTokens(escapeInline(value), tokens);

/** A line with a label, or none for an empty value; the label also names the line when it is left out for length. */
export const formatLabelLine = (
  label: string,
  value: string | number | null,
  tokens: number,
  rank: number,
): RankedLine[] =>
  value === null || value === ''
    ? []
    : [
        {
          text: `${label}: ${fitInline(String(value), tokens)}`,
          rank,
          called: label.replace(/^- /, '').toLowerCase(),
        },
      ];

/** So much of a session's id as tells two apart: opencode's begin alike, and so do those of the seventh version within a minute. */
export const shortenId = (id: string): string =>
  /^(?:(?:ses_)?[^-]{8}(?:-[^-]{4}(?=-7))?|.{8})/.exec(id)?.[0] ?? id;

/** Paths as the agent would type them. */
export function shortenPath(path: string, root: string | null): string {
  const prefix = root === null ? null : `${root.replace(/[\\/]$/, '')}/`;
  return prefix !== null && path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/** The title of a list, with a count when it has more than four entries. */
export const formatListTitle = (title: string, count: number): string =>
  `${title}${count > 4 ? ` (${count})` : ''}:`;

/** The lines of a list, most important first; they can be dropped one by one from the end. */
export function listLines(
  title: string,
  entries: string[],
  options: { rank: number; called: string; most: number },
): RankedLine[] {
  if (entries.length === 0) return [];
  const shown = entries.slice(0, options.most);
  return [
    { text: '', rank: options.rank },
    {
      text: formatListTitle(title, entries.length),
      rank: options.rank,
      isTitle: true,
    },
    ...shown.map((text, index) => ({
      text: `- ${text}`,
      rank: options.rank + (index < 4 ? 0 : 2),
      called: options.called,
    })),
  ];
}
