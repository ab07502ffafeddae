// Where can a test write? In a folder of its own that is gone when the test is over.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ProjectPaths, projectPaths } from '../../src/store/paths.ts';

/** A new empty folder, as its real path (macOS links its temporary folder). */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'plimsoll-unit-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Where the files of a project lie that is such a folder. */
export const temporaryProject = (): ProjectPaths => projectPaths(temporaryFolder(), {});
