// Runs `plimsoll init`: adds the hooks to the client's settings, or brings those of an earlier version up to date.

import { dirname } from 'node:path';
import { type Output, toJson } from '../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../cli/project.io.ts';
import { removeSettings, resolveSettings, writeSettings } from '../hosts/claude-code/install/files.io.ts';
import { changeLine, listHookChanges } from '../hosts/claude-code/install/hook-changes.ts';
import { findRedundantCommand } from '../hosts/claude-code/install/install-findings.ts';
import { isIgnored } from '../platform/git/git-state.ts';
import { exists, readOwnStats } from '../platform/look.ts';
import { findQualityPath } from '../platform/project/paths.ts';
import { ensureStateFolder } from '../platform/project/state-folder.ts';
import { hashSha256 } from '../platform/sha256.ts';
import { createFile } from '../platform/write.ts';
import { VERSION } from '../version.ts';
import type { InitOptions, InitPlan } from './init-plan.io.ts';
import { formatLineOffer, formatLineSummary, trustLine } from './init-plan.io.ts';
import { buildBundleOnly, formatNext, readInstalls, recordInstall } from './installs.io.ts';
import { type Ask, confirm, findBundleEntry, listWanted, type ScopeSettings } from './settings-file.io.ts';
import { withLine, withoutOurs } from './settings-statusline.io.ts';
import { withHooks } from './settings-text.ts';
import { installBundle } from './stable-bundle.io.ts';

/** Records that hooks which others put into these settings need the bundle. */
function keepBundleFor(place: ProjectContext, others: readonly ScopeSettings[]): void {
  for (const { path } of others) {
    if (!readInstalls(place.env).some((each) => each.path === path))
      recordInstall(place.env, path, buildBundleOnly(path));
  }
}

/** Installs only the bundle: a second set of hooks would run beside those that are in force already. */
function initBundleOnly(
  place: ProjectContext,
  others: readonly ScopeSettings[],
  options: { dryRun?: boolean; json?: boolean; version: string | null },
  output: Output,
  dist: string,
): void {
  const { version } = options;
  const bundle = findBundleEntry(place);
  const old = others.filter(({ scope, installed }) => {
    const wanted = listWanted(place, scope, { clientVersion: version, installed, node: process.execPath });
    return listHookChanges(installed, wanted).length > 0;
  });
  const where = others.map((each) => displayPath(each.path, place)).join(' and ');
  const said = [
    ...old.map(
      (each) =>
        `Those in ${displayPath(each.path, place)} are of another form than this version's: plimsoll init --scope ${each.scope}`,
    ),
    'For hooks of your own beside them, which run as well: plimsoll init --scope local',
  ];
  const data = { changed: false, settings: others[0]?.path ?? null, bundle, version: VERSION };
  if (options.dryRun) {
    output.print(
      options.json
        ? toJson({ ...data, client_version: version })
        : [`Hooks are in force here already, in ${where}. Would install the bundle alone.`, ...said].join(
            '\n',
          ),
    );
    return;
  }
  const isReplaced = installBundle(dist, VERSION, place.env);
  if (place.root !== null) ensureStateFolder(place.paths);
  keepBundleFor(place, others);
  output.print(
    options.json
      ? toJson({ ...data, client_version: version, bundle_replaced: isReplaced })
      : [
          `Hooks are in force here already, in ${where}. None were added beside them; the bundle is now ${VERSION}.`,
          `  bundle    ${displayPath(bundle, place)}${isReplaced ? ', exchanged' : ''}`,
          ...(exists(place.paths.off) ? ['It is silenced here: "plimsoll on" ends that.'] : []),
          ...said,
        ].join('\n'),
  );
}

const planData = (plan: InitPlan) => ({
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
function shownThrough(path: string, place: ProjectContext): string {
  const real = resolveSettings(place.root, path, place.env);
  const isLinked =
    real !== null && [path, dirname(path)].some((each) => readOwnStats(each)?.isSymbolicLink());
  return `${displayPath(path, place)}${isLinked ? `, a link to ${displayPath(real, place)}` : ''}`;
}

/** Whether init changes something of ours, rather than adds it. */
const isUpgrade = (plan: InitPlan): boolean => (plan.changes.length > 0 ? plan.hasHooks : plan.hasLine);

function changeWords(plan: InitPlan, place: ProjectContext, tense: 'would' | 'will'): string {
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
    ...(line?.isChanged ? [formatLineSummary(line, plan.hasLine)] : []),
  ].join('\n');
}

const questionWords = (plan: InitPlan): string => {
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
function doneWords(
  plan: InitPlan,
  place: ProjectContext,
  did: { isReplaced: boolean; quality: boolean | null },
): string {
  const { scope, path, wanted } = plan;
  // The client runs hooks of the same command once, whichever files they stand in.
  const others = plan.others.filter(({ installed }) =>
    installed.some(({ command }) => wanted.every((each) => each.command !== command)),
  );
  const where = displayPath(path, place);
  const isSeen = scope === 'local' && isIgnored(place.root ?? place.cwd, path, place.env) === false;
  return [
    headline(plan),
    `  settings  ${where}`,
    `  bundle    ${displayPath(plan.bundle, place)}${did.isReplaced ? ', exchanged' : ''}`,
    ...(scope === 'user'
      ? []
      : [`  state     ${displayPath(place.paths.state, place)}/ (git does not see it)`]),
    ...(did.quality === null
      ? []
      : [
          `  quality   ${displayPath(findQualityPath(place.paths), place)}${did.quality ? ", to be made the project's own" : ' was there, and stays'}`,
        ]),
    'New sessions have it at once; a running one after a restart.',
    ...(isSeen ? [`git sees ${where}, which names paths of this machine: add it to .git/info/exclude`] : []),
    ...(exists(place.paths.off) ? ['It is silenced here: "plimsoll on" ends that.'] : []),
    ...formatLineOffer(plan, place),
    ...(others.length === 0 || plan.hooksElsewhere !== null
      ? []
      : [
          `The hooks are also in ${others.map((each) => displayPath(each.path, place)).join(' and ')}, and run twice; one is enough: ${findRedundantCommand([scope, ...others.map((each) => each.scope)])}`,
        ]),
    formatNext(scope === 'local' ? '' : ` --scope ${scope}`),
  ].join('\n');
}

const TEXT = `<!--
Said to every session at its start and after a compaction, without this comment, 700 tokens at the most.
It is this project's own: change what is not so here. Commit it.
Rules that have to be heard at every prompt: a file in .plimsoll/rules/ with lines like
  L2-REINJECT: rank=1, content="Scores below 0.92 are not passed."   (as an HTML comment)
-->
# Quality

- Gate: a deliverable passes at a weighted score of 0.92 or more. Score strictly; a first draft rarely passes.
- Cycles: at least 3 of creator, critic and revision before a gate. Critique is by somebody who did not write it.
- A score below 0.92 is revised and scored again. After 3 iterations without a pass, say so and ask.

## Criticality

| level | when | what is done |
| --- | --- | --- |
| C1 routine | undone within a session, at most 3 files | self-review |
| C2 standard | undone within a day, 3 to 10 files | devil's advocate, steelman; scored |
| C3 significant | longer to undo, more than 10 files, interfaces | C2, and pre-mortem, failure modes, inversion |
| C4 critical | cannot be undone, architecture, governance, public | C3, and red team, all strategies; a person decides |

## Escalation

- Changes of rules, governance, licences or published interfaces are C3 at least.
- In doubt the higher level counts. At C3 and C4 the user is told before the context runs out.
`;

/** Creates the file where there is none. @returns whether it did */
function createQualityFile(place: ProjectContext): boolean {
  const path = findQualityPath(place.paths);
  return createFile(path, TEXT, { mode: 0o644 });
}

/**
 * Records what restores the file byte for byte, also after an upgrade: the text without anything of ours, unless taking
 * our entries out of the new text gives exactly that text.
 */
function record(place: ProjectContext, path: string, before: string | null, after: string): void {
  const previous = readInstalls(place.env).find((each) => each.path === path) ?? null;
  const isOurs = previous !== null && before !== null && hashSha256(before) === previous.after;
  const clean = (isOurs ? previous.before : null) ?? (before === null ? null : withoutOurs(before));
  recordInstall(place.env, path, {
    path,
    created: isOurs ? previous.created : before === null,
    before: clean !== null && withoutOurs(after) !== clean ? clean : null,
    after: hashSha256(after),
  });
}

/**
 * Adds the hooks, and the status line on request, to the client's settings, and installs the bundle in its stable place.
 * @param dist folder with the built chunks
 */
export async function init(
  place: ProjectContext,
  options: InitOptions,
  output: Output,
  ask: Ask,
  dist: string,
): Promise<void> {
  const plan = await trustLine(place, options, output, ask);
  const { path, before, bom, scope, wanted, line } = plan;
  if (plan.hooksElsewhere?.isPlugin === false && line === null && !plan.isLineByHand) {
    initBundleOnly(place, plan.others, { ...options, version: plan.version }, output, dist);
    return;
  }
  if (options.dryRun) {
    output.print(options.json ? toJson(planData(plan)) : changeWords(plan, place, 'would'));
    return;
  }
  if (plan.isChanged) {
    if (!options.json) output.print(changeWords(plan, place, 'will'));
    await confirm(questionWords(plan), options, output, ask);
  }
  const isReplaced = installBundle(dist, VERSION, place.env);
  if (scope !== 'user') ensureStateFolder(place.paths);
  const quality = options.quality === true ? createQualityFile(place) : null;
  if (plan.hooksElsewhere !== null) keepBundleFor(place, plan.others);
  if (plan.isChanged) {
    const hooked = plan.changes.length > 0 ? withHooks(before ?? '', wanted) : (before ?? '');
    const after = line === null ? hooked : withLine(hooked, line);
    writeSettings(path, `${bom}${after}`, place);
    try {
      record(place, path, before, after);
    } catch (error) {
      // A change that is reported as failed must not stay in the settings.
      if (before === null) removeSettings(path);
      else writeSettings(path, `${bom}${before}`, place);
      throw error;
    }
  }
  output.print(
    options.json
      ? toJson({
          ...planData(plan),
          bundle: plan.bundle,
          bundle_replaced: isReplaced,
          version: VERSION,
          quality_created: quality === true,
        })
      : doneWords(plan, place, { isReplaced, quality }),
  );
}
