// The state of the shell at a point of a command (folder, variables, definitions), and how a command reports its changes.

import { PROJECT_VARIABLE } from '../../../hosts/claude-code/names.ts';
import type { PathChange } from '../change.ts';
import type { FileSystemPort, GuardedCall } from '../guard-call.ts';
import type { ShellNode, ShellParser } from './command-tree.ts';

// The interface by which the description of a command says what it writes, removes and runs.
export interface ChangeOptions {
  /** A folder with all below it; `some`: some files below it. */
  whole?: false | 'some' | 'all';
  /** Not through a link at the end. */
  itself?: boolean;
  by?: string;
  /** Puts back what git has of the file. */
  restores?: boolean;
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

/** Stands in a text for what nobody knows. */
export const UNKNOWN_PART = '\u0000';
/** Around a pattern that the shell would expand. */
export const GLOB = '\u0001';
export const GLOB_END = '\u0003';
/** Where an unquoted value is split into words. */
export const SPLIT = '\u0002';
export const SHELL_MARKS = /[\u0000-\u0003]/;

/** What one walk through a command shares, subshells and all. */
export interface EvalContext {
  call: GuardedCall;
  sight: FileSystemPort;
  parse: ShellParser;
  changes: Map<string, PathChange>;
  commands: string[][];
  /** Commands that are neither followed nor known to read only. */
  unread: Set<string>;
  named: Map<string, PathChange>;
  passedOn: string[][];
  /** Folders and links made on the way, by their absolute names. */
  made: Set<string>;
  links: Map<string, string>;
  steps: number;
  depth: number;
  doubt: string | null;
  /** The limit of ours that was met first; null where none was. */
  limit: string | null;
}

/** Every value that a thing may have here; more than one after a branch. */
export type Values = string[];

export interface ShellState {
  /** Folders that the shell may be in; null when that cannot be known. */
  folders: Values | null;
  before: Values | null;
  stack: (Values | null)[];
  variables: Map<string, Values>;
  functions: Map<string, ShellNode>;
  aliases: Map<string, string>;
  /** Text on standard input, where it is known. */
  input: string | null;
}

/** More values than this, and none is known. */
export const MOST_VALUES = 64;

export function createShellState(call: GuardedCall): ShellState {
  return {
    folders: [call.cwd],
    before: null,
    stack: [],
    variables: new Map([
      ['HOME', [call.home]],
      ['TMPDIR', ['/tmp']],
      [PROJECT_VARIABLE, [call.root]],
      ['IFS', [' ']],
      ['0', ['bash']],
    ]),
    functions: new Map(),
    aliases: new Map(),
    input: null,
  };
}

export const copyState = (state: ShellState): ShellState => ({
  ...state,
  stack: [...state.stack],
  variables: new Map(state.variables),
  functions: new Map(state.functions),
  aliases: new Map(state.aliases),
});

export function joinSets(one: Values, other: Values): Values {
  const all = [...new Set([...one, ...other])];
  return all.length > MOST_VALUES ? [UNKNOWN_PART] : all;
}

/** What a variable without a value in this command may be: most often nothing, else what the environment has. */
export const UNSET: Values = ['', UNKNOWN_PART];

/** A state becomes what it is after either of two ways. */
export function mergeInto(state: ShellState, other: ShellState): void {
  state.folders =
    state.folders === null || other.folders === null ? null : joinSets(state.folders, other.folders);
  for (const name of new Set([...state.variables.keys(), ...other.variables.keys()])) {
    state.variables.set(
      name,
      joinSets(state.variables.get(name) ?? UNSET, other.variables.get(name) ?? UNSET),
    );
  }
  for (const [name, body] of other.functions) if (!state.functions.has(name)) state.functions.set(name, body);
  for (const [name, text] of other.aliases) if (!state.aliases.has(name)) state.aliases.set(name, text);
}

/** After a chain of `&&`: what a variable was before is still possible. */
export function keepEarlier(state: ShellState, earlier: ShellState): void {
  for (const [name, values] of earlier.variables) {
    const now = state.variables.get(name);
    if (now !== undefined && now !== values) state.variables.set(name, joinSets(now, values));
  }
}
