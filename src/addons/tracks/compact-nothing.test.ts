// Tests that a compaction with nothing to take up writes no block, and no file but latest.json.
import { expect, test } from 'vitest';
import { changed, planned, SPEC } from '../../../test/unit/tracks/workspace.ts';

const LATEST = 'artifacts/checkpoints/cache/latest.json';

test('nothing is said: no block, no file but latest.json; and nothing the next time', () => {
  const plan = planned({ [SPEC]: '# Spec\n' });
  expect(plan.changes.map(({ path }) => path)).toEqual([LATEST]);
  expect(planned(changed({ [SPEC]: '# Spec\n' }, plan)).changes).toEqual([]);
});
