// Runs `plimsoll gc`: removes checkpoints, states and leftovers that retention no longer keeps.

import { formatCount, type Output, toJson } from '../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../cli/project.io.ts';
import { listCheckpoints } from '../../compaction/checkpoint/checkpoint-files.io.ts';
import { describeAllowed } from '../../settings/allowed.ts';
import { checkValue } from '../../settings/check-value.ts';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import { prune } from './remove-old.io.ts';
import { listOutsideNewest, type RetentionDecision } from './retention.ts';

export interface GcOptions {
  keep?: string;
  dryRun?: boolean;
  json?: boolean;
}

const WORDS: Record<RetentionDecision['kind'], string> = {
  checkpoint: 'checkpoint',
  session: 'session',
  claim: 'claim',
  temporary: 'temporary file',
  lock: 'lock',
  marker: 'marker',
};
const KINDS = Object.keys(WORDS) as RetentionDecision['kind'][];
/** How many small items are named; the rest is counted. */
const NAMED = 10;

function keepOf(place: ProjectContext, given: string | undefined): number {
  if (given === undefined) return place.resolved.settings['checkpoint.keep'];
  const checked = checkValue('checkpoint.keep', /^\d+$/.test(given) ? Number(given) : given);
  if ('value' in checked) return checked.value as number;
  throw new PlimsollError('usage', `--keep "${given}" is not ${describeAllowed('checkpoint.keep')}`, {
    hint: 'plimsoll gc --keep 50',
  });
}

function lines(place: ProjectContext, verdicts: readonly RetentionDecision[]): string[] {
  return KINDS.flatMap((kind) => {
    const all = verdicts.filter((each) => each.kind === kind);
    const named = kind === 'checkpoint' || kind === 'session' ? all : all.slice(0, NAMED);
    return [
      ...named.map((each) => `  ${WORDS[kind]} ${displayPath(each.name, place)}: ${each.reason}`),
      ...(all.length > named.length ? [`  and ${all.length - named.length} more of these`] : []),
    ];
  });
}

const sum = (verdicts: readonly RetentionDecision[]): string =>
  KINDS.flatMap((kind) => {
    const number = verdicts.filter((each) => each.kind === kind).length;
    return number === 0 ? [] : [formatCount(number, WORDS[kind])];
  }).join(', ');

/** Removes what retention lets go; with --dry-run it only shows what and why. */
export function collectGarbage(place: ProjectContext, options: GcOptions, output: Output): void {
  const keep = keepOf(place, options.keep);
  const { paths, cwd, now } = place;
  const site = { paths, cwd, now, orchestration: place.resolved.settings['orchestration.path'] };
  const isDry = options.dryRun === true;
  const { verdicts, failed } = prune(site, keep, { isDry });
  const ids = verdicts.filter((each) => each.kind === 'checkpoint').map((each) => each.name);
  const outside = new Set(listOutsideNewest(ids, keep));
  const isDone = (each: RetentionDecision): boolean =>
    each.goes && !failed.some(({ name }) => name === each.name);
  const gone = verdicts.filter(isDone);
  const checkpoints = verdicts.filter((each) => each.kind === 'checkpoint' && !isDone(each));
  const entry = ({ kind, name, reason }: RetentionDecision) => ({ kind, name, reason });
  const data = {
    dry_run: isDry,
    keep,
    removed: gone.map(entry),
    kept: verdicts.filter((each) => !each.goes).map(entry),
    failed,
  };
  if (!options.json) {
    const what = gone.length === 0 ? 'nothing' : sum(gone);
    const left = isDry ? checkpoints.length : listCheckpoints(paths).length;
    output.print(
      `${isDry ? 'To be removed' : 'Removed'}: ${what}. Kept: ${formatCount(left, 'checkpoint')}.`,
    );
    for (const line of lines(place, gone)) output.print(line);
    // The newest checkpoints stay anyway; for the others the reason is worth knowing.
    const others = isDry ? checkpoints.filter(({ name, goes }) => !goes && outside.has(name)) : [];
    if (others.length > 0) output.print(`Not among the newest ${keep}, but they stay:`);
    for (const line of lines(place, others)) output.print(line);
  }
  if (failed.length > 0) {
    throw new PlimsollError(
      'failed',
      `Could not remove ${failed.map((each) => `"${displayPath(each.name, place)}" (${each.error})`).join(', ')}`,
      { hint: 'check the permissions of the state folder, and run plimsoll gc again', found: data },
    );
  }
  if (options.json) output.print(toJson(data));
}
