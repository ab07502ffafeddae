// Each test begins without what another test of the same process has left on `globalThis`, and tries the same cases each time.
import fc from 'fast-check';
import { beforeEach } from 'vitest';
import { takeUnsafe } from '../../src/platform/unsafe-file.ts';
import { isLong } from './effort.ts';

// What fails in `npm run verify` shall come from the change: new cases are drawn in verify:long.
if (!isLong) fc.configureGlobal({ seed: 1 });

beforeEach(() => {
  takeUnsafe();
});
