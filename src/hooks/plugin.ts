// The entry of the plugin's hooks: like main.ts, but exits at once when the settings run the same hook.
import { believedEnv } from '../store/believed-env.ts';
import { runHook } from './run.ts';
import { yieldsToSettings } from './yield.ts';

const argv = process.argv.slice(2);
if (yieldsToSettings(argv[0] ?? '', process.cwd(), believedEnv(process.env))) process.exit(0);
void runHook(argv, process.env, {
  now: Date.now,
  elapsed: () => process.uptime() * 1000,
}).finally(() => process.exit(0));
