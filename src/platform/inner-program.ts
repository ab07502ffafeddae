// Runs another program on the same input in bounded time, returns its output, and leaves nothing of it running.
import type { Env } from './project/paths.ts';

/** The most bytes of output; no terminal shows more. */
const MOST_BYTES = 64 * 1024;
const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;

/**
 * Starts a shell command and gives it the input. Returns its output once it has ended, its time is over, or it could
 * not be started; its exit code and stderr are ignored.
 *
 * It has its own process group, so that everything it started ends with it when its time is over or we are ended.
 */
export function runWrapped(command: string, given: { input: Buffer; env: Env; ms: number }): Promise<string> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const isWindows = process.platform === 'win32';
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const end = (): void => {
      try {
        if (child.pid !== undefined) process.kill(isWindows ? child.pid : -child.pid, 'SIGKILL');
      } catch {
        // it is gone already
      }
    };
    // The client ends a status line command that it no longer waits for; we then end the program too.
    const onSignal = (signal: NodeJS.Signals): void => {
      end();
      for (const each of SIGNALS) process.off(each, onSignal);
      process.kill(process.pid, signal);
    };
    // Before it starts: a signal that came in between would leave it running.
    for (const each of SIGNALS) process.on(each, onSignal);
    const child = spawn(command, {
      shell: true,
      env: given.env as NodeJS.ProcessEnv,
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: !isWindows,
      windowsHide: true,
    });
    const finish = (): void => {
      clearTimeout(timer);
      for (const each of SIGNALS) process.off(each, onSignal);
      resolve(Buffer.concat(chunks).subarray(0, MOST_BYTES).toString('utf8'));
    };
    const stop = (): void => {
      end();
      finish();
    };
    const timer = setTimeout(stop, given.ms);
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size >= MOST_BYTES) stop();
    });
    child.on('error', finish);
    child.on('close', finish);
    // A process it left running on purpose may hold the output open and continues; its own output is complete by then.
    child.on('exit', () => setTimeout(finish, 50));
    // A program that ended without reading its input causes this error.
    child.stdin.on('error', () => {});
    child.stdin.end(given.input);
  });
}
