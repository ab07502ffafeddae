// What does init say of the status line: what it would change, and that there is one?
import { isAnyOfOurs } from '../agents/claude-code-statusline.ts';
import type { InitPlan } from './init-plan.ts';
import { printable } from './output.ts';
import { type Place, shown } from './place.ts';
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
export function lineOffer(plan: InitPlan, place: Place): string[] {
  const found = plan.all.flatMap(({ scope, path, text, fault }) => {
    const line = lineIn(fault === null ? text : null);
    return line === null ? [] : [{ scope, path, isOurs: isAnyOfOurs(line.command) }];
  });
  const [shownNow] = found;
  if (plan.isLineByHand)
    return ['A status line of plimsoll was there already, written by hand; it stays as it is.'];
  if (plan.line === null) {
    if (shownNow?.isOurs) return [];
    return [
      `"plimsoll init --statusline" shows the fill below the prompt as well${shownNow === undefined ? '' : ', under the status line that you have'}.`,
    ];
  }
  const rank = plan.all.findIndex(({ scope }) => scope === plan.scope);
  const nearer = found.find(({ scope }) => plan.all.findIndex((each) => each.scope === scope) < rank);
  return nearer === undefined
    ? []
    : [`The status line in ${shown(nearer.path, place)} is nearer and is shown instead of this one.`];
}
