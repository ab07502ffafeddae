// The entry of the hook bundle that the host starts: provides the clock and exits the process.
import { processIo } from '../platform/stdio.ts';
import { runHook } from './run.ts';

void runHook(process.argv.slice(2), process.env, processIo).finally(() => process.exit(0));
