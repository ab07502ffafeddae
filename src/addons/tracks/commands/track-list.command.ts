// Runs `plimsoll track list` and `track show`: the tracks of a project and the progress of each.

import { formatCount, formatTable, type Output, toJson } from '../../../cli/output.io.ts';
import type { ProjectContext } from '../../../cli/project.io.ts';
import { countColumns, cutToColumns, readable } from '../../../text/columns.ts';
import { isError, PlimsollError } from '../../../text/plimsoll-error.ts';
import { evaluate } from '../checks/evaluate.ts';
import { listTracks } from '../files/find-tracks.io.ts';
import { isClosed, readTrack } from '../files/track-files.io.ts';
import { TASK_NAMES, taskFile, trackFolder } from '../layout.ts';
import { readTitle } from '../new-track.ts';
import { countProgress, findTrackStatus, type Progress, type TrackStatus } from '../progress.ts';
import { planTasks } from '../summary.ts';
import { activeHere, trackOrActive, trackRoot } from './name-track.io.ts';

interface Json {
  json?: boolean;
}

/** A track as the commands show it. */
interface Row extends Progress {
  id: string;
  title: string | null;
  folder: string;
  /** The status by the checkboxes of its plan. */
  status: TrackStatus;
  active: boolean;
  /** What could not be read; null where everything could. */
  fault: string | null;
}

/** Reads a track, or says that a link leads out of the project, so that a list goes on with the other tracks. */
function inProject<T>(read: () => T, otherwise: T): T & { fault: string | null } {
  try {
    return { ...read(), fault: null };
  } catch (error) {
    if (!isError(error, 'leads-out')) throw error;
    return { ...otherwise, fault: error.message };
  }
}

const NO_TEXTS: ReturnType<typeof readTrack> = {
  'SPEC.md': null,
  'PLAN.md': null,
  'RISKS.md': null,
  'DECISIONS.md': null,
};

function readRows(root: string, active: string | null): Row[] {
  return listTracks(root).map((id) => {
    const { texts, closed, fault } = inProject(
      () => ({ texts: readTrack(root, id), closed: isClosed(root, id) }),
      { texts: NO_TEXTS, closed: false },
    );
    const progress = countProgress(planTasks(texts['PLAN.md'] ?? ''));
    return {
      id,
      title: readTitle(texts['SPEC.md'] ?? '') ?? readTitle(texts['PLAN.md'] ?? ''),
      folder: trackFolder(id),
      status: findTrackStatus(progress, closed),
      ...progress,
      active: id === active,
      fault: fault ?? (texts['PLAN.md'] === null ? 'no PLAN.md' : null),
    };
  });
}

const MOST_TITLE = 60;

/** Aligns cells in columns; each cell has to be one line. */
function inColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => countColumns(row[at] ?? ''))));
  const padded = (cell: string, at: number): string =>
    cell + ' '.repeat((widths[at] ?? 0) - countColumns(cell));
  return rows.map((row) => row.map(padded).join('  ').trimEnd()).join('\n');
}

export function trackList(place: ProjectContext, options: Json, output: Output): void {
  const root = trackRoot(place);
  const active = activeHere(place);
  const rows = readRows(root, active.track);
  if (options.json) {
    output.print(toJson({ active, tracks: rows }));
    return;
  }
  if (rows.length === 0) {
    output.print('No tracks here.\nNext: plimsoll track new ID begins one.');
    return;
  }
  const cells = rows.map((row) => [
    row.active ? '*' : ' ',
    readable(row.id),
    row.status,
    row.total === 0 ? '' : `${row.done} of ${row.total}`,
    cutToColumns(readable(row.title ?? ''), MOST_TITLE),
    row.fault ?? '',
  ]);
  output.print(
    [
      inColumns(cells),
      ...(active.track === null ? [active.fault ?? 'No track is active: plimsoll track activate ID'] : []),
    ].join('\n'),
  );
}

function rowOf(place: ProjectContext, given: string | undefined): Row {
  const root = trackRoot(place);
  const id = trackOrActive(place, given);
  const row = readRows(root, activeHere(place).track).find((each) => each.id === id);
  if (row !== undefined) return row;
  throw new PlimsollError('not-found', `The track "${id}" is gone`, {
    hint: 'plimsoll track list names those that there are',
  });
}

export function showTrack(
  place: ProjectContext,
  given: string | undefined,
  options: Json,
  output: Output,
): void {
  const root = trackRoot(place);
  const row = rowOf(place, given);
  const texts = readTrack(root, row.id);
  const findings = evaluate(row.id, texts).length;
  const missing = TASK_NAMES.filter((name) => texts[name] === null).map((name) => taskFile(row.id, name));
  if (options.json) {
    output.print(toJson({ ...row, missing, findings }));
    return;
  }
  const { total, done, doing, blocked } = row;
  output.print(
    formatTable([
      ['track', `${readable(row.id)}${row.active ? ', active' : ''}`],
      ['title', row.title === null ? null : readable(row.title)],
      ['folder', readable(row.folder)],
      ['status', row.status === 'closed' ? 'closed' : `${row.status}, by the boxes of its plan`],
      ['tasks', total === 0 ? null : `${done} of ${total} done, ${doing} under way, ${blocked} blocked`],
      ['missing', missing.length === 0 ? null : missing.join(', ')],
      ['fault', row.fault === null ? null : readable(row.fault)],
      [
        'evaluator',
        findings === 0
          ? 'finds nothing'
          : `${formatCount(findings, 'finding')}: plimsoll track lint ${row.id}`,
      ],
    ]),
  );
}
