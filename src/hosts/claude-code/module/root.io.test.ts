import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeClient } from '../../../../test/unit/client.ts';
import { temporaryFolder } from '../../../../test/unit/temporary.ts';
import type { Env, ProjectPaths } from '../../../platform/project/paths.ts';
import { findProject } from '../../../platform/project/root.ts';
import { readRegistered } from '../../../platform/project/state-folder.ts';
import { findPlace } from './place.io.ts';

const folder = (...parts: string[]): string => {
  mkdirSync(join(...parts), { recursive: true });
  return join(...parts);
};

/** Where the state of a session that starts in a folder lies, once its hooks have kept something. */
function hooked(start: string, env: Env): ProjectPaths {
  const paths = readRegistered(findProject(start, { ...env, HOST_PROJECT: start }), env);
  mkdirSync(paths.sessions, { recursive: true });
  return paths;
}

/** Where the client starts, and what lies there, below a folder of the test's own; and below which its state is. */
const PLACES: [string, (base: string) => string, string][] = [
  ['at the root', (base) => folder(base, 'p', '.git', '..'), 'p/.plimsoll/state-'],
  ['where there is no git', (base) => folder(base, 'p'), 'p/.plimsoll/state-'],
  [
    'below the root',
    (base) => {
      folder(base, 'p', '.plimsoll');
      folder(base, 'p', '.git');
      return folder(base, 'p', 'a', 'b');
    },
    'p/.plimsoll/state-',
  ],
  [
    'in a folder with a state of its own',
    (base) => {
      folder(base, 'p', '.git');
      folder(base, 'p', '.plimsoll');
      folder(base, 'p', 'a', '.plimsoll');
      return folder(base, 'p', 'a', 'b');
    },
    'p/a/.plimsoll/state-',
  ],
  [
    'in a worktree below the main checkout',
    (base) => {
      folder(base, 'p', '.plimsoll');
      const tree = folder(base, 'p', 'trees', 'one');
      writeFileSync(join(tree, '.git'), 'gitdir: elsewhere\n');
      return tree;
    },
    'p/trees/one/.plimsoll/state-',
  ],
  [
    'without git below another project',
    (base) => {
      hooked(folder(base, 'p'), { HOME: join(base, 'home') });
      return folder(base, 'p', 'q');
    },
    'p/q/.plimsoll/state-',
  ],
  [
    'in the home folder',
    (base) => folder(base, 'home', '.plimsoll', '..'),
    'home/.local/state/plimsoll/projects/',
  ],
  [
    'through a link',
    (base) => {
      folder(base, 'p', '.git');
      folder(base, 'p', '.plimsoll');
      symlinkSync(folder(base, 'p', 'a'), join(base, 'link'));
      return join(base, 'link');
    },
    'p/.plimsoll/state-',
  ],
  [
    'where .plimsoll leads elsewhere',
    (base) => {
      symlinkSync(folder(base, 'elsewhere'), join(folder(base, 'p'), '.plimsoll'));
      return join(base, 'p');
    },
    'home/.local/state/plimsoll/projects/',
  ],
];

test.each(PLACES)('the module finds what the hooks have made: %s', async (_, startIn, below) => {
  const base = temporaryFolder();
  const env = { HOME: folder(base, 'home') };
  const start = startIn(base);
  const { state } = hooked(start, env);
  expect((await findPlace(fakeClient({ root: start, env })))?.state).toBe(state);
  expect(state.startsWith(join(base, below))).toBe(true);
});

test('the module goes where XDG_STATE_HOME points', async () => {
  const base = temporaryFolder();
  const env = { HOME: folder(base, 'home'), XDG_STATE_HOME: folder(base, 'states') };
  const start = folder(base, 'p');
  const { state } = hooked(start, env);
  expect((await findPlace(fakeClient({ root: start, env })))?.state).toBe(state);
});

test('the module finds nothing where the hooks have made nothing', async () => {
  const base = temporaryFolder();
  const env = { HOME: folder(base, 'home') };
  const client = fakeClient({ root: folder(base, 'p'), env });
  await expect(findPlace(client)).rejects.toThrow();
});
