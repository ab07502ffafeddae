import { describe, expect, test } from 'vitest';
import { pathOf } from '../../../test/unit/config-edits.ts';
import { setKey, unsetKey } from './edit-toml.ts';

describe('setKey()', () => {
  // [what, before, key, value, after]
  const cases: [string, string, string, unknown, string][] = [
    ['a value where it stands', 'enabled = true # why\n', 'enabled', false, 'enabled = false # why\n'],
    ['a value without blanks', 'enabled=true# why\n', 'enabled', false, 'enabled=false# why\n'],
    ['nothing, where it is so already', 'enabled =  true\n', 'enabled', true, 'enabled =  true\n'],
    ['a key of an empty file', '', 'enabled', true, 'enabled = true\n'],
    ['a table of an empty file', '', 'checkpoint.keep', 3, '[checkpoint]\nkeep = 3\n'],
    [
      'a key behind the last of its table',
      '[checkpoint]\nkeep = 3\n# about resume\n[resume]\nauto = "off"\n',
      'checkpoint.on_tier_rise',
      false,
      '[checkpoint]\nkeep = 3\non_tier_rise = false\n# about resume\n[resume]\nauto = "off"\n',
    ],
    [
      'a key with the indentation of its table',
      '[checkpoint]\n  keep = 3\n',
      'checkpoint.on_tier_rise',
      false,
      '[checkpoint]\n  keep = 3\n  on_tier_rise = false\n',
    ],
    [
      'a new table at the end, behind a blank line',
      'enabled = true\n',
      'checkpoint.keep',
      3,
      'enabled = true\n\n[checkpoint]\nkeep = 3\n',
    ],
    [
      'a key at the top above the first table and its comment',
      '# the file\n\n# about checkpoints\n[checkpoint]\nkeep = 3\n',
      'enabled',
      true,
      '# the file\n\nenabled = true\n\n# about checkpoints\n[checkpoint]\nkeep = 3\n',
    ],
    [
      'a key below the schema of the file',
      '#:schema ./config.schema.json\n[checkpoint]\nkeep = 3\n',
      'enabled',
      true,
      '#:schema ./config.schema.json\nenabled = true\n\n[checkpoint]\nkeep = 3\n',
    ],
    [
      'a quoted key',
      '[context_monitor.model_windows]\n"claude-x" = 200_000\n',
      'context_monitor.model_windows."glm-5.1"',
      128_000,
      '[context_monitor.model_windows]\n"claude-x" = 200_000\n"glm-5.1" = 128000\n',
    ],
    [
      'an entry of a table that is not there',
      '[context_monitor]\nthreshold_base = "window"\n',
      'context_monitor.model_windows."glm-5.1"',
      128_000,
      '[context_monitor]\nthreshold_base = "window"\n\n[context_monitor.model_windows]\n"glm-5.1" = 128000\n',
    ],
    [
      'a whole table entry by entry',
      '[context_monitor.model_windows]\n# small\na = 20_000 # kept\nb = 30_000 # goes\n',
      'context_monitor.model_windows',
      { a: 20_000, c: 40_000 },
      '[context_monitor.model_windows]\n# small\na = 20_000 # kept\n# goes\nc = 40000\n',
    ],
    [
      'a whole table that is not there, with what lies in it',
      'enabled = true\n',
      'context_monitor.model_windows',
      { a: 20_000, 'b c': 30_000 },
      'enabled = true\n\n[context_monitor.model_windows]\na = 20000\n"b c" = 30000\n',
    ],
    [
      'a table without entries',
      '[context_monitor]\nemit = "off"\n',
      'context_monitor.model_windows',
      {},
      '[context_monitor]\nemit = "off"\n\n[context_monitor.model_windows]\n',
    ],
    [
      'no entry of a table that has some, the header stays',
      '[context_monitor.model_windows]\na = 1\n',
      'context_monitor.model_windows',
      {},
      '[context_monitor.model_windows]\n',
    ],
    [
      'the value of a dotted key that is there',
      'checkpoint.keep = 3 # why\n',
      'checkpoint.keep',
      4,
      'checkpoint.keep = 4 # why\n',
    ],
    [
      'a value over several lines, its comments above it',
      'enabled = [ # one\n  1, # two\n] # three\n',
      'enabled',
      'x',
      '# one\n# two\nenabled = "x" # three\n',
    ],
    ['a text with signs', '', 'enabled', 'a "b" \\ #\u0001', 'enabled = "a \\"b\\" \\\\ #\\u0001"\n'],
    [
      'a file without a last line end',
      '# c\nenabled = true',
      'checkpoint.keep',
      3,
      '# c\nenabled = true\n\n[checkpoint]\nkeep = 3',
    ],
    [
      'a file with BOM and CRLF',
      '\uFEFF# c\r\nenabled = true\r\n',
      'checkpoint.keep',
      3,
      '\uFEFF# c\r\nenabled = true\r\n\r\n[checkpoint]\r\nkeep = 3\r\n',
    ],
    [
      'a table whose table below stands first',
      '[context_monitor.model_windows]\na = 20_000\n',
      'context_monitor.threshold_base',
      'window',
      '[context_monitor.model_windows]\na = 20_000\n\n[context_monitor]\nthreshold_base = "window"\n',
    ],
    [
      'a key that looks like one in a text of several lines',
      'note = """\nenabled = true\n[checkpoint]\n"""\nenabled = true\n',
      'enabled',
      false,
      'note = """\nenabled = true\n[checkpoint]\n"""\nenabled = false\n',
    ],
  ];
  test.each(cases)('sets %s', (_, before, key, value, after) => {
    expect(setKey(before, pathOf(key), value)).toBe(after);
  });

  test('writes a number as it was typed', () => {
    expect(setKey('', ['n'], 200_000, '200_000')).toBe('n = 200_000\n');
  });
});

describe('unsetKey()', () => {
  // [what, before, key, after]
  const cases: [string, string, string, string][] = [
    ['a key that is not there', 'a = 1\n', 'enabled', 'a = 1\n'],
    ['a line', 'enabled = true\na = 1\n', 'enabled', 'a = 1\n'],
    ['a line, whose comment stays', 'enabled = true # why\na = 1\n', 'enabled', '# why\na = 1\n'],
    [
      'a line with comments inside',
      'enabled = [ # one\n 1, # two\n] # three\n',
      'enabled',
      '# one\n# two\n# three\n',
    ],
    ['the last line, without a line end', 'a = 1\nenabled = true', 'enabled', 'a = 1'],
    [
      'a table that holds nothing then',
      'a = 1\n\n[checkpoint]\nkeep = 3\n\n[resume]\nauto = "off"\n',
      'checkpoint.keep',
      'a = 1\n\n[resume]\nauto = "off"\n',
    ],
    [
      'no table that has a comment',
      '[checkpoint] # mine\nkeep = 3\n',
      'checkpoint.keep',
      '[checkpoint] # mine\n',
    ],
    ['an inline table as a whole', 'checkpoint = { keep = 3 } # c\n', 'checkpoint', '# c\n'],
    ['a dotted key', 'checkpoint.keep = 3\na = 1\n', 'checkpoint.keep', 'a = 1\n'],
    [
      'a table of dotted keys',
      'checkpoint.keep = 3\ncheckpoint.on_tier_rise = true\na = 1\n',
      'checkpoint',
      'a = 1\n',
    ],
    [
      'a table with all its lines',
      '[context_monitor.model_windows] # m\na = 1 # a\n\n[resume]\n',
      'context_monitor.model_windows',
      '# m\n# a\n\n[resume]\n',
    ],
    [
      'one of two tables of the same section',
      '[context_monitor.model_windows]\na = 1\n[context_monitor]\nthreshold_base = "window"\n',
      'context_monitor.threshold_base',
      '[context_monitor.model_windows]\na = 1\n',
    ],
  ];
  test.each(cases)('takes out %s', (_, before, key, after) => {
    expect(unsetKey(before, pathOf(key))).toBe(after);
  });

  test('gives back the text from before a key was set in a table that was not there', () => {
    for (const text of ['', '# c\n', 'a = 1\n', 'a = 1', '\uFEFFa = 1\r\n', '[resume]\nauto = "off" # c\n']) {
      expect(unsetKey(setKey(text, ['checkpoint', 'keep'], 3), ['checkpoint', 'keep'])).toBe(text);
    }
  });
});

describe('what is refused', () => {
  // [what, text, key, line, message]
  test.each<[string, string, string, number, RegExp]>([
    [
      'a value where settings are kept below',
      '# c\ncheckpoint = 3\n',
      'checkpoint.keep',
      2,
      /"checkpoint" is a value/,
    ],
    [
      'a list of tables where settings are kept below',
      'a = 1\n[[checkpoint]]\nkeep = 1\n',
      'checkpoint.keep',
      2,
      /"checkpoint" is a list/,
    ],
    [
      'a table where a value is wanted',
      'a = 1\n[enabled]\nalways = true\n',
      'enabled',
      2,
      /"enabled" is a table/,
    ],
    ['a list of values', 'a = 1\ncheckpoint = [1]\n', 'checkpoint.keep', 2, /"checkpoint" is a list/],
  ])('set: %s', (_, text, key, line, message) => {
    const edit = () => setKey(text, pathOf(key), 5);
    expect(edit).toThrow(expect.objectContaining({ code: 'change-refused' }));
    expect(edit).toThrow(message);
    expect(edit).toThrow(expect.objectContaining({ line }));
  });

  // [what, text, key, line, message]
  test.each<[string, string, string, number, RegExp]>([
    ['inline', 'a = 1\ncheckpoint = { keep = 3 }\n', 'checkpoint.keep', 2, /is an inline table/],
    ['inline, without entries', 'checkpoint = {}\n', 'checkpoint.keep', 1, /is an inline table/],
    [
      'inline in a table',
      '[context_monitor]\nmodel_windows = { a = 1 }\n',
      'context_monitor.model_windows.a',
      2,
      /"context_monitor.model_windows" is an inline table/,
    ],
    ['dotted', 'a = 1\ncheckpoint.on_tier_rise = true\n', 'checkpoint.keep', 2, /with dotted keys/],
    [
      'dotted in a table',
      '[context_monitor]\nmodel_windows.a = 1\n',
      'context_monitor.model_windows.b',
      2,
      /"context_monitor.model_windows" is written with dotted keys/,
    ],
  ])('an entry of a table that is %s, with its line and a way out', (_, text, key, line, message) => {
    const path = pathOf(key);
    const hint = expect.stringContaining(`below a line [${path.slice(0, -1).join('.')}]`);
    const edits = [
      () => setKey(text, path, 5),
      ...(/keep = |\.a$/.test(text) ? [() => unsetKey(text, path)] : []),
    ];
    for (const edit of edits) {
      expect(edit).toThrow(message);
      expect(edit).toThrow(expect.objectContaining({ code: 'change-refused', line, hint }));
    }
  });

  test.each<[string, string, number, number]>([
    ['a text that is no TOML', 'a = 1\nb = \n', 2, 5],
    ['a key that stands twice', 'a = 1\n\na = 2\n', 3, 1],
    ['a table that stands twice', '[a]\n[b]\n[a]\n', 3, 2],
  ])('any change: %s', (_, text, line, column) => {
    for (const edit of [() => setKey(text, ['enabled'], true), () => unsetKey(text, ['b'])]) {
      expect(edit).toThrow(expect.objectContaining({ line, column }));
    }
  });
});
