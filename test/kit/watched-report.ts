// Starts `plimsoll report --watch` as a person would, and ends it with the test.
import { type ChildProcess, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { CLI } from './plimsoll.ts';
import { until } from './wait.ts';

/** Starts it in a folder; gives its address. */
export async function watchReport(
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
  ...args: string[]
): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [CLI, 'report', '--watch', ...args], { cwd, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  const find = (): string | undefined => /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/$/m.exec(said)?.[0];
  return { url: await until(find, { what: 'the address of the report' }), child };
}
