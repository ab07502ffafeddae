// What a verb of `plimsoll state` is: how it is called, how its words are read, and what it changes.

import type { DataMap } from '../../../text/json.ts';
import { PlimsollError } from '../../../text/plimsoll-error.ts';
import { parseStatus, STATUSES } from '../state/recovery.ts';

/** Reads a word of a call; refuses one that it cannot be. */
type Kind<T> = (given: string, what: string) => T;
/** An option: how it is written, what it means, and how its value is read; none for one without a value. */
type OptionRow = [flags: string, help: string, kind?: Kind<unknown>, isMany?: boolean];
type ValueOf<O> = O extends [string, string, Kind<infer T>, true]
  ? T[]
  : O extends [string, string, Kind<infer T>]
    ? T
    : true;

/** What a verb has done: the new data, a sentence, and what the answer in JSON says of it. */
interface Outcome {
  top: DataMap;
  /** The sentence, which may depend on whether anything was written. */
  line: string | ((changed: boolean) => string);
  data: Record<string, unknown>;
  /** A result of a gate for the log of the session. */
  gate?: {
    gate: string;
    iteration: number | null;
    score: number | null;
    verdict: 'scored' | 'passed' | 'failed';
  };
}

/** What a verb may know besides the file. */
interface VerbContext {
  at: string;
  isFile: (path: string) => boolean;
}

type Options = Record<string, OptionRow>;
type Values<A, O> = { [Name in keyof A]: A[Name] extends Kind<infer T> ? T : never } & {
  [Name in keyof O]: ValueOf<O[Name]> | undefined;
};

interface VerbRow<A, O> {
  /** As it is typed behind `plimsoll state`. */
  call: string;
  help: string;
  examples: string[];
  notes?: string;
  /** How the words in angle brackets are read, in their order, by what they are; an optional one may be missing. */
  args: A;
  options?: O;
  change: (top: DataMap, values: Values<A, O>, context: VerbContext) => Outcome;
}

export interface Verb
  extends Pick<VerbRow<never, Options>, 'call' | 'help' | 'examples' | 'notes' | 'options'> {
  /** Reads the words of a call, all of them before the file is looked for. */
  read: (
    args: readonly (string | undefined)[],
    options: Record<string, unknown>,
  ) => (top: DataMap, context: VerbContext) => Outcome;
}

const isGiven = (value: unknown): value is string | string[] =>
  typeof value === 'string' || Array.isArray(value);

/** A row of the table of verbs. */
export function verb<
  A extends Record<string, Kind<unknown>>,
  const O extends Options = Record<never, never>,
>({ args, change, ...row }: VerbRow<A, O>): Verb {
  return {
    ...row,
    read: (given, chosen) => {
      const values: Record<string, unknown> = {};
      Object.entries(args).forEach(([what, kind], index) => {
        const word = given[index];
        values[what] = word === undefined ? undefined : kind(word, what);
      });
      for (const [name, [, , kind]] of Object.entries(row.options ?? {})) {
        const value = chosen[name];
        const read = (each: string): unknown => kind?.(each, name);
        values[name] = !isGiven(value) ? value : Array.isArray(value) ? value.map(read) : read(value);
      }
      return (top, context) => change(top, values as Values<A, O>, context);
    },
  };
}

/** A text that says something. */
export function text(given: string, what: string): string {
  const trimmed = given.trim();
  if (trimmed !== '') return trimmed;
  throw new PlimsollError('usage', `The ${what} is empty`, {
    hint: `give it as one argument, in quotes: "${what}"`,
  });
}

/** A number, written with digits and a point. */
export const number =
  (least: number, most = Number.MAX_SAFE_INTEGER): Kind<number> =>
  (given, what) => {
    const found = /^(?:\d+\.?\d*|\.\d+)$/.test(given.trim()) ? Number(given) : Number.NaN;
    if (found >= least && found <= most) return found;
    const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
    throw new PlimsollError('usage', `"${given}" is no ${what}`, { hint: `a number ${range}` });
  };

/** The number of an iteration. */
export const iteration: Kind<number> = (given, what) => {
  const found = number(1)(given, what);
  if (Number.isInteger(found)) return found;
  throw new PlimsollError('usage', `"${given}" is no iteration`, { hint: 'a whole number from 1 on' });
};

/** A phase: "3" is the number 3; other text is the phase's name. */
export const phase: Kind<string | number> = (given) =>
  /^\d{1,15}$/.test(given.trim()) ? Number(given) : text(given, 'phase');

/** The id of a defect is one word: the list of open defects holds ids only. */
export function defect(given: string): string {
  const id = text(given, 'id');
  if (!/\s/.test(id)) return id;
  throw new PlimsollError('usage', `"${id}" is no id of a defect`, {
    hint: 'the id first, then the words: plimsoll state defect add DA-001 "names differ"',
  });
}

export function agent(given: string, what: string): string {
  const name = text(given, what);
  if (name !== '__proto__') return name;
  throw new PlimsollError('usage', `"${name}" is no name of an agent`, { hint: 'take another' });
}

/** A summary is kept on one line: it is shown in a list of others. */
export const summary = (given: string, what: string): string => text(given, what).replace(/\s+/g, ' ');
export const nextStep = (given: string): string => text(given, 'next step');

export function status(given: string): string {
  const found = parseStatus(given);
  if (found !== null) return found;
  throw new PlimsollError('usage', `"${given}" is no status of a workflow`, {
    hint: `one of ${STATUSES.join(', ')}`,
  });
}
