#!/usr/bin/env node
// The executable: loads the command line and runs it once with the streams, folder and environment of this process.
import { bundleLoader } from '../platform/load-bundle.ts';
import type { CliIo } from './run.ts';

export { run, runAsExecutable };

let commands: typeof import('./run.ts') | undefined;

/** Runs one call of the command line; each command keeps the code that V8 compiled for it. */
function run(argv: readonly string[], io: CliIo): Promise<number> {
  const name = argv.filter((word) => /^[a-z]+$/.test(word)).slice(0, 2);
  commands ??= bundleLoader(__dirname, name.join('-'))('./commands.cjs') as typeof import('./run.ts');
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
