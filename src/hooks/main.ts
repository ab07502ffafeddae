// Starts a hook as the host does: `hook.cjs <EventName>`, host JSON on stdin. Whatever happens, the process ends with 0.
import { bundleLoader } from '../platform/load-bundle.ts';

const argv = process.argv.slice(2);
try {
  const load = bundleLoader(__dirname, argv[0] ?? '');
  const { processIo, runHook } = load('./fast.cjs') as typeof import('./fast.ts');
  void runHook(argv, process.env, processIo).finally(() => process.exit(0));
} catch {
  process.exit(0); // a bundle is torn: `plimsoll doctor` says so
}
