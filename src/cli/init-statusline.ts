// What does init say of the status line: what it would change, and that there is one?
import { isAnyOfOurs } from '../agents/claude-code-statusline.ts';
import type { Scope } from '../store/client-files.ts';
import { printable } from './output.ts';
import { type Place, shown } from './place.ts';
import type { ScopeSettings } from './settings-file.ts';
import { type LineChange, lineIn } from './settings-statusline.ts';

const MOST_OF_A_COMMAND = 100;

/** A command of somebody else, as far as a person needs it to know it again. */
function known(command: string): string {
  const text = printable(command).replace(/\s+/g, ' ').trim();
  return text.length > MOST_OF_A_COMMAND ? `${text.slice(0, MOST_OF_A_COMMAND)}…` : text;
}

/** The change as a line, as those of hooks. */
export const lineSummary = ({ wrapped }: LineChange, isUpgrade: boolean): string =>
  `  ${isUpgrade ? '~' : '+'} status line${wrapped === null ? '' : `, below the present one: ${known(wrapped.command)}`}`;

/** What there is to say of the status line after an install. */
export function lineOffer(
  place: Place,
  { scope, line, isLineWanted }: { scope: Scope; line: LineChange | null; isLineWanted: boolean },
  all: readonly ScopeSettings[],
): string[] {
  const lines = all.map((each) => ({ each, line: lineIn(each.fault === null ? each.text : null) }));
  if (!isLineWanted) {
    const present = lines.find((found) => found.line !== null);
    if (present?.line && isAnyOfOurs(present.line.command)) return [];
    return [
      `"plimsoll init --statusline" shows the fill below the prompt as well${present === undefined ? '' : ', under the status line that you have'}.`,
    ];
  }
  if (line === null)
    return ['A status line of plimsoll was there already, written by hand; it stays as it is.'];
  const nearer = lines.slice(
    0,
    Math.max(
      0,
      all.findIndex((each) => each.scope === scope),
    ),
  );
  const hiding = nearer.find((found) => found.line !== null);
  return hiding === undefined
    ? []
    : [`The status line in ${shown(hiding.each.path, place)} is nearer and is shown instead of this one.`];
}
