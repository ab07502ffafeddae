// What does a conversation hear of a project's quality rules at its start?
import { BUDGETS, fitLines, type Line } from './budget.ts';
import { inline } from './escape.ts';

/** Comments are for the people who edit the file; blank lines in a row say nothing. */
const plainLines = (text: string): string[] =>
  text
    .replace(/^\uFEFF/, '')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line, at, all) => line !== '' || (at > 0 && all[at - 1] !== ''));

/** What a line is indented by stays: nested lists are. */
function harmless(line: string): string {
  const [indent = ''] = /^ */.exec(line) ?? [];
  return indent.slice(0, 12) + inline(line);
}

/**
 * The `<quality-context>` tag: the file as it is, without its comments, 700 tokens at the most; what does not fit is left
 * out from the end, and the file is named. Null when there is nothing in it.
 *
 * @param file the file as the agent would type it
 */
export function qualityContext(text: string, file: string): string | null {
  const lines = plainLines(text).map(harmless);
  while (lines.at(-1) === '') lines.pop();
  if (lines.length === 0) return null;
  const body = lines.map((line): Line => ({ text: line, rank: 1, called: 'the end' }));
  return fitLines(
    [{ text: '<quality-context>', rank: 0 }, ...body, { text: '</quality-context>', rank: 0 }],
    BUDGETS.quality,
    file,
  );
}
