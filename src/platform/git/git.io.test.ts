import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Repository as Made, repository } from '../../../test/unit/repository.ts';
import { temporaryFolder } from '../../../test/unit/temporary.ts';
import { type GitAnswer, runGit } from './git.io.ts';

const run = ({ folder, env }: Pick<Made, 'folder' | 'env'>, ...args: string[]): GitAnswer =>
  runGit({ top: folder, folder: join(folder, '.git'), common: join(folder, '.git') }, args, {
    env,
    timeoutMs: 20_000,
    mostBytes: 1024 * 1024,
  });

const text = (answer: GitAnswer): string =>
  answer.kind === 'ended' ? answer.stdout.toString('utf8') : `failed: ${answer.why}`;

/** What a command that is run leaves behind. */
function trap(): { mark: string; command: string } {
  const mark = join(temporaryFolder(), 'ran');
  return { mark, command: `touch ${mark}; cat` };
}

describe('runGit() runs nothing of', () => {
  // [what, settings of the repository, its attributes]
  const SETTINGS: [string, (command: string) => [string, string][], string][] = [
    ['a file system monitor', (command) => [['core.fsmonitor', `sh -c '${command}'`]], ''],
    [
      'a filter',
      (command) => [
        ['filter.a=b.clean', command],
        ['filter.a=b.process', command],
        ['filter.a=b.required', 'true'],
      ],
      '* filter=a=b\n',
    ],
    ['an external diff', (command) => [['diff.external', `sh -c '${command}'`]], ''],
    ['a diff driver', (command) => [['diff.evil.command', `sh -c '${command}'`]], '* diff=evil\n'],
    ['a conversion to text', (command) => [['diff.evil.textconv', `sh -c '${command}'`]], '* diff=evil\n'],
    ['a pager', (command) => [['core.pager', command]], ''],
    ['a pager of one command', (command) => [['pager.diff', command]], ''],
  ];
  test.each(SETTINGS)('%s', (_, settings, attributes) => {
    const made = repository({ 'a.txt': 'one\n' });
    const { mark, command } = trap();
    for (const [key, value] of settings(command)) made.git('config', key, value);
    writeFileSync(join(made.folder, '.git', 'info', 'attributes'), attributes);
    made.write('a.txt', 'two\n');
    expect(text(run(made, 'status', '--porcelain', '-z'))).toBe(' M a.txt\0');
    expect(text(run(made, 'diff', 'HEAD'))).toContain('+two');
    expect(text(run(made, 'cat-file', 'blob', 'HEAD:a.txt'))).toBe('one\n');
    expect(existsSync(mark)).toBe(false);
  });

  test.each([
    [
      'an included file',
      (made: Made, rows: string) => {
        made.write('.git/more', rows);
        made.git('config', 'include.path', 'more');
      },
    ],
    [
      "the person's settings",
      (made: Made, rows: string) => writeFileSync(join(made.env.HOME ?? '', '.gitconfig'), rows),
    ],
    [
      'the settings of a worktree',
      (made: Made, rows: string) => {
        made.git('config', 'extensions.worktreeConfig', 'true');
        made.write('.git/config.worktree', rows);
      },
    ],
  ])('a filter in %s', (_, put) => {
    const made = repository({ 'a.txt': 'one\n' });
    const { mark, command } = trap();
    put(made, `[FILTER "evil"]\n\tclean = ${command}\n`);
    writeFileSync(join(made.folder, '.git', 'info', 'attributes'), '* filter=evil\n');
    made.write('a.txt', 'two\n');
    expect(text(run(made, 'status', '--porcelain', '-z'))).toBe(' M a.txt\0');
    expect(existsSync(mark)).toBe(false);
  });

  test('a hook of the repository, which the change of an index would call', () => {
    const made = repository();
    const { mark, command } = trap();
    writeFileSync(join(made.folder, '.git', 'hooks', 'post-index-change'), `#!/bin/sh\n${command}\n`);
    chmodSync(join(made.folder, '.git', 'hooks', 'post-index-change'), 0o755);
    made.write('a.txt', 'a');
    expect(text(run(made, 'update-index', '--refresh'))).toBe('');
    expect(existsSync(mark)).toBe(false);
  });

  test('a transport, where objects are missing that a partial clone promised', () => {
    const made = repository();
    const { mark, command } = trap();
    made.git('config', 'extensions.partialClone', 'origin');
    made.git('config', 'remote.origin.promisor', 'true');
    made.git('config', 'remote.origin.url', `ext::sh -c '${command}'`);
    made.git('config', 'protocol.ext.allow', 'always');
    const id = made.git('rev-parse', 'HEAD:a.txt');
    rmSync(join(made.folder, '.git', 'objects', id.slice(0, 2)), { recursive: true });
    expect(run(made, 'cat-file', 'blob', id)).toMatchObject({ kind: 'ended', status: 128 });
    expect(existsSync(mark)).toBe(false);
  });

  test('a program of the project that is called git', () => {
    const made = repository();
    const { mark, command } = trap();
    made.write('bin/git', `#!/bin/sh\n${command}\n`);
    chmodSync(join(made.folder, 'bin', 'git'), 0o755);
    for (const own of [join(made.folder, 'bin'), 'bin', ''])
      expect(
        text(
          run(
            { folder: made.folder, env: { ...made.env, PATH: `${own}:${made.env.PATH}` } },
            'rev-parse',
            'HEAD',
          ),
        ),
      ).toBe(`${made.git('rev-parse', 'HEAD')}\n`);
    expect(existsSync(mark)).toBe(false);
  });

  test('what the environment names', () => {
    const made = repository();
    const other = repository({ 'b.txt': 'b' });
    const { mark, command } = trap();
    const hostile = {
      GIT_DIR: join(other.folder, '.git'),
      GIT_WORK_TREE: other.folder,
      GIT_EXTERNAL_DIFF: `sh -c '${command}'`,
      GIT_SSH_COMMAND: command,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: command,
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${command}'`,
      GIT_TRACE: mark,
    };
    made.write('a.txt', 'two');
    const env = { ...made.env, ...hostile };
    expect(text(run({ folder: made.folder, env }, 'diff', '--name-only', 'HEAD'))).toBe('a.txt\n');
    expect(existsSync(mark)).toBe(false);
  });
});

describe('runGit() takes no other repository', () => {
  test('than the one that it is given, where its .git is none', () => {
    const around = repository();
    const folder = join(around.folder, 'inner');
    mkdirSync(join(folder, '.git'), { recursive: true });
    expect(run({ folder, env: around.env }, 'rev-parse', 'HEAD')).toMatchObject({
      status: 128,
      stderr: `not a git repository: ${join(folder, '.git')}`,
    });
  });

  test('of a submodule, for what it could run', () => {
    const inner = repository({ 'x.txt': 'x' });
    const made = repository();
    made.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.folder, 'inner');
    made.git('commit', '--quiet', '-m', 'inner');
    const { mark, command } = trap();
    made.git('-C', 'inner', 'config', 'core.fsmonitor', `sh -c '${command}'`);
    made.git('config', 'submodule.inner.ignore', 'none');
    made.write('inner/x.txt', 'changed');
    expect(text(run(made, 'status', '--porcelain'))).toBe('');
    expect(text(run(made, 'diff', 'HEAD'))).toBe('');
    expect(existsSync(mark)).toBe(false);
  });
});

describe('runGit() is bounded', () => {
  /** A git that does what a test wants, in front of the real one. */
  const withGit = (made: Made, script: string): Pick<Made, 'folder' | 'env'> => {
    const bin = temporaryFolder();
    writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, 'git'), 0o755);
    return { folder: made.folder, env: { ...made.env, PATH: `${bin}:${made.env.PATH}` } };
  };
  const bounds = { timeoutMs: 300, mostBytes: 1000 };
  const of = ({ folder, env }: Pick<Made, 'folder' | 'env'>): GitAnswer =>
    runGit({ top: folder, folder: join(folder, '.git'), common: join(folder, '.git') }, ['rev-parse'], {
      env,
      ...bounds,
    });

  test('in time, in output, and where there is no git', () => {
    const made = repository();
    expect(of(withGit(made, 'exec sleep 20'))).toEqual({ kind: 'failed', why: 'it took more than 300 ms' });
    expect(of(withGit(made, 'exec head -c 5000 /dev/zero'))).toEqual({
      kind: 'failed',
      why: 'it said more than 1000 bytes',
    });
    expect(of({ folder: made.folder, env: { ...made.env, PATH: '/nowhere' } })).toEqual({
      kind: 'failed',
      why: 'it is not on PATH',
    });
  });
});
