// How do events get into a stream, each once and in order, and out of it again, whatever else the file holds?

import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { eventIn, LOG_VERSION, type LogEvent, type LoggedEvent, versionOf } from '../model/log-event.ts';
import { ensureStateFolder } from './atomic.ts';
import { LostLock, withLock } from './lock.ts';
import type { ProjectPaths } from './paths.ts';
import { eventsFolder, streamPath } from './paths.ts';

/** So much of the end of a stream is looked at before an append; who says a thing twice does so within moments. */
const TAIL = 64 * 1024;
/** So much of a stream is read: some hundred thousand events. */
const MOST = 64 * 1024 * 1024;
/** So often is an append tried anew that lost its lock to somebody who took it over. */
const MOST_TRIES = 5;
const NEWLINE = 0x0a;
const ENDING = '.jsonl';

/** A line that is no event of the stream. */
export interface Problem {
  /** Number of the line, from 1. */
  line: number;
  problem: string;
}

export interface Stream {
  events: LoggedEvent[];
  problems: Problem[];
  /** The last place that was given in the stream; 0 where there is none. */
  version: number;
}

/** The stream is not where whoever appends believes it is. */
export class VersionConflict extends Error {
  readonly version: number;
  constructor(stream: string, expected: number, version: number) {
    super(`Stream "${stream}" is at version ${version}, not ${expected}`);
    this.version = version;
  }
}

/** The last bytes of an open file, `most` of them. */
function endOf(descriptor: number, most: number): { bytes: Buffer; isWhole: boolean } {
  const { size } = fstatSync(descriptor);
  const bytes = Buffer.allocUnsafe(Math.min(size, most));
  let done = 0;
  while (done < bytes.length) {
    const read = readSync(descriptor, bytes, done, bytes.length - done, size - bytes.length + done);
    if (read === 0) break;
    done += read;
  }
  return { bytes: bytes.subarray(0, done), isWhole: bytes.length === size };
}

/** What the lines say. The first is left out unless it is known to be whole. */
function linesIn({ bytes, isWhole }: { bytes: Buffer; isWhole: boolean }, stream: string): Stream {
  const found: Stream = { events: [], problems: [], version: 0 };
  const say = (line: number, problem: string): void => void found.problems.push({ line, problem });
  if (!isWhole) say(1, `the stream is too long: only its last ${bytes.length} bytes are read`);
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
      say(line, newline < 0 ? 'torn: its writer died' : 'no JSON');
      continue;
    }
    const event = eventIn(value, stream);
    const version = versionOf(value, stream);
    if (version > 0 && version <= found.version) say(line, `version ${version} after ${found.version}`);
    else if (typeof event === 'string') say(line, event);
    else found.events.push(event);
    found.version = Math.max(found.version, version);
  }
  return found;
}

const isThere = (path: string): boolean => {
  const stats = statSync(path, { throwIfNoEntry: false });
  // A FIFO would block whoever opens it.
  if (stats !== undefined && !stats.isFile()) throw new Error(`Not a file: "${path}"`);
  return stats !== undefined;
};

/**
 * Reads a stream, from its first event to its last. Lines that are torn, garbage, of a newer version or out of order are
 * left out and reported.
 * @throws when the file cannot be opened; a missing one is an empty stream
 */
export function readEvents(paths: ProjectPaths, stream: string): Stream {
  const path = streamPath(paths, stream);
  if (!isThere(path)) return { events: [], problems: [], version: 0 };
  const descriptor = openSync(path, 'r');
  try {
    return linesIn(endOf(descriptor, MOST), basename(path, ENDING));
  } finally {
    closeSync(descriptor);
  }
}

/** The end of a stream, as far back as its last place is known. */
function tailOf(descriptor: number, stream: string): Stream & { isTorn: boolean } {
  for (let most = TAIL; ; most *= 16) {
    const end = endOf(descriptor, most);
    const found = linesIn(end, stream);
    const isTorn = end.bytes.length > 0 && end.bytes.at(-1) !== NEWLINE;
    if (found.version > 0 || end.isWhole || most >= MOST) return { ...found, isTorn };
  }
}

/** What is appended, or how it follows from what the stream holds; the lock is held meanwhile. */
export type Batch = readonly LogEvent[] | ((log: Stream) => readonly LogEvent[]);

/** The events of a batch that the stream does not have yet, each with its place. */
function placed(batch: readonly LogEvent[], tail: Stream, stream: string, now: number): LoggedEvent[] {
  const ids = new Set(tail.events.map((event) => event.id));
  const at = new Date(now).toISOString();
  const events: LoggedEvent[] = [];
  for (const { id, ...event } of batch) {
    if (id !== undefined && ids.has(id)) continue;
    ids.add(id);
    const version = tail.version + events.length + 1;
    const own = { schema_version: LOG_VERSION, stream, version, ...(id === undefined ? {} : { id }), at };
    events.push({ ...own, ...event } as LoggedEvent);
  }
  return events;
}

/**
 * Appends events under the stream's lock, all in one write; an event whose id the stream has already is left out. When this
 * returns they are the system's: a killed process loses none of them. Not fsynced, as little as the conversation's state,
 * which comes first: after a power cut the last ones may be missing.
 *
 * @param options.now ms since the epoch
 * @param options.expected the place that the stream must be at
 * @param options.wait ms for the lock
 * @throws VersionConflict, Locked, and what the file system throws; nothing is acknowledged then
 */
export function appendEvents(
  paths: ProjectPaths,
  stream: string,
  batch: Batch,
  options: { now: number; expected?: number; wait?: number },
): LoggedEvent[] {
  const path = streamPath(paths, stream);
  const name = basename(path, ENDING);
  ensureStateFolder(paths.state);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const append = (isHeld: () => boolean): LoggedEvent[] => {
    isThere(path);
    const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;
    const descriptor = openSync(path, flags, 0o600);
    try {
      const tail = tailOf(descriptor, name);
      if (options.expected !== undefined && options.expected !== tail.version)
        throw new VersionConflict(name, options.expected, tail.version);
      const wanted = typeof batch === 'function' ? batch(linesIn(endOf(descriptor, MOST), name)) : batch;
      const events = placed(wanted, tail, name, options.now);
      if (events.length === 0) return [];
      // A torn last line is closed first, so that nothing is glued to it.
      const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
      const bytes = Buffer.from(tail.isTorn ? `\n${lines}` : lines, 'utf8');
      if (!isHeld()) throw new LostLock(`Lost the lock of "${path}"`);
      const written = writeSync(descriptor, bytes);
      if (written !== bytes.length)
        throw new Error(`Only ${written} of ${bytes.length} bytes fit: "${path}"`);
      return events;
    } finally {
      closeSync(descriptor);
    }
  };
  for (let tries = 1; ; tries++) {
    try {
      return withLock(path, append, options.wait);
    } catch (error) {
      if (!(error instanceof LostLock) || tries === MOST_TRIES) throw error;
    }
  }
}

/** Names of all streams, the one written last first. */
export function listStreams(paths: ProjectPaths): string[] {
  let names: string[];
  try {
    names = readdirSync(eventsFolder(paths));
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith(ENDING))
    .map((name) => basename(name, ENDING))
    .map((name) => ({
      name,
      mtimeMs: statSync(streamPath(paths, name), { throwIfNoEntry: false })?.mtimeMs ?? -1,
    }))
    .sort((a, b) => b.mtimeMs - a.mtimeMs)
    .map(({ name }) => name);
}
