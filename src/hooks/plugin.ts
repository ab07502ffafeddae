// The entry of the plugin's hooks: like main.ts, but exits at once when the settings run the same hook.
import { processIo } from '../platform/stdio.ts';
import { runHook } from './run.ts';
import { yieldsToSettings } from './yield.ts';

void runHook(process.argv.slice(2), process.env, processIo, yieldsToSettings).finally(() => process.exit(0));
