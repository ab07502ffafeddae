import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  findLineProgram,
  isAnyOfOurs,
  isOurLine,
  parseStatusLine,
  parseWrapped,
  statusLineCommand,
} from './statusline.ts';

const given = {
  bundle: "/data/it's here/plimsoll/current/statusline.cjs",
  node: '/usr/bin/node',
  windows: false,
  isShared: false,
};

describe('statusLineCommand() and wrappedIn()', () => {
  test('give back every command that was wrapped, whatever its quotes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.boolean(), fc.boolean(), (command, isOwn, isShared) => {
        const wrapped = { command, isOwn };
        const text = statusLineCommand({ ...given, isShared, wrapped });
        expect(parseWrapped(text)).toEqual(wrapped);
        expect(isOurLine(text)).toBe(true);
        expect(findLineProgram(text)).toBe(isShared ? null : given.bundle);
      }),
    );
  });

  test.each([
    `echo 'a; was='b'; f='`,
    `sh -c "printf '%s' \\"$HOME\\""`,
    'printf "a\nb"; # from=\'x\';',
    `'`,
    `'\\''`,
    '',
  ])('keeps %j', (command) => {
    const wrapped = { command, isOwn: true };
    expect(parseWrapped(statusLineCommand({ ...given, wrapped }))).toEqual(wrapped);
  });

  test('nothing is wrapped where nothing was there', () => {
    const text = statusLineCommand({ ...given, wrapped: null });
    expect(parseWrapped(text)).toBeNull();
    expect(isOurLine(text)).toBe(true);
    expect(text).toContain('|| exit 0; NODE_EXTRA_CA_CERTS= NODE_OPTIONS= exec "$n" "$f"');
  });

  test("settings of a team carry nobody's own paths", () => {
    const text = statusLineCommand({ ...given, isShared: true, wrapped: null });
    expect(text).toContain('${XDG_DATA_HOME:-$HOME/.local/share}/plimsoll/current/statusline.cjs');
    expect(text).not.toMatch(/\/data|\/usr\/bin/);
  });

  test('on Windows node is started as it is', () => {
    const windows = {
      ...given,
      bundle: 'C:\\d\\plimsoll\\current\\statusline.cjs',
      node: 'C:\\n o\\node.exe',
      windows: true,
    };
    expect(statusLineCommand({ ...windows, wrapped: null })).toBe(
      '"C:\\n o\\node.exe" "C:\\d\\plimsoll\\current\\statusline.cjs"',
    );
    expect(isOurLine(statusLineCommand({ ...windows, wrapped: null }))).toBe(true);
    expect(findLineProgram(statusLineCommand({ ...windows, wrapped: null }))).toBe(windows.bundle);
  });
});

test.each([
  ['plimsoll statusline', true],
  ["plimsoll statusline --wrap 'x'", true],
  ['/opt/bin/plimsoll statusline', true],
  ['npx plimsoll statusline', true],
  ['plimsoll status', false],
  ['my-plimsoll-line.sh', false],
  ['ccstatusline', false],
])('of %j it says whether it is ours: %s', (command, expected) => {
  expect(isAnyOfOurs(command)).toBe(expected);
  expect(isOurLine(command)).toBe(false);
});

test.each<[unknown, boolean]>([
  [{ type: 'command', command: 'x', padding: 2 }, true],
  [{ command: 'x' }, true],
  [{ type: 'command', command: ' ' }, false],
  [{ type: 'command' }, false],
  [null, false],
  ['x', false],
  [[], false],
])('%j is a status line: %s', (value, expected) => {
  expect(parseStatusLine(value) !== null).toBe(expected);
});

test.each([
  ['node /a/plimsoll/current/statusline.cjs', '/a/plimsoll/current/statusline.cjs'],
  ['node "/a b/plimsoll/current/statusline.cjs" --wrap x', '/a b/plimsoll/current/statusline.cjs'],
  ["'/n' '/a b/plimsoll/current/statusline.cjs'", '/a b/plimsoll/current/statusline.cjs'],
  ['node "$HOME/plimsoll/current/statusline.cjs"', null],
  ['plimsoll statusline', null],
])('a line that was written by hand, %j, starts %j', (command, program) => {
  expect(findLineProgram(command)).toBe(program);
});
