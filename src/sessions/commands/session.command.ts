// Runs `plimsoll session …`: how the sessions of a project stand, what happened in each, and dropping the work of one.

import {
  formatCount,
  formatId,
  formatTable,
  type Output,
  stripControls,
  toJson,
} from '../../cli/output.io.ts';
import type { ProjectContext } from '../../cli/project.io.ts';
import { readOpenTasks } from '../../compaction/ledger/thread.io.ts';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import { formatAge } from '../../text/time.ts';
import { redactOneLine } from '../log-event.ts';
import { readUsableState } from '../session-states.io.ts';
import { COUNTS, type SessionSummary } from '../session-summary.ts';
import { dropSession } from './drop-session.io.ts';
import { formatEvent } from './events.command.ts';
import { openThreads } from './find-session.io.ts';
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
    ...(next === null ? [] : [`, its work went on in ${formatId(next)}`]),
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
    ['Session', formatId(id, Number.POSITIVE_INFINITY)],
    ['Status', standing(place, session)],
    ['Started', started === null ? null : `${ago(place, started)} (${started})`],
    ['Continues', continues === null ? null : formatId(continues)],
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
      `${formatId(id)}  ${status.padEnd(7)}  begun ${ago(place, started)}, ${happened(session)}${leftOf(place, session)}${id === present ? '  (this one)' : ''}`,
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
  const { paths, now } = place;
  const { id, session } = requireLog(place, given);
  const state = readUsableState(paths, id);
  if (state === null) {
    throw new PlimsollError(
      'not-found',
      `The state of session ${formatId(id)} is gone or unreadable: nobody is told of it anyway`,
      {
        hint: `plimsoll delete --session ${formatId(id, Number.POSITIVE_INFINITY)} removes the rest`,
      },
    );
  }
  if (state.dropped?.cause === 'person') {
    throw new PlimsollError(
      'conflict',
      `Session ${formatId(id)} is dropped already, ${ago(place, session.ended)}: ${session.reason}`,
      {
        hint: 'plimsoll session list shows how the others stand',
      },
    );
  }
  const reason = redactOneLine(options.reason?.trim() || 'by hand');
  const onFailure = (error: unknown): void =>
    output.warn(`Not noted in the log: ${error instanceof Error ? error.message : String(error)}`);
  const [, ...others] = dropSession(openThreads(place), state, { reason, now, onFailure });
  const more =
    others.length === 0
      ? ''
      : `, and with it ${others.map((each) => formatId(each)).join(', ')}, whose work it went on with`;
  output.print(
    options.json
      ? toJson({ session: id, status: 'dropped', reason, dropped: [id, ...others] })
      : `Session ${formatId(id)} is dropped${more}: ${reason}. Nobody is told of ${others.length === 0 ? 'its' : 'their'} work again; what is asked there from now on is new work.`,
  );
}
