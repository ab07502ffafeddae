// Entry of the hook bundle: what the host starts. The one clock and the one exit.
import { runHook } from './run.ts';

void runHook(process.argv.slice(2), process.env, { now: Date.now, elapsed: () => performance.now() }).finally(
  () => process.exit(0),
);
