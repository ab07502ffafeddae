// Temporary folders and projects for tests, gone when the test is over.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Env, listProjectPaths, type ProjectPaths } from '../../src/platform/project/paths.ts';
import { readRegistered } from '../../src/platform/project/state-folder.ts';

/** The home folder of whoever works in a project of a test; it goes with it. */
const homeBeside = (project: string): string => `${project}.home`;

/** The environment of whoever works in a project of a test, for those that run in other processes, too. */
export const envFor = (project: string): Env => ({ HOME: homeBeside(project) });

/** Where the files of a project of a test lie; its state folder has a name, and is made by whoever writes first. */
export const pathsIn = (project: string): ProjectPaths =>
  readRegistered(listProjectPaths(project, envFor(project)), envFor(project));

/** A new empty folder, as its real path (macOS links its temporary folder). */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'plimsoll-unit-'));
  onTestFinished(() => {
    for (const each of [folder, homeBeside(folder)]) rmSync(each, { recursive: true, force: true });
  });
  return folder;
}

/** Where the files of a project lie that is such a folder. */
export const temporaryProject = (): ProjectPaths => pathsIn(temporaryFolder());

/** A project that other processes work in; they find the state folder by its name, which is given here. */
export function namedProject(): ProjectPaths & { root: string } {
  const root = temporaryFolder();
  return { ...pathsIn(root), root };
}
