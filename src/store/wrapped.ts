// What does another program say that is given the same input, in bounded time and with nothing of it left running?
import type { Env } from './paths.ts';

/** More than that no terminal shows. */
const MOST_BYTES = 64 * 1024;
const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;

/**
 * Starts a shell command and gives it the input. Its output so far comes back once it has ended or its time is over, at
 * once when it was silent or could not be started; its exit code and what it says on stderr are nobody's business.
 *
 * It has a process group of its own, so that all that it started ends with it: when its time is over, and when we are
 * ended.
 */
export function runWrapped(command: string, given: { input: Buffer; env: Env; ms: number }): Promise<string> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const isWindows = process.platform === 'win32';
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const child = spawn(command, {
      shell: true,
      env: given.env as NodeJS.ProcessEnv,
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: !isWindows,
      windowsHide: true,
    });
    const end = (): void => {
      try {
        if (child.pid !== undefined) process.kill(isWindows ? child.pid : -child.pid, 'SIGKILL');
      } catch {
        // it is gone already
      }
    };
    // The client ends a status line that it does not wait for any more; we leave nothing behind.
    const onSignal = (signal: NodeJS.Signals): void => {
      end();
      for (const each of SIGNALS) process.off(each, onSignal);
      process.kill(process.pid, signal);
    };
    for (const each of SIGNALS) process.on(each, onSignal);
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
    // What it left running on purpose may hold its output open, and goes on; what it said itself is there by then.
    child.on('exit', () => setTimeout(finish, 50));
    // One that reads nothing, and is gone.
    child.stdin.on('error', () => {});
    child.stdin.end(given.input);
  });
}
