// Tests settings that are links out of the project: a person's links are followed, a repository's are not.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Host, newHost } from '../hooks/host.ts';
import { local, run } from './healthy.ts';

describe('a link out of the project', () => {
  const TEXT = '{\n  "model": "opus"\n}\n';
  const INIT = ['init', '--yes', '--client-version', '2.1.332'] as const;

  /** Makes the project a real repository, and gives what runs git in it. */
  function makeRepository(host: Host): (...args: string[]) => void {
    const git = (...args: string[]): void => {
      const by = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
      expect(spawnSync('git', [...by, ...args], { cwd: host.project, env: host.env }).status).toBe(0);
    };
    rmSync(path.join(host.project, '.git'), { recursive: true });
    git('init', '--quiet');
    return git;
  }

  /** Settings outside of a project in git, to which the file, or its whole folder, is linked. */
  function linked(what: 'file' | 'folder'): { host: Host; real: string; git: (...args: string[]) => void } {
    const host = newHost();
    const git = makeRepository(host);
    const folder = path.join(host.root, 'dotfiles');
    const real = path.join(folder, path.basename(local(host)));
    mkdirSync(folder);
    writeFileSync(real, TEXT);
    if (what === 'file') mkdirSync(path.dirname(local(host)));
    const [target, link] = what === 'file' ? [real, local(host)] : [folder, path.dirname(local(host))];
    symlinkSync(target, link);
    return { host, real, git };
  }

  test.each(['file', 'folder'] as const)(
    'that the user made is written through, and stays a link: a %s',
    (what) => {
      const { host, real } = linked(what);
      const { stdout } = run(host, ...INIT);
      expect(stdout).toContain(
        `Hooks to add to .claude/settings.local.json, a link to ${real} (Claude Code 2.1.332):`,
      );
      expect(lstatSync(what === 'file' ? local(host) : path.dirname(local(host))).isSymbolicLink()).toBe(
        true,
      );
      expect(JSON.parse(readFileSync(real, 'utf8'))).toHaveProperty('hooks.PreCompact');
      expect(run(host, ...INIT).stdout).toContain('Already installed');
      expect(run(host, 'uninstall', '--yes').code).toBe(0);
      expect(readFileSync(real, 'utf8')).toBe(TEXT);
    },
  );

  test('to nothing is followed as well: the file is made where it leads, and goes from there', () => {
    const { host, real } = linked('file');
    rmSync(real);
    expect(run(host, ...INIT).code).toBe(0);
    expect(lstatSync(local(host)).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(real, 'utf8'))).toHaveProperty('hooks.PreCompact');
    expect(run(host, 'uninstall', '--yes').code).toBe(0);
    expect(lstatSync(local(host)).isSymbolicLink()).toBe(true);
    expect(existsSync(real)).toBe(false);
  });

  test('to nothing over another link is followed to its end, and stays a link', () => {
    const { host, real } = linked('file');
    const last = path.join(path.dirname(real), 'last.json');
    rmSync(real);
    symlinkSync('last.json', real);
    expect(run(host, ...INIT).code).toBe(0);
    expect(lstatSync(real).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(last, 'utf8'))).toHaveProperty('hooks.PreCompact');
    expect(run(host, 'uninstall', '--yes').code).toBe(0);
    expect(lstatSync(real).isSymbolicLink()).toBe(true);
    expect(existsSync(last)).toBe(false);
  });

  test('to nothing behind a committed link of a folder is not followed', () => {
    const host = newHost();
    const git = makeRepository(host);
    const victim = path.join(host.root, 'victim');
    mkdirSync(victim);
    mkdirSync(path.dirname(local(host)), { recursive: true });
    symlinkSync('../victim', path.join(host.project, 'd'));
    symlinkSync('../d/settings.json', local(host));
    git('add', '--force', '.');
    const result = run(host, ...INIT);
    expect(result.stderr).toContain('A link leads out of the project');
    // Nor where the link of the file itself is the person's own.
    git('rm', '--quiet', '--cached', '.claude/settings.local.json');
    expect(run(host, ...INIT).stderr).toContain('A link leads out of the project');
    expect(existsSync(path.join(victim, 'settings.json'))).toBe(false);
  });

  test('to nothing is not followed where it is committed', () => {
    const { host, real, git } = linked('file');
    rmSync(real);
    git('add', '--force', '.');
    expect(run(host, ...INIT).stderr).toContain(
      `A link leads out of the project: ${local(host)} is "${real}"`,
    );
    expect(existsSync(real)).toBe(false);
  });

  test.each([
    ['file', 'that is committed', '.'],
    ['folder', 'that is committed', '.'],
    ['file', 'in a folder that is in no repository', null],
  ] as const)('is not followed as a %s %s', (what, _, added) => {
    const { host, real, git } = linked(what);
    if (added === null) rmSync(path.join(host.project, '.git'), { recursive: true });
    else git('add', '--force', '.');
    const result = run(host, ...INIT);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain(`A link leads out of the project: ${local(host)} is "${real}"`);
    expect(result.stderr).toContain('Next: put a file or folder of the project in place of the link');
    expect(readFileSync(real, 'utf8')).toBe(TEXT);
    expect(run(host, ...INIT, '--scope', 'user').code).toBe(0);
  });

  test('is not followed in a submodule, which is cloned with the project', () => {
    const { host, real, git } = linked('file');
    const other = path.join(host.root, 'other');
    const inner = (...args: string[]): void => git('-C', other, ...args);
    mkdirSync(other);
    inner('init', '--quiet');
    symlinkSync(real, path.join(other, path.basename(local(host))));
    inner('add', '.');
    inner('commit', '--quiet', '-m', 'one');
    rmSync(path.dirname(local(host)), { recursive: true });
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, '.claude');
    expect(run(host, ...INIT).stderr).toContain('A link leads out of the project');
    expect(readFileSync(real, 'utf8')).toBe(TEXT);
  });
});
