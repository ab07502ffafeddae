// Records when each hook of a session last ran and how long it took, as lines of fixed width that are written in place.
import { readTextOrNull, STATE } from '../platform/read.ts';
import { writeInPlace } from '../platform/write.ts';
import type { ProjectPaths } from './paths.ts';

const WIDTH = 64;

/**
 * Notes that a hook ran. It writes once and without a lock, because every hook pays for it; parallel runs of one hook
 * write the same line. A missing file is made only with `create`; failures are ignored.
 *
 * @param beat.line its place in the file, one for each hook; below 0 for a hook whose runs are not kept
 * @param beat.ms from the start of the process
 */
export function noteBeat(
  paths: ProjectPaths,
  conversation: string,
  beat: { name: string; line: number; now: number; ms: number; create: boolean },
): void {
  if (beat.line < 0) return;
  try {
    const line = `${beat.name} ${new Date(beat.now).toISOString()} ${Math.round(beat.ms)} ms`;
    writeInPlace(paths.beats(conversation), `${line.padEnd(WIDTH - 1)}\n`, beat.line * WIDTH, beat.create);
  } catch {
    // no file yet, or none that can be written
  }
}

export interface Beat {
  name: string;
  /** ISO time of the last run. */
  at: string;
  /** Milliseconds from the start of the process to its answer. */
  ms: number;
}

/** The hooks that ran in a session, the latest first; none when nothing was noted. */
export function readBeats(paths: ProjectPaths, conversation: string): Beat[] {
  return (
    (readTextOrNull(paths.beats(conversation), STATE) ?? '')
      .split('\n')
      .flatMap((line) => {
        const [, name, at, ms] = /([A-Za-z]+) (\S+Z) (\d+) ms/.exec(line) ?? [];
        return name === undefined || at === undefined ? [] : [{ name, at, ms: Number(ms) }];
      })
      // Compared without a locale, because loading one would cost the hooks time.
      .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
  );
}
