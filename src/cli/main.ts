// The executable: runs the command line once with the streams, folder and environment of this process.
import { run } from './run.ts';

export { run, runAsExecutable };

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
