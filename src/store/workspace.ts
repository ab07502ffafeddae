// Where is something tried that must not touch the project? In a folder of its own, which goes afterwards.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { seenFile } from './recovery.ts';

export interface Workspace {
  /** Its absolute path. */
  root: string;
  /** Puts a text at a path below it. */
  write: (path: string, text: string) => void;
  /** Copies a file of a project to the same path below it; false where there is none. */
  copy: (from: string, path: string) => boolean;
}

/** Runs something in a new empty folder, and removes it whatever becomes of it. */
export async function inWorkspace<T>(run: (workspace: Workspace) => T | Promise<T>): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'plimsoll-gate-'));
  const made = (path: string): string => {
    mkdirSync(dirname(join(root, path)), { recursive: true, mode: 0o700 });
    return join(root, path);
  };
  try {
    return await run({
      root,
      write: (path, text) => writeFileSync(made(path), text, { mode: 0o600 }),
      copy: (from, path) => {
        if (seenFile(from, path) === null) return false;
        copyFileSync(join(from, path), made(path));
        return true;
      },
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
