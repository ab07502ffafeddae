import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryProject } from '../../../test/unit/temporary.ts';
import { sampleFileName } from '../../context/client-usage.ts';
import { joinPath, userPaths } from './paths.ts';

test.each([
  ['/home/ada/ledger', '.plimsoll'],
  ['/home/ada/ledger/', '.plimsoll'],
  ['/home/ada', 'docs/tracks/cache/PLAN.md'],
  ['/', '.plimsoll'],
])('a path below %s is the one that join() gives', (folder, name) => {
  expect(joinPath(folder, name)).toBe(join(folder, name));
});

describe('userPaths()', () => {
  test('follows the XDG rules, with the usual places below the home folder', () => {
    expect(userPaths({ HOME: '/home/me' })).toEqual({
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
    expect(userPaths(env)).toMatchObject({
      config: '/c/plimsoll/config.toml',
      state: '/s/plimsoll',
      data: '/d/plimsoll',
    });
    expect(userPaths({ USERPROFILE: '/users/me', XDG_STATE_HOME: '' }).state).toBe(
      '/users/me/.local/state/plimsoll',
    );
  });
});

describe('projectPaths()', () => {
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
      claims: `${state}/claims`,
      threads: `${state}/threads`,
      failures: `${state}/failures.jsonl`,
    });
    expect(paths.conversation('abc')).toBe(`${state}/conversations/abc.json`);
    expect(paths.conversation('../x').replace(state, '')).toMatch(/^\/conversations\/x-x-[0-9a-f]+\.json$/);
  });
});

test.each(['module', 'statusline'] as const)('the feed of %s is where its writer puts it', (writer) => {
  const paths = temporaryProject();
  for (const id of ['0f6e3a52-1111-4222-8333-444455556666', '../x', ''])
    expect(paths.feed(id, writer)).toBe(join(paths.conversations, sampleFileName(id, writer)));
});
