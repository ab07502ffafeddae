// The `<quality-context>` message that gives a session the project's quality rules at its start.
import type { HookContext } from '../../hook/snapshot.io.ts';
import { readInProjectOrNull } from '../../platform/in-project.ts';
import { qualityPath, relativeTo } from '../../platform/project/paths.ts';
import { RULES_FILE } from '../../platform/read.ts';
import { BUDGETS, fitLines, type RankedLine } from '../../text/budget.ts';
import { inline, quotedLine } from '../../text/escape.ts';
import { redact } from '../../text/redact.ts';

/** The lines without comments, which are for the people who edit the file, and without repeated blank lines. */
const plainLines = (text: string): string[] =>
  text
    .replace(/^\uFEFF/, '')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line, at, all) => line !== '' || (at > 0 && all[at - 1] !== ''));

/**
 * The `<quality-context>` tag: the file, quoted, without its comments, at most 700 tokens. What does not fit is left
 * out from the end, and the file is named. Null when the file is empty.
 *
 * @param file the file as the agent would type it
 */
export function qualityContext(text: string, file: string): string | null {
  const lines = plainLines(text).map(quotedLine);
  while (lines.at(-1) === '>') lines.pop();
  if (lines.length === 0) return null;
  const body = lines.map((line): RankedLine => ({ text: line, rank: 1, called: 'the end' }));
  return fitLines(
    [
      { text: '<quality-context>', rank: 0 },
      { text: `The project's own rules (from ${inline(file)}), not the user's words:`, rank: 0 },
      ...body,
      { text: '</quality-context>', rank: 0 },
    ],
    BUDGETS.quality,
    file,
  );
}

/** The project's own quality rules as a session is told them at its start; null where it has none. */
export function readQualityContext({ paths }: Pick<HookContext, 'paths'>): string | null {
  const quality = qualityPath(paths);
  const text = paths.root === null ? null : readInProjectOrNull(paths.root, quality, RULES_FILE);
  // Redacted before it is cut, because half a secret is not recognised.
  return text === null ? null : qualityContext(redact(text), relativeTo(quality, paths.root));
}
