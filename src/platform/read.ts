// The one way to read a file: only a regular one of the right owner and size, never a device, a FIFO or a folder.
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { buildUnsafeFile, noteUnsafe } from './unsafe-file.ts';

const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0, O_NOCTTY = 0 } = constants;
const KB = 1024;
const MB = 1024 * KB;

/** Which file is accepted under a name, depending on whose file it is. */
export interface FileKind {
  /** Whether a link is followed, wherever it leads. */
  follow: boolean;
  /** Whether it must belong to the user who runs this. */
  own: boolean;
  /** The most bytes. */
  most: number;
}

/** Our own state files, which nobody else writes. */
export const STATE_FILE: FileKind = { follow: false, own: true, most: 16 * MB };
/** Settings of a person, who may keep them elsewhere and link them. */
export const SETTINGS_FILE: FileKind = { follow: true, own: false, most: MB };
/** Files that others wrote, not followed through links; `readInProject` follows the links inside a project. */
export const FOREIGN_FILE: FileKind = { follow: false, own: false, most: 4 * MB };
/** Words for an agent. */
export const RULES_FILE: FileKind = { ...FOREIGN_FILE, most: 256 * KB };
/** Files that a host appends to, of any size: read in blocks. */
export const LOG_FILE: FileKind = { follow: true, own: false, most: Number.POSITIVE_INFINITY };

/** Whether a file belongs to the user who runs this; always true on systems without owners. */
export const isOwnFile = ({ uid }: Stats): boolean => uid === (process.geteuid?.() ?? uid);

/** Reads `size` bytes of an open file from an offset, fewer when it ends before; into `bytes` where they are given. */
export function readRange(
  descriptor: number,
  from: number,
  size: number,
  bytes = Buffer.allocUnsafe(size),
): Buffer {
  let done = 0;
  while (done < size) {
    const read = readSync(descriptor, bytes, done, size - done, from + done);
    if (read === 0) break;
    done += read;
  }
  return bytes.subarray(0, done);
}

/** Whether an open file is still the one at a path. */
export const isStillAt = (path: string, descriptor: number): boolean =>
  statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(descriptor).ino;

/** Size of an open file. */
export const readSize = (descriptor: number): number => fstatSync(descriptor).size;

/** Opens a file without blocking, and without following a link unless told to. @throws PlimsollError `unsafe-file` for a link, a FIFO or a folder */
export function openPlain(path: string, flags: number, follow: boolean, mode?: number): number {
  try {
    return openSync(path, flags | O_NONBLOCK | O_NOCTTY | (follow ? 0 : O_NOFOLLOW), mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ELOOP') throw buildUnsafeFile('A link stands in place of a file', path);
    if (code === 'ENXIO' || code === 'EISDIR') throw buildUnsafeFile('Not a file', path);
    throw error;
  }
}

/**
 * Opens a file, hands it to `read`, and closes it; null when it does not exist.
 * @throws PlimsollError `unsafe-file` for what is not of its kind, and what the file system throws
 */
export function withFile<T>(
  path: string,
  kind: FileKind,
  read: (descriptor: number, size: number) => T,
): T | null {
  let descriptor: number;
  try {
    descriptor = openPlain(path, O_RDONLY, kind.follow);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw buildUnsafeFile('Not a file', path);
    if (kind.own && !isOwnFile(stats)) throw buildUnsafeFile("Somebody else's file", path);
    if (stats.size > kind.most)
      throw buildUnsafeFile(
        `${Math.ceil(stats.size / KB)} KB, more than ${kind.most / KB} KB`,
        path,
        'too-large',
      );
    return read(descriptor, stats.size);
  } finally {
    closeSync(descriptor);
  }
}

/** Bytes of a file, null when it does not exist. @throws as `withFile` */
export const readBytes = (path: string, kind: FileKind): Buffer | null =>
  withFile(path, kind, (descriptor, size) => readRange(descriptor, 0, size));

/** Text of a file including a BOM; null when it does not exist. @throws as `withFile` */
export const readUntrusted = (path: string, kind: FileKind): string | null =>
  readBytes(path, kind)?.toString('utf8') ?? null;

/** The value in a JSON file, a BOM left out; undefined when it does not exist. @throws as `withFile`, and SyntaxError */
export function readJson(path: string, kind: FileKind): unknown {
  const text = readUntrusted(path, kind);
  return text === null ? undefined : JSON.parse(text.replace(/^\uFEFF/, ''));
}

/** Like `readUntrusted`, but null for everything that cannot be read. An unsafe file is noted in the failure log. */
export function readTextOrNull(path: string, kind: FileKind): string | null {
  try {
    return readUntrusted(path, kind);
  } catch (error) {
    noteUnsafe(error);
    return null;
  }
}
