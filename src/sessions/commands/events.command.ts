// Runs `plimsoll events`: lists or counts logged events by type, session and time.

import { formatPercent, type Output, stripControls, toJson } from '../../cli/output.io.ts';
import type { ProjectContext } from '../../cli/project.io.ts';
import { findNearest } from '../../text/did-you-mean.ts';
import { formatThousands, shortenId } from '../../text/lines.ts';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import { parseTime } from '../../text/time.ts';
import { EVENT_TYPES, EVENTS, type EventType, type LoggedEvent } from '../log-event.ts';
import type { SessionLog } from './session-log.io.ts';
import { findLog, formatProblems, listLogProblems, readAllLogs, readPresentLog } from './session-log.io.ts';

export interface EventsOptions {
  type?: string[];
  session?: string;
  all?: boolean;
  since?: string;
  count?: boolean;
  json?: boolean;
}

/** Finds the event type that a name stands for, ignoring case. */
function typeOf(given: string): EventType {
  const found = EVENT_TYPES.find((type) => type.toLowerCase() === given.toLowerCase());
  if (found !== undefined) return found;
  const near = findNearest(given, EVENT_TYPES);
  throw new PlimsollError('usage', `There is no event "${given}"`, {
    hint: `${near === null ? '' : `did you mean ${near}? `}Known: ${EVENT_TYPES.join(', ')}`,
  });
}

function since(place: ProjectContext, given: string): number {
  const moment = parseTime(given, place.now);
  if (moment !== null) return moment;
  throw new PlimsollError('usage', `"${given}" is no time`, {
    hint: 'a time such as 2026-11-28T07:00:00Z or 2026-11-28, or how long ago: 30m, 2h, 3d',
  });
}

const WORDS: Record<string, (value: never) => string> = {
  tokens: (value: number) => `${formatThousands(value)} tokens`,
  window: (value: number) => `window ${formatThousands(value)}`,
  fill: (value: number) => formatPercent(value),
  epoch: (value: number) => (value === 0 ? 'before any compaction' : `compaction ${value}`),
  tries: (value: number) => `said ${value === 1 ? 'once' : `${value} times`}`,
  iteration: (value: number) => `iteration ${value}`,
  channel: (value: string) => `by ${value}`,
  from: (value: string) => `from ${value}`,
  cause: (value: string) => `cause: ${value}`,
};

/** The fields of an event in words; empty and false ones are left out. */
function detail(event: LoggedEvent): string {
  const fields = event as unknown as Record<string, unknown>;
  return Object.keys(EVENTS[event.type])
    .flatMap((field) => {
      const value = fields[field];
      if (value === null || value === undefined || value === false) return [];
      if (value === true) return [field];
      return [WORDS[field]?.(value as never) ?? String(value)];
    })
    .join(', ');
}

/** Formats an event as one line: its time, type and figures. */
export const formatEvent = (event: LoggedEvent, session?: string): string =>
  stripControls(
    `${event.at.replace('T', ' ').replace(/\.\d+Z$/, 'Z')}  ${session === undefined ? '' : `${shortenId(session).padEnd(8)}  `}${event.type.padEnd(24)}${detail(event)}`.trimEnd(),
  ).replace(/[\t\n]/g, ' ');

/** The logs to search: that of one session, or all (`scope` is null). */
function logsFor(
  place: ProjectContext,
  options: EventsOptions,
): { scope: string | null; logs: SessionLog[] } {
  if (options.session !== undefined && options.all) {
    throw new PlimsollError('usage', 'Both --session and --all are given', { hint: 'leave one of them out' });
  }
  const one =
    options.session !== undefined
      ? findLog(place, options.session)
      : options.all
        ? null
        : readPresentLog(place);
  return one === null ? { scope: null, logs: readAllLogs(place) } : { scope: one.id, logs: [one] };
}

/** What is said where no event was found. */
function noneFound(scope: string | null, logs: readonly SessionLog[]): string {
  if (logs.length === 0) return 'No events yet in this project.';
  return scope === null ? 'No such events.' : 'No such events in this session; in all of them: --all';
}

export function eventsCommand(place: ProjectContext, options: EventsOptions, output: Output): void {
  const types = options.type?.flatMap((each) => each.split(',')).map(typeOf);
  const from = options.since === undefined ? Number.NEGATIVE_INFINITY : since(place, options.since);
  const { scope, logs } = logsFor(place, options);
  // Within a session the order is that of its log.
  const found = logs
    .flatMap(({ events }) => events)
    .filter((event) => (types === undefined || types.includes(event.type)) && Date.parse(event.at) >= from)
    .sort((a, b) => (a.session === b.session ? 0 : a.at.localeCompare(b.at)));
  if (options.json) {
    const many = options.count ? { count: found.length } : { events: found };
    output.print(toJson({ session: scope, ...many, problems: listLogProblems(logs) }));
    return;
  }
  if (options.count) output.print(String(found.length));
  else if (found.length === 0) output.print(noneFound(scope, logs));
  else
    for (const event of found) output.print(formatEvent(event, scope === null ? event.session : undefined));
  for (const line of formatProblems(place, logs)) output.warn(line);
}
