import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeClient } from '../../test/unit/client.ts';
import { temporaryFolder } from '../../test/unit/temporary.ts';
import { findRoot, projectPaths } from '../store/paths.ts';
import { stateFolder } from './root.ts';

const folder = (...parts: string[]): string => {
  mkdirSync(join(...parts), { recursive: true });
  return join(...parts);
};
/** A project with a state folder in it. */
const project = (...parts: string[]): string => {
  folder(...parts, '.plimsoll');
  return join(...parts);
};
const settings = (root: string, values: { state_dir?: string; enabled?: boolean }): void => {
  folder(root, '.plimsoll');
  const resolved = { settings: values };
  writeFileSync(join(root, '.plimsoll', 'config.snapshot.json'), JSON.stringify({ resolved }));
};

/** Where the client starts, and what lies there, below a folder of the test's own; null where hooks find no state yet. */
const PLACES: [string, (base: string) => string, string | null][] = [
  ['at the root', (base) => project(base, 'p'), 'p/.plimsoll'],
  [
    'below the root',
    (base) => {
      folder(base, 'p', '.plimsoll');
      folder(base, 'p', '.git');
      return folder(base, 'p', 'a', 'b');
    },
    'p/.plimsoll',
  ],
  [
    'in a folder with a state of its own',
    (base) => {
      folder(base, 'p', '.plimsoll');
      folder(base, 'p', 'a', '.plimsoll');
      return folder(base, 'p', 'a', 'b');
    },
    'p/a/.plimsoll',
  ],
  [
    'in a worktree below the main checkout',
    (base) => {
      folder(base, 'p', '.plimsoll');
      const tree = folder(base, 'p', 'trees', 'one');
      writeFileSync(join(tree, '.git'), 'gitdir: elsewhere\n');
      return tree;
    },
    null,
  ],
  [
    'in a repository below another project',
    (base) => {
      folder(base, 'p', '.plimsoll');
      folder(base, 'p', 'q', '.git');
      return folder(base, 'p', 'q', 'a');
    },
    null,
  ],
  [
    'below the home folder, which may hold a state by mistake',
    (base) => {
      folder(base, 'home', '.plimsoll');
      return folder(base, 'home', 'p');
    },
    null,
  ],
  ['in the home folder', (base) => project(base, 'home'), null],
  [
    'through a link',
    (base) => {
      folder(base, 'p', '.plimsoll');
      folder(base, 'p', 'a');
      symlinkSync(join(base, 'p', 'a'), join(base, 'link'));
      return join(base, 'link');
    },
    'p/.plimsoll',
  ],
  [
    'with another state folder',
    (base) => {
      settings(join(base, 'p'), { state_dir: '.jerry/state' });
      return join(base, 'p');
    },
    'p/.jerry/state',
  ],
  [
    'where it is switched off',
    (base) => {
      settings(join(base, 'p'), { enabled: false });
      return join(base, 'p');
    },
    null,
  ],
  [
    'with a state folder outside',
    (base) => {
      settings(join(base, 'p'), { state_dir: join(base, 'elsewhere') });
      return join(base, 'p');
    },
    'elsewhere',
  ],
];

test.each(PLACES)('the module looks where the hooks write: %s', async (_, startIn, expected) => {
  const base = realpathSync(temporaryFolder());
  const env = { HOME: folder(base, 'home') };
  const start = startIn(base);
  const found = await stateFolder(fakeClient({ root: start, env }));
  expect(found).toBe(expected === null ? null : join(base, expected));
  if (found === null || /elsewhere|jerry/.test(found)) return;
  const root = findRoot(start, { ...env, CLAUDE_PROJECT_DIR: start });
  expect(found).toBe(projectPaths(root, env).state);
});

test('the variable for the state folder beats the settings', async () => {
  const base = realpathSync(temporaryFolder());
  settings(base, { state_dir: '.other' });
  const env = { HOME: folder(base, 'home'), PLIMSOLL_STATE_DIR: '.mine' };
  expect(await stateFolder(fakeClient({ root: base, env }))).toBe(join(base, '.mine'));
});
