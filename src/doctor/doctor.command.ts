// Runs `plimsoll doctor`: reports whether everything works here, and what to do where it does not.

import { formatCount, type Output, stripControls, toJson } from '../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../cli/project.io.ts';
import { acknowledge, isAcknowledged } from '../compaction/checkpoint/checkpoint-files.io.ts';
import type { InstallFacts } from '../hosts/claude-code/install/install-findings.ts';
import { init } from '../install/init.command.ts';
import { installBundle } from '../install/stable-bundle.io.ts';
import { ensureStateFolder } from '../platform/project/state-folder.ts';
import { remove } from '../platform/write.ts';
import { sweep } from '../sessions/retention/remove-old.io.ts';
import { dateFile, listFilesAhead } from '../sessions/retention/session-files.io.ts';
import { readStates } from '../sessions/session-states.io.ts';
import { isError } from '../text/plimsoll-error.ts';
import { VERSION } from '../version.ts';
import { type DoctorFacts, examineAll } from './doctor-facts.io.ts';
import { SKEW_MS } from './doctor-state.io.ts';
import type { DoctorFinding, Fix } from './finding.ts';

interface AppliedFix {
  fix: Fix;
  /** What was done, in words; null where it failed. */
  done: string | null;
  error: string | null;
}

/** Brings the hooks of each file that has ours, or had them, to this version's form, by running `init` silently. */
async function fixHooks(place: ProjectContext, facts: InstallFacts, dist: string): Promise<string[]> {
  const done: string[] = [];
  const scopes = facts.scopes.filter(
    (each) => each.wasInstalled || (each.events.length > 0 && each.scope !== 'project'),
  );
  for (const { scope, path, fault } of scopes) {
    if (fault !== null) continue;
    const printed: string[] = [];
    const quiet: Output = {
      print: (text) => void printed.push(text),
      warn: () => undefined,
      isInteractive: () => false,
    };
    await init(place, { scope, yes: true, json: true }, quiet, async () => true, dist);
    const { changed } = JSON.parse(printed.join('')) as { changed: boolean };
    if (changed) done.push(`hooks in ${displayPath(path, place)} brought to the form of ${VERSION}`);
  }
  return done;
}

/** Marks checkpoints of which the agent was told as acknowledged, as the hook would have. */
function fixMarks(place: ProjectContext, untold: readonly string[]): string[] {
  const marked = readStates(place.paths).flatMap(({ state }) => {
    const id = state.alert?.checkpoint ?? null;
    if (id === null || !untold.includes(id) || isAcknowledged(place.paths, id)) return [];
    const evidence = `${state.alert?.status}, by plimsoll doctor`;
    return acknowledge(place.paths, state.session_id, id, evidence, place.now);
  });
  return marked.length === 0 ? [] : [`marked as told: ${marked.join(', ')}`];
}

function fixLeftovers(place: ProjectContext): string[] {
  const { paths, cwd, now } = place;
  const site = { paths, cwd, now, orchestration: null };
  const { gone, failed } = sweep(site);
  const [first] = failed;
  if (first !== undefined) throw new Error(`${displayPath(first.name, place)}: ${first.error}`);
  return gone.length === 0 ? [] : [`removed what processes have left: ${formatCount(gone.length, 'file')}`];
}

function fixDates(place: ProjectContext): string[] {
  const ahead = listFilesAhead(place.paths, place.now + SKEW_MS);
  for (const { path } of ahead) dateFile(path, place.now);
  return ahead.length === 0 ? [] : [`dated back to now: ${formatCount(ahead.length, 'file')}`];
}

function fixFeeds(place: ProjectContext, facts: DoctorFacts): string[] {
  const broken = (facts.traces?.feeds ?? []).filter((each) => each.at === null);
  for (const { path } of broken) remove(path);
  return broken.map(({ path }) => `removed ${displayPath(path, place)}`);
}

async function fixOne(fix: Fix, place: ProjectContext, facts: DoctorFacts, dist: string): Promise<string[]> {
  switch (fix) {
    case 'bundle':
      installBundle(dist, VERSION, place.env);
      return [`the hook bundle is that of ${VERSION}`];
    case 'hooks':
      return facts.install === null ? [] : fixHooks(place, facts.install, dist);
    case 'ignore':
      ensureStateFolder(place.paths);
      return [`wrote the list of what git must not see in ${displayPath(place.paths.state, place)}`];
    case 'marks':
      return fixMarks(place, facts.state?.checkpoints.untold ?? []);
    case 'leftovers':
      return fixLeftovers(place);
    case 'dates':
      return fixDates(place);
    case 'feeds':
      return fixFeeds(place, facts);
  }
}

/** Applies every fix that the findings name, each on its own; leftovers are removed in any case. */
async function fixAll(
  place: ProjectContext,
  findings: readonly DoctorFinding[],
  facts: DoctorFacts,
  dist: string,
): Promise<AppliedFix[]> {
  const wanted = new Set<Fix>(findings.flatMap((each) => each.fixable ?? []));
  if (facts.state?.exists) wanted.add('leftovers');
  const result: AppliedFix[] = [];
  for (const fix of wanted) {
    try {
      for (const done of await fixOne(fix, place, facts, dist)) result.push({ fix, done, error: null });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const left = isError(error, 'newer-file') ? `${message}; it is left alone` : message;
      result.push({ fix, done: null, error: left });
    }
  }
  return result;
}

export interface DoctorOptions {
  session?: string;
  all?: boolean;
  fix?: boolean;
  json?: boolean;
}

const LATEST_FAILURES = 20;

const line = (text: string): string => stripControls(text).replaceAll('\n', ' ');

/** Formats the problems, or with `all` every finding, and then counts them. */
function textOf(findings: readonly DoctorFinding[], all: boolean): string {
  const marks = { ok: 'ok', info: 'info', error: 'ERROR' };
  const shown = all ? findings : findings.filter((each) => each.level !== 'ok');
  const width = Math.max(0, ...shown.map((each) => each.about.length)) + 2;
  const numberOf = (level: DoctorFinding['level']): number =>
    findings.filter((each) => each.level === level).length;
  const wrong = (['error', 'info'] as const)
    .filter((level) => numberOf(level) > 0)
    .map((level) =>
      level === 'error' ? formatCount(numberOf(level), 'error') : `${numberOf(level)} to know`,
    )
    .join(', ');
  const checks = formatCount(numberOf('ok'), 'check');
  const rest = all ? '' : ` (${checks} in order: plimsoll doctor --all)`;
  return [
    ...shown.flatMap(({ level, about, finding, fix, fixable }) => [
      `${marks[level].padEnd(7)}${about.padEnd(width)}${line(finding)}`,
      ...(fix === null
        ? []
        : [
            `${' '.repeat(7 + width)}Next: ${fix}${fixable && !fix.includes('--fix') ? ' (--fix does it)' : ''}`,
          ]),
    ]),
    ...(shown.length === 0 ? [] : ['']),
    wrong === ''
      ? `All is in order: ${checks}${all ? '' : ', shown by plimsoll doctor --all'}.`
      : `${wrong}${rest}`,
  ].join('\n');
}

const fixedText = (done: readonly AppliedFix[]): string =>
  [
    ...(done.length === 0 ? ['Nothing to fix.'] : []),
    ...done.map((each) =>
      each.error === null ? `Fixed: ${each.done}` : `Could not fix (${each.fix}): ${line(each.error)}`,
    ),
    '',
  ].join('\n');

/**
 * Reports what is wrong; with --fix it first fixes what needs no decision.
 * @param dist folder with the built chunks
 * @returns false when there is an error
 */
export async function doctor(
  place: ProjectContext,
  options: DoctorOptions,
  output: Output,
  dist: string,
): Promise<boolean> {
  let { findings, facts } = examineAll(place, options.session, dist);
  let fixed: AppliedFix[] | null = null;
  if (options.fix) {
    fixed = await fixAll(place, findings, facts, dist);
    ({ findings, facts } = examineAll(place, options.session, dist));
  }
  if (options.json) {
    const { failures, ...rest } = facts;
    output.print(
      toJson({
        findings: findings.map((each) => ({ ...each, fixable: each.fixable !== undefined })),
        ...(fixed === null ? {} : { fixed }),
        version: VERSION,
        root: place.root,
        ...rest,
        failures: failures?.map(({ log, lines }) => ({ log, lines: lines.slice(-LATEST_FAILURES) })),
      }),
    );
  } else {
    if (fixed !== null) output.print(fixedText(fixed));
    output.print(textOf(findings, options.all === true));
  }
  return !findings.some((each) => each.level === 'error');
}
