// Finds and runs programs of the person's desktop: a browser that draws a page, and what opens a file.

import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { isExecutable } from './look.ts';
import type { Env } from './project/paths.ts';

/** The first of some programs that lies on the PATH, or null. */
export function findOnPath(names: readonly string[], env: Env): string | null {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const name of names)
    for (const folder of folders) {
      const path = join(folder, process.platform === 'win32' ? `${name}.exe` : name);
      if (isExecutable(path)) return path;
    }
  return null;
}

/** Runs a program to its end and returns what it printed; null where it failed or took too long, and was ended. */
export function runProgram(
  path: string,
  args: readonly string[],
  { env, ms }: { env: Env; ms: number },
): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(path, args, {
      env: env as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: ms,
      killSignal: 'SIGKILL',
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.on('error', () => resolve(null));
    child.on('close', (code) => resolve(code === 0 ? said : null));
  });
}

/** What opens a file or an address on this system; null where there is none. */
function findOpener(env: Env): { path: string; args: string[] } | null {
  if (process.platform === 'win32') return { path: 'explorer.exe', args: [] };
  const path = findOnPath(process.platform === 'darwin' ? ['open'] : ['xdg-open', 'gio'], env);
  return path === null ? null : { path, args: path.endsWith('gio') ? ['open'] : [] };
}

/** Opens a file or an address with the program that the system has for it, and does not wait; false where there is none. */
export function openWithSystem(target: string, env: Env): boolean {
  const opener = findOpener(env);
  if (opener === null) return false;
  spawn(opener.path, [...opener.args, target], {
    env: env as NodeJS.ProcessEnv,
    stdio: 'ignore',
    detached: true,
  })
    .on('error', () => {})
    .unref();
  return true;
}
