// Runs `plimsoll delete`: deletes what is kept of sessions (one, old ones, or all) for good.

import { WORKFLOW } from '../../addons/addon.ts';
import type { WorkflowPlace } from '../../addons/workflow-port.ts';
import { formatCount, formatId, type Output, toJson } from '../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../cli/project.io.ts';
import type { Ask } from '../../install/settings-file.io.ts';
import { readStamp } from '../../platform/look.ts';
import type { ProjectPaths } from '../../platform/project/paths.ts';
import { tryOrNull } from '../../platform/project/try-step.ts';
import { remove, removeOwn } from '../../platform/write.ts';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import { formatAge, parseTime } from '../../text/time.ts';
import type { FailedRemoval, SessionFiles } from './session-files.io.ts';
import {
  deleteCheckpoints,
  deleteOrphans,
  deleteSessionFiles,
  listHalfRemoved,
  listOwnerless,
  listSessionFiles,
  tryRemoval,
} from './session-files.io.ts';

export interface DeleteOptions {
  session?: string;
  before?: string;
  all?: boolean;
  force?: boolean;
  yes?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

/** What goes and what stays of what the options select. */
interface Plan {
  going: SessionFiles[];
  /** Selected sessions that stay because they are running. */
  busy: SessionFiles[];
  /** Checkpoints that name no session. */
  ownerless: string[];
  logs: string[];
}

const logsOf = ({ failures }: ProjectPaths): string[] =>
  [failures, failures.replace(/\.jsonl$/, '.old.jsonl')].filter((path) => readStamp(path).size >= 0);

/** Turns the one option that selects sessions into a test for each of them. */
function wantedBy(place: ProjectContext, options: DeleteOptions): (holding: SessionFiles) => boolean {
  const { session, before, all } = options;
  const given = [session, before, all].filter((each) => each !== undefined && each !== false);
  if (given.length !== 1) {
    throw new PlimsollError(
      'usage',
      given.length === 0 ? 'What is to be removed was not said' : 'That is too much at once',
      {
        hint: 'give one of them: --session ID, --before 30d (or a date), --all',
      },
    );
  }
  if (session !== undefined) return ({ folder }) => folder === place.paths.session(session).folder;
  if (before === undefined) return () => true;
  const moment = parseTime(before, place.now);
  if (moment !== null) return ({ touched }) => touched < moment;
  throw new PlimsollError('usage', `"${before}" is no time`, {
    hint: 'give a date or an age, e.g. --before 2026-11-01 or --before 30d',
  });
}

function planOf(place: ProjectContext, options: DeleteOptions): Plan {
  const { paths, now } = place;
  const isWanted = wantedBy(place, options);
  const wanted = listSessionFiles(paths, now).filter(isWanted);
  const mayGo = (each: SessionFiles): boolean =>
    !each.isUnderWay || (options.session !== undefined && options.force === true);
  const isAll = options.all === true;
  return {
    going: wanted.filter(mayGo),
    busy: wanted.filter((each) => !mayGo(each)),
    ownerless: isAll ? listOwnerless(paths) : [],
    logs: isAll ? logsOf(paths) : [],
  };
}

const isEmpty = ({ going, ownerless, logs }: Plan): boolean =>
  going.length + ownerless.length + logs.length === 0;

/** Workflow files that name one of these checkpoints, with the ids that each names. */
const findLinks = (place: WorkflowPlace, ids: readonly string[]): { path: string; ids: string[] }[] =>
  (WORKFLOW?.list(place) ?? []).flatMap((path) => {
    // A folder, or not for us: then it names none.
    const source = tryOrNull(() => WORKFLOW?.readText(path)) ?? '';
    const named = ids.filter((id) => new RegExp(`(?<![\\w-])${id}(?!\\d)`).test(source));
    return named.length === 0 ? [] : [{ path, ids: named }];
  });

function describe(place: ProjectContext, each: SessionFiles): string {
  const age = formatAge((place.now - each.touched) / 1000);
  const ids = each.checkpoints;
  const range = ids.length > 1 ? `${ids[0]} to ${ids.at(-1)}` : ids[0];
  const kept = [
    ...(ids.length === 0 ? [] : [`${formatCount(ids.length, 'checkpoint')} (${range})`]),
    ...(each.files === 0 ? [] : [formatCount(each.files, 'other file')]),
  ];
  return `  ${formatId(each.id)}, ${each.isUnderWay ? 'running' : age}: ${kept.join(', ')}`;
}

function planText(place: ProjectContext, plan: Plan): string {
  const { going, busy, ownerless, logs } = plan;
  const ids = [...going.flatMap((each) => each.checkpoints), ...ownerless];
  const { root, cwd } = place;
  const links = findLinks({ root, cwd, configured: place.resolved.settings['orchestration.path'] }, ids).map(
    (link) => `${displayPath(link.path, place)} names ${link.ids.join(', ')}`,
  );
  return [
    `To be removed from ${displayPath(place.paths.state, place)}, for good:`,
    ...going.map((each) => describe(place, each)),
    ...(ownerless.length === 0 ? [] : [`  unreadable checkpoints: ${ownerless.join(', ')}`]),
    ...(logs.length === 0 ? [] : [`  the log of failures`]),
    ...links.map((each) => `Mind: ${each}.`),
    ...(busy.length === 0 ? [] : [`Kept: ${busy.map(({ id }) => formatId(id)).join(', ')}, running.`]),
    "Settings stay, and so do the client's own transcripts.",
  ].join('\n');
}

function carryOut(place: ProjectContext, plan: Plan): FailedRemoval[] {
  const { paths, now } = place;
  const failed = plan.going.flatMap((each) => deleteSessionFiles(paths, each, now));
  failed.push(...deleteCheckpoints(paths, plan.ownerless, '', now));
  deleteOrphans(paths);
  for (const log of plan.logs) tryRemoval(failed, log, () => remove(log));
  return failed;
}

/** The same command with --yes, so that it runs without a question. */
const again = (options: DeleteOptions): string =>
  [
    'plimsoll delete',
    ...(options.session === undefined ? [] : ['--session', options.session]),
    ...(options.before === undefined ? [] : ['--before', options.before]),
    ...(options.all ? ['--all'] : []),
    ...(options.force ? ['--force'] : []),
    '--yes',
  ].join(' ');

function nothing(options: DeleteOptions, plan: Plan): string {
  const [busy] = plan.busy;
  if (busy === undefined && options.session !== undefined) {
    throw new PlimsollError('not-found', `Nothing is kept here of session "${formatId(options.session)}"`, {
      hint: 'plimsoll delete --all --dry-run shows what is kept',
    });
  }
  if (busy !== undefined && options.session !== undefined) {
    throw new PlimsollError('conflict', `Session "${formatId(options.session)}" is running`, {
      hint: `end it first; or, though its hooks will begin anew: plimsoll delete --session ${formatId(options.session, Number.POSITIVE_INFINITY)} --force`,
    });
  }
  return plan.busy.length === 0
    ? 'Nothing to remove.'
    : `Nothing to remove: ${formatCount(plan.busy.length, 'session')} running: kept.`;
}

/** Shows and then removes what is kept of sessions; never touches settings, rules or the client's transcripts. */
export async function deleteKept(
  place: ProjectContext,
  options: DeleteOptions,
  output: Output,
  ask: Ask,
): Promise<void> {
  // What an earlier removal began is finished first.
  if (!options.dryRun) {
    for (const folder of listHalfRemoved(place.paths)) removeOwn(folder);
    deleteOrphans(place.paths);
  }
  let plan = planOf(place, options);
  const data = (failed: readonly FailedRemoval[] | null) => ({
    dry_run: failed === null,
    sessions: plan.going.map(({ id, checkpoints, files }) => ({ id, checkpoints, files })),
    checkpoints_without_owner: plan.ownerless,
    logs: plan.logs,
    kept_running: plan.busy.map(({ id }) => id),
    failed: failed ?? [],
  });
  if (isEmpty(plan)) {
    const said = nothing(options, plan);
    output.print(options.json ? toJson(data(options.dryRun ? null : [])) : said);
    return;
  }
  if (!options.json) output.print(planText(place, plan));
  if (options.dryRun) {
    if (options.json) output.print(toJson(data(null)));
    return;
  }
  if (!options.yes) {
    if (!output.isInteractive()) {
      throw new PlimsollError('usage', 'Nobody can be asked here: this is no terminal', {
        hint: `if all of that is to go: ${again(options)}`,
      });
    }
    if (!(await ask('Remove them for good?')))
      throw new PlimsollError('declined', 'Nothing was removed', {
        hint: 'run the command again when you are ready',
      });
    // A session may have continued while the person was deciding.
    plan = planOf({ ...place, now: Date.now() }, options);
  }
  const failed = carryOut(place, plan);
  if (failed.length > 0) {
    throw new PlimsollError(
      'failed',
      `Could not remove ${failed.map((each) => `"${displayPath(each.name, place)}" (${each.error})`).join(', ')}`,
      { hint: 'check the permissions of the state folder, and run the command again', found: data(failed) },
    );
  }
  const checkpoints = plan.going.flatMap((each) => each.checkpoints).length + plan.ownerless.length;
  output.print(
    options.json
      ? toJson(data(failed))
      : `Removed: ${formatCount(plan.going.length, 'session')}, ${formatCount(checkpoints, 'checkpoint')}${plan.logs.length > 0 ? ', the log of failures' : ''}.`,
  );
}
