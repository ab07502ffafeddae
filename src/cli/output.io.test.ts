// Tests that output holds nothing that a terminal obeys, and that JSON stays the same data.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PlimsollError } from '../text/plimsoll-error.ts';
import { escapeControls, type Output, reportError } from './output.io.ts';

// [what is written, what is seen]
test.each([
  ['plain text, ä 🙂 מה\n\tand a line', 'plain text, ä 🙂 מה\n\tand a line'],
  ['\u001b[31mred', '\\u001b[31mred'],
  ['a\u009b2J\u007f\u0000', 'a\\u009b2J\\u007f\\u0000'],
  ['name\u202egpj.exe', 'name\\u202egpj.exe'],
  ['kept\r\nhidden\rshown', 'kept\r\nhidden\\u000dshown'],
])('%j is seen as %j', (text, expected) => {
  expect(escapeControls(text)).toBe(expected);
});

test('JSON stays the same data, with nothing in it that a terminal obeys', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'\\"u0\u001b\u0085\u009b\u202e\u2066\r\n😀') }),
      (text) => {
        const written = escapeControls(JSON.stringify({ text }, null, 2));
        expect(JSON.parse(written)).toEqual({ text });
        expect(written).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      },
    ),
  );
});

const ofDisk = (code: string): Error => Object.assign(new Error(`${code}: open "/a"`), { code });
const [PERMISSIONS, SPACE] = [/^check the permissions/, /^free space/];

// [what was thrown, the exit code, the code and the next step that JSON has]
test.each<[unknown, number, string, string | RegExp]>([
  [new PlimsollError('not-found', 'No track "a"', { hint: 'track list' }), 1, 'not-found', 'track list'],
  [new PlimsollError('usage', 'Two formats', { hint: 'give one' }), 2, 'usage', 'give one'],
  [new PlimsollError('git-refused', 'No repository', { hint: 'git init' }), 2, 'git-refused', 'git init'],
  [ofDisk('EACCES'), 1, 'EACCES', PERMISSIONS],
  [ofDisk('EROFS'), 1, 'EROFS', PERMISSIONS],
  [ofDisk('ENOSPC'), 1, 'ENOSPC', SPACE],
  [ofDisk('EDQUOT'), 1, 'EDQUOT', SPACE],
  [ofDisk('EFBIG'), 1, 'EFBIG', SPACE],
  [ofDisk('ENOTDIR'), 1, 'ENOTDIR', 'check the path and its permissions'],
  [new TypeError('x is undefined'), 1, 'internal', 'this is a fault of plimsoll, please report it'],
])('%s ends a command with %i', (error, exit, code, next) => {
  const said: string[] = [];
  const output: Output = {
    print: (text) => said.push(text),
    warn: (text) => said.push(text),
    isInteractive: () => false,
  };
  expect(reportError(error, output, true)).toBe(exit);
  const step = typeof next === 'string' ? next : expect.stringMatching(next);
  expect(JSON.parse(said[0] ?? '').error).toEqual({ code, message: (error as Error).message, next: step });
  said.length = 0;
  expect(reportError(error, output, false)).toBe(exit);
  const [first, second] = (said[0] ?? '').split('\n  Next: ');
  if (code === 'internal') expect(first).toContain('This is a fault of plimsoll');
  else expect(second).toEqual(step);
});

test('JSON holds what a command found beside its error', () => {
  const said: string[] = [];
  const output: Output = {
    print: (text) => said.push(text),
    warn: () => undefined,
    isInteractive: () => false,
  };
  reportError(new PlimsollError('invalid', 'bad', { hint: 'mend it', found: { file: '/a' } }), output, true);
  expect(JSON.parse(said[0] ?? '')).toEqual({
    file: '/a',
    error: { code: 'invalid', message: 'bad', next: 'mend it' },
  });
});

test('an error of the disk is said with its path, once', () => {
  const said: string[] = [];
  const output: Output = {
    print: () => undefined,
    warn: (text) => said.push(text),
    isInteractive: () => false,
  };
  const write = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  reportError(Object.assign(write, { path: '/a/notes' }), output, false);
  const open = Object.assign(new Error("EACCES: permission denied, open '/b'"), {
    code: 'EACCES',
    path: '/b',
  });
  reportError(open, output, false);
  expect(said[0]).toMatch(/^ENOSPC: no space left on device, write "\/a\/notes"\n {2}Next: free space/);
  expect(said[1]).toMatch(/^EACCES: permission denied, open '\/b'\n {2}Next: check the permissions/);
});

test('where stdout takes no JSON, the words stand on stderr', () => {
  const said: string[] = [];
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const output: Output = {
    print: () => {
      throw full;
    },
    warn: (text) => said.push(text),
    isInteractive: () => false,
  };
  expect(reportError(full, output, true)).toBe(1);
  expect(said).toEqual([expect.stringMatching(/^ENOSPC: .*\n {2}Next: free space/)]);
});
