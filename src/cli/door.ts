// What is every command given, and what do its options and its help have in common with others?
import type { Option } from 'commander';
import type { Output } from './output.ts';
import type { Place } from './place.ts';
import type { Ask } from './settings-file.ts';

/** What every command is given; made once, in main.ts. */
export interface Door {
  /** Where the command stands, asked anew at each call. */
  place: () => Place;
  output: Output;
  ask: Ask;
  /** The option `--json`. */
  json: () => Option;
  /** Path of the command line itself. */
  self: string;
  /** Folder with the built chunks. */
  dist: string;
  /** Called when a command that looks for faults has found one: the exit code is 1. */
  failed: () => void;
}

/** Options of a command that has no others. */
export interface Json {
  json?: boolean;
}

/** For an option that may be given several times. */
export const collect = (value: string, before: string[] = []): string[] => [...before, value];

/** The end of a help text: calls as they are typed, behind `plimsoll `. */
export const examplesOf = (calls: readonly string[]): string =>
  `\nExample${calls.length > 1 ? 's' : ''}:\n${calls.map((each) => `  plimsoll ${each}`).join('\n')}`;
