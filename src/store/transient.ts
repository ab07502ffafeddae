// How does what a conversation leaves behind while it works get into artifacts/sessions/?
import { join } from 'node:path';
import { sessionFolder, type TransientName, transientFile } from '../model/tracks/layout.ts';
import { boundedLog, LOG_CHARACTERS } from '../model/tracks/log-bounds.ts';
import { type TestRun, withTestRun } from '../model/tracks/test-output.ts';
import { markedTrack, workLogMark } from '../model/tracks/work-log.ts';
import { LeadsOut, mkdirInProject } from '../platform/in-project.ts';
import { withLock } from '../platform/lock.ts';
import { realPath } from '../platform/look.ts';
import { isStillAt, readRange, readUntrusted, STATE, sizeOf } from '../platform/read.ts';
import { appendOnce, appendText, replaceFile, withOwn } from '../platform/write.ts';

/** So often is an append looked for in a log that was replaced meanwhile. */
const MOST_TRIES = 5;

/**
 * The path of a conversation's transient file, its folder made.
 * @throws LeadsOut where a link leads elsewhere, also within the project
 */
function pathFor(root: string, conversation: string, name: TransientName): string {
  const folder = sessionFolder(conversation);
  const real = mkdirInProject(root, folder, 0o700);
  if (real !== join(realPath(root), folder))
    throw new LeadsOut(`A link leads elsewhere: ${folder} is "${real}"`);
  return join(root, transientFile(conversation, name));
}

const textOf = (descriptor: number): Buffer => readRange(descriptor, 0, sizeOf(descriptor));

/**
 * Empties the oldest lines of a log that has grown too long. Appends need no lock: what one of them put into the old file
 * behind what was read is carried over here, and one that comes later finds that its file is another's and appends again.
 *
 * @param meanwhile called when the new text is written and the old file is still in its place
 */
export function shortenLog(path: string, meanwhile: () => void = () => undefined): void {
  withLock(path, (isHeld) => {
    withOwn(path, (descriptor) => {
      const bytes = textOf(descriptor);
      const bounded = boundedLog(bytes.toString('utf8'));
      if (bounded === null || !isHeld()) return;
      replaceFile(path, bounded, { beforeRename: meanwhile });
      const late = readRange(descriptor, bytes.length, Math.max(0, sizeOf(descriptor) - bytes.length));
      if (late.length > 0) appendText(path, late.toString('utf8'));
    });
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
    const isDone = withOwn(path, (descriptor) => {
      const before = textOf(descriptor).toString('utf8');
      const mark = markedTrack(before) === track ? [] : [workLogMark(track)];
      const text = `${[...mark, ...lines].join('\n')}\n`;
      if (tries > 1 && before.includes(text)) return true;
      // A line that was torn by a death in mid-write is closed first, so that nothing is glued to it.
      appendOnce(descriptor, before === '' || before.endsWith('\n') ? text : `\n${text}`, path);
      size = before.length + text.length;
      return isStillAt(path, descriptor);
    });
    if (isDone || tries === MOST_TRIES) break;
  }
  if (size > LOG_CHARACTERS) shortenLog(path);
}

/** Puts a run of tests into a conversation's test_output.txt. */
export function keepTestRun(root: string, conversation: string, run: TestRun): void {
  const path = pathFor(root, conversation, 'test_output.txt');
  withLock(path, () => {
    replaceFile(path, withTestRun(readUntrusted(path, STATE) ?? '', run));
  });
}

/** Puts the newest diff into a conversation's recent_diff.txt. */
export const keepDiff = (root: string, conversation: string, text: string): void =>
  replaceFile(pathFor(root, conversation, 'recent_diff.txt'), text);
