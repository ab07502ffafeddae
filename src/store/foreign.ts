// What does a file say that others write, and may have put a FIFO in place of? Whoever opens one waits for its writer.
import { closeSync, constants, openSync, readFileSync } from 'node:fs';

const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Text of a file, and of a FIFO what is in it at this moment.
 * @throws what the file system throws
 */
export function readForeign(path: string): string {
  const descriptor = openSync(path, READ);
  try {
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** The same, BOM and all, or null where there is no file. */
export function foreignText(path: string): string | null {
  try {
    return readForeign(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
