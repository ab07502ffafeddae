#!/usr/bin/env node
// The executable: loads the command line and runs it once with the streams, folder and environment of this process.
import { createBundleLoader } from '../platform/load-bundle.ts';
import { printAll } from '../platform/stdio.ts';
import type { CliIo } from './run.io.ts';

export { run, runAsExecutable };

let commands: typeof import('./run.io.ts') | undefined;

/** Runs one call of the command line. All commands share what V8 compiled: what a person types names no file. */
function run(argv: readonly string[], io: CliIo): Promise<number> {
  commands ??= createBundleLoader(__dirname, '')('./commands.cjs') as typeof import('./run.io.ts');
  return commands.run(argv, { ...io, dist: __dirname });
}

function print(text: string, stream: 1 | 2): void {
  try {
    printAll(text, stream);
  } catch (error) {
    // A reader that closes the pipe early, as `head` does, is no error; what stderr does not take nobody reads.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') process.exit();
    if (stream === 1) throw Object.assign(error as Error, { path: 'stdout' });
  }
}

function runAsExecutable(): void {
  void run(process.argv.slice(2), {
    cwd: () => process.cwd(),
    env: process.env,
    now: Date.now,
    stdout: (text) => print(text, 1),
    stderr: (text) => print(text, 2),
    // Asked by few commands: opening the streams of the process takes milliseconds.
    isInteractive: () => process.stdin.isTTY === true && process.stdout.isTTY === true,
  }).then((code) => {
    process.exitCode = code;
  });
}

if (require.main === module) runAsExecutable();
