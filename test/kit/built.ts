// Is there a build to test? `npm run verify` makes one; a run of the tests alone makes it here.
import { ensureBuilt } from './plimsoll.ts';

export function setup(): void {
  ensureBuilt();
}
