// Runs `plimsoll checkpoint create`: writes a checkpoint at any moment, on request.

import { askAddons } from '../../addons/addon.ts';
import { formatCount, formatPercent, type Output, toJson } from '../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../cli/project.io.ts';
import { readStamp } from '../../platform/look.ts';
import { ensureStateFolder } from '../../platform/project/state-folder.ts';
import { replaceFile } from '../../platform/write.ts';
import {
  buildSeenState,
  findOwnSession,
  isOfThisProject,
  openThreads,
  readSessionReport,
  type SessionReport,
} from '../../sessions/commands/find-session.io.ts';
import { logToSession } from '../../sessions/commands/session-log.io.ts';
import { listSessions, patchSessionState, readLastStop } from '../../sessions/session-states.io.ts';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import { VERSION } from '../../version.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { formatThread, readCurrentThread, withNote } from '../ledger/thread.io.ts';
import { openTasks, withStop } from '../work.ts';
import { writeCheckpoint } from './checkpoint-store.io.ts';
import { buildCheckpoint } from './keep-checkpoint.io.ts';

export interface CreateOptions {
  session?: string;
  note?: string;
  json?: boolean;
}

/** Finds the session whose hooks ran last here; undefined where none did. */
function newestKnown({ paths }: ProjectContext): string | undefined {
  const times = listSessions(paths).map((id) => ({ id, at: readStamp(paths.session(id).state).mtimeMs }));
  return times.sort((a, b) => b.at - a.at)[0]?.id;
}

/** Finds the newest session of this project by its transcripts, else by our hooks' states. */
function newestStanding(place: ProjectContext): SessionReport {
  try {
    return readSessionReport(place, {});
  } catch (error) {
    const session = newestKnown(place);
    if (session === undefined) throw error;
    return readSessionReport(place, { session });
  }
}

/** Finds the session that is named, else the one in whose shell this runs, else the newest of this project. */
export function readStanding(place: ProjectContext, options: Pick<CreateOptions, 'session'>): SessionReport {
  const session = options.session ?? findOwnSession(place);
  const standing = session === undefined ? newestStanding(place) : readSessionReport(place, { session });
  if (options.session === undefined || isOfThisProject(place, standing.id, standing.transcript))
    return standing;
  throw new PlimsollError('no-project', `Session "${standing.id}" ran in another folder`, {
    hint: `run this where it ran: its transcript is ${displayPath(standing.transcript, place)}`,
  });
}

/** Reads the ledger up to now, adds the note if there is one, and saves it. */
export function keepNote(
  place: ProjectContext,
  { id, transcript, state }: SessionReport,
  note: string | undefined,
  onFailure: (part: string, error: unknown) => void,
): Ledger | null {
  try {
    const read = readCurrentThread(openThreads(place), id, transcript);
    const text = note?.trim() ?? '';
    // A command that the agent's shell runs is never the person's word.
    const by = place.env.HOST_AGENT || place.env.HOST_SESSION ? 'agent' : 'person';
    const at = new Date(place.now).toISOString();
    const thread = text === '' ? read : withNote(read, { text, kind: 'note', by }, at);
    ensureStateFolder(place.paths);
    replaceFile(place.paths.session(id).ledger, formatThread(thread));
    return withStop(thread.ledger, state && readLastStop(place.paths, state));
  } catch (error) {
    onFailure('ledger', error);
    return null;
  }
}

/** Writes a checkpoint of the session as it is now, also where Plimsoll is switched off: a person asked for it. */
export async function checkpointCreate(
  place: ProjectContext,
  options: CreateOptions,
  output: Output,
): Promise<void> {
  const standing = readStanding(place, options);
  const { id: session, transcript, state, scan, epoch } = standing;
  const problems: string[] = [];
  const onFailure = (part: string, error: unknown): void => {
    problems.push(`${part}: ${error instanceof Error ? error.message : String(error)}`);
  };
  const draft = await buildCheckpoint(
    {
      paths: place.paths,
      env: place.env,
      session,
      transcript,
      cwd: place.cwd,
      orchestration: place.resolved.settings['orchestration.path'],
      since: { session: state?.started ?? null, phase: state?.workflow_file?.phase_since ?? null },
      onFailure,
    },
    {
      trigger: {
        type: 'cli',
        source: 'plimsoll checkpoint create',
        custom_instructions: options.note?.trim() || null,
      },
      assessment: standing.assessment,
      epoch: epoch.number,
      ledger: keepNote(place, standing, options.note, onFailure),
      by: `plimsoll ${VERSION}`,
    },
  );
  const { id, at, path } = writeCheckpoint(place.paths, draft, place.now);
  try {
    patchSessionState(place.paths, session, {
      // No hook has seen this session yet: its past compactions are no news for the first hook that does.
      ...(state === null ? { ...buildSeenState(scan), transcript, active: scan.facts.usage !== null } : {}),
      last_checkpoint: { id, at, offset: scan.end },
    });
  } catch (error) {
    onFailure('state of the session', error);
  }
  const created = {
    type: 'CheckpointCreated',
    id: `checkpoint:${id}`,
    checkpoint: id,
    trigger: 'cli',
  } as const;
  logToSession(place, { ...created, epoch: epoch.number }, output, session);
  const { root, env, paths, resolved } = place;
  const [track = null] =
    root === null
      ? []
      : await askAddons({ resolved, onFailure }, (addon) =>
          addon.atCheckpoint?.({ root, env, paths, session }, resolved.settings, onFailure),
        );
  if (options.json) {
    output.print(
      toJson({ id, path, timestamp: at, session_id: session, epoch: epoch.number, track, problems }),
    );
    return;
  }
  const { work, context_state: context } = draft;
  output.print(
    `Checkpoint ${id} written: ${displayPath(path, place)}\n` +
      `It holds session ${session} at ${formatPercent(context.estimated_fill_before_compaction)} of the window: ` +
      `${formatCount(work.requests.length, 'request')}, ${formatCount(openTasks(work).length, 'open task')}, ${formatCount(work.files_written.length, 'file')} written.${track === null ? '' : `\nTrack ${track} compacted.`}`,
  );
  for (const problem of problems) output.warn(`Without what could not be read or kept: ${problem}`);
}
