// Runs `plimsoll session …`: how the sessions of a project stand, what happened in each, and dropping the work of one.

import { formatCount, formatTable, type Output, stripControls, toJson } from '../../cli/output.io.ts';
import type { ProjectContext } from '../../cli/project.io.ts';
import { acknowledge } from '../../compaction/checkpoint/checkpoint-files.io.ts';
import {
  dropHandedWork,
  dropWork,
  formatThread,
  hashSessionId,
  readCurrentThread,
  readOpenTasks,
  type ThreadSource,
} from '../../compaction/ledger/thread.io.ts';
import { replaceFile } from '../../platform/write.ts';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import { formatAge } from '../../text/time.ts';
import { appendEvents } from '../event-log.io.ts';
import { redactOneLine } from '../log-event.ts';
import type { SessionPatch, SessionState } from '../session-state.ts';
import { patchSessionState, readStates, readUsableState } from '../session-states.io.ts';
import { COUNTS, type SessionSummary } from '../session-summary.ts';
import { formatEvent } from './events.command.ts';
import type { SessionLog } from './session-log.io.ts';
import {
  findPresentSession,
  formatProblems,
  listLogProblems,
  readAllLogs,
  readPresentLog,
  requireLog,
} from './session-log.io.ts';

interface Json {
  json?: boolean;
}

const ago = (place: ProjectContext, at: string | null): string =>
  at === null ? 'at an unknown time' : formatAge((place.now - Date.parse(at)) / 1000);

/** Tasks that a session which goes on nowhere has left open; null where that is not known. */
const openTasksOf = ({ paths }: ProjectContext, { id, status }: SessionSummary): number | null =>
  status === 'ended' ? readOpenTasks(paths, id) : null;

/** A session as data. */
const dataOf = (place: ProjectContext, session: SessionSummary) => ({
  ...session,
  open_tasks: openTasksOf(place, session),
});

/** What is left to do, and where it went on. */
function leftOf(place: ProjectContext, session: SessionSummary): string {
  const open = openTasksOf(place, session) ?? 0;
  const { continued_in: next } = session;
  return [
    ...(open > 0 ? [`, ${formatCount(open, 'open task')}`] : []),
    ...(next === null ? [] : [`, its work went on in ${stripControls(next)}`]),
  ].join('');
}

function standing(place: ProjectContext, session: SessionSummary): string {
  const { status, ended, reason, last } = session;
  if (status === 'running') return status;
  return `${status} ${ago(place, ended ?? last)}: ${stripControls(reason ?? '')}${leftOf(place, session)}`;
}

/** The first four are always told. */
const happened = ({ counts }: SessionSummary): string =>
  Object.entries(COUNTS)
    .flatMap(([name, one], index) => {
      const count = counts[name as keyof typeof COUNTS];
      return index < 4 || count > 0 ? formatCount(count, one) : [];
    })
    .join(', ');

function textOf(place: ProjectContext, { session, problems }: SessionLog): string {
  const { id, started, continues } = session;
  return formatTable([
    ['Session', stripControls(id)],
    ['Status', standing(place, session)],
    ['Started', started === null ? null : `${ago(place, started)} (${started})`],
    ['Continues', continues === null ? null : stripControls(continues)],
    ['Happened', happened(session)],
    [
      'Problem',
      problems.length === 0 ? null : `${formatCount(problems.length, 'line')} of its log cannot be read`,
    ],
  ]);
}

const NONE = 'No session yet in this project: the first prompt of one begins its log.';

/** Prints the present session: the one of this folder, else the one written last. */
export function sessionStatus(place: ProjectContext, options: Json, output: Output): void {
  const log = readPresentLog(place) ?? readAllLogs(place)[0] ?? null;
  if (options.json) {
    output.print(toJson({ session: log === null ? null : dataOf(place, log.session) }));
    return;
  }
  output.print(log === null ? NONE : textOf(place, log));
  if (log !== null) for (const line of formatProblems(place, [log])) output.warn(line);
}

export function sessionList(place: ProjectContext, options: Json, output: Output): void {
  const logs = readAllLogs(place);
  if (options.json) {
    const sessions = logs.map(({ session }) => dataOf(place, session));
    output.print(toJson({ sessions, problems: listLogProblems(logs) }));
    return;
  }
  if (logs.length === 0) output.print(NONE);
  const present = findPresentSession(place);
  for (const { session } of logs) {
    const { id, status, started } = session;
    output.print(
      `${stripControls(id)}  ${status.padEnd(7)}  begun ${ago(place, started)}, ${happened(session)}${leftOf(place, session)}${id === present ? '  (this one)' : ''}`,
    );
  }
  for (const line of formatProblems(place, logs)) output.warn(line);
}

/** Prints one session with everything that happened in it. */
export function sessionShow(
  place: ProjectContext,
  id: string | undefined,
  options: Json,
  output: Output,
): void {
  const log = requireLog(place, id);
  if (options.json) {
    const { session, events, problems } = log;
    output.print(toJson({ session: dataOf(place, session), events, problems }));
    return;
  }
  output.print(`${textOf(place, log)}\n`);
  for (const event of log.events) output.print(formatEvent(event));
  for (const line of formatProblems(place, [log])) output.warn(line);
}

/** The most sessions that are followed back. */
const LONGEST_CHAIN = 50;
/** A command can wait longer for a lock than a hook, in ms. */
const WAIT_MS = 5_000;

/** Without what a session was handed, and the checkpoints that are still to be told, nothing of the work before is told there. */
const nothingOwed = ({ pending_compaction: pending, alert }: SessionState): SessionPatch => ({
  received_handoff: null,
  pointed_to: null,
  handoff_due: null,
  pending_compaction: pending && { ...pending, checkpoint: null },
  ...(alert?.status === 'leased' ? { alert: { ...alert, checkpoint: null } } : {}),
});

/** Drops one session; what follows there later is work of its own. */
function dropOne(
  { reader, paths }: ThreadSource,
  state: SessionState,
  { reason, now }: { reason: string; now: number },
): void {
  const { session_id: id, transcript, last_checkpoint: last } = state;
  const text = formatThread(dropWork(readCurrentThread({ reader, paths }, id, transcript)));
  patchSessionState(paths, id, {
    ...nothingOwed(state),
    dropped: { at: new Date(now).toISOString(), reason, cause: 'person' },
    last_stop: null,
    last_checkpoint: null,
    ...(state.alert?.status === 'leased' ? { alert: null } : {}),
  });
  replaceFile(paths.session(id).ledger, text);
  if (last !== null) acknowledge(paths, id, last.id, `dropped: ${reason}`, now);
  appendEvents(paths, id, [{ type: 'SessionDropped', reason, cause: 'person' }], { now, wait: WAIT_MS });
}

/**
 * Drops the work of a session: its own, what it was handed by others, and what another one was handed by it, which goes on
 * without it.
 */
function dropSession(source: ThreadSource, state: SessionState, why: { reason: string; now: number }): void {
  const { paths } = source;
  const chain = [state];
  for (const each of chain) {
    const from = each.received_handoff?.from;
    const before = from === undefined || chain.length > LONGEST_CHAIN ? null : readUsableState(paths, from);
    const isTaken = before?.resumed_by?.session_id === each.session_id;
    if (before !== null && isTaken && before.dropped?.cause !== 'person') chain.push(before);
  }
  const isHeir = ({ received_handoff: handed, pointed_to: pointed }: SessionState): boolean =>
    handed?.from === state.session_id || pointed === hashSessionId(state.session_id);
  const heirs = readStates(paths, { wanted: isHeir }).map(({ state: heir }) => ({
    heir,
    text: formatThread(
      dropHandedWork(source, readCurrentThread(source, heir.session_id, heir.transcript), heir.transcript),
    ),
  }));
  for (const each of chain) dropOne(source, each, why);
  for (const { heir, text } of heirs) {
    patchSessionState(paths, heir.session_id, nothingOwed(heir));
    replaceFile(paths.session(heir.session_id).ledger, text);
  }
}

export interface AbandonOptions {
  reason?: string;
  json?: boolean;
}

/** Drops the work of a session: nobody is told of it again. */
export function abandonSession(
  place: ProjectContext,
  given: string | undefined,
  options: AbandonOptions,
  output: Output,
): void {
  const { paths, now, host } = place;
  const { id, session } = requireLog(place, given);
  const state = readUsableState(paths, id);
  if (state === null) {
    throw new PlimsollError(
      'not-found',
      `The state of session ${id} is gone or unreadable: nobody is told of it anyway`,
      {
        hint: `plimsoll delete --session ${id} removes the rest`,
      },
    );
  }
  if (state.dropped?.cause === 'person') {
    throw new PlimsollError(
      'conflict',
      `Session ${id} is dropped already, ${ago(place, session.ended)}: ${session.reason}`,
      {
        hint: 'plimsoll session list shows how the others stand',
      },
    );
  }
  const reason = redactOneLine(options.reason?.trim() || 'dropped by hand');
  dropSession({ reader: host.entries, paths }, state, { reason, now });
  output.print(
    options.json
      ? toJson({ session: id, status: 'dropped', reason })
      : `Session ${id} is dropped: ${reason}. Nobody is told of its work again; what is asked there from now on is new work.`,
  );
}
