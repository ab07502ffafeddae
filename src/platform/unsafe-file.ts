// The error for a path that is not the plain file or folder expected there, and the list of those met in this process.

/** Thrown when a path is not the expected file or folder: a link, a device, a FIFO, somebody else's, or far too large. */
export class UnsafeFile extends Error {
  readonly next: string = 'put a file or folder of its own in its place';
  /** The fault alone, for a message that names the path elsewhere. */
  readonly what: string;
  constructor(what: string, path: string, message = `${what}: "${path}"`) {
    super(message);
    this.what = what;
  }
}

/** Every chunk of a hook has its own copy of this module, so the list is kept on `globalThis`. */
const shared = globalThis as { plimsollUnsafe?: UnsafeFile[] };

/** Notes an unsafe file that was skipped, for the failure log; ignores every other error. */
export function noteUnsafe(error: unknown): void {
  if (!(error instanceof UnsafeFile)) return;
  shared.plimsollUnsafe ??= [];
  shared.plimsollUnsafe.push(error);
}

/** Returns the unsafe files noted since the last call, and forgets them. */
export function takeUnsafe(): UnsafeFile[] {
  const found = shared.plimsollUnsafe ?? [];
  delete shared.plimsollUnsafe;
  return found;
}
