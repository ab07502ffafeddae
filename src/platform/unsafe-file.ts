// What stands under a name that is not what we read or write there, and the list of those met in this process.

/** Something else stands where a file or folder should: a link, a device, a FIFO, somebody else's, far too much. */
export class UnsafeFile extends Error {
  readonly next: string = 'put a file or folder of its own in its place';
}

/** Every chunk of a hook has its own copy of this module, so the list hangs on what they share. */
const shared = globalThis as { plimsollUnsafe?: UnsafeFile[] };

/** Notes what was passed over, for the failure log; other errors are the business of whoever caught them. */
export function noteUnsafe(error: unknown): void {
  if (!(error instanceof UnsafeFile)) return;
  shared.plimsollUnsafe ??= [];
  shared.plimsollUnsafe.push(error);
}

/** What was passed over since the last call. */
export function takeUnsafe(): UnsafeFile[] {
  const found = shared.plimsollUnsafe ?? [];
  delete shared.plimsollUnsafe;
  return found;
}
