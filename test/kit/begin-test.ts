// Each test begins without what another test of the same process has left on `globalThis`.
import { beforeEach } from 'vitest';
import { takeUnsafe } from '../../src/platform/unsafe-file.ts';

beforeEach(() => {
  takeUnsafe();
});
