// The changes that a call would make on disk: one entry for each path, and for each path that cannot be known.

export interface PathChange {
  /** Absolute, `..` not taken out; null when it cannot be known. */
  path: string | null;
  /** As the call has it. */
  written: string;
  /** `mode`: who may read or write it, or by how many names it is known; only what is ours is guarded against that. */
  act: 'write' | 'remove' | 'mode';
  /** A folder with everything below it; `some`: with some of it, hidden folders left out. */
  whole: false | 'some' | 'all';
  /** Through a symbolic link at the end of the path. */
  follows: boolean;
  /** The tool, or what of a command does it: `sed -i`, `redirection >`. */
  by: string;
  /** It puts back what git has of the file. */
  restores?: true;
  /** A program that is not known was told of the file; it may only read it. */
  maybe?: true;
  /** Why the path cannot be known. */
  why?: string;
  /** Of an unknown path: its known end (`/.env` of `"$DIR/.env"`). */
  tail?: string;
  /** Of an unknown path: the folder that it begins with, absolute. */
  within?: string;
  /** Of files that a search has found: their name, or the pattern of it. */
  found?: string;
  /** Of code that cannot be followed: the paths that its texts name. */
  mentions?: string[];
}

export interface Changes {
  changes: PathChange[];
  /** Simple commands of a shell call, as their words; null for other tools and where they cannot be known. */
  commands: string[][] | null;
  /** Those of them of which nobody knows what they do (`npm test`), as text. */
  unread: string[];
  /** What those may change by their words: a file that they name, or what a known program behind them does. */
  named: PathChange[];
  /** The commands behind them. */
  passedOn: string[][];
  /** Why the call could not be read; null when it was. */
  doubt: string | null;
  /** It could not because it is too much for us: whatever it is, nobody has judged it. */
  isTooMuch?: true;
}
