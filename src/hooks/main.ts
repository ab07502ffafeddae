// The entry of the hook bundle that the host starts: provides the clock and exits the process.
import { runHook } from './run.ts';

void runHook(process.argv.slice(2), process.env, {
  now: Date.now,
  elapsed: () => process.uptime() * 1000,
}).finally(() => process.exit(0));
