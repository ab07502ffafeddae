// Output of the command line: results on stdout, errors on stderr with the next step, exit codes 0, 1 and 2.

import { inspect, stripVTControlCharacters } from 'node:util';
import { isError, PlimsollError } from '../text/plimsoll-error.ts';

/** Characters that a terminal obeys: control characters except line ends and tabs, and those that change text direction. */
const OBEYED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\r(?!\n)/g;

/**
 * Escapes characters that a terminal obeys, as `\u001b`, in everything that is written. JSON stays the same data, because
 * in its strings the escape means the character.
 */
export const escapeControls = (text: string): string =>
  text.replace(OBEYED, (sign) => `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);

/** Where the output of a command goes; tests and the demo give their own. */
export interface Output {
  print(text: string): void;
  warn(text: string): void;
  /** Whether a person can be asked. */
  isInteractive: () => boolean;
}

export const toJson = (value: unknown): string => JSON.stringify(value, null, 2);

/** Formats a fraction as a percentage for people. */
export const formatPercent = (fraction: number | null): string =>
  fraction === null ? 'unknown' : `${Number((fraction * 100).toFixed(1))}%`;

/** "1 claim", "3 claims". */
export const formatCount = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

/** Cleans foreign text for a terminal: nothing left in it moves the cursor, sets colours or changes text direction. */
export const stripControls = (text: string): string =>
  stripVTControlCharacters(text).replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    '',
  );

/** Formats two columns, labels and values; rows without a value are left out. */
export function formatTable(rows: readonly (readonly [string, string | null])[]): string {
  const shown = rows.filter((row): row is readonly [string, string] => row[1] !== null);
  const width = Math.max(...shown.map(([label]) => label.length)) + 2;
  return shown.map(([label, value]) => `${label.padEnd(width)}${value}`).join('\n');
}

/**
 * The error of a file that a command changes, with its name, for people; any other error as it is.
 * @param unusable what cannot be done with a file that is not to be used (`change`), and the next step then
 */
export function explainFileError(
  error: unknown,
  { name, path }: { name: string; path: string },
  unusable: { verb: string; hint: string },
): unknown {
  if (!isError(error, 'change-refused', 'unusable-file', 'locked', 'lost-lock')) return error;
  const { code, message, line } = error;
  const where = line === null ? name : `${name}:${line}`;
  const isUnusable = code === 'unusable-file';
  const said = isUnusable
    ? `Cannot ${unusable.verb} ${name}: ${message}`
    : `${where}: ${message}. Nothing was changed`;
  const again = `try again; remove "${name}.lock" when no plimsoll runs`;
  const hint = isUnusable ? unusable.hint : code === 'change-refused' ? error.hint : again;
  return new PlimsollError(code, said, { hint, path, found: { file: path, line } });
}

/** What to do about a failure of the disk, and about a fault of ours. */
const CHECK_PATH = 'check the path and its permissions';
const REPORT = 'this is a fault of plimsoll, please report it';

/** Reports what a command threw and returns the exit code. A bug of ours is printed with its stack. */
export function reportError(error: unknown, output: Output, json: boolean): number {
  const message = error instanceof Error ? error.message : String(error);
  const { code } = error as NodeJS.ErrnoException;
  const isOfDisk = typeof code === 'string' && /^E[A-Z]+$/.test(code);
  const isKnown = isError(error) || isOfDisk;
  const next = isError(error) ? (error.hint ?? CHECK_PATH) : isOfDisk ? CHECK_PATH : REPORT;
  if (json) {
    const found = isError(error) ? error.found : {};
    output.print(toJson({ ...found, error: { code: isKnown ? code : 'internal', message, next } }));
  } else if (isKnown) output.warn(`${message}\n  Next: ${next}`);
  if (!isKnown) output.warn(`This is a fault of plimsoll, please report it:\n${inspect(error)}`);
  // 2: the call was not carried out at all.
  return isError(error, 'usage', 'git-refused') ? 2 : 1;
}
