// Entry of the status line's own bundle, which the client starts after every answer; ends the process when it is done.
import { runStatusLine } from './statusline-run.ts';

const after = (name: string): string | undefined => {
  const at = process.argv.indexOf(name, 2);
  return at < 0 ? undefined : process.argv[at + 1];
};

void runStatusLine({ wrap: after('--wrap'), ca: after('--ca') }, { env: process.env, now: Date.now }).finally(
  () => process.exit(0),
);
