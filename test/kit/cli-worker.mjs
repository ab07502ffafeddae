// Runs the built command line in a worker thread, so that a test starts no process for each call.
import { createRequire } from 'node:module';
import { runAsWorker } from 'synckit';

const { run } = createRequire(import.meta.url)('../../dist/cli.cjs');

runAsWorker(async ({ args, cwd, env }) => {
  const written = { stdout: '', stderr: '' };
  const code = await run(args, {
    cwd: () => cwd,
    env,
    now: Date.now,
    stdout: (text) => {
      written.stdout += text;
    },
    stderr: (text) => {
      written.stderr += text;
    },
    isInteractive: () => false,
  });
  return { code, ...written };
});
