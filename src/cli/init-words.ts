// Formats what `plimsoll init` would change, and what it has changed.
import { dirname } from 'node:path';
import { changeLine } from '../hosts/claude-code/install/hook-changes.ts';
import { spareCommand } from '../hosts/claude-code/install/install-findings.ts';
import { realSettings } from '../hosts/claude-code/install/settings.io.ts';
import { exists, ownStatsOf } from '../platform/look.ts';
import { isIgnored } from '../store/git.ts';
import { qualityPath } from '../store/paths.ts';
import { VERSION } from '../version.ts';
import type { InitPlan } from './init-plan.ts';
import { lineOffer, lineSummary } from './init-statusline.ts';
import { type Place, shown } from './place.ts';

export const planData = (plan: InitPlan) => ({
  changed: plan.isChanged,
  settings: plan.path,
  client_version: plan.version,
  hooks: plan.wanted,
  changes: plan.changes,
  status_line: plan.line && {
    changed: plan.line.isChanged,
    command: plan.line.setting.command,
    wraps: plan.line.wrapped?.command ?? null,
    left_out: plan.leftOut,
  },
});

/** Formats a path for people; a link with its target. */
function shownThrough(path: string, place: Place): string {
  const real = realSettings(place.root, path, place.env);
  const isLinked = real !== null && [path, dirname(path)].some((each) => ownStatsOf(each)?.isSymbolicLink());
  return `${shown(path, place)}${isLinked ? `, a link to ${shown(real, place)}` : ''}`;
}

/** Whether init changes something of ours, rather than adds it. */
const isUpgrade = (plan: InitPlan): boolean => (plan.changes.length > 0 ? plan.hasHooks : plan.hasLine);

export function changeWords(plan: InitPlan, place: Place, tense: 'would' | 'will'): string {
  const { changes, line, version } = plan;
  const where = shownThrough(plan.path, place);
  if (!plan.isChanged) return `Nothing to change: ${line === null ? 'the hooks are' : 'all is'} in ${where}.`;
  const client =
    version === null
      ? 'claude was not found on PATH; hooks that every version knows are used'
      : `Claude Code ${version}`;
  const verb = isUpgrade(plan) ? 'change in' : 'add to';
  const what = changes.length > 0 ? 'Hooks' : 'Status line';
  return [
    `${tense === 'would' ? 'Would' : `${what} to`} ${verb} ${where} (${client}):`,
    ...changes.map((each) => `  ${changeLine(each)}`),
    ...(line?.isChanged ? [lineSummary(line, plan.hasLine)] : []),
  ].join('\n');
}

export const questionWords = (plan: InitPlan): string => {
  const what = plan.changes.length > 0 ? 'them' : 'it';
  return `${isUpgrade(plan) ? 'Change' : 'Add'} ${what}?`;
};

function headline(plan: InitPlan): string {
  const whose = plan.scope === 'user' ? 'all your projects' : 'this project';
  if (!plan.isChanged) return `Already installed; the bundle is now ${VERSION}.`;
  if (plan.hooksElsewhere !== null)
    return `The status line is on. Hooks are in force here already, ${plan.hooksElsewhere.where}; none were added.`;
  if (!plan.hasHooks && !plan.hasLine) return `Plimsoll ${VERSION} is on for ${whose}.`;
  return `Plimsoll ${VERSION}: the ${plan.changes.length > 0 ? 'hooks' : 'settings'} of ${whose} are up to date.`;
}

/** @param did whether a bundle was replaced, and the quality rules created; null where they were not asked for */
export function doneWords(
  plan: InitPlan,
  place: Place,
  did: { isReplaced: boolean; quality: boolean | null },
): string {
  const { scope, path, others } = plan;
  const where = shown(path, place);
  const isSeen = scope === 'local' && isIgnored(place.root ?? place.cwd, path, place.env) === false;
  return [
    headline(plan),
    `  settings  ${where}`,
    `  bundle    ${shown(plan.bundle, place)}${did.isReplaced ? ', exchanged' : ''}`,
    ...(scope === 'user' ? [] : [`  state     ${shown(place.paths.state, place)}/ (git does not see it)`]),
    ...(did.quality === null
      ? []
      : [
          `  quality   ${shown(qualityPath(place.paths), place)}${did.quality ? ", to be made the project's own" : ' was there, and stays'}`,
        ]),
    'New conversations have it at once; a running one after a restart.',
    ...(isSeen ? [`git sees ${where}, which names paths of this machine: add it to .git/info/exclude`] : []),
    ...(exists(place.paths.off) ? ['It is silenced here: "plimsoll on" ends that.'] : []),
    ...lineOffer(plan, place),
    ...(others.length === 0 || plan.hooksElsewhere !== null
      ? []
      : [
          `The hooks are also in ${others.map((each) => shown(each.path, place)).join(' and ')}, and run twice; one is enough: ${spareCommand([scope, ...others.map((each) => each.scope)])}`,
        ]),
    'Next: work as usual. "plimsoll status" shows the fill, "plimsoll off" silences it, "plimsoll uninstall" removes it.',
  ].join('\n');
}
