// Runs a hook in a worker thread, so that a test starts no process for each event.
import { createRequire } from 'node:module';
import { runAsWorker } from 'synckit';

const { runHook } = createRequire(import.meta.url)('../../.cache/hooks/run.cjs');

/** Higher than any process: as that of a hook that has ended, it is nobody's when the next one looks. */
let ended = 5_000_000;

runAsWorker(async ({ event, cwd, env, payload }) => {
  let stdout = '';
  Object.defineProperty(process, 'pid', { value: ended++, configurable: true });
  const began = performance.now();
  await runHook([event], env, {
    cwd: () => cwd,
    now: Date.now,
    elapsed: () => performance.now() - began,
    read: () => payload,
    print: (text) => {
      stdout += text;
    },
  });
  return stdout;
});
