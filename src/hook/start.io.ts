// Starts a hook in a process of its own: reads the payload, loads the bundles, and ends with 0 whatever happens.
import { findStdinTime, runKind } from '../hosts/claude-code/rare-events.ts';
import { createBundleLoader } from '../platform/load-bundle.ts';
import { processIo } from '../platform/stdio.ts';

type Fast = typeof import('./run.io.ts');

/**
 * @param isHandled tells whether somebody else does the work of this hook; by default nobody does
 * @param goOn what else the process does, once its own work is done
 */
export function startHook(
  isHandled: (fast: Fast) => Fast['isHandledBySettings'] = () => () => false,
  goOn?: (fast: Fast, payload: unknown) => Promise<void>,
): void {
  try {
    const argv = process.argv.slice(2);
    const payload = processIo.read(findStdinTime(argv[0] ?? ''));
    const load = createBundleLoader(__dirname, runKind(argv[0] ?? '', payload));
    const fast = load('./fast.cjs') as Fast;
    const io = { ...processIo, read: () => payload };
    void fast
      .runHook(argv, process.env, io, isHandled(fast))
      .then(() => goOn?.(fast, payload))
      .finally(() => process.exit(0));
  } catch {
    process.exit(0); // a bundle is torn: `plimsoll doctor` says so
  }
}
