// The one error of Plimsoll: a stable code for programs, what is wrong, and the next step.

/** What went wrong. With --json the code stands beside the message; it stays when the words change. */
export type ErrorCode =
  /** The call was not understood. */
  | 'usage'
  | 'no-project'
  | 'not-found'
  | 'already-exists'
  /** Several things could be meant. */
  | 'ambiguous'
  /** What is asked for does not go with the present state. */
  | 'conflict'
  /** A person said no. */
  | 'declined'
  /** What a file holds is not as it has to be. */
  | 'invalid'
  /** A change that the shape of a file does not allow; nothing is written then. */
  | 'change-refused'
  /** A file of the user that cannot be read as text, or cannot be changed now. */
  | 'unusable-file'
  /** A path is not the expected file or folder: a link, a device, a FIFO, or somebody else's. */
  | 'unsafe-file'
  | 'too-large'
  /** A link in the project leads out of it. */
  | 'leads-out'
  | 'newer-file'
  /** A file was changed between our reading and our writing. */
  | 'overtaken'
  /** Another process held the lock for the whole waiting time. */
  | 'locked'
  /** Another process took our lock over; nothing was changed, and the change can be tried again. */
  | 'lost-lock'
  /** Git cannot tell which files are meant. */
  | 'git-refused'
  /** The disk did not allow what was to be done. */
  | 'failed';

interface ErrorDetails {
  /** The next step. */
  hint?: string | undefined;
  path?: string;
  line?: number | null;
  /** The keys that lead to the place in the data of a file. */
  keys?: readonly (string | number)[];
  /** What a command found nevertheless: with --json the one document holds it beside the error. */
  found?: Record<string, unknown>;
}

export class PlimsollError extends Error {
  override readonly name = 'PlimsollError';
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly path: string | undefined;
  readonly line: number | null;
  readonly keys: readonly (string | number)[];
  readonly found: Record<string, unknown>;
  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message);
    this.code = code;
    this.hint = details.hint;
    this.path = details.path;
    this.line = details.line ?? null;
    this.keys = details.keys ?? [];
    this.found = details.found ?? {};
  }
}

/** Whether an error is ours, with one of some codes if any are given. Bundles share no classes, so its name tells. */
export const isError = (error: unknown, ...codes: ErrorCode[]): error is PlimsollError =>
  error instanceof Error &&
  error.name === 'PlimsollError' &&
  (codes.length === 0 || codes.includes((error as PlimsollError).code));

/** What to do about files that a newer version wrote. */
export const UPGRADE = 'this plimsoll is older than its files: npm install --global plimsoll@latest';

/** The error for a file that a newer version wrote, which is left alone. */
export const buildNewerFile = (path: string): PlimsollError =>
  new PlimsollError('newer-file', `Written by a newer version: "${path}"`, { hint: UPGRADE, path });
