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

/** The most characters of an id that are shown in a list. */
const LONGEST_ID = 80;

/** Formats an id on one line: what would break or steer it is escaped, and a very long one is cut. */
export function formatId(id: string, most = LONGEST_ID): string {
  const line = escapeControls(id).replace(/[\n\r\t\u2028\u2029]/g, (sign) =>
    JSON.stringify(sign).slice(1, -1),
  );
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

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

const CHECK_PATH = 'check the path and its permissions';
const REPORT = 'this is a fault of plimsoll, please report it';
const FREE_SPACE = 'free space on that disk, or raise the limit, then try again';
const CHECK_PERMISSIONS = 'check the permissions of the path and of its folder';

/** What to do about a failure of the disk, by its code; about others, check the path. */
const DISK_STEPS: Partial<Record<string, string>> = {
  ENOSPC: FREE_SPACE,
  EDQUOT: FREE_SPACE,
  EFBIG: FREE_SPACE,
  EACCES: CHECK_PERMISSIONS,
  EPERM: CHECK_PERMISSIONS,
  EROFS: CHECK_PERMISSIONS,
};

interface Explained {
  code: string;
  message: string;
  next: string;
}

/** What a command threw, in words; null for a bug of ours. */
function explainError(error: unknown): Explained | null {
  if (isError(error)) return { code: error.code, message: error.message, next: error.hint ?? CHECK_PATH };
  const { code, message, path } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string' || !/^E[A-Z0-9]+$/.test(code)) return null;
  const said = path === undefined || message.includes(path) ? message : `${message} "${path}"`;
  return { code, message: said, next: DISK_STEPS[code] ?? CHECK_PATH };
}

/** Prints an error as JSON; false where stdout takes nothing, which is perhaps the very error. */
function printError(error: unknown, known: Explained | null, output: Output): boolean {
  const found = isError(error) ? error.found : {};
  const message = error instanceof Error ? error.message : String(error);
  try {
    output.print(toJson({ ...found, error: known ?? { code: 'internal', message, next: REPORT } }));
    return true;
  } catch {
    return false;
  }
}

/** Reports what a command threw and returns the exit code. A bug of ours is printed with its stack. */
export function reportError(error: unknown, output: Output, json: boolean): number {
  const known = explainError(error);
  // 2: the call was not carried out at all.
  const code = isError(error, 'usage', 'git-refused') ? 2 : 1;
  const isPrinted = json && printError(error, known, output);
  if (known === null) output.warn(`This is a fault of plimsoll, please report it:\n${inspect(error)}`);
  else if (!isPrinted) output.warn(`${known.message}\n  Next: ${known.next}`);
  return code;
}
