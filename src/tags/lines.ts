// Of which pieces are the tags about work made?
import { cutToTokens, type Line } from './budget.ts';
import { inline } from './escape.ts';

/** Foreign text in our tag: on one line, harmless, and at most so many tokens long. */
export const say = (value: string, tokens: number): string => cutToTokens(inline(value), tokens);

/** Paths as the agent would type them. */
export function relative(path: string, root: string | null): string {
  const prefix = root === null ? null : `${root.replace(/[\\/]$/, '')}/`;
  return prefix !== null && path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/** Items in a list, most important first; each may be dropped from the end. */
export function items(
  title: string,
  entries: string[],
  options: { rank: number; called: string; most: number },
): Line[] {
  if (entries.length === 0) return [];
  const shown = entries.slice(0, options.most);
  return [
    { text: '', rank: options.rank },
    {
      text: `${title}${entries.length > 4 ? ` (${entries.length})` : ''}:`,
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

/** Puts an empty line before a block, if there is one. */
export const block = (lines: Line[]): Line[] =>
  lines.length === 0 ? [] : [{ text: '', rank: Math.max(...lines.map((line) => line.rank), 1) }, ...lines];
