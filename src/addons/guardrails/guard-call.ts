// What a guardrail looks at: a tool call as the host described it, and a port for facts that only the disk knows.

import type { Evaluation } from '../../hook/action.ts';
import type { Changes, PathChange } from './change.ts';
import type { Imports } from './imports/found-import.ts';

export interface GuardedCall {
  tool: string;
  input: Readonly<Record<string, unknown>>;
  /** The folder in which a relative path of this call begins. */
  cwd: string;
  /** The project's root, with symbolic links resolved. */
  root: string;
  home: string;
}

/** Where a path really leads. */
export interface ResolvedPath {
  /** Absolute, `/` between its parts, symbolic links and `..` resolved as the system does. */
  path: string;
  kind: 'file' | 'folder' | 'missing';
  /** Whether its file system takes `A` and `a` for the same name. */
  folds: boolean;
  /** The top of the worktree that holds it, where that belongs to the project's repository and is not its root. */
  worktree: string | null;
}

/** Where Plimsoll lies besides its folder in the project; absolute. */
export interface OwnPaths {
  /** The person's: configuration, state, program. */
  folders: readonly string[];
  /** The host's settings files, in which our hooks may stand. */
  settings: readonly string[];
}

/** What is asked of the disk, given from outside, so that rules stay pure. */
export interface FileSystemPort {
  /** `follow`: also through a symbolic link at the very end, as writing does and removing does not. */
  resolve(path: string, follow: boolean): ResolvedPath;
  /** The text of a file, null when there is none that can be read. */
  read(path: string): string | null;
  /** The paths that match a shell pattern, null when they cannot be known. */
  expand(pattern: string): string[] | null;
  /** What a command of a shell would change; null when that part could not be loaded. */
  commands: ((command: string, call: GuardedCall, sight: FileSystemPort) => Changes) | null;
  /** What a text of a file imports, null for a language that is not read; null when that part could not be loaded. */
  imports: ((path: string, text: string) => Imports | null) | null;
  own?: OwnPaths;
  /** Whether a folder is committed; null where git cannot say. */
  isCommitted?: (path: string) => boolean | null;
  /** Whether a change of a file undoes what the agent was told that a command has done to it. */
  undoes?: (path: string, act: PathChange['act']) => boolean;
  /** What keeps the active track from being worked on; not given where no track is active, or its gate is not wanted. */
  evaluation?: (() => Evaluation | null) | null;
}

export const readString = (value: unknown): string | null => (typeof value === 'string' ? value : null);
