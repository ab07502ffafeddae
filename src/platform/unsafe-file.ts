// The error for a path that is not the plain file or folder expected there, and the list of those met in this process.
import { isError, PlimsollError } from '../text/plimsoll-error.ts';

/** The error for a path that is not the expected file or folder, or is far too large. */
export const buildUnsafeFile = (
  what: string,
  path: string,
  code: 'unsafe-file' | 'too-large' = 'unsafe-file',
): PlimsollError =>
  new PlimsollError(code, `${what}: "${path}"`, {
    hint: 'put a file or folder of its own in its place',
    path,
  });

/** Every chunk of a hook has its own copy of this module, so the list is kept on `globalThis`. */
const shared = globalThis as { plimsollUnsafe?: PlimsollError[] };

/** Notes an unsafe file that was skipped, for the failure log; ignores every other error. */
export function noteUnsafe(error: unknown): void {
  if (!isError(error, 'unsafe-file', 'too-large', 'leads-out')) return;
  shared.plimsollUnsafe ??= [];
  shared.plimsollUnsafe.push(error);
}

/** Returns the unsafe files noted since the last call, and forgets them. */
export function takeUnsafe(): PlimsollError[] {
  const found = shared.plimsollUnsafe ?? [];
  delete shared.plimsollUnsafe;
  return found;
}
