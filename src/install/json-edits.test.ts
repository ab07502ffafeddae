// Tests that what is put into a settings text can be taken out again, and that every other byte stays.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listRegistrations } from '../hosts/claude-code/install/hooks.ts';
import { removeValue, setValue } from './json-edits.ts';
import { findFault, readInstalled, withHooks, withoutHooks } from './settings-text.ts';

const OURS = listRegistrations({
  clientVersion: '2.1.332',
  bundle: '/data/plimsoll/current/hook.cjs',
  node: '/usr/bin/node',
  windows: false,
  isShared: false,
});
const HI = { type: 'command', command: 'echo hi' };

/** Settings in every manner of writing: with the blanks, the line ends and the order that a person chose. */
const settings = fc
  .record(
    {
      model: fc.constantFrom('opus', 'a "quoted" name', 'ünï'),
      env: fc.dictionary(fc.constantFrom('A', 'B'), fc.string(), { maxKeys: 2 }),
      permissions: fc.record({ allow: fc.array(fc.constantFrom('Bash(ls)', 'Edit'), { maxLength: 2 }) }),
      hooks: fc.dictionary(
        fc.constantFrom('Stop', 'PreCompact', 'Notification'),
        fc.constant([{ hooks: [HI] }]),
        {
          minKeys: 1,
        },
      ),
    },
    { requiredKeys: [] },
  )
  .chain((value) =>
    fc
      .tuple(
        fc.constantFrom(undefined, 1, 2, 4, '\t'),
        fc.boolean(),
        fc.constantFrom('', '\n', '\n\n'),
        fc.boolean(),
      )
      .map(([indent, isWindows, end, isLoose]) => {
        const plain = JSON.stringify(value, null, indent);
        const text =
          isLoose && indent === undefined ? plain.replaceAll('{"', '{ "').replaceAll(',"', ' , "') : plain;
        return (text + end).replaceAll('\n', isWindows ? '\r\n' : '\n');
      }),
  );

describe('withHooks() and withoutHooks()', () => {
  test('are inverse to each other, byte for byte', () => {
    fc.assert(
      fc.property(settings, (text) => {
        const put = withHooks(text, OURS);
        expect(findFault(put)).toBeNull();
        expect(readInstalled(put)).toHaveLength(OURS.length);
        expect(withoutHooks(put)).toBe(text);
      }),
    );
  });

  test('indent what they put into a text of one line evenly', () => {
    const lines = withHooks('{"hooks":{"Stop":[]},"a":1}', OURS).split('\n');
    expect(Math.max(...lines.map((line) => line.search(/\S/)))).toBeLessThanOrEqual(12);
  });

  test('are so too where the person has changed something else in between', () => {
    fc.assert(
      fc.property(settings, (text) => {
        fc.pre(text.includes('opus') || text.includes('echo hi'));
        const edit = (each: string): string =>
          each.replace('opus', 'sonnet').replaceAll('echo hi', 'echo ho');
        expect(withoutHooks(edit(withHooks(text, OURS)))).toBe(edit(text));
      }),
    );
  });

  test.each([
    ['no hooks yet', '{"hooks":{}}\n'],
    ['no hooks of an event yet', '{ "hooks": { "Stop": [ ] } }'],
    ['null for the hooks', '{"hooks":null}'],
    ['null for an event', '{"hooks":{"Stop":null},"a":1}'],
  ])('keep what was empty before: %s', (_, text) => {
    expect(withoutHooks(withHooks(text, OURS), text)).toBe(text);
  });
});

test.each([
  ['a key', '{"a": 1}', ['b'], 2, '{"a": 1,\n  "b": 2}'],
  ['the first key', '{}\n', ['b'], 2, '{\n  "b": 2\n}\n'],
  ['a value that is there', '{"a" : [1 , 2], "b":3}', ['a'], 4, '{"a" : 4, "b":3}'],
  ['an item', '{"a": [1]}', ['a', -1], 2, '{"a": [1,\n    2]}'],
  [
    'lines of the file',
    '{\r\n\t"a": 1\r\n}',
    ['b'],
    { c: 1 },
    '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 1\r\n\t}\r\n}',
  ],
])('setValue() sets %s', (_, text, path, value, expected) => {
  expect(setValue(text, path, value)).toBe(expected);
});

test.each([
  ['the first of two', '{ "a": 1, "b": 2 }', ['a'], '{ "b": 2 }'],
  ['the last of two', '{ "a": 1, "b": 2 }', ['b'], '{ "a": 1 }'],
  ['the only one', '{\n  "a": 1\n}', ['a'], '{}'],
  ['an item', '[1, [2, 3]]', [1, 0], '[1, [3]]'],
  ['nothing where it is not there', '{"a": 1}', ['b', 'c'], '{"a": 1}'],
])('removeValue() removes %s', (_, text, path, expected) => {
  expect(removeValue(text, path)).toBe(expected);
});

test.each([
  [
    '{"hooks": {}, "hooks": {}}',
    'line 1, column 15: "hooks" is there for the second time, and only one of them counts',
  ],
  [
    '{"model": "a",\n"model": "b"}',
    'line 2, column 1: "model" is there for the second time, and only one of them counts',
  ],
  [
    '{"hooks": {"Stop": [], "Stop": []}}',
    'line 1, column 24: "Stop" is there for the second time, and only one of them counts',
  ],
  [
    '{"statusLine": {"command": "a", "command": "b"}}',
    'line 1, column 33: "command" is there for the second time, and only one of them counts',
  ],
  ['{"hooks": {"Stop": {"hooks": []}}}', '"hooks.Stop": a list is expected'],
  ['{"hooks": {"Stop": null}}', null],
  ['{"env": {"A": "1", "A": "2"}}', null],
])('findFault() of %s', (text, expected) => {
  expect(findFault(text)).toBe(expected);
});
