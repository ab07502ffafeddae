// Runs `plimsoll track list` and `track show`: the tracks of a project, the progress of each, and all that one loads.

import { formatCount, formatTable, type Output, stripControls, toJson } from '../../../cli/output.io.ts';
import type { ProjectContext } from '../../../cli/project.io.ts';
import { countColumns, cutToColumns, readable } from '../../../text/columns.ts';
import { isError, PlimsollError } from '../../../text/plimsoll-error.ts';
import { evaluate } from '../checks/evaluate.ts';
import { checkTrack, isClosed, listTracks, readTrack } from '../files/find-tracks.io.ts';
import { readRecovery } from '../files/track-inputs.io.ts';
import { TASK_NAMES, taskFile, trackFolder } from '../layout.ts';
import type { Loaded, Recovery } from '../recover.ts';
import type { Progress, TrackStatus } from '../summary.ts';
import { countProgress, findTrackStatus, listPlanTasks } from '../summary.ts';
import { readTitle } from '../templates.ts';
import { readActiveHere, requireRoot, resolveTrack } from './name-track.io.ts';

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
    const progress = countProgress(listPlanTasks(texts['PLAN.md'] ?? ''));
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

export function listTracksCommand(place: ProjectContext, options: Json, output: Output): void {
  const root = requireRoot(place);
  const active = readActiveHere(place);
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
  const root = requireRoot(place);
  const id = resolveTrack(place, given);
  const row = readRows(root, readActiveHere(place).track).find((each) => each.id === id);
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
  const root = requireRoot(place);
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

const STEPS: Readonly<Record<Loaded['step'], string>> = {
  1: 'core files',
  2: 'files of the track',
  3: 'the checkpoint',
  4: 'transient files of the last session',
  5: 'what the state is made of',
};

function manifestLines(manifest: readonly Loaded[]): string[] {
  return ([1, 2, 3, 4, 5] as const).flatMap((step) => [
    `Step ${step}: ${STEPS[step]}`,
    ...manifest
      .filter((each) => each.step === step)
      .map(({ path, sha256, bytes, loaded }) =>
        sha256 === null
          ? `  ${'missing'.padEnd(8)}${path}`
          : `  ${loaded.padEnd(8)}${path} (${formatCount(bytes, 'byte')}, SHA-256 ${sha256})`,
      ),
  ]);
}

function stateLines({ tasks, decisions, risks, drift }: Recovery): string[] {
  const named = (id: string | null, text: string): string => `${id === null ? '' : `${id} `}${text}`;
  return [
    ...drift.map((name) => `${name} was changed after the checkpoint.`),
    `Tasks: ${tasks.filter(({ state }) => state === 'done').length} of ${tasks.length} done`,
    ...tasks.map(({ state, id, text }) => `  ${state.padEnd(8)}${named(id, text)}`),
    `Decisions, newest first: ${decisions.length}`,
    ...decisions.map(({ at, id, text }) => `  ${at ?? ''} ${named(id, text)}`.replace(/ {3}/, '  ')),
    `Open risks that are high or critical: ${risks.length}`,
    ...risks.map(({ severity, id, text }) => `  ${severity.padEnd(9)}${named(id, text)}`),
  ];
}

/** Prints manifest, state, and every file once. Returns false when something needed is missing or damaged. */
export function showWholeTrack(
  place: ProjectContext,
  id: string | undefined,
  options: { json?: boolean },
  output: Output,
): boolean {
  const root = requireRoot(place);
  const track = resolveTrack(place, id);
  checkTrack(root, track);
  const { files, ...recovery } = readRecovery(root, track);
  const isWhole = recovery.faults.length === 0;
  if (options.json) {
    const texts = Object.fromEntries([...files].map(([path, { text }]) => [path, text]));
    output.print(toJson({ ...recovery, files: texts }));
    return isWhole;
  }
  const texts = [...files].flatMap(([path, { text }]) => ['', `===== ${path} =====`, text.trimEnd()]);
  const lines = [
    `Track ${track}`,
    ...manifestLines(recovery.manifest),
    '',
    ...stateLines(recovery),
    ...texts,
  ];
  output.print(stripControls(lines.join('\n')));
  for (const fault of recovery.faults) output.warn(stripControls(fault));
  return isWhole;
}
