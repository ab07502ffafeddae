// The one way to read a file: a regular one, of the right owner and size, and never a device, a FIFO or a folder.
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { noteUnsafe, UnsafeFile } from './unsafe-file.ts';

const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0, O_NOCTTY = 0 } = constants;
const KB = 1024;
const MB = 1024 * KB;

/** What may stand under a name, by whose file it is. */
export interface FileKind {
  /** Whether a link is followed, wherever it leads. */
  follow: boolean;
  /** Whether it must belong to the user who runs this. */
  own: boolean;
  /** Bytes at the most. */
  most: number;
}

/** What we keep: nobody else makes it. */
export const STATE: FileKind = { follow: false, own: true, most: 16 * MB };
/** Settings of a person, who may keep them elsewhere and link them. */
export const SETTINGS: FileKind = { follow: true, own: false, most: MB };
/** What others put there, at its own place: see `readInProject` for what a project links. */
export const FOREIGN: FileKind = { follow: false, own: false, most: 4 * MB };
/** Words for an agent. */
export const RULES: FileKind = { ...FOREIGN, most: 256 * KB };
/** What a host writes, as it grows: read in blocks. */
export const LOG: FileKind = { follow: true, own: false, most: Number.POSITIVE_INFINITY };

/** Whether a file belongs to whoever runs this; systems without owners do not ask. */
export const isOurs = ({ uid }: Stats): boolean => uid === (process.geteuid?.() ?? uid);

/** `size` bytes from a place of an open file, fewer where it ends before. */
export function readRange(descriptor: number, from: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let done = 0;
  while (done < size) {
    const read = readSync(descriptor, bytes, done, size - done, from + done);
    if (read === 0) break;
    done += read;
  }
  return bytes.subarray(0, done);
}

/** Whether an open file still is the one that lies at a path. */
export const isStillAt = (path: string, descriptor: number): boolean =>
  statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(descriptor).ino;

/** Size of an open file. */
export const sizeOf = (descriptor: number): number => fstatSync(descriptor).size;

/** Opens without waiting for anybody and without following a link to what is not meant. @throws UnsafeFile for those */
export function openPlain(path: string, flags: number, follow: boolean, mode?: number): number {
  try {
    return openSync(path, flags | O_NONBLOCK | O_NOCTTY | (follow ? 0 : O_NOFOLLOW), mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ELOOP') throw new UnsafeFile(`A link stands in place of a file: "${path}"`);
    if (code === 'ENXIO' || code === 'EISDIR') throw new UnsafeFile(`Not a file: "${path}"`);
    throw error;
  }
}

/**
 * Reads of an open file, which is closed afterwards; null where there is none.
 * @throws UnsafeFile for what is not of its kind, and what the file system throws
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
    if (!stats.isFile()) throw new UnsafeFile(`Not a file: "${path}"`);
    if (kind.own && !isOurs(stats)) throw new UnsafeFile(`Somebody else's file: "${path}"`);
    if (stats.size > kind.most)
      throw new UnsafeFile(`${Math.ceil(stats.size / KB)} KB, more than ${kind.most / KB} KB: "${path}"`);
    return read(descriptor, stats.size);
  } finally {
    closeSync(descriptor);
  }
}

/** Bytes of a file, null where there is none. @throws as `withFile` */
export const readBytes = (path: string, kind: FileKind): Buffer | null =>
  withFile(path, kind, (descriptor, size) => readRange(descriptor, 0, size));

/** Text of a file as it is, BOM and all; null where there is none. @throws as `withFile` */
export const readUntrusted = (path: string, kind: FileKind): string | null =>
  readBytes(path, kind)?.toString('utf8') ?? null;

/** What stands in a JSON file, a BOM left out; undefined where there is none. @throws as `withFile`, and SyntaxError */
export function readJson(path: string, kind: FileKind): unknown {
  const text = readUntrusted(path, kind);
  return text === null ? undefined : JSON.parse(text.replace(/^\uFEFF/, ''));
}

/** The same as `readUntrusted`, and null for everything that cannot be read. What is not of its kind gets into the failure log. */
export function readTextOrNull(path: string, kind: FileKind): string | null {
  try {
    return readUntrusted(path, kind);
  } catch (error) {
    noteUnsafe(error);
    return null;
  }
}
