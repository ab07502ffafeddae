// Runs `plimsoll session status`, `list` and `show`: the threads of work of a project and what happened in each.

import { count, type Output, printable, table, toJson } from '../../cli/output.io.ts';
import type { ProjectContext } from '../../cli/project.io.ts';
import { ago } from '../../text/ago.ts';
import type { Session } from '../work-session.ts';
import { isShared } from '../work-sessions.io.ts';
import { eventLine } from './events.command.ts';
import {
  allLogs,
  type Log,
  logFor,
  presentConversation,
  presentLog,
  problemLines,
  problemsIn,
} from './find-work-session.io.ts';

interface Json {
  json?: boolean;
}

/** A thread as data; `under_way`: whether one of its sessions is running, as far as is known. */
const dataOf = (place: ProjectContext, { conversations, ...session }: Session) => ({
  ...session,
  sessions: conversations,
  under_way:
    session.status === 'active' && isShared(place.paths, { ...session, conversations }, null, place.now),
});

const since = (place: ProjectContext, at: string): string => ago((place.now - Date.parse(at)) / 1000);

function standing(place: ProjectContext, session: Session): string {
  const { status, ended, reason, cause } = session;
  if (status === 'active')
    return dataOf(place, session).under_way
      ? 'active'
      : 'active, but none of its sessions is running: the next session that begins gives it up';
  const why = printable(reason ?? '');
  return `${status} ${since(place, ended ?? session.last)}: ${why}${cause === 'person' ? ' (by hand)' : ''}`;
}

const happened = ({ counts }: Session): string =>
  [
    count(counts.compactions, 'compaction'),
    count(counts.checkpoints, 'checkpoint'),
    count(counts.tier_rises, 'tier rise'),
    count(counts.alerts, 'alert'),
    ...(counts.alerts_repeated > 0 ? [`${counts.alerts_repeated} of them repeated`] : []),
    ...(counts.alerts_undelivered > 0 ? [`${counts.alerts_undelivered} undelivered`] : []),
    ...(counts.resumptions > 0 ? [count(counts.resumptions, 'handoff')] : []),
    ...(counts.agents > 0 ? [count(counts.agents, 'agent')] : []),
    ...(counts.gates_scored > 0 ? [count(counts.gates_scored, 'gate result')] : []),
    ...(counts.violations > 0 ? [count(counts.violations, 'violation')] : []),
  ].join(', ');

function textOf(place: ProjectContext, { session, problems }: Log): string {
  const [first, ...more] = session.conversations.map(printable);
  return table([
    ['Thread', printable(session.id)],
    ['Status', standing(place, session)],
    ['Started', `${since(place, session.started)} (${session.started})`],
    ['Session', first === undefined ? null : first],
    ...more.map((each): [string, string] => ['Continued in', each]),
    ['After', session.previous === null ? null : printable(session.previous)],
    ['Happened', happened(session)],
    [
      'Problem',
      problems.length === 0 ? null : `${count(problems.length, 'line')} of its stream cannot be read`,
    ],
  ]);
}

const NONE = 'No thread of work yet in this project: the first prompt of a session begins one.';

/** Prints the present thread: that of this folder's session, else the one written last. */
export function sessionStatus(place: ProjectContext, options: Json, output: Output): void {
  const { logs, lost } = allLogs(place);
  const log = presentLog(place) ?? logs[0] ?? null;
  if (options.json) {
    output.print(toJson({ thread: log === null ? null : dataOf(place, log.session) }));
    return;
  }
  if (log !== null || lost.length === 0) output.print(log === null ? NONE : textOf(place, log));
  for (const line of problemLines(place, lost)) output.warn(line);
}

export function sessionList(place: ProjectContext, options: Json, output: Output): void {
  const { logs, lost } = allLogs(place);
  const present = presentConversation(place);
  if (options.json) {
    const threads = logs.map(({ session }) => dataOf(place, session));
    output.print(toJson({ threads, problems: problemsIn(lost) }));
    return;
  }
  if (logs.length + lost.length === 0) output.print(NONE);
  for (const { session } of logs) {
    const isPresent = present !== null && session.conversations.includes(present);
    const where = session.conversations.length > 1 ? `, ${session.conversations.length} sessions` : '';
    output.print(
      `${printable(session.id)}  ${session.status.padEnd(9)}  begun ${since(place, session.started)}, ${happened(session)}${where}${isPresent ? '  (this one)' : ''}`,
    );
  }
  for (const line of problemLines(place, lost)) output.warn(line);
}

/** Prints one thread with everything that happened in it. */
export function sessionShow(
  place: ProjectContext,
  id: string | undefined,
  options: Json,
  output: Output,
): void {
  const log = logFor(place, id);
  if (options.json) {
    const { session, events, problems } = log;
    output.print(toJson({ thread: dataOf(place, session), events, problems }));
    return;
  }
  output.print(`${textOf(place, log)}\n`);
  for (const event of log.events) output.print(eventLine(event));
  for (const line of problemLines(place, [log])) output.warn(line);
}
