// Starts the status line, as the client does after every answer; ends the process when it is printed.
import { createBundleLoader } from '../platform/load-bundle.ts';

const after = (name: string): string | undefined => {
  const at = process.argv.indexOf(name, 2);
  return at < 0 ? undefined : process.argv[at + 1];
};

try {
  const { runStatusLine } = createBundleLoader(
    __dirname,
    '',
  )('./line.cjs') as typeof import('./statusline.io.ts');
  void runStatusLine(
    { wrap: after('--wrap'), ca: after('--ca'), nodeOptions: after('--options') },
    { env: process.env, now: Date.now },
  ).finally(() => process.exit(0));
} catch {
  process.exit(0); // a bundle is torn: `plimsoll doctor` says so
}
