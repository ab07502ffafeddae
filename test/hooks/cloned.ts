// A project as somebody else wrote it, and a person who clones it: the environment is theirs, and no hook was there before.
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { listProjectPaths, type ProjectPaths } from '../../src/platform/project/paths.ts';
import { type Host, newHost, userState } from './host.ts';

export function git(host: Host, cwd: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'init.defaultBranch=main'];
  const env = { PATH: host.env.PATH, HOME: host.env.HOME, GIT_CONFIG_NOSYSTEM: '1' };
  const result = spawnSync('git', [...identity, ...args], { cwd, env, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(result.stderr);
  return result.stdout;
}

/** Commits all that lies in a project, whatever it ignores. */
export function publish(host: Host): void {
  rmSync(path.join(host.project, '.git'), { recursive: true });
  git(host, host.project, 'init', '--quiet');
  git(host, host.project, 'add', '--all', '--force');
  git(host, host.project, 'commit', '--quiet', '--message', 'all');
}

/** Forgets that a hook was ever in any project of a person. */
export const forget = (host: Host): void => rmSync(path.join(userState(host), 'roots'), { recursive: true });

/** A person with a clone of a published project. */
export function cloneOf(published: Host, files: Record<string, string> = {}): Host {
  const host = newHost({ files });
  rmSync(host.project, { recursive: true });
  git(host, host.root, 'clone', '--quiet', published.project, host.project);
  forget(host);
  return host;
}

/** Ships the state of a project as it might be believed: beside the settings, and in a folder that is named like ours. */
export function ship(host: Host): void {
  const state = host.state();
  for (const name of readdirSync(state)) {
    if (name === '.gitignore') continue;
    cpSync(path.join(state, name), host.shared(name), { recursive: true });
    cpSync(path.join(state, name), host.shared('state-0123456789abcdef01234567', name), { recursive: true });
  }
  rmSync(path.join(state, '.gitignore'), { force: true });
}

/** Where the state of a host's project lies by now. */
export const pathsOf = (host: Host, root: string | null = host.project): ProjectPaths =>
  listProjectPaths(root, host.env);
