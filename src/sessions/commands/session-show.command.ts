// Runs `plimsoll session status`, `list` and `show`: the threads of work of a project and what happened in each.

import { formatCount, formatTable, type Output, stripControls, toJson } from '../../cli/output.io.ts';
import type { ProjectContext } from '../../cli/project.io.ts';
import { formatAge } from '../../text/ago.ts';
import type { Session } from '../work-session.ts';
import { isShared } from '../work-sessions.io.ts';
import { eventLine } from './events.command.ts';
import {
  findPresentSession,
  formatProblems,
  listStreamProblems,
  readAllLogs,
  readPresentLog,
  requireThreadLog,
  type ThreadLog,
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

const since = (place: ProjectContext, at: string): string => formatAge((place.now - Date.parse(at)) / 1000);

function standing(place: ProjectContext, session: Session): string {
  const { status, ended, reason, cause } = session;
  if (status === 'active')
    return dataOf(place, session).under_way
      ? 'active'
      : 'active, but none of its sessions is running: the next session that begins gives it up';
  const why = stripControls(reason ?? '');
  return `${status} ${since(place, ended ?? session.last)}: ${why}${cause === 'person' ? ' (by hand)' : ''}`;
}

const happened = ({ counts }: Session): string =>
  [
    formatCount(counts.compactions, 'compaction'),
    formatCount(counts.checkpoints, 'checkpoint'),
    formatCount(counts.tier_rises, 'tier rise'),
    formatCount(counts.alerts, 'alert'),
    ...(counts.alerts_repeated > 0 ? [`${counts.alerts_repeated} of them repeated`] : []),
    ...(counts.alerts_undelivered > 0 ? [`${counts.alerts_undelivered} undelivered`] : []),
    ...(counts.resumptions > 0 ? [formatCount(counts.resumptions, 'handoff')] : []),
    ...(counts.agents > 0 ? [formatCount(counts.agents, 'agent')] : []),
    ...(counts.gates_scored > 0 ? [formatCount(counts.gates_scored, 'gate result')] : []),
    ...(counts.violations > 0 ? [formatCount(counts.violations, 'violation')] : []),
  ].join(', ');

function textOf(place: ProjectContext, { session, problems }: ThreadLog): string {
  const [first, ...more] = session.conversations.map(stripControls);
  return formatTable([
    ['Thread', stripControls(session.id)],
    ['Status', standing(place, session)],
    ['Started', `${since(place, session.started)} (${session.started})`],
    ['Session', first === undefined ? null : first],
    ...more.map((each): [string, string] => ['Continued in', each]),
    ['After', session.previous === null ? null : stripControls(session.previous)],
    ['Happened', happened(session)],
    [
      'Problem',
      problems.length === 0 ? null : `${formatCount(problems.length, 'line')} of its stream cannot be read`,
    ],
  ]);
}

const NONE = 'No thread of work yet in this project: the first prompt of a session begins one.';

/** Prints the present thread: that of this folder's session, else the one written last. */
export function sessionStatus(place: ProjectContext, options: Json, output: Output): void {
  const { logs, lost } = readAllLogs(place);
  const log = readPresentLog(place) ?? logs[0] ?? null;
  if (options.json) {
    output.print(toJson({ thread: log === null ? null : dataOf(place, log.session) }));
    return;
  }
  if (log !== null || lost.length === 0) output.print(log === null ? NONE : textOf(place, log));
  for (const line of formatProblems(place, lost)) output.warn(line);
}

export function sessionList(place: ProjectContext, options: Json, output: Output): void {
  const { logs, lost } = readAllLogs(place);
  const present = findPresentSession(place);
  if (options.json) {
    const threads = logs.map(({ session }) => dataOf(place, session));
    output.print(toJson({ threads, problems: listStreamProblems(lost) }));
    return;
  }
  if (logs.length + lost.length === 0) output.print(NONE);
  for (const { session } of logs) {
    const isPresent = present !== null && session.conversations.includes(present);
    const where = session.conversations.length > 1 ? `, ${session.conversations.length} sessions` : '';
    output.print(
      `${stripControls(session.id)}  ${session.status.padEnd(9)}  begun ${since(place, session.started)}, ${happened(session)}${where}${isPresent ? '  (this one)' : ''}`,
    );
  }
  for (const line of formatProblems(place, lost)) output.warn(line);
}

/** Prints one thread with everything that happened in it. */
export function sessionShow(
  place: ProjectContext,
  id: string | undefined,
  options: Json,
  output: Output,
): void {
  const log = requireThreadLog(place, id);
  if (options.json) {
    const { session, events, problems } = log;
    output.print(toJson({ thread: dataOf(place, session), events, problems }));
    return;
  }
  output.print(`${textOf(place, log)}\n`);
  for (const event of log.events) output.print(eventLine(event));
  for (const line of formatProblems(place, [log])) output.warn(line);
}
