// Reads the event streams of sessions; lines that are no events are reported and left out.
import { basename } from 'node:path';
import { namesIn, stampOf } from '../platform/look.ts';
import { eventsFolder, type ProjectPaths, streamPath } from '../platform/project/paths.ts';
import { type FileKind, STATE_FILE, withFile } from '../platform/read.ts';
import { readEnd, STREAM_ENDING, type StreamEnd, splitStreamLines } from './append-events.io.ts';
import { type LoggedEvent, parseLogEvent, readLineVersion } from './log-event.ts';

export { appendEvents, VersionConflict } from './append-events.io.ts';

/** A line that is no event of the stream. */
export interface StreamProblem {
  /** Number of the line, from 1; null when the whole stream cannot be read. */
  line: number | null;
  problem: string;
}

export interface Stream {
  events: LoggedEvent[];
  problems: StreamProblem[];
  /** The last version in the stream; 0 when it is empty. */
  version: number;
}

function streamIn(end: StreamEnd, stream: string): Stream {
  const found: Stream = { events: [], problems: [], version: 0 };
  const say = (line: number, problem: string): void => void found.problems.push({ line, problem });
  if (!end.isWhole) say(1, `the stream is too long: only its last ${end.bytes.length} bytes are read`);
  for (const { line, value, isTorn } of splitStreamLines(end)) {
    if (value === undefined) {
      say(line, isTorn ? 'torn: its writer died' : 'no JSON');
      continue;
    }
    const event = parseLogEvent(value, stream);
    const version = readLineVersion(value, stream);
    if (version > 0 && version <= found.version) say(line, `version ${version} after ${found.version}`);
    else if (typeof event === 'string') say(line, event);
    else found.events.push(event);
    found.version = Math.max(found.version, version);
  }
  return found;
}

/** Streams have no limit of size; of a very long one only the end is read. */
const STREAM: FileKind = { ...STATE_FILE, most: Number.POSITIVE_INFINITY };

function readFrom(path: string): Stream {
  const stream = withFile(path, STREAM, (descriptor) =>
    streamIn(readEnd(descriptor), basename(path, STREAM_ENDING)),
  );
  return stream ?? { events: [], problems: [], version: 0 };
}

/**
 * Reads a stream from its first event to its last. Lines that are torn, garbage, of a newer version or out of order are
 * left out and reported, and so is an unreadable file, so that one stream never affects the others. A missing file is
 * an empty stream.
 */
export function readEvents(paths: ProjectPaths, stream: string): Stream {
  try {
    return readFrom(streamPath(paths, stream));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { events: [], problems: [{ line: null, problem: `cannot be read: ${why}` }], version: 0 };
  }
}

/** Names of all streams, the last written first. */
export function listStreams(paths: ProjectPaths): string[] {
  return namesIn(eventsFolder(paths))
    .filter((name) => name.endsWith(STREAM_ENDING))
    .map((name) => basename(name, STREAM_ENDING))
    .map((name) => ({ name, mtimeMs: stampOf(streamPath(paths, name)).mtimeMs }))
    .sort((a, b) => b.mtimeMs - a.mtimeMs)
    .map(({ name }) => name);
}
