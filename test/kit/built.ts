// Makes the build that tests need, unless `npm run verify` has made it.
import { ensureBuilt } from './plimsoll.ts';

export function setup(): void {
  ensureBuilt();
}
