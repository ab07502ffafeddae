#!/usr/bin/env node
// The executable: loads the command line and runs it once with the streams, folder and environment of this process.
import { bundleLoader } from '../platform/load-bundle.ts';
import type { CliIo } from './run.io.ts';

export { run, runAsExecutable };

let commands: typeof import('./run.io.ts') | undefined;

/** Runs one call of the command line. All commands share what V8 compiled: what a person types names no file. */
function run(argv: readonly string[], io: CliIo): Promise<number> {
  commands ??= bundleLoader(__dirname, '')('./commands.cjs') as typeof import('./run.io.ts');
  return commands.run(argv, { ...io, dist: __dirname });
}

function runAsExecutable(): void {
  // A reader that closes the pipe early, as `head` does, is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  void run(process.argv.slice(2), {
    cwd: () => process.cwd(),
    env: process.env,
    now: Date.now,
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    isInteractive: process.stdin.isTTY === true && process.stdout.isTTY === true,
  }).then((code) => {
    process.exitCode = code;
  });
}

if (require.main === module) runAsExecutable();
