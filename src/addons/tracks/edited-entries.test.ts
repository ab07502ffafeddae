// Tests that what a person changes in an entry's file stays as it was written, whatever is said of the entry later.
import { expect, test } from 'vitest';
import { compacted, entryFile, type Files, LOG, log, planned } from '../../../test/unit/tracks/workspace.ts';

const first = compacted({ [LOG]: log('- 2026-11-28T10:00:00Z Edit a: ok', '- [ ] Task: read') });
const path = entryFile(first, 'read');

/** The files once something more was said, at a full hour; once more nothing changes. */
function saidAt(files: Files, hour: number, ...lines: string[]): Files {
  const more = [`- 2026-11-28T${hour}:00:00Z Edit a: ok`, ...lines].join('\n');
  const after = compacted({ ...files, [LOG]: `${files[LOG]}${more}\n` });
  expect(planned(after).changes).toEqual([]);
  return after;
}
const bodyOf = (files: Files): string | undefined => files[path]?.split('\n---\n')[1];

test.each(['\n  words of mine\n', '\nWords.\n\n  - more\n', '  - an item\n    deeper\n'])(
  'words below an entry stay as they were written: %j',
  (words) => {
    let files: Files = { ...first, [path]: `${first[path]}${words}` };
    for (const [hour, box] of [
      [11, '~'],
      [12, '!'],
      [13, 'x'],
    ] as const) {
      files = saidAt(files, hour, `- [${box}] Task: read`);
      expect(bodyOf(files)).toBe(`\n- Task: read\n\n${words.replace(/^\n/, '')}`);
    }
  },
);
