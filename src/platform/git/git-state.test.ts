import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repository } from '../../../test/unit/repository.ts';
import { temporaryFolder } from '../../../test/unit/temporary.ts';
import { findGitFolder, isIgnored, listSeenByGit, readGit } from './git-state.ts';

const PATH = process.env.PATH ?? '';

describe('readGit()', () => {
  test('tells branch, head and changed files', () => {
    const { folder, git, env } = repository();
    expect(readGit(folder, env)).toEqual({ branch: 'main', head: git('rev-parse', 'HEAD'), dirty_files: [] });
    writeFileSync(join(folder, 'a.txt'), 'changed');
    writeFileSync(join(folder, 'new file ü.txt'), 'new');
    mkdirSync(join(folder, '.plimsoll'));
    writeFileSync(join(folder, '.plimsoll', 'x'), '');
    expect(readGit(folder, env)?.dirty_files).toEqual(['a.txt', 'new file ü.txt']);
  });

  test('names a renamed file by its new name', () => {
    const { folder, git, env } = repository();
    git('mv', 'a.txt', 'b.txt');
    expect(readGit(folder, env)?.dirty_files).toEqual(['b.txt']);
  });

  test('reads packed references, branches with slashes and a detached head', () => {
    const { folder, git, env } = repository();
    const head = git('rev-parse', 'HEAD');
    git('checkout', '-b', 'feature/one');
    git('pack-refs', '--all');
    expect(readGit(folder, env)).toMatchObject({ branch: 'feature/one', head });
    git('checkout', '--detach');
    expect(readGit(folder, env)).toMatchObject({ branch: null, head });
  });

  test('reads a worktree by its own head, from a folder below', () => {
    const { folder, git, env } = repository();
    git('worktree', 'add', '-b', 'side', join(folder, 'w'));
    mkdirSync(join(folder, 'w', 'src'));
    expect(findGitFolder(join(folder, 'w', 'src'))).toBe(join(folder, '.git', 'worktrees', 'w'));
    expect(readGit(join(folder, 'w', 'src'), env)).toMatchObject({
      branch: 'side',
      head: git('rev-parse', 'HEAD'),
      dirty_files: [],
    });
  });

  test('knows of a repository without commits', () => {
    const { env } = repository();
    const folder = temporaryFolder();
    mkdirSync(join(folder, '.git'));
    writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    expect(readGit(folder, env)).toMatchObject({ branch: 'main', head: null });
  });

  test('does without git itself', () => {
    const { folder, git } = repository();
    const head = git('rev-parse', 'HEAD');
    expect(readGit(folder, { PATH: '/nowhere' })).toEqual({ branch: 'main', head, dirty_files: null });
  });

  test('is null outside a repository', () => {
    expect(readGit(temporaryFolder(), { PATH })).toBeNull();
  });

  test('names 100 changed files at the most', () => {
    const { folder, env } = repository();
    for (let index = 0; index < 120; index++) writeFileSync(join(folder, `${index}.txt`), '');
    expect(readGit(folder, env)?.dirty_files).toHaveLength(100);
  });
});

describe('isIgnored() and listSeenByGit()', () => {
  test('tell what git ignores, has, and would take', () => {
    const { folder, git, env } = repository();
    const write = (name: string): void => {
      mkdirSync(join(folder, 'state'), { recursive: true });
      writeFileSync(join(folder, 'state', name), '');
    };
    for (const name of ['kept', 'new', 'ignored', 'neu ü']) write(name);
    writeFileSync(join(folder, '.gitignore'), 'ignored\n');
    git('add', 'state/kept');
    expect(listSeenByGit(folder, join(folder, 'state'), env)?.sort()).toEqual([
      'state/kept',
      'state/neu ü',
      'state/new',
    ]);
    expect(isIgnored(folder, join(folder, 'state', 'ignored'), env)).toBe(true);
    expect(isIgnored(folder, join(folder, 'state', 'new'), env)).toBe(false);
  });

  test('take the exclusions of the user into account', () => {
    const { folder, env } = repository();
    mkdirSync(join(env.HOME ?? '', '.config', 'git'), { recursive: true });
    writeFileSync(join(env.HOME ?? '', '.config', 'git', 'ignore'), '*.local.json\n');
    expect(isIgnored(folder, join(folder, 'a.local.json'), env)).toBe(true);
    const other = temporaryFolder();
    expect(isIgnored(folder, join(folder, 'a.local.json'), { ...env, XDG_CONFIG_HOME: other })).toBe(false);
  });

  test('say nothing outside a repository, or where git is not there', () => {
    const { folder, env } = repository();
    const outside = temporaryFolder();
    expect(isIgnored(outside, join(outside, 'a'), env)).toBeNull();
    expect(listSeenByGit(outside, outside, env)).toBeNull();
    expect(listSeenByGit(folder, outside, env)).toBeNull();
    expect(isIgnored(folder, 'a', { ...env, PATH: outside })).toBeNull();
  });
});
