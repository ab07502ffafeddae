// The context that every command receives, and what the commands share in options and help.
import type { Option } from 'commander';
import type { Ask } from '../install/settings-file.io.ts';
import type { Check } from './check-port.io.ts';
import type { Output } from './output.io.ts';
import type { ProjectContext } from './project.io.ts';

/** What every command receives; created once, in run.io.ts. */
export interface CliContext {
  /** The project that the command runs in, read again at each call. */
  place: () => Promise<ProjectContext>;
  output: Output;
  ask: Ask;
  /** Asks for a text; null when the person gave up. */
  askText: (question: string, suggested: string) => Promise<string | null>;
  /** Loads the checks of `plimsoll check`, of all add-ons. */
  loadChecks: () => Promise<readonly Check[]>;
  /** The option `--json`. */
  json: () => Option;
  /** Loads what add-ons add to `plimsoll status`. */
  loadStatusSections: () => Promise<readonly StatusSection[]>;
  /** What add-ons do at `plimsoll init`; one that returns true does it in place of it. */
  initActions: ((options: object) => Promise<boolean>)[];
  /** Path of the command line itself. */
  self: string;
  /** Folder with the bundles. */
  dist: string;
  /** Called when a command that looks for faults has found one: the exit code is 1. */
  failed: () => void;
}

/** What an add-on adds to the status: its data under a key, and its rows for people. */
export interface StatusSection {
  key: string;
  read: (
    place: ProjectContext,
    session: string,
  ) => { data: unknown; rows: [label: string, value: string | null][] };
}

/** Options of a command that has no others. */
export interface JsonOption {
  json?: boolean;
}

/** Collects the values of an option that may be given several times. */
export const collect = (value: string, before: string[] = []): string[] => [...before, value];

/** The examples at the end of a help text; each call is given without the leading `plimsoll `. */
export const formatExamples = (calls: readonly string[]): string =>
  `\nExample${calls.length > 1 ? 's' : ''}:\n${calls.map((each) => `  plimsoll ${each}`).join('\n')}`;
