import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryProject } from '../../../test/unit/temporary.ts';
import { sampleFile } from '../../context/client-usage.ts';
import { joinPath, listUserPaths } from './paths.ts';

test.each([
  ['/home/ada/ledger', '.plimsoll'],
  ['/home/ada/ledger/', '.plimsoll'],
  ['/home/ada', 'docs/tracks/cache/PLAN.md'],
  ['/', '.plimsoll'],
])('a path below %s is the one that join() gives', (folder, name) => {
  expect(joinPath(folder, name)).toBe(join(folder, name));
});

describe('listUserPaths()', () => {
  test('follows the XDG rules, with the usual places below the home folder', () => {
    expect(listUserPaths({ HOME: '/home/me' })).toEqual({
      config: '/home/me/.config/plimsoll/config.toml',
      state: '/home/me/.local/state/plimsoll',
      learned: '/home/me/.local/state/plimsoll/compaction-points.json',
      failures: '/home/me/.local/state/plimsoll/failures.jsonl',
      data: '/home/me/.local/share/plimsoll',
      current: '/home/me/.local/share/plimsoll/current',
      installs: '/home/me/.local/state/plimsoll/installs.json',
      trust: '/home/me/.local/state/plimsoll/trust.json',
    });
  });

  test('goes where the environment points', () => {
    const env = {
      HOME: '/home/me',
      XDG_CONFIG_HOME: '/c',
      XDG_STATE_HOME: '/s',
      XDG_DATA_HOME: '/d',
    };
    expect(listUserPaths(env)).toMatchObject({
      config: '/c/plimsoll/config.toml',
      state: '/s/plimsoll',
      data: '/d/plimsoll',
    });
    expect(listUserPaths({ USERPROFILE: '/users/me', XDG_STATE_HOME: '' }).state).toBe(
      '/users/me/.local/state/plimsoll',
    );
  });
});

describe('listProjectPaths()', () => {
  test("keeps what we believe in a folder of its own, and the team's settings in .plimsoll", () => {
    const paths = temporaryProject();
    const { root, state } = paths;
    expect(state).toMatch(new RegExp(`^${root}/\\.plimsoll/state-[0-9a-f]{24}$`));
    expect(paths).toMatchObject({
      config: `${root}/.plimsoll/config.toml`,
      localConfig: `${state}/config.local.toml`,
      snapshot: `${state}/config.snapshot.json`,
      off: `${state}/off`,
      checkpoints: `${state}/checkpoints`,
      sessions: `${state}/sessions`,
      failures: `${state}/failures.jsonl`,
    });
    const { feed: _, ...files } = paths.session('abc');
    const { folder } = files;
    expect(folder).toBe(`${state}/sessions/abc`);
    for (const file of Object.values(files)) expect(file.startsWith(folder)).toBe(true);
    expect(paths.session('../x').folder.replace(state, '')).toMatch(/^\/sessions\/x-x-[0-9a-f]+$/);
  });
});

test.each(['module', 'statusline'] as const)('the feed of %s is where its writer puts it', (writer) => {
  const paths = temporaryProject();
  for (const id of ['0f6e3a52-1111-4222-8333-444455556666', '../x', ''])
    expect(paths.session(id).feed(writer)).toBe(join(paths.state, sampleFile(id, writer)));
});

test('docs/files.md names every file of a session', () => {
  const table = readFileSync(new URL('../../../docs/files.md', import.meta.url), 'utf8');
  const rows = table.split('\n').filter((line) => line.startsWith('| `sessions/<session_id>/'));
  const named = rows.flatMap((row) => row.split('|')[1]?.match(/[a-z.]+(?=(?:\/<name>)?`)/g) ?? []);
  const { folder, feed, ...files } = temporaryProject().session('a');
  const all = [...Object.values(files), feed('module'), feed('statusline')];
  expect(named.sort()).toEqual(all.map((path) => path.slice(folder.length + 1)).sort());
});
