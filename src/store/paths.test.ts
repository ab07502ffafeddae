import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/unit/temporary.ts';
import { feedName } from '../model/feed.ts';
import { below, clientSettingsPaths, findRoot, projectPaths, userPaths } from './paths.ts';

test.each([
  ['/home/ada/ledger', '.plimsoll'],
  ['/home/ada/ledger/', '.plimsoll'],
  ['/home/ada', 'docs/tracks/cache/PLAN.md'],
  ['/', '.plimsoll'],
])('a path below %s is the one that join() gives', (folder, name) => {
  expect(below(folder, name)).toBe(join(folder, name));
});

describe('findRoot()', () => {
  /** A home with these folders (ending in `/`) and files in it. */
  function tree(...entries: string[]): { at: (path: string) => string; home: string } {
    const home = temporaryFolder();
    for (const entry of entries) {
      const path = join(home, entry);
      if (entry.endsWith('/')) mkdirSync(path, { recursive: true });
      else {
        mkdirSync(join(path, '..'), { recursive: true });
        writeFileSync(path, 'gitdir: /elsewhere/.git/worktrees/w\n');
      }
    }
    return { at: (path) => join(home, path), home };
  }

  // [what, tree, cwd, CLAUDE_PROJECT_DIR or null, root or null]
  const rows: [string, string[], string, string | null, string | null][] = [
    ['the folder itself where nothing marks a project', ['a/b/'], 'a/b', null, 'a/b'],
    ['the git top level', ['a/.git/', 'a/b/c/'], 'a/b/c', null, 'a'],
    [
      'the nearest .plimsoll before the git top level',
      ['a/.git/', 'a/b/.plimsoll/', 'a/b/c/'],
      'a/b/c',
      null,
      'a/b',
    ],
    ['the git top level with its own .plimsoll', ['a/.git/', 'a/.plimsoll/', 'a/b/'], 'a/b', null, 'a'],
    ['the worktree, whose .git is a file', ['a/.git/', 'a/w/.git', 'a/w/src/'], 'a/w/src', null, 'a/w'],
    ['the repository, not what stands above it', ['.plimsoll/', 'a/.git/', 'a/b/'], 'a/b', null, 'a'],
    [
      'the inner one of two .plimsoll folders',
      ['a/.plimsoll/', 'a/b/.plimsoll/', 'a/b/c/'],
      'a/b/c',
      null,
      'a/b',
    ],
    ["the client's project, wherever the agent went", ['a/.git/', 'other/.git/'], 'other', 'a', 'a'],
    ["the client's project below a git top level", ['a/.git/', 'a/b/'], 'a/b', 'a/b', 'a/b'],
    [
      "a .plimsoll above the client's project, in the same repository",
      ['a/.git/', 'a/.plimsoll/', 'a/b/'],
      'a',
      'a/b',
      'a',
    ],
    ['nothing for the home folder', ['a/'], '', null, null],
    [
      'nothing for the home folder, though it holds .plimsoll and .git',
      ['.plimsoll/', '.git/'],
      '',
      null,
      null,
    ],
    ['nothing where the client names the home folder', ['a/'], 'a', '', null],
    ['a folder in a home that is a repository itself', ['.git/', 'a/'], 'a', null, 'a'],
  ];
  test.each(rows)('finds %s', (_, entries, cwd, named, expected) => {
    const { at, home } = tree(...entries);
    const env = { HOME: home, ...(named === null ? {} : { CLAUDE_PROJECT_DIR: at(named) }) };
    expect(findRoot(at(cwd), env)).toBe(expected === null ? null : at(expected));
  });

  test('finds nothing for the root of the file system', () => {
    expect(findRoot('/', { HOME: '/home/nobody' })).toBeNull();
    expect(findRoot('/', {})).toBeNull();
    // An environment without a home folder: the system knows it.
    expect(findRoot(homedir(), {})).toBeNull();
    expect(findRoot('/tmp', { HOME: '/home/nobody', CLAUDE_PROJECT_DIR: '/' })).toBeNull();
  });

  test('follows links to the real folder, also to the home folder', () => {
    const { at, home } = tree('a/.git/', 'a/b/');
    symlinkSync(at('a/b'), at('link'));
    symlinkSync(home, at('a/home'));
    expect(findRoot(at('link'), { HOME: home })).toBe(at('a'));
    expect(findRoot(at('a/home'), { HOME: home })).toBeNull();
    expect(findRoot(home, { HOME: at('a/home') })).toBeNull();
  });

  test('takes a folder that is not there as it is named', () => {
    const { at, home } = tree('a/.git/');
    expect(findRoot(at('a/gone/deeper'), { HOME: home })).toBe(at('a'));
  });
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
      claude: '/home/me/.claude',
    });
  });

  test('goes where the environment points', () => {
    const env = {
      HOME: '/home/me',
      XDG_CONFIG_HOME: '/c',
      XDG_STATE_HOME: '/s',
      XDG_DATA_HOME: '/d',
      CLAUDE_CONFIG_DIR: '/claude',
    };
    expect(userPaths(env)).toMatchObject({
      config: '/c/plimsoll/config.toml',
      state: '/s/plimsoll',
      data: '/d/plimsoll',
      claude: '/claude',
    });
    expect(userPaths({ USERPROFILE: '/users/me', XDG_STATE_HOME: '' }).state).toBe(
      '/users/me/.local/state/plimsoll',
    );
  });
});

describe('projectPaths()', () => {
  test('keeps everything in .plimsoll below the root', () => {
    const paths = projectPaths('/p', { HOME: '/home/me' });
    expect(paths).toMatchObject({
      root: '/p',
      config: '/p/.plimsoll/config.toml',
      localConfig: '/p/.plimsoll/config.local.toml',
      snapshot: '/p/.plimsoll/config.snapshot.json',
      state: '/p/.plimsoll',
      checkpoints: '/p/.plimsoll/checkpoints',
      claims: '/p/.plimsoll/claims',
      failures: '/p/.plimsoll/failures.jsonl',
    });
    expect(paths.conversation('abc')).toBe('/p/.plimsoll/conversations/abc.json');
    expect(paths.conversation('../x')).toMatch(/^\/p\/\.plimsoll\/conversations\/x-x-[0-9a-f]+\.json$/);
  });

  test.each([
    ['.jerry', '/p/.jerry'],
    ['state/plimsoll', '/p/state/plimsoll'],
    ['/var/state', '/var/state'],
  ])('keeps state in the state_dir %s, and configuration in .plimsoll', (folder, state) => {
    const paths = projectPaths('/p', {}, folder);
    expect(paths.state).toBe(state);
    expect(paths.checkpoints).toBe(`${state}/checkpoints`);
    expect(paths.config).toBe('/p/.plimsoll/config.toml');
    expect(paths.snapshot).toBe('/p/.plimsoll/config.snapshot.json');
  });

  test('uses the state folder of the user where there is no root', () => {
    expect(projectPaths(null, { HOME: '/home/me' }).state).toBe('/home/me/.local/state/plimsoll/home');
  });
});

describe('clientSettingsPaths()', () => {
  test("names the client's own files, weakest first", () => {
    expect(clientSettingsPaths('/p', { HOME: '/home/me' })).toEqual([
      '/home/me/.claude/settings.json',
      '/p/.claude/settings.json',
      '/p/.claude/settings.local.json',
    ]);
    expect(clientSettingsPaths(null, { HOME: '/home/me' })).toEqual(['/home/me/.claude/settings.json']);
  });
});

test.each(['module', 'statusline'] as const)('the feed of %s is where its writer puts it', (writer) => {
  const paths = projectPaths('/p', {});
  for (const id of ['0f6e3a52-1111-4222-8333-444455556666', '../x', ''])
    expect(paths.feed(id, writer)).toBe(join(paths.conversations, feedName(id, writer)));
});
