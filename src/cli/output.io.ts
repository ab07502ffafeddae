// Output of the command line: results on stdout, errors on stderr with the next step, exit codes 0, 1 and 2.
import { inspect, stripVTControlCharacters } from 'node:util';
import { UnsafeFile } from '../platform/unsafe-file.ts';
import { isNewerFault } from '../text/version-order.ts';

/** What to do about files that a newer version wrote. */
export const UPGRADE = 'this plimsoll is older than its files: npm install --global plimsoll@latest';

/** An error that the user can fix. Exit code 1: the command failed; 2: the call was not understood. */
export class UserError extends Error {
  readonly hint: string;
  readonly code: 1 | 2;
  /** What the command found nevertheless: with --json the one document holds it beside the error. */
  readonly found: Record<string, unknown>;
  constructor(message: string, options: { hint: string; code?: 1 | 2; found?: Record<string, unknown> }) {
    super(message);
    this.hint = options.hint;
    this.code = options.code ?? 1;
    this.found = options.found ?? {};
  }
}

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
  isInteractive: boolean;
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

/** Reports what a command threw and returns the exit code. A bug of ours is printed with its stack. */
export function reportError(error: unknown, output: Output, json: boolean): number {
  if (error instanceof UserError) {
    if (json) output.print(toJson({ ...error.found, error: { message: error.message, next: error.hint } }));
    else output.warn(`${error.message}\n  Next: ${error.hint}`);
    return error.code;
  }
  if (isNewerFault(error)) {
    return reportError(new UserError(`${error.message}; it is left alone`, { hint: UPGRADE }), output, json);
  }
  if (error instanceof UnsafeFile)
    return reportError(new UserError(error.message, { hint: error.next }), output, json);
  const code = (error as NodeJS.ErrnoException).code;
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) {
    const message = (error as Error).message;
    if (json) output.print(toJson({ error: { message, next: 'check the path and its permissions' } }));
    else output.warn(`${message}\n  Next: check the path and its permissions`);
    return 1;
  }
  if (json) {
    const message = error instanceof Error ? error.message : String(error);
    output.print(toJson({ error: { message, next: 'this is a fault of plimsoll, please report it' } }));
  }
  output.warn(`This is a fault of plimsoll, please report it:\n${inspect(error)}`);
  return 1;
}
