// Runs something in a temporary folder of its own, so that it does not touch the project.
import { join } from 'node:path';
import { copyInto, fillFile, makeTemporaryFolder, removeTree } from '../../../platform/folders.ts';
import { seenFile } from './track-inputs.io.ts';

export interface Workspace {
  /** Its absolute path. */
  root: string;
  /** Writes a text to a path below it. */
  write: (path: string, text: string) => void;
  /** Copies a file of a project to the same path below it; false when it cannot be read. */
  copy: (from: string, path: string) => boolean;
}

/** Runs something in a new empty folder, and removes the folder in any case. */
export async function inWorkspace<T>(run: (workspace: Workspace) => T | Promise<T>): Promise<T> {
  const root = makeTemporaryFolder('plimsoll-gate-');
  try {
    return await run({
      root,
      write: (path, text) => fillFile(join(root, path), text),
      copy: (from, path) => {
        if (seenFile(from, path) === null) return false;
        copyInto(join(from, path), join(root, path));
        return true;
      },
    });
  } finally {
    removeTree(root);
  }
}
