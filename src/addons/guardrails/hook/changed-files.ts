// The message about files that a command changed although rules of the project guard them.
import { BUDGETS, cutToTokens, estimateTokens } from '../../../text/budget.ts';
import { inline } from '../../../text/escape.ts';

const HEAD =
  'Plimsoll: since the last look files have changed that the rules of this project guard; no edit tool did it, so it was a command, or somebody beside it.';
/** More than fit into the budget in any case. */
const MOST_LINES = 20;
const TAIL =
  'Nothing was undone. Put back what your commands did without its being meant; what they did not do is not yours: leave it, and tell the user.';

/**
 * Lists why each file violates a rule, as many as fit into the budget, and how many more there are. Null when there is
 * nothing to report.
 * @param unread number of changed files in layers whose imports were not read
 */
export function changedFiles(reasons: readonly string[], unread: number): string | null {
  if (reasons.length === 0 && unread === 0) return null;
  const rest =
    unread === 0
      ? []
      : [
          `${unread} more changed ${unread === 1 ? 'file has' : 'files have'} imports that were not judged; "plimsoll check" judges them.`,
        ];
  if (reasons.length === 0) return `Plimsoll: ${rest[0]}`;
  const textOf = (shown: readonly string[]): string => {
    const left = reasons.length - shown.length;
    const more = left === 0 ? [] : [`- and ${left} more of this kind`];
    return [HEAD, ...shown.map((each) => `- ${each}`), ...more, ...rest, TAIL].join('\n');
  };
  const lines = reasons.map((reason) => cutToTokens(inline(reason), 120));
  let count = Math.min(lines.length, MOST_LINES);
  while (count > 1 && estimateTokens(textOf(lines.slice(0, count))) > BUDGETS.changedFiles) count--;
  return textOf(lines.slice(0, count));
}
