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

test('a corrected text stays, and its entry is found by it, by its first words and by its id', () => {
  const correct = (files: Files, from: string, to: string): Files => ({
    ...files,
    [path]: (files[path] ?? '').replace(`Task: ${from}`, `Task: ${to}`),
  });
  const id = /T-[0-9a-f]{10}/.exec(first[path] ?? '')?.[0];
  let files = correct(first, 'read', 'read, corrected');
  const say = (hour: number, line: string): void => {
    files = saidAt(files, hour, line);
    expect(Object.keys(files)).toEqual(Object.keys(first));
  };
  say(11, '- [x] Task: read, corrected');
  expect(files[path]).toMatch(/status: done\n[\s\S]*\n- Task: read, corrected\n$/);
  say(12, '- [!] Task: read');
  expect(files[path]).toMatch(/status: blocked\n[\s\S]*\n- Task: read, corrected\n$/);
  say(13, `- [~] Task: [${id}] read`);
  expect(files[path]).toMatch(/status: doing\n[\s\S]*\n- Task: read, corrected\n$/);
  // A new text under its id is meant.
  say(14, `- [ ] Task: [${id}] read all`);
  expect(files[path]).toMatch(/status: todo\n[\s\S]*\n- Task: read all\n$/);
});

test('a text that is corrected once more after it was spoken of gives no second entry', () => {
  const once = { ...first, [path]: (first[path] ?? '').replace('Task: read', 'Task: write') };
  const spoken = saidAt(once, 11, '- [~] Task: write');
  const twice = { ...spoken, [path]: (spoken[path] ?? '').replace('Task: write', 'Task: write it') };
  const after = saidAt(twice, 12, '- [x] Task: write it');
  expect(Object.keys(after)).toEqual(Object.keys(first));
  expect(after[path]).toMatch(/status: done\n[\s\S]*\n- Task: write it\n$/);
});
