// Formats what `plimsoll init` says about the status line, and asks before it takes over one that the project brings.

import { type Output, stripControls } from '../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../cli/project.io.ts';
import { CLIENT_SETTINGS_FILE } from '../hosts/claude-code/names.ts';
import { isAnyOfOurs } from '../hosts/claude-code/statusline.ts';
import { readTrust, writeTrust } from '../settings/committed.io.ts';
import { visible } from '../text/columns.ts';
import { buildInitPlan, type InitOptions, type InitPlan } from './init-plan.io.ts';
import type { Ask } from './settings-file.io.ts';
import { LINE, type LineChange, readStatusLine } from './settings-statusline.io.ts';

const MOST_OF_A_COMMAND = 100;

/** Shortens somebody else's command so that a person still recognises it. */
function known(command: string): string {
  const text = stripControls(command).replace(/\s+/g, ' ').trim();
  return text.length > MOST_OF_A_COMMAND ? `${text.slice(0, MOST_OF_A_COMMAND)}…` : text;
}

/** Formats the change as one line, like those of hooks. */
export const lineSummary = ({ wrapped }: LineChange, isUpgrade: boolean): string =>
  `  ${isUpgrade ? '~' : '+'} status line${wrapped === null ? '' : `, below the present one: ${known(wrapped.command)}`}`;

/**
 * Returns the plan of init. A status line that the project brings is a command of whoever wrote it: init shows it and asks,
 * and leaves it out where nobody can be asked.
 */
export async function allowLine(
  place: ProjectContext,
  options: InitOptions,
  output: Output,
  ask: Ask,
): Promise<InitPlan> {
  const plan = buildInitPlan(place, options);
  const { leftOut } = plan;
  if (leftOut === null || place.root === null || options.yes || options.dryRun || !output.isInteractive())
    return plan;
  output.print(
    `The project's own settings (${CLIENT_SETTINGS_FILE}) bring a status line, a command of whoever wrote them:\n  ${visible(leftOut)}`,
  );
  if (!(await ask('Run it in your status line, above ours, exactly as it stands here?'))) return plan;
  writeTrust(place.env, place.root, { ...readTrust(place.env, place.root), [LINE]: leftOut });
  return buildInitPlan(place, options);
}

/** Notes on the status line after an install. */
export function lineOffer(plan: InitPlan, place: ProjectContext): string[] {
  const found = plan.all.flatMap(({ scope, path, text, fault }) => {
    const line = readStatusLine(fault === null ? text : null);
    return line === null ? [] : [{ scope, path, isOurs: isAnyOfOurs(line.command) }];
  });
  const [shownNow] = found;
  if (plan.leftOut !== null)
    return [
      "The status line of the project's own settings is not shown above ours: it is a command of whoever wrote the project. Next: plimsoll trust shows it and asks; then plimsoll init --statusline",
    ];
  if (plan.isLineByHand)
    return ['A status line of plimsoll was there already, written by hand; it stays as it is.'];
  if (plan.line === null) {
    if (shownNow?.isOurs) return [];
    return [
      `"plimsoll init --statusline" shows the context usage below the prompt as well${shownNow === undefined ? '' : ', under the status line that you have'}.`,
    ];
  }
  const rank = plan.all.findIndex(({ scope }) => scope === plan.scope);
  const nearer = found.find(({ scope }) => plan.all.findIndex((each) => each.scope === scope) < rank);
  return nearer === undefined
    ? []
    : [`The status line in ${displayPath(nearer.path, place)} is nearer and is shown instead of this one.`];
}
