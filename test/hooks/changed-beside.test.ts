// Tests that changes by a person or by git itself are not reported as changes made by commands.
import { renameSync, rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { pause } from '../../src/platform/process.ts';
import { asked, bash, type Call, git, put, ran, run, WARNED, working } from './behind.ts';
import type { Host } from './host.ts';

const MAKE = bash('make all');
const file = (host: Host, name: string): string => path.join(host.project, name);

describe('between two commands', () => {
  test.each<[string, (host: Host) => void]>([
    ['changes a guarded file', (host) => put(host, 'gen/a.js', 'by a person\n')],
    ['makes one', (host) => put(host, 'gen/b.js', 'by a person\n')],
    ['takes one away', (host) => rmSync(file(host, 'gen/a.js'))],
    ['changes what governs', (host) => put(host, '.claude/settings.json', '{}')],
  ])('somebody %s: that was no command', (_, change) => {
    const host = working();
    run(host, MAKE, () => put(host, 'out.txt', '1'));
    change(host);
    // The clock of files is coarser than that of a hook.
    pause(20);
    expect(run(host, MAKE)).toBe('');
    // What a command does to it later is told of all the same.
    expect(run(host, MAKE, () => put(host, 'gen/a.js', 'by a command\n'))).toMatch(WARNED);
  });

  test.each<Call>([
    ['Bash', { command: 'npm run watch', run_in_background: true }],
    ['Bash', { command: 'npm run watch & echo started' }],
    ['Bash', { command: 'nohup ./server' }],
    ['Agent', { prompt: 'x' }],
  ])('what %s %j has started may have done it, in later prompts too', (...call) => {
    const host = working();
    run(host, call);
    put(host, 'gen/a.js', '1\n');
    expect(run(host, MAKE)).toMatch(WARNED);
    const next = { prompt_id: 'p2' };
    asked(host, MAKE, next);
    ran(host, [MAKE], next);
    put(host, 'gen/a.js', 'and again\n');
    asked(host, MAKE, next);
    expect(ran(host, [MAKE], next)).toMatch(WARNED);
  });

  test('of commands that ran together the first may have done it', () => {
    const host = working();
    run(host, MAKE, () => put(host, 'out.txt', '1'));
    asked(host, bash('make a'));
    put(host, 'gen/a.js', 'changed\n');
    asked(host, bash('make b'));
    expect(ran(host, [bash('make a'), bash('make b')])).toMatch(WARNED);
  });
});

describe('git', () => {
  test.each<[string, string, (host: Host) => void]>([
    ['changed', 'reset --soft HEAD~1', (host) => put(host, 'gen/a.js', 'second\n')],
    ['changed', 'reset HEAD~1', (host) => put(host, 'gen/a.js', 'second\n')],
    ['removed', 'reset HEAD~1', (host) => rmSync(file(host, 'gen/a.js'))],
    ['new', 'reset HEAD~1', (host) => put(host, 'gen/b.js', 'second\n')],
    ['left alone', 'rm --quiet --cached gen/a.js', (host) => put(host, 'src/b.ts', 'second\n')],
  ])('lists a file anew that was %s long ago, after "git %s": nothing has changed', (_, command, change) => {
    const host = working();
    change(host);
    git(host, 'add', '.');
    git(host, 'commit', '--quiet', '-m', 'second');
    run(host, MAKE, () => put(host, 'out.txt', '1'));
    expect(run(host, bash(`git ${command}`), () => git(host, ...command.split(' ')))).toBe('');
  });

  test('lists a file that a command has moved there, however old it is', () => {
    const host = working();
    put(host, 'old.js', 'old\n');
    utimesSync(file(host, 'old.js'), 1, 1);
    run(host, MAKE, () => put(host, 'out.txt', '1'));
    expect(run(host, MAKE, () => renameSync(file(host, 'old.js'), file(host, 'gen/new.js')))).toMatch(
      /gen\/new\.js/,
    );
  });

  /** A branch that changes guarded files, and cannot be merged without a conflict elsewhere. */
  function parted(): Host {
    const host = working({ files: { 'c.txt': 'c\n' } });
    git(host, 'checkout', '--quiet', '-b', 'side');
    for (const name of ['gen/a.js', 'gen/b.js', 'c.txt']) put(host, name, 'side\n');
    git(host, 'add', '.');
    git(host, 'commit', '--quiet', '-m', 'side');
    git(host, 'checkout', '--quiet', '-');
    put(host, 'c.txt', 'main\n');
    git(host, 'commit', '--quiet', '-am', 'main');
    run(host, MAKE, () => put(host, 'out.txt', '1'));
    return host;
  }
  const conflicts =
    (host: Host, ...args: string[]) =>
    (): void =>
      expect(() => git(host, ...args)).toThrow();

  test.each([['merge side'], ['rebase side'], ['cherry-pick side']])(
    'stops in "git %s": what the other side brings was committed there',
    (command) => {
      const host = parted();
      const [name = '', branch = ''] = command.split(' ');
      expect(run(host, bash(`git ${command}`), conflicts(host, name, branch))).toBe('');
      const told = run(host, MAKE, () => {
        put(host, 'gen/b.js', 'by a command\n');
        put(host, 'gen/new.js', 'by a command\n');
      });
      expect(told).toMatch(/gen\/b\.js[\s\S]*gen\/new\.js/);
      expect(told).not.toContain('gen/a.js');
    },
  );

  test('merges without a commit: the same', () => {
    const host = parted();
    const merge = ['merge', '--quiet', '--no-commit', '--no-ff', '-X', 'ours', 'side'];
    expect(run(host, bash(`git ${merge.join(' ')}`), () => git(host, ...merge))).toBe('');
  });
});
