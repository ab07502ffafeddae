// Runs `plimsoll status`: shows the context usage of a session, how certain it is, and what happened so far.

import type { StatusSection } from '../../cli/context.ts';
import type { Output } from '../../cli/output.io.ts';
import type { ProjectContext } from '../../cli/project.io.ts';
import { buildAssessmentData } from '../../context/assessment.ts';
import { buildAnnouncementData } from '../../context/describe-decision.io.ts';
import { exists, isUnchanged, readStamp } from '../../platform/look.ts';
import { tryOrNullAsync } from '../../platform/project/try-step.ts';
import { listNotFollowed } from '../../settings/resolved.ts';
import { findNewestHere, readSessionReport, type SessionReport } from './find-session.io.ts';
import { readSessionHistory, type SessionHistory } from './session-history.io.ts';
import { statusText } from './status-text.io.ts';

export interface StatusOptions {
  transcript?: string;
  session?: string;
  json?: boolean;
}

/** The status of a session as data. */
export function statusData(
  place: ProjectContext,
  standing: SessionReport,
  { addons, ...story }: SessionHistory,
) {
  const { assessment, epoch, state } = standing;
  return {
    session: standing.id,
    transcript: standing.transcript || null,
    ...buildAssessmentData(assessment),
    compactions: epoch.number,
    announcement: buildAnnouncementData(place, standing.id, state),
    last_checkpoint: state?.last_checkpoint ?? null,
    alert: state?.alert ?? null,
    pending_compaction: state?.pending_compaction ?? null,
    ...story,
    ...Object.fromEntries(addons.map(({ key, data }) => [key, data])),
    state: { folder: place.paths.state, outside: place.paths.place.outside },
    off: exists(place.paths.off) ? 'project' : state?.off ? 'session' : null,
    not_followed: listNotFollowed(place.resolved),
    problems: [
      ...place.resolved.problems.map((each) => ({ where: each.where, message: each.message })),
      ...(standing.fault === null ? [] : [{ where: 'session state', message: standing.fault }]),
    ],
  };
}

/** The status as text, or as one JSON document. */
async function render(
  place: ProjectContext,
  options: StatusOptions,
  parts: readonly StatusSection[],
  indent: number,
): Promise<string> {
  const standing = readSessionReport(place, { ...options, mayBeOwn: true });
  const story = await readSessionHistory(place, standing, parts);
  return options.json
    ? JSON.stringify(statusData(place, standing, story), null, indent)
    : statusText(place, standing, story);
}

/** @param parts what add-ons add */
export async function status(
  place: ProjectContext,
  options: StatusOptions,
  output: Output,
  parts: readonly StatusSection[],
): Promise<void> {
  output.print(await render(place, options, parts, 2));
}

const WAIT_MS = 1_000;

/** Stamps of the files that a status is read from: while they stay the same, it does too. */
function stampFiles(place: ProjectContext, options: StatusOptions): ReturnType<typeof readStamp>[] {
  const { id, transcript, state } = readSessionReport(place, { ...options, mayBeOwn: true });
  const { paths } = place;
  const files = [
    transcript,
    findNewestHere(place)?.path ?? '',
    paths.session(id).state,
    paths.session(id).feed('module'),
    paths.session(id).feed('statusline'),
    paths.off,
    state?.workflow_file?.path ?? '',
  ];
  return [...place.resolved.stamps, ...files.map(readStamp)];
}

/**
 * Prints the status again each time that it changes, until the process is ended; that time passes is no change.
 * @param placeAt reads the project context anew
 */
export async function watchStatus(
  placeAt: () => Promise<ProjectContext>,
  options: StatusOptions,
  output: Output,
  parts: readonly StatusSection[],
): Promise<never> {
  const first = await placeAt();
  const begun = first.now;
  let stamps = stampFiles(first, options);
  let before = '';
  const show = async (place: ProjectContext): Promise<void> => {
    const timeless = await render({ ...place, now: begun }, options, parts, 0);
    if (timeless === before) return;
    output.print(`${before === '' || options.json ? '' : '\n'}${await render(place, options, parts, 0)}`);
    before = timeless;
  };
  await show(first);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    if (stamps.every(isUnchanged)) continue;
    // A file that is being replaced is read at the next look.
    const place = await placeAt().catch(() => null);
    if (place === null) continue;
    await tryOrNullAsync(async () => {
      stamps = stampFiles(place, options);
      await show(place);
    });
  }
}
