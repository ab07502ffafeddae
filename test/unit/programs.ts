// Runs small programs over the real store in several processes that meet over one file; each is bundled once.
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary.ts';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));

/**
 * Bundles a program; its imports are relative to `src`, its arguments stand in `process.argv.slice(2)`.
 * @returns path of the bundle, gone when the test is over
 */
export function program(source: string): string {
  const path = join(temporaryFolder(), 'program.cjs');
  buildSync({
    stdin: { contents: source, resolveDir: SRC, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    outfile: path,
    logLevel: 'error',
  });
  return path;
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  pid: number;
  ended: Promise<Ended>;
}

/** Starts a bundle in an environment built from nothing; it is killed when the test is over at the latest. */
export function start(path: string, args: readonly string[], env: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, [path, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, pid: child.pid ?? -1, ended };
}

const READY = 'ready\n';

/** Runs a bundle several times at once: when all of them are ready, they go on at the same moment. */
export async function together(path: string, count: number, args: readonly string[]): Promise<Ended[]> {
  const go = join(temporaryFolder(), 'go');
  const all = Array.from({ length: count }, () => start(path, [go, ...args]));
  const ready = all.map(({ child }) => new Promise((resolve) => child.stdout?.once('data', resolve)));
  await Promise.all(ready.map((each, index) => Promise.race([each, all[index]?.ended])));
  writeFileSync(go, '');
  const ended = await Promise.all(all.map((each) => each.ended));
  const failed = ended.find((each) => each.code !== 0);
  if (failed) throw new Error(`A program failed: ${failed.stderr}`);
  return ended.map((each) => ({ ...each, stdout: each.stdout.slice(READY.length) }));
}

/** The beginning of a program for `together`: everything after it happens at the same moment. */
export const AT_THE_MOMENT = `
const [go, ...args] = process.argv.slice(2);
console.log('ready');
while (!require('node:fs').existsSync(go)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
`;

/** The id of a process that has ended. */
export async function deadPid(): Promise<number> {
  const { pid, ended } = start('-e', ['0']);
  await ended;
  return pid;
}
