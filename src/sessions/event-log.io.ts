// The log of a session's events: appended under its lock, each event once, and read line by line.

import { withLock } from '../platform/lock.ts';
import type { ProjectPaths } from '../platform/project/paths.ts';
import { ensureStateFolder } from '../platform/project/state-folder.ts';
import { type FileKind, readRange, readSize, STATE_FILE, withFile } from '../platform/read.ts';
import { appendOnce, withOwn } from '../platform/write.ts';
import { isObject, type JsonObject } from '../text/json.ts';
import { isError, PlimsollError } from '../text/plimsoll-error.ts';
import { LOG_VERSION, type LogEvent, type LoggedEvent, parseLogEvent } from './log-event.ts';

/** Bytes at the end of a log that are searched for duplicates before an append; duplicates come within moments. */
const TAIL = 64 * 1024;
/** The most bytes of a log that are read: some hundred thousand events. */
const MOST = 64 * 1024 * 1024;
/** How often an append that lost its lock to another process is tried. */
const MOST_TRIES = 5;
const NEWLINE = 0x0a;

interface LogEnd {
  bytes: Buffer;
  /** Whether this is all of the file. */
  isWhole: boolean;
}

function readEnd(descriptor: number, most: number): LogEnd {
  const size = readSize(descriptor);
  const length = Math.min(size, most);
  return { bytes: readRange(descriptor, size - length, length), isWhole: length === size };
}

/** The lines that are not empty, with their numbers and parsed values; undefined for a line that is no JSON. */
function* linesIn({ bytes, isWhole }: LogEnd): Generator<{ line: number; value: unknown; isTorn: boolean }> {
  // The first line is left out unless it is known to be whole.
  let from = isWhole ? 0 : bytes.indexOf(NEWLINE) + 1;
  for (let line = 1; from < bytes.length; line++) {
    const newline = bytes.indexOf(NEWLINE, from);
    const to = newline < 0 ? bytes.length : newline;
    const text = bytes.toString('utf8', from, to);
    from = to + 1;
    if (text.trim() === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      // torn, or garbage
    }
    yield { line, value, isTorn: newline < 0 };
  }
}

/** The events to append, or a function that derives them from the last lines while the lock is held. */
type Batch = readonly LogEvent[] | ((last: readonly JsonObject[], isWhole: boolean) => readonly LogEvent[]);

/**
 * Appends events under the lock of the log, all in one write; an event whose id stands near the end already is left out. Once
 * this returns, a killed process loses none of them. They are not fsynced, like the session's state, which comes first: after
 * a power cut the last ones may be missing.
 *
 * @param options.wait milliseconds to wait for the lock
 * @throws `locked`, and what the file system throws
 */
export function appendEvents(
  paths: ProjectPaths,
  session: string,
  batch: Batch,
  options: { now: number; wait?: number },
): LoggedEvent[] {
  const path = paths.session(session).events;
  const at = new Date(options.now).toISOString();
  ensureStateFolder(paths);
  const append = (isHeld: () => boolean): LoggedEvent[] =>
    withOwn(path, (descriptor) => {
      const end = readEnd(descriptor, TAIL);
      const last = [...linesIn(end)].flatMap(({ value }) => (isObject(value) ? [value] : []));
      const ids = new Set(last.map((line) => line.id));
      const events: LoggedEvent[] = [];
      for (const { id, ...event } of typeof batch === 'function' ? batch(last, end.isWhole) : batch) {
        if (id !== undefined && ids.has(id)) continue;
        ids.add(id);
        const place = { schema_version: LOG_VERSION, session, ...(id === undefined ? {} : { id }), at };
        events.push({ ...place, ...event } as LoggedEvent);
      }
      if (events.length === 0) return [];
      if (!isHeld()) throw new PlimsollError('lost-lock', `Lost the lock of "${path}"`);
      // A torn last line is closed first, so that nothing is glued to it.
      const isTorn = end.bytes.length > 0 && end.bytes.at(-1) !== NEWLINE;
      const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
      appendOnce(descriptor, isTorn ? `\n${lines}` : lines, path);
      return events;
    });
  for (let tries = 1; ; tries++) {
    try {
      return withLock(path, append, options.wait);
    } catch (error) {
      if (!isError(error, 'lost-lock') || tries === MOST_TRIES) throw error;
    }
  }
}

/** A line that is no event of the session. */
export interface LogProblem {
  /** Number of the line, from 1; null when the whole log cannot be read. */
  line: number | null;
  problem: string;
}

export interface EventLog {
  events: LoggedEvent[];
  problems: LogProblem[];
}

function logIn(end: LogEnd, session: string): EventLog {
  const found: EventLog = { events: [], problems: [] };
  const ids = new Set<string>();
  const say = (line: number, problem: string): void => void found.problems.push({ line, problem });
  if (!end.isWhole) say(1, `the log is too long: only its last ${end.bytes.length} bytes are read`);
  for (const { line, value, isTorn } of linesIn(end)) {
    const event =
      value === undefined ? (isTorn ? 'torn: its writer died' : 'no JSON') : parseLogEvent(value, session);
    if (typeof event === 'string') say(line, event);
    else if (event.id !== undefined && ids.has(event.id)) say(line, `"${event.id}" stands there already`);
    else found.events.push(event);
    if (typeof event !== 'string' && event.id !== undefined) ids.add(event.id);
  }
  return found;
}

/** A log has no limit of size; of a very long one only the end is read. */
const LOG_FILE: FileKind = { ...STATE_FILE, most: Number.POSITIVE_INFINITY };

/**
 * Reads the log of a session from its first event to its last. Lines that are torn, garbage, of a newer version or there twice
 * are left out and reported, and so is an unreadable file, so that one log never affects the others. A missing file is an
 * empty log.
 */
export function readEvents(paths: ProjectPaths, session: string): EventLog {
  try {
    const read = (descriptor: number): EventLog => logIn(readEnd(descriptor, MOST), session);
    return withFile(paths.session(session).events, LOG_FILE, read) ?? { events: [], problems: [] };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { events: [], problems: [{ line: null, problem: `cannot be read: ${why}` }] };
  }
}
