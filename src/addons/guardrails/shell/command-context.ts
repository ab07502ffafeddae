// The interface by which the description of a command says what it writes, removes and runs.
import type { ShellState } from './shell-state.ts';

export interface ChangeOptions {
  /** A folder with all below it; `some`: some files below it. */
  whole?: false | 'some' | 'all';
  /** Not through a link at the end. */
  itself?: boolean;
  by?: string;
}

export interface CommandContext {
  /** As it is shown: `git checkout`. */
  name: string;
  /** Without the name. */
  args: string[];
  state: ShellState;
  write(path: string, how?: ChangeOptions): void;
  remove(path: string, how?: ChangeOptions): void;
  /** Its rights are changed, or it gets another name; `all`: so that what lies below it cannot be read or written. */
  mode(path: string, how?: ChangeOptions): void;
  /** Something is changed that cannot be named. */
  unknown(why: string, more?: { tail?: string; mentions?: string[]; written?: string }): void;
  /** Another command, given as its words. */
  run(words: string[], input?: string | null): void;
  /** A text of shell. */
  script(text: string, positional?: string[]): void;
  isFolder(path: string): boolean;
  read(path: string): string | null;
  /** The folder itself is made, or a link to a place. */
  made(path: string, target?: string): void;
}

export type Command = (hand: CommandContext) => void;
