// Starts a hook of the plugin: like main.ts, but stays silent when the settings run the same hook.
import { bundleLoader } from '../platform/load-bundle.ts';

const argv = process.argv.slice(2);
try {
  const load = bundleLoader(__dirname, argv[0] ?? '');
  const { processIo, runHook, yieldsToSettings } = load('./fast.cjs') as typeof import('./fast.ts');
  void runHook(argv, process.env, processIo, yieldsToSettings).finally(() => process.exit(0));
} catch {
  process.exit(0); // a bundle is torn: `plimsoll doctor` says so
}
