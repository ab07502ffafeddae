// Appends events to a stream under its lock, each once and in order, even behind torn or foreign lines.

import { basename } from 'node:path';
import { withLock } from '../platform/lock.ts';
import { type ProjectPaths, streamPath } from '../platform/project/paths.ts';
import { ensureStateFolder } from '../platform/project/state-folder.ts';
import { readRange, sizeOf } from '../platform/read.ts';
import { appendOnce, withOwn } from '../platform/write.ts';
import { isObject, type JsonObject } from '../text/json.ts';
import { isError, PlimsollError } from '../text/plimsoll-error.ts';
import { LOG_VERSION, type LogEvent, type LoggedEvent, readLineVersion } from './log-event.ts';

export const STREAM_ENDING = '.jsonl';
/** Bytes at the end of a stream that are searched for duplicates before an append; duplicates come within moments. */
const TAIL = 64 * 1024;
/** The most bytes of a stream that are read: some hundred thousand events. */
const MOST = 64 * 1024 * 1024;
/** How often an append that lost its lock to another process is tried. */
const MOST_TRIES = 5;
const NEWLINE = 0x0a;

/** Thrown when a stream is not at the version that the caller expects. */
export class VersionConflict extends Error {
  readonly version: number;
  constructor(stream: string, expected: number, version: number) {
    super(`Stream "${stream}" is at version ${version}, not ${expected}`);
    this.version = version;
  }
}

export interface StreamEnd {
  bytes: Buffer;
  /** Whether this is all of the file. */
  isWhole: boolean;
}

/** The last bytes of an open file. */
export function readEnd(descriptor: number, most = MOST): StreamEnd {
  const size = sizeOf(descriptor);
  const length = Math.min(size, most);
  return { bytes: readRange(descriptor, size - length, length), isWhole: length === size };
}

/** The lines that are not empty, with their numbers and parsed values; undefined for a line that is no JSON. */
export function* splitStreamLines({
  bytes,
  isWhole,
}: StreamEnd): Generator<{ line: number; value: unknown; isTorn: boolean }> {
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

/** Reads the end of a stream, far enough back to know its version; its lines are not checked further. */
function tailOf(descriptor: number, stream: string, least: number) {
  for (let most = least; ; most *= 16) {
    const end = readEnd(descriptor, most);
    const lines: JsonObject[] = [];
    let version = 0;
    for (const { value } of splitStreamLines(end)) {
      const own = readLineVersion(value, stream);
      if (own > version && isObject(value)) lines.push(value);
      version = Math.max(version, own);
    }
    const isTorn = end.bytes.length > 0 && end.bytes.at(-1) !== NEWLINE;
    if (version > 0 || end.isWhole || most >= MOST) return { lines, version, isTorn };
  }
}

/** The events to append, or a function that derives them from the existing lines while the lock is held. */
type Batch = readonly LogEvent[] | ((lines: readonly JsonObject[]) => readonly LogEvent[]);

export interface AppendOptions {
  /** Milliseconds since the epoch. */
  now: number;
  /** The version that the stream must be at. */
  expected?: number;
  /** Milliseconds to wait for the lock. */
  wait?: number;
  /** True when the batch depends on the whole stream, not only on its end. */
  isWhole?: boolean;
}

/** The events of a batch that the stream does not have yet, each with its version. */
function placed(
  batch: readonly LogEvent[],
  { lines, version }: { lines: readonly JsonObject[]; version: number },
  stream: string,
  now: number,
): LoggedEvent[] {
  const ids = new Set(lines.map((line) => line.id));
  const at = new Date(now).toISOString();
  const events: LoggedEvent[] = [];
  for (const { id, ...event } of batch) {
    if (id !== undefined && ids.has(id)) continue;
    ids.add(id);
    const place = { schema_version: LOG_VERSION, stream, version: version + events.length + 1 };
    events.push({ ...place, ...(id === undefined ? {} : { id }), at, ...event } as LoggedEvent);
  }
  return events;
}

/**
 * Appends events under the stream's lock, all in one write; an event whose id the stream already has is left out. Once
 * this returns, a killed process loses none of them. They are not fsynced, like the session's state, which comes first:
 * after a power cut the last ones may be missing.
 *
 * @throws VersionConflict, `locked`, and what the file system throws; nothing is acknowledged then
 */
export function appendEvents(
  paths: ProjectPaths,
  stream: string,
  batch: Batch,
  options: AppendOptions,
): LoggedEvent[] {
  const path = streamPath(paths, stream);
  const name = basename(path, STREAM_ENDING);
  ensureStateFolder(paths);
  const append = (isHeld: () => boolean): LoggedEvent[] =>
    withOwn(path, (descriptor) => {
      const tail = tailOf(descriptor, name, options.isWhole ? MOST : TAIL);
      if (options.expected !== undefined && options.expected !== tail.version)
        throw new VersionConflict(name, options.expected, tail.version);
      const wanted = typeof batch === 'function' ? batch(tail.lines) : batch;
      const events = placed(wanted, tail, name, options.now);
      if (events.length === 0) return [];
      // A torn last line is closed first, so that nothing is glued to it.
      const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
      if (!isHeld()) throw new PlimsollError('lost-lock', `Lost the lock of "${path}"`);
      appendOnce(descriptor, tail.isTorn ? `\n${lines}` : lines, path);
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
