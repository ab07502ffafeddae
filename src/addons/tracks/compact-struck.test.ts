// Tests that an entry that somebody deleted from a block stays out until it is said anew.
import { expect, test } from 'vitest';
import {
  compacted,
  DECISIONS,
  type Files,
  INVARIANTS,
  LOG,
  log,
  PLAN,
  planned,
  RISKS,
} from '../../../test/unit/tracks/workspace.ts';

const LATEST = 'artifacts/checkpoints/cache/latest.json';
const SAID = log(
  '- 2026-11-28T10:00:00Z Edit src/a.ts: ok',
  '- [ ] Task: One',
  '- [ ] Task: Two',
  '- Risk: Full',
  '  - Severity: low',
  '- Invariant: Never block',
  '- Decision: One file',
  '  - Reason: r',
  '  - Impact: i',
);

/** A text without an entry, its fields and its evidence. */
const without = (text: string | undefined, words: string): string =>
  (text ?? '').replace(new RegExp(`- [^\\n]*${words}\\n(?:  .*\\n)*`), '');

function struck(): Files {
  const files = compacted({ [LOG]: SAID });
  return {
    ...files,
    [PLAN]: without(files[PLAN], 'Two'),
    [RISKS]: without(files[RISKS], 'Full'),
    [INVARIANTS]: without(files[INVARIANTS], 'Never block'),
  };
}

test('stays out, however often and by whichever clone it is compacted', () => {
  const files = struck();
  expect(files[PLAN]).not.toContain('Two');
  const again = compacted(compacted(files));
  for (const path of [PLAN, RISKS, INVARIANTS]) expect(again[path]).toBe(files[path]);
  const { [LOG]: _, ...clone } = files;
  expect(compacted({ ...compacted(clone), [LOG]: SAID })[PLAN]).toBe(files[PLAN]);
});

test('comes back when it is said anew', () => {
  const files = compacted(struck());
  const more = `${SAID}- 2026-11-28T11:00:00Z Edit src/a.ts: ok\n- [x] Task: Two\n- Invariant: Never block\n`;
  const again = compacted({ ...files, [LOG]: more });
  expect(again[PLAN]).toMatch(/\[x\] Task: \[T-\d+\] Two/);
  expect(again[INVARIANTS]).toContain('Never block');
});

test('nothing counts as struck where the block, or what the last compaction left, is gone', () => {
  const files = struck();
  expect(compacted({ ...files, [PLAN]: '# Plan\n' })[PLAN]).toMatch(/One[\s\S]*Two/);
  const { [LATEST]: _, ...rest } = files;
  expect(compacted(rest)[PLAN]).toContain('Two');
});

test('a decision is never struck: what is appended stays', () => {
  const files = compacted({ [LOG]: SAID });
  const again = compacted({ ...files, [DECISIONS]: without(files[DECISIONS], 'One file') });
  expect(again[DECISIONS]).toContain('One file');
});

test('what a newer version left is left alone', () => {
  const files = compacted({ [LOG]: SAID });
  const newer = (files[LATEST] ?? '').replace('"schema_version":"1.', '"schema_version":"2.');
  expect(() => planned({ ...files, [LATEST]: newer })).toThrow(/^Written by a newer version/);
});
