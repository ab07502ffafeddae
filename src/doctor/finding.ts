// A finding of `doctor`: ok, info or error, with what to do about it and what `--fix` can do itself.

export interface DoctorFinding {
  level: 'ok' | 'info' | 'error';
  about: string;
  finding: string;
  /** A command, or a short sentence; null where there is nothing to do. */
  fix: string | null;
  /** What `doctor --fix` does about it; absent where that is somebody's own decision. */
  fixable?: Fix;
}

/**
 * What can be fixed without asking: hooks brought to this version's form in files that hold ours, the bundle, leftovers of
 * dead processes, files dated ahead, marks of checkpoints that were told, the list of what git must not see, feeds.
 */
export type Fix = 'hooks' | 'bundle' | 'leftovers' | 'dates' | 'marks' | 'ignore' | 'feeds';

/** The same finding, which `doctor --fix` does something about. */
export const fixable = (by: Fix, finding: DoctorFinding): DoctorFinding => ({ ...finding, fixable: by });

export const ok = (about: string, finding: string): DoctorFinding => ({
  level: 'ok',
  about,
  finding,
  fix: null,
});
export const info = (about: string, finding: string, fix: string | null): DoctorFinding => ({
  level: 'info',
  about,
  finding,
  fix,
});
export const error = (about: string, finding: string, fix: string): DoctorFinding => ({
  level: 'error',
  about,
  finding,
  fix,
});

/** How paths and times are put into words; they depend on where and when somebody asks. */
export interface Formatter {
  path: (path: string) => string;
  /** An ISO time, or milliseconds since the epoch: "3 min ago". */
  ago: (at: string | number) => string;
}

/** "a, b and c". */
export const joinNames = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
