// Reads the lines of transcripts in blocks, mostly backwards from the end, however long, torn or busy they are.

import { LOG_FILE, readRange, withFile } from '../platform/read.ts';
import { buildUnsafeFile } from '../platform/unsafe-file.ts';
import type { SessionInfo } from './host.ts';
import type { FoundTranscript, TranscriptFinder } from './host-entry.ts';

const FIRST_BLOCK = 64 * 1024;
const LARGEST_BLOCK = 1024 * 1024;
/** Longer than any message: the API of the models accepts 32 MB. */
const LONGEST_MESSAGE = 64 * 1024 * 1024;
/** The most bytes that a hook reads back. */
export const SCAN_CAP = 32 * 1024 * 1024;
/** Longer lines are pictures and tool output; the longest answer measured is far below. */
export const LONGEST_LINE = 4 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Reads a transcript, or returns `none` when it does not exist yet.
 * @throws PlimsollError `unsafe-file` when it is no plain file: the path comes from a payload or from saved state
 */
export function reading<T>(path: string, none: T, read: (descriptor: number, size: number) => T): T {
  if (path !== '' && !path.endsWith('.jsonl')) throw buildUnsafeFile('Not a transcript', path);
  return withFile(path, LOG_FILE, read) ?? none;
}

/** Parses one line without runs of NUL (lost blocks); null when it is unreadable. */
export function parseLine(bytes: Buffer): unknown {
  if (bytes.length > LONGEST_LINE) return null;
  try {
    const text = bytes.toString('utf8');
    return JSON.parse(text.includes('\0') ? text.replaceAll('\0', '') : text);
  } catch {
    return null;
  }
}

/**
 * Visits the lines of [from, to) from the last to the first, with their offsets; of a line cut by `from` only the read
 * part is given. `visit` returns false to stop. Bytes are split on 0x0A only (U+2028 occurs inside messages); blocks
 * grow, so the cost is linear whatever the lines are like. Returns the offset down to which everything was visited.
 */
export function visitLinesBackwards(
  descriptor: number,
  from: number,
  to: number,
  visit: (line: Buffer, offset: number) => boolean,
): number {
  let blockSize = FIRST_BLOCK;
  let position = to;
  let pieces: Buffer[] = []; // of the line whose beginning is not reached yet, last piece first
  const complete = (piece: Buffer): Buffer =>
    pieces.length === 0 ? piece : Buffer.concat([piece, ...pieces.reverse()]);
  while (position > from) {
    const start = Math.max(from, position - blockSize);
    const block = readRange(descriptor, start, position - start);
    let end = block.length;
    for (
      let at = block.lastIndexOf(NEWLINE);
      at >= 0;
      at = at === 0 ? -1 : block.lastIndexOf(NEWLINE, at - 1)
    ) {
      const line = complete(block.subarray(at + 1, end));
      pieces = [];
      end = at;
      if (line.length > 0 && !visit(line, start + at + 1)) return start + at + 1;
    }
    if (end > 0) pieces.push(block.subarray(0, end));
    position = start;
    blockSize = Math.min(blockSize * 2, LARGEST_BLOCK);
  }
  const first = complete(Buffer.alloc(0));
  if (first.length > 0) visit(first, from);
  return from;
}

const NAMED_BYTES = 256 * 1024;

/** Whether the last bytes of a transcript before an offset hold all of these texts, exactly as written. */
export function holdsAll(
  path: string,
  texts: readonly string[],
  end = Number.POSITIVE_INFINITY,
  bytes = NAMED_BYTES,
): boolean {
  return reading(path, false, (descriptor, size) => {
    const to = Math.min(end, size);
    const from = Math.max(0, to - bytes);
    const tail = readRange(descriptor, from, to - from);
    return texts.every((text) => tail.includes(text));
  });
}

/**
 * Visits the lines from the first, or the one that begins at `start`, to the last, in blocks; `visit` returns false to
 * stop. A line longer than any message is a hole in the file and is left out. All blocks are read into the same memory:
 * a line that is kept beyond its visit is copied.
 */
export function forEachLine(
  descriptor: number,
  end: number,
  visit: (line: Buffer, offset: number) => boolean,
  start = 0,
): void {
  let pieces: Buffer[] = [];
  let lineStart = start;
  const memory = Buffer.allocUnsafe(Math.max(0, Math.min(LARGEST_BLOCK, end - start)));
  const isTooLong = (position: number): boolean => position - lineStart > LONGEST_MESSAGE;
  for (let position = start; position < end; position += LARGEST_BLOCK) {
    const block = readRange(descriptor, position, Math.min(LARGEST_BLOCK, end - position), memory);
    let from = 0;
    for (let at = block.indexOf(NEWLINE); at >= 0; at = block.indexOf(NEWLINE, from)) {
      if (!isTooLong(position + at)) {
        const rest = block.subarray(from, at);
        const line = pieces.length === 0 ? rest : Buffer.concat([...pieces, rest]);
        if (line.length > 0 && !visit(line, lineStart)) return;
      }
      pieces = [];
      from = at + 1;
      lineStart = position + from;
    }
    if (isTooLong(position + block.length)) pieces = [];
    else if (from < block.length) pieces.push(Buffer.from(block.subarray(from)));
  }
  if (isTooLong(end)) return;
  const last = Buffer.concat(pieces);
  if (last.length > 0) visit(last, lineStart);
}

/**
 * Visits the whole lines after an offset, from the first to the last, for callers that follow a growing transcript;
 * `visit` returns false to stop. A line that is kept beyond its visit is copied.
 * Returns the offset for the next call; null when there is no such file.
 *
 * @param to lines that extend beyond this offset are not visited
 */
export function visitLinesFrom(
  path: string,
  from: number,
  visit: (line: Buffer, offset: number) => unknown,
  to = Number.POSITIVE_INFINITY,
): number | null {
  return reading(path, null, (descriptor, written) => {
    const size = Math.min(written, to);
    let next = from;
    forEachLine(
      descriptor,
      size,
      (line, offset) => {
        // A last line without its line break may be torn.
        if (offset + line.length >= size) return false;
        next = offset + line.length + 1;
        return visit(line, offset) !== false;
      },
      from,
    );
    return next;
  });
}

/**
 * The parsed lines of [from, to), oldest first, at most `cap` bytes before `to`; unreadable lines are left out.
 * `truncated`: the range was longer than the cap.
 */
export function readLines(
  path: string,
  range: { from: number; to?: number; cap?: number },
): { lines: unknown[]; truncated: boolean } {
  return reading(path, { lines: [], truncated: false }, (descriptor, size) => {
    const to = Math.min(range.to ?? size, size);
    const from = Math.max(range.from, to - (range.cap ?? SCAN_CAP));
    const lines: unknown[] = [];
    visitLinesBackwards(descriptor, from, to, (line) => {
      const parsed = parseLine(line);
      if (parsed !== null) lines.push(parsed);
      return true;
    });
    return { lines: lines.reverse(), truncated: from > range.from };
  });
}

/** So far back the newest figures stand, in bytes. */
const NEWEST = 512 * 1024;

/** What is found first in the last lines of a transcript. */
export function findBackwards<T>(
  path: string,
  isMeant: (line: Buffer) => boolean,
  read: (line: unknown) => T | null,
): T | null {
  return reading<T | null>(path, null, (descriptor, size) => {
    let found: T | null = null;
    visitLinesBackwards(descriptor, Math.max(0, size - NEWEST), size, (line) => {
      found = isMeant(line) ? read(parseLine(line)) : null;
      return found === null;
    });
    return found;
  });
}

/** What the first line of a transcript says; null where there is none. */
export function readFirstLine<T>(path: string, read: (line: unknown) => T | null): T | null {
  let first: T | null = null;
  visitLinesFrom(path, 0, (line) => {
    first = read(parseLine(line));
    return false;
  });
  return first;
}

/** The most transcripts that are looked into, the newest first, for those of a folder. */
const MOST_LOOKED_INTO = 50;

/**
 * Finds the transcripts of a host that names the folder of a session in its transcript's first line.
 * @param listAll all of them, the newest first
 * @param isNamed whether a path has the form of the host's transcripts
 */
export function createFirstLineFinder(
  listAll: (env: Record<string, string | undefined>) => FoundTranscript[],
  readSession: (line: unknown) => SessionInfo | null,
  isNamed: (path: string) => boolean,
): TranscriptFinder {
  const readFolder = (path: string): string | null => readFirstLine(path, readSession)?.cwd ?? null;
  return {
    list: (folder, env) =>
      folder === null
        ? listAll(env)
        : listAll(env)
            .slice(0, MOST_LOOKED_INTO)
            .filter(({ path }) => readFolder(path) === folder),
    locate: (id, env) => listAll(env).find((each) => each.id === id) ?? null,
    ranBelow: (transcript, folder) => {
      const began = isNamed(transcript) ? readFolder(transcript) : null;
      return began !== null && (began === folder || began.startsWith(`${folder}/`));
    },
    isBegunBy: (line) => readSession(line) !== null,
  };
}
