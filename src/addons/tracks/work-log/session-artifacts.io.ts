// Writes the transient files of a session in artifacts/sessions/: work log, test output and recent diff.
import { join } from 'node:path';
import { leadsOut, mkdirInProject } from '../../../platform/in-project.ts';
import { withLock } from '../../../platform/lock.ts';
import { resolveRealPath } from '../../../platform/look.ts';
import { isStillAt, readRange, readSize, readUntrusted, STATE_FILE } from '../../../platform/read.ts';
import { appendOnce, appendText, replaceFile, withOwn } from '../../../platform/write.ts';
import { sessionFolder, type TransientName, transientFile } from '../layout.ts';
import { addTestRun, type TestRun } from './test-run.ts';
import { formatLogMark, readMarkedTrack } from './work-log.ts';

/** A line that capturing wrote: see `formatLogLine`. */
export const LOG_LINE = /^- \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ /;

/** So many characters may a work log have before its oldest lines go. */
export const LOG_CHARACTERS = 256 * 1024;

/**
 * Empties the oldest lines of the log until the text is at most half as long as it may be. An emptied line stays as a line,
 * so that what points to a line of this file still points to the same one. What is no line of the log stays, and so does
 * the last one above it: it may give an entry its time, or be the newest of its track. Null where nothing can go.
 */
export function boundLog(text: string, most: number = LOG_CHARACTERS): string | null {
  if (text.length <= most) return null;
  const lines = text.split('\n');
  const newest = lines.findLastIndex((line) => LOG_LINE.test(line));
  let over = text.length - Math.floor(most / 2);
  // The line of the log that goes as soon as the next one follows it, with nothing but emptied lines between.
  let before: number | null = null;
  let hasGone = false;
  for (let at = 0; at <= newest && over > 0; at++) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    const isOfLog = LOG_LINE.test(line);
    if (isOfLog && before !== null) {
      over -= lines[before]?.length ?? 0;
      lines[before] = '';
      hasGone = true;
    }
    before = isOfLog ? at : null;
  }
  return hasGone ? lines.join('\n') : null;
}

/** How often an append to a log that is replaced meanwhile is tried. */
const MOST_TRIES = 5;

/**
 * The path of a session's transient file, whose folder is made.
 * @throws PlimsollError `leads-out` when a link leads elsewhere, even within the project
 */
function pathFor(root: string, session: string, name: TransientName): string {
  const folder = sessionFolder(session);
  const real = mkdirInProject(root, folder, 0o700);
  if (real !== join(resolveRealPath(root), folder)) throw leadsOut('A link leads elsewhere', folder, real);
  return join(root, transientFile(session, name));
}

const textOf = (descriptor: number): Buffer => readRange(descriptor, 0, readSize(descriptor));

/**
 * Removes the oldest lines of a log that has grown too long. Appends need no lock: what one adds to the old file after
 * it was read is copied to the new one here, and a later one notices that its file was replaced and appends again.
 *
 * @param meanwhile called when the new text is written but the old file is still in place
 */
export function shortenLog(path: string, meanwhile: () => void = () => undefined): void {
  withLock(path, (isHeld) => {
    withOwn(path, (descriptor) => {
      const bytes = textOf(descriptor);
      const bounded = boundLog(bytes.toString('utf8'));
      if (bounded === null || !isHeld()) return;
      replaceFile(path, bounded, { beforeRename: meanwhile });
      const late = readRange(descriptor, bytes.length, Math.max(0, readSize(descriptor) - bytes.length));
      if (late.length > 0) appendText(path, late.toString('utf8'));
    });
  });
}

/**
 * Appends lines of a track to a session's work log, all in one write on an append descriptor. The track is named when
 * it differs from that of the lines before. When the log has grown too long, its oldest lines go, but never an entry.
 */
export function appendWorkLog(root: string, session: string, track: string, lines: readonly string[]): void {
  const path = pathFor(root, session, 'work_log.md');
  let size = 0;
  for (let tries = 1; ; tries++) {
    const isDone = withOwn(path, (descriptor) => {
      const before = textOf(descriptor).toString('utf8');
      const mark = readMarkedTrack(before) === track ? [] : [formatLogMark(track)];
      const text = `${[...mark, ...lines].join('\n')}\n`;
      if (tries > 1 && before.includes(text)) return true;
      // A torn last line is closed first, so that nothing is appended to it.
      appendOnce(descriptor, before === '' || before.endsWith('\n') ? text : `\n${text}`, path);
      size = before.length + text.length;
      return isStillAt(path, descriptor);
    });
    if (isDone || tries === MOST_TRIES) break;
  }
  if (size > LOG_CHARACTERS) shortenLog(path);
}

/** Adds a test run to a session's test_output.txt. */
export function keepTestRun(root: string, session: string, run: TestRun): void {
  const path = pathFor(root, session, 'test_output.txt');
  withLock(path, () => {
    replaceFile(path, addTestRun(readUntrusted(path, STATE_FILE) ?? '', run));
  });
}

/** Replaces a session's recent_diff.txt by the newest diff. */
export const keepDiff = (root: string, session: string, text: string): void =>
  replaceFile(pathFor(root, session, 'recent_diff.txt'), text);
