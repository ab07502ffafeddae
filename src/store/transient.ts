// How does what a conversation leaves behind while it works get into artifacts/sessions/?
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { sessionFolder, type TransientName, transientFile } from '../model/tracks/layout.ts';
import { boundedLog, LOG_CHARACTERS } from '../model/tracks/log-bounds.ts';
import { type TestRun, withTestRun } from '../model/tracks/test-output.ts';
import { markedTrack, workLogMark } from '../model/tracks/work-log.ts';
import { LeadsOut, mkdirInProject } from '../platform/in-project.ts';
import { withLock } from '../platform/lock.ts';
import { replaceFile } from '../platform/write.ts';

const NOFOLLOW = constants.O_NOFOLLOW ?? 0;
const APPEND = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK | NOFOLLOW;
/** So often is an append looked for in a log that was replaced meanwhile. */
const MOST_TRIES = 5;

/**
 * The path of a conversation's transient file, its folder made.
 * @throws LeadsOut where a link leads elsewhere, also within the project
 */
function pathFor(root: string, conversation: string, name: TransientName): string {
  const folder = sessionFolder(conversation);
  const real = mkdirInProject(root, folder, 0o700);
  if (real !== join(realpathSync.native(root), folder))
    throw new LeadsOut(`A link leads elsewhere: ${folder} is "${real}"`);
  return join(root, transientFile(conversation, name));
}

/** Opens a log for reading and appending. @throws where it is no file: a FIFO would block whoever opens it */
function openLog(path: string): number {
  const descriptor = openSync(path, APPEND, 0o600);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new Error(`Not a file: "${path}"`);
}

const isStillAt = (path: string, descriptor: number): boolean =>
  statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(descriptor).ino;

/** One write. A line that was torn by a death in mid-write is closed first, so that nothing is glued to it. */
function append(descriptor: number, before: string, text: string): void {
  const bytes = Buffer.from(before === '' || before.endsWith('\n') ? text : `\n${text}`, 'utf8');
  const written = writeSync(descriptor, bytes);
  if (written !== bytes.length) throw new Error(`Only ${written} of ${bytes.length} bytes fit`);
}

/**
 * Empties the oldest lines of a log that has grown too long. Appends need no lock: what one of them put into the old file
 * behind what was read is carried over here, and one that comes later finds that its file is another's and appends again.
 *
 * @param meanwhile called when the new text is written and the old file is still in its place
 */
export function shortenLog(path: string, meanwhile: () => void = () => undefined): void {
  withLock(path, (isHeld) => {
    const descriptor = openLog(path);
    try {
      const bytes = readFileSync(descriptor);
      const bounded = boundedLog(bytes.toString('utf8'));
      if (bounded === null || !isHeld()) return;
      replaceFile(path, bounded, { beforeRename: meanwhile });
      const late = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - bytes.length));
      const read = readSync(descriptor, late, 0, late.length, bytes.length);
      if (read === 0) return;
      const anew = openLog(path);
      try {
        writeSync(anew, late, 0, read);
      } finally {
        closeSync(anew);
      }
    } finally {
      closeSync(descriptor);
    }
  });
}

/**
 * Appends lines of a track to a conversation's work log, all in one write on an append descriptor. The track is named where
 * it is not that of the lines before. When the log has grown too long, its oldest lines go: never an entry.
 */
export function appendWorkLog(
  root: string,
  conversation: string,
  track: string,
  lines: readonly string[],
): void {
  const path = pathFor(root, conversation, 'work_log.md');
  let size = 0;
  for (let tries = 1; ; tries++) {
    const descriptor = openLog(path);
    try {
      const before = readFileSync(descriptor, 'utf8');
      const mark = markedTrack(before) === track ? [] : [workLogMark(track)];
      const text = `${[...mark, ...lines].join('\n')}\n`;
      if (tries > 1 && before.includes(text)) break;
      append(descriptor, before, text);
      size = before.length + text.length;
      if (isStillAt(path, descriptor) || tries === MOST_TRIES) break;
    } finally {
      closeSync(descriptor);
    }
  }
  if (size > LOG_CHARACTERS) shortenLog(path);
}

/** Puts a run of tests into a conversation's test_output.txt. */
export function keepTestRun(root: string, conversation: string, run: TestRun): void {
  const path = pathFor(root, conversation, 'test_output.txt');
  withLock(path, () => {
    let before = '';
    try {
      const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | NOFOLLOW);
      try {
        before = readFileSync(descriptor, 'utf8');
      } finally {
        closeSync(descriptor);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    replaceFile(path, withTestRun(before, run));
  });
}

/** Puts the newest diff into a conversation's recent_diff.txt. */
export const keepDiff = (root: string, conversation: string, text: string): void =>
  replaceFile(pathFor(root, conversation, 'recent_diff.txt'), text);
