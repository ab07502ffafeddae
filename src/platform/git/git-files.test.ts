// The files to check are those that git names, whatever they are called, with the right texts.
import { spawnSync } from 'node:child_process';
import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Repository, repository, workFolder } from '../../../test/unit/repository.ts';
import { temporaryFolder } from '../../../test/unit/temporary.ts';
import { isError, type PlimsollError } from '../../text/plimsoll-error.ts';
import { findLastWork, type GitScope, listGitFiles } from './git-files.ts';
import { findGitRefusal, type Git, openGit } from './git-run.ts';
import { listChanged, readGit } from './git-state.ts';

const at = ({ folder, env }: Repository, below = folder): Git => openGit(below, below, env);
const look = (from: Git, scope: GitScope) =>
  listGitFiles(from, scope).files.map(({ path, act, text, before }) => [path, act, text(), before()]);
const STAGED = { kind: 'staged' } as const;
const CHANGED = { kind: 'changed' } as const;
const ALL = { kind: 'all' } as const;

describe('filesIn()', () => {
  test('gives what is staged as it is staged, not as it lies there', () => {
    const repo = repository({ a: 'one', b: 'one', gone: 'one', kept: 'one' });
    repo.write('a', 'staged');
    repo.write('new', 'staged');
    repo.git('add', '.');
    repo.git('rm', '--quiet', 'gone');
    repo.write('a', 'later');
    repo.write('new', 'later');
    repo.write('b', 'not staged');
    repo.write('unknown', '');
    expect(look(at(repo), STAGED)).toEqual([
      ['a', 'write', 'staged', 'one'],
      ['gone', 'remove', null, 'one'],
      ['new', 'write', 'staged', null],
    ]);
    const { read } = listGitFiles(at(repo), STAGED);
    expect([read('a'), read('b'), read('kept'), read('gone'), read('unknown')]).toEqual([
      'staged',
      'one',
      'one',
      null,
      null,
    ]);
  });

  test('gives what differs from HEAD as it lies there, staged or not, and new files', () => {
    const repo = repository({ a: 'one', b: 'one', gone: 'one', kept: 'one', '.gitignore': 'ignored\n' });
    repo.write('a', 'staged');
    repo.git('add', '.');
    repo.write('a', 'later');
    repo.write('b', 'not staged');
    repo.write('unknown', 'new');
    repo.write('ignored', '');
    rmSync(join(repo.folder, 'gone'));
    expect(look(at(repo), CHANGED)).toEqual([
      ['a', 'write', 'later', 'one'],
      ['b', 'write', 'not staged', 'one'],
      ['gone', 'remove', null, 'one'],
      ['unknown', 'write', 'new', null],
    ]);
  });

  test('a file that was touched and holds the same has not changed', () => {
    const repo = repository({ a: 'one' });
    repo.write('a', 'two');
    repo.write('a', 'one');
    expect(look(at(repo), CHANGED)).toEqual([]);
  });

  test('a file that was only taken out of the index is one that lies there', () => {
    const repo = repository({ a: 'one' });
    repo.git('rm', '--quiet', '--cached', 'a');
    expect(look(at(repo), CHANGED)).toEqual([['a', 'write', 'one', 'one']]);
    expect(look(at(repo), STAGED)).toEqual([['a', 'remove', null, 'one']]);
  });

  test('gives what came since a branch parted, and not what came to that branch', () => {
    const repo = repository({ a: 'one', other: 'one' });
    repo.git('checkout', '--quiet', '-b', 'side');
    repo.write('a', 'side');
    repo.git('commit', '--quiet', '-am', 'side');
    repo.git('checkout', '--quiet', 'main');
    repo.write('other', 'main');
    repo.git('commit', '--quiet', '-am', 'main');
    repo.git('checkout', '--quiet', 'side');
    repo.write('loose', 'new');
    expect(look(at(repo), { kind: 'since', revision: 'main' })).toEqual([
      ['a', 'write', 'side', 'one'],
      ['loose', 'write', 'new', null],
    ]);
  });

  test('gives all that is there and not ignored; what is gone from the folder is not', () => {
    const repo = repository({ a: 'one', gone: 'one', '.gitignore': 'ignored\n' });
    repo.write('ignored', '');
    repo.write('loose', 'new');
    rmSync(join(repo.folder, 'gone'));
    expect(look(at(repo), ALL).map(([path]) => path)).toEqual(['.gitignore', 'a', 'loose']);
  });

  test('a file that was renamed is one that is gone and one that is new', () => {
    const repo = repository({ old: 'the very same words\n' });
    repo.git('config', 'diff.renames', 'copies');
    repo.git('mv', 'old', 'new');
    expect(look(at(repo), STAGED)).toEqual([
      ['new', 'write', 'the very same words\n', null],
      ['old', 'remove', null, 'the very same words\n'],
    ]);
  });

  test.each([
    'with space',
    'with\nline end',
    'mit ü und 漢字',
    'tab\tand "quotes"',
    '-dash',
    ':colon',
    'back\\slash',
    'folder/deep/x',
  ])('knows a file named %j in every scope', (name) => {
    const repo = repository({ [name]: 'one', 'second file': 'x' });
    repo.write(name, 'two');
    repo.git('add', '--', `./${name}`);
    const row = [[name, 'write', 'two', 'one']];
    expect(look(at(repo), STAGED)).toEqual(row);
    expect(look(at(repo), CHANGED)).toEqual(row);
    expect(look(at(repo), { kind: 'since', revision: 'HEAD' })).toEqual(row);
    expect(listGitFiles(at(repo), STAGED).read(name)).toBe('two');
    expect(look(at(repo), ALL)).toContainEqual([name, 'write', 'two', null]);
  });

  test('in a repository without commits everything is new', () => {
    const repo = workFolder();
    repo.git('init');
    repo.write('staged', 'one');
    repo.git('add', '.');
    repo.write('loose', 'two');
    expect(look(at(repo), STAGED)).toEqual([['staged', 'write', 'one', null]]);
    const both = [
      ['loose', 'write', 'two', null],
      ['staged', 'write', 'one', null],
    ];
    expect(look(at(repo), CHANGED)).toEqual(both);
    expect(look(at(repo), ALL)).toEqual(both);
    expect(findLastWork(at(repo))).toBeNull();
  });

  test('below a folder of the repository only what is there counts, and paths begin there', () => {
    const repo = repository({ 'packages/a/x': 'one', 'packages/b/x': 'one' });
    repo.write('packages/a/x', 'two');
    repo.write('packages/b/x', 'two');
    repo.git('add', '.');
    const git = at(repo, join(repo.folder, 'packages', 'a'));
    expect(git.prefix).toBe('packages/a/');
    for (const scope of [STAGED, CHANGED, { kind: 'since', revision: 'HEAD' } as const])
      expect(look(git, scope)).toEqual([['x', 'write', 'two', 'one']]);
    expect(look(git, ALL)).toEqual([['x', 'write', 'two', null]]);
  });

  test('a worktree has its own index', () => {
    const repo = repository({ a: 'one' });
    const side = join(temporaryFolder(), 'side');
    repo.git('worktree', 'add', '--quiet', '-b', 'side', side);
    writeFileSync(join(side, 'a'), 'side');
    repo.git('-C', side, 'add', '.');
    expect(look(at(repo, side), STAGED)).toEqual([['a', 'write', 'side', 'one']]);
    expect(look(at(repo), STAGED)).toEqual([]);
  });

  test('links and files that cannot be read have no text', () => {
    const repo = repository({ a: 'one' });
    symlinkSync('a', join(repo.folder, 'link'));
    repo.write('large', 'x'.repeat(2_000_001));
    repo.git('add', '.');
    for (const scope of [STAGED, CHANGED])
      expect(look(at(repo), scope)).toEqual([
        ['large', 'write', null, null],
        ['link', 'write', null, null],
      ]);
    expect(listGitFiles(at(repo), STAGED).files.map(({ isPlain }) => isPlain)).toEqual([true, false]);
  });

  test('a file in conflict stands there once', () => {
    const repo = repository({ a: 'one' });
    repo.git('checkout', '--quiet', '-b', 'side');
    repo.write('a', 'side');
    repo.git('commit', '--quiet', '-am', 'side');
    repo.git('checkout', '--quiet', 'main');
    repo.write('a', 'main');
    repo.git('commit', '--quiet', '-am', 'main');
    expect(() => repo.git('merge', 'side')).toThrow();
    for (const scope of [STAGED, CHANGED, ALL])
      expect(look(at(repo), scope).map(([path]) => path)).toEqual(['a']);
  });

  test('takes the index that git names to its hooks, wherever the hook has gone', () => {
    const repo = repository({ 'a/x': 'one' });
    repo.write('a/x', 'two');
    const env = { ...repo.env, GIT_INDEX_FILE: '.git/other-index' };
    const other = { ...repo, env };
    repo.git('read-tree', '--index-output=.git/other-index', 'HEAD');
    repo.git('add', '.');
    expect(look(at(other), STAGED)).toEqual([]);
    expect(look(at(other, join(repo.folder, 'a')), STAGED)).toEqual([]);
    expect(look(at(repo), STAGED)).toEqual([['a/x', 'write', 'two', 'one']]);
  });
});

describe('openGit() and filesIn() refuse', () => {
  const refusal = (step: () => unknown): PlimsollError => {
    try {
      step();
    } catch (error) {
      if (isError(error, 'git-refused')) return error;
      throw error;
    }
    throw new Error('nothing was refused');
  };

  test('a folder in no repository', () => {
    const folder = temporaryFolder();
    expect(refusal(() => openGit(folder, folder, { PATH: process.env.PATH })).message).toMatch(
      /in no git repository/,
    );
  });

  test('a machine without git', () => {
    const repo = repository();
    expect(refusal(() => openGit(repo.folder, repo.folder, { PATH: '/nowhere' })).message).toBe(
      'git could not be run: it is not on PATH',
    );
  });

  test.each(['nowhere', '-x', '--all', 'HEAD:a', ''])('the revision %j', (revision) => {
    const repo = repository({ a: 'one' });
    const { message, hint } = refusal(() => listGitFiles(at(repo), { kind: 'since', revision }));
    expect(message).toBe(`git knows no commit "${revision}"`);
    expect(hint).toContain('fetch');
  });

  test('a revision that has no commit in common with this one', () => {
    const repo = repository({ a: 'one' });
    repo.git('checkout', '--quiet', '--orphan', 'other');
    repo.git('commit', '--quiet', '-m', 'other');
    expect(refusal(() => listGitFiles(at(repo), { kind: 'since', revision: 'main' })).hint).toContain(
      '--unshallow',
    );
  });

  test('a repository that git itself cannot use, in the words of git', () => {
    const repo = repository();
    writeFileSync(join(repo.folder, '.git', 'config'), '[core\n');
    chmodSync(join(repo.folder, '.git', 'config'), 0o644);
    expect(refusal(() => at(repo)).message).toMatch(/^git rev-parse failed: .*config/);
  });
});

describe('a repository of another user', () => {
  /** Git as it is where the owner of a repository is somebody else. */
  function foreign(): Repository {
    const repo = repository();
    const bin = temporaryFolder();
    const real = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();
    const script = `#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec ${real} "$@"\n`;
    writeFileSync(join(bin, 'git'), script, { mode: 0o755 });
    repo.write('a.txt', 'changed');
    return { ...repo, env: { ...repo.env, PATH: `${bin}:${repo.env.PATH}` } };
  }
  const TRUST = 'where you trust its owner: git config --global --add safe.directory ';

  test('is read by hand alone, and doctor is told why and what helps', () => {
    const { folder, env } = foreign();
    expect(readGit(folder, env)).toMatchObject({ branch: 'main', dirty_files: null });
    expect(listChanged(folder, env)).toBeNull();
    const refused = findGitRefusal(folder, env);
    expect(refused?.why).toContain('dubious ownership');
    expect(refused?.fix).toBe(`${TRUST}${folder}`);
  });

  test('is read as any other where the person trusts its owner', () => {
    const { folder, env } = foreign();
    writeFileSync(join(env.HOME ?? '', '.gitconfig'), `[safe]\n\tdirectory = ${folder}\n`);
    expect(readGit(folder, env)?.dirty_files).toEqual(['a.txt']);
    expect(findGitRefusal(folder, env)).toBeNull();
  });
});

test('findLastWork() is the time of the commit while nothing differs from it', () => {
  const repo = repository({ a: 'one' });
  const seconds = Number(repo.git('log', '-1', '--format=%ct'));
  repo.write('loose', '');
  expect(findLastWork(at(repo))).toBe(seconds * 1000);
  repo.write('a', 'two');
  expect(findLastWork(at(repo))).toBeNull();
});
