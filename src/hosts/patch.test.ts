import { expect, test } from 'vitest';
import { findPatchTarget, listFilesInPatch, readPatchCalls } from './patch.ts';

const PATCH = `*** Begin Patch
*** Delete File: old.ts
*** Update File: src/a.ts
@@ function a() {
 one
-two
+three
@@
-x
+y
*** Add File: it's new.ts
+first
+
+last
*** Update File: b.ts
*** Move to: c.ts
@@
-b
+c
*** End Patch
`;

test('a patch is a call for each change of a file', () => {
  expect(readPatchCalls(PATCH)).toEqual([
    { tool: 'Bash', input: { command: "rm -- 'old.ts'" } },
    {
      tool: 'MultiEdit',
      input: {
        file_path: 'src/a.ts',
        edits: [
          { old_string: 'one\ntwo', new_string: 'one\nthree' },
          { old_string: 'x', new_string: 'y' },
        ],
      },
    },
    { tool: 'Write', input: { file_path: "it's new.ts", content: 'first\n\nlast\n' } },
    { tool: 'Bash', input: { command: "rm -- 'b.ts'" } },
    { tool: 'Write', input: { file_path: 'c.ts', content: null } },
  ]);
});

test('a patch names the files that it writes, and the first that stays', () => {
  expect(listFilesInPatch(PATCH)).toEqual(['old.ts', 'src/a.ts', "it's new.ts", 'b.ts', 'c.ts']);
  expect(findPatchTarget(PATCH)).toEqual({ path: 'src/a.ts', isWhole: false });
  expect(findPatchTarget('*** Delete File: a')).toBeNull();
});

test.each(['', 'no patch', '*** Begin Patch\n*** End Patch'])('%j changes no file', (text) => {
  expect(readPatchCalls(text)).toEqual([]);
  expect(listFilesInPatch(text)).toEqual([]);
});
