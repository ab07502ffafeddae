// The entry of the plugin's hooks: like main.ts, but exits at once when the settings run the same hook.
import { processIo } from '../platform/stdio.ts';
import { believedEnv } from '../store/believed-env.ts';
import { runHook } from './run.ts';
import { yieldsToSettings } from './yield.ts';

const argv = process.argv.slice(2);
const cwd = processIo.cwd();
if (cwd !== undefined && yieldsToSettings(argv[0] ?? '', cwd, believedEnv(process.env, cwd))) process.exit(0);
void runHook(argv, process.env, processIo).finally(() => process.exit(0));
