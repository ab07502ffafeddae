import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/unit/temporary.ts';
import { gitFolder, readGit } from './git.ts';

const PATH = process.env.PATH ?? '';

/** A repository with one commit on `main`. */
function repository(): { folder: string; git: (...args: string[]) => string; env: Record<string, string> } {
  const folder = temporaryFolder();
  const env = { PATH, HOME: temporaryFolder(), GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: string[]): string => {
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'init.defaultBranch=main'];
    const result = spawnSync('git', [...identity, ...args], { cwd: folder, env, encoding: 'utf8' });
    if (result.status !== 0) throw new Error(result.stderr);
    return result.stdout.trim();
  };
  git('init');
  writeFileSync(join(folder, 'a.txt'), 'a');
  git('add', '.');
  git('commit', '-m', 'first');
  return { folder, git, env };
}

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
    expect(gitFolder(join(folder, 'w', 'src'))).toBe(join(folder, '.git', 'worktrees', 'w'));
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
