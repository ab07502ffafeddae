// A git repository for tests: a folder with one commit on `main`, and nothing of this machine's settings.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from './temporary.ts';

export interface Repository {
  folder: string;
  env: Record<string, string>;
  /** Its output. @throws where git ends with another status than 0 */
  git(...args: string[]): string;
  write(name: string, text: string): void;
}

const IDENTITY = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'init.defaultBranch=main'];

/** A folder in which git is run; `git init` is up to the test. */
export function workFolder(): Repository {
  const folder = temporaryFolder();
  const env = { PATH: process.env.PATH ?? '', HOME: temporaryFolder(), GIT_CONFIG_NOSYSTEM: '1' };
  return {
    folder,
    env,
    git: (...args) => {
      const result = spawnSync('git', [...IDENTITY, ...args], { cwd: folder, env, encoding: 'utf8' });
      if (result.status !== 0) throw new Error(`${result.stderr}${result.stdout}`);
      return result.stdout.trim();
    },
    write: (name, text) => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    },
  };
}

export function repository(files: Record<string, string> = { 'a.txt': 'a' }): Repository {
  const made = workFolder();
  made.git('init');
  for (const [name, text] of Object.entries(files)) made.write(name, text);
  made.git('add', '.');
  made.git('commit', '--allow-empty', '-m', 'first');
  return made;
}
