// How does the command line speak? Results on stdout, faults on stderr with the next step, exit codes 0, 1 and 2.
import { inspect } from 'node:util';
import { isNewerFault } from '../model/version-order.ts';

/** What to do about files that a newer version wrote. */
export const UPGRADE = 'this plimsoll is older than its files: npm install --global plimsoll@latest';

/** A fault that the user can do something about. Exit code 1: it did not work; 2: the call was not understood. */
export class UserError extends Error {
  readonly hint: string;
  readonly code: 1 | 2;
  constructor(message: string, options: { hint: string; code?: 1 | 2 }) {
    super(message);
    this.hint = options.hint;
    this.code = options.code ?? 1;
  }
}

/** Where the output of a command goes; tests and the demo give their own. */
export interface Output {
  print(text: string): void;
  warn(text: string): void;
  /** Whether a person can be asked. */
  isInteractive: boolean;
}

export const toJson = (value: unknown): string => JSON.stringify(value, null, 2);

/** Two columns: labels and what they stand for. Lines without a value are left out. */
export function table(rows: readonly (readonly [string, string | null])[]): string {
  const shown = rows.filter((row): row is readonly [string, string] => row[1] !== null);
  const width = Math.max(...shown.map(([label]) => label.length)) + 2;
  return shown.map(([label, value]) => `${label.padEnd(width)}${value}`).join('\n');
}

/** Reports what a command threw; gives the exit code. A fault of ours keeps its stack. */
export function report(error: unknown, output: Output, json: boolean): number {
  if (error instanceof UserError) {
    if (json) output.print(toJson({ error: { message: error.message, next: error.hint } }));
    else output.warn(`${error.message}\n  Next: ${error.hint}`);
    return error.code;
  }
  if (isNewerFault(error)) {
    return report(new UserError(`${error.message}; it is left alone`, { hint: UPGRADE }), output, json);
  }
  const code = (error as NodeJS.ErrnoException).code;
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) {
    const message = (error as Error).message;
    if (json) output.print(toJson({ error: { message, next: 'check the path and its permissions' } }));
    else output.warn(`${message}\n  Next: check the path and its permissions`);
    return 1;
  }
  output.warn(`This is a fault of plimsoll, please report it:\n${inspect(error)}`);
  return 1;
}
