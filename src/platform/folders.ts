// Whole folders: makes temporary ones, fills and copies into them, links and removes them.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { resolveRealPath } from './look.ts';

/** A new empty folder that nobody else knows, its path without links. */
export const makeTemporaryFolder = (prefix: string): string =>
  resolveRealPath(mkdtempSync(join(tmpdir(), prefix)));

/** Removes a folder with everything in it, or a link itself; a missing one is no error. */
export const removeTree = (path: string): void => rmSync(path, { recursive: true, force: true });

const madeFor = (path: string): string => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return path;
};

/** Writes a file and makes its folder first. */
export const fillFile = (path: string, text: string): void =>
  writeFileSync(madeFor(path), text, { mode: 0o600 });

/** Copies a file and makes the folder of its target first. */
export const copyInto = (from: string, to: string): void => copyFileSync(from, madeFor(to));

/** Makes a link to a folder, at a path where nothing is. */
export const linkFolder = (folder: string, path: string): void =>
  symlinkSync(folder, path, process.platform === 'win32' ? 'junction' : 'dir');
