import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { notRun } from '../../../test/kit/not-run.ts';
import { temporaryFolder } from '../../../test/unit/temporary.ts';
import { findRoot } from './root.ts';

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

  // [what, tree, cwd, HOST_PROJECT or null, root or null]
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
      ['a/.git/', 'a/.plimsoll/', 'a/b/.plimsoll/', 'a/b/c/'],
      'a/b/c',
      null,
      'a/b',
    ],
    ['the folder itself without git, whatever lies above it', ['a/.plimsoll/', 'a/b/'], 'a/b', null, 'a/b'],
    ['the folder that the client names without git', ['a/.plimsoll/', 'a/b/'], 'a', 'a/b', 'a/b'],
    ['nothing for a folder that is gone and in no repository', ['a/.plimsoll/'], 'a/gone', null, null],
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
    const env = { HOME: home, ...(named === null ? {} : { HOST_PROJECT: at(named) }) };
    expect(findRoot(at(cwd), env)).toBe(expected === null ? null : at(expected));
  });

  test('finds nothing for the root of the file system', () => {
    expect(findRoot('/', { HOME: '/home/nobody' })).toBeNull();
    expect(findRoot('/', {})).toBeNull();
    // An environment without a home folder: the system knows it.
    expect(findRoot(userInfo().homedir, {})).toBeNull();
    expect(findRoot('/tmp', { HOME: '/home/nobody', HOST_PROJECT: '/' })).toBeNull();
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

  test('takes a folder that everybody shares for no project, and looks for none in it or above it', () => {
    const { at, home } = tree('tmp/.git/', 'tmp/.plimsoll/', 'tmp/mine/');
    chmodSync(at('tmp'), 0o1777);
    expect(findRoot(at('tmp'), { HOME: home })).toBeNull();
    expect(findRoot(at('tmp/mine'), { HOME: home })).toBe(at('tmp/mine'));
    expect(findRoot(at('tmp/mine'), { HOME: home, HOST_PROJECT: at('tmp/mine') })).toBe(at('tmp/mine'));
  });

  describe('with other owners', () => {
    const OTHER = 4_711;
    const isRoot = process.getuid?.() === 0;
    const env = (home: string) => ({ HOME: home });

    test.each([
      ['a .plimsoll', ['a/.git/', 'a/.plimsoll/', 'a/b/.plimsoll/', 'a/b/c/'], 'a/b/.plimsoll', 'a'],
      ['a repository', ['a/.git/', 'a/.plimsoll/', 'a/b/'], 'a/.git', 'a/b'],
      ['a folder above', ['a/.git/', 'a/.plimsoll/', 'a/b/c/'], 'a/b', 'a/b/c'],
    ])("passes by %s of another user's", (_name, entries, theirs, expected) => {
      if (!isRoot) return notRun('roots of other owners', 'only root may give files away');
      const { at, home } = tree(...entries);
      chownSync(at(theirs), OTHER, OTHER);
      const start = at(expected === 'a' ? 'a/b/c' : expected);
      expect(findRoot(start, env(home))).toBe(at(expected));
    });

    test('finds the project of a container, all of which belongs to somebody else', () => {
      if (!isRoot) return notRun('roots of other owners', 'only root may give files away');
      const { at, home } = tree('a/.git/', 'a/.plimsoll/', 'a/b/c/');
      for (const name of ['a', 'a/.git', 'a/.plimsoll', 'a/b', 'a/b/c']) chownSync(at(name), OTHER, OTHER);
      expect(findRoot(at('a/b/c'), { ...env(home), HOST_PROJECT: at('a/b/c') })).toBe(at('a'));
    });
  });
});
