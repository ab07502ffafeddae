import { describe, expect, test } from 'vitest';
import { change, next } from '../../../test/unit/state-changes.ts';
import type { DataMap } from '../../text/json.ts';
import { isError } from '../../text/plimsoll-error.ts';
import { changeText, parseOrchestration } from './orchestration-file.io.ts';
import { enterGate } from './state/gates.ts';
import { changePhase, recover } from './state/recovery.ts';

const refusal = (
  text: string,
  by: (top: DataMap) => DataMap,
): { message: string; line: number | null; hint: string | undefined } => {
  try {
    change(text, by);
  } catch (error) {
    if (isError(error, 'change-refused'))
      return { message: error.message, line: error.line, hint: error.hint };
    throw error;
  }
  throw new Error('not refused');
};

describe('orchestrationIn()', () => {
  // [what, text, data expected, faults as [line, word in it]]
  const shapes: [string, string, DataMap, [number, RegExp][]][] = [
    ['nothing', '', {}, []],
    ['comments alone', '# a\n', {}, []],
    [
      'a byte order mark and CRLF',
      '\uFEFFresumption:\r\n  next_step: "a"\r\n',
      { resumption: { next_step: 'a' } },
      [],
    ],
    [
      'several documents: the one with the section',
      'a: 1\n---\nresumption:\n  b: 1\n',
      { resumption: { b: 1 } },
      [[1, /another YAML document/]],
    ],
    [
      'anchors, aliases and merge keys',
      'x: &x {a: 1}\nresumption:\n  <<: *x\n  b: *x\n',
      { x: { a: 1 }, resumption: { a: 1, b: { a: 1 } } },
      [],
    ],
    [
      'a key that stands twice: the last one counts',
      'resumption:\n  a: 1\n  a: 2\n',
      { resumption: { a: 2 } },
      [[3, /"resumption\.a" again, first in line 2/]],
    ],
    [
      'a section that stands twice',
      'resumption:\n  a: 1\nresumption:\n  b: 2\n',
      { resumption: { b: 2 } },
      [[3, /"resumption" again/]],
    ],
    ['tabs', 'resumption:\n\tphase: 2\n', { resumption: { phase: 2 } }, [[2, /Tabs/]]],
    [
      'a file torn in a quoted text',
      'resumption:\n  a: 1\n  b: "half',
      { resumption: { a: 1, b: 'hal' } },
      [[3, /quote/]],
    ],
    [
      'an alias without an anchor',
      'workflow: *gone\nresumption:\n  a: 1\n',
      { resumption: { a: 1 }, workflow: null },
      [[1, /alias/]],
    ],
    ['an unknown tag', 'resumption: !mine\n  a: !!str 1\n', { resumption: { a: '1' } }, []],
    ['a list instead of sections', '- a\n- b\n', {}, [[1, /no map of sections/]]],
    ['a line instead of sections', 'nothing here', {}, [[1, /no map of sections/]]],
    ['JSON', '{"resumption": {"a": [1, 2]}}', { resumption: { a: [1, 2] } }, []],
    ['an end mark', 'resumption:\n  a: 1\n...\n', { resumption: { a: 1 } }, []],
    ['NUL bytes', 'resumption:\n  a: "\u0000"\n', { resumption: { a: '\u0000' } }, []],
  ];
  test.each(shapes)('reads %s', (_, text, top, faults) => {
    const file = parseOrchestration(text);
    expect(file.top).toEqual(top);
    expect(file.faults.map(({ line }) => line)).toEqual(faults.map(([line]) => line));
    file.faults.forEach(({ found }, index) => void expect(found).toMatch(faults[index]?.[1] ?? /never/));
  });

  test('notes keys that stand twice where nothing is read from, merge keys aside', () => {
    const { faults, notes, top } = parseOrchestration(
      'x: &x {a: 1}\nphases:\n  - id: 1\n    name: a\n    name: b\nother:\n  b:\n    <<: *x\n    <<: *x\n',
    );
    expect(faults).toEqual([]);
    expect(notes).toMatchObject([{ line: 5, found: '"phases.name" again, first in line 4' }]);
    expect(top.phases).toEqual([{ id: 1, name: 'b' }]);
  });

  test.each<[string, string, [number, string][]]>([
    ['an alias', 'x: &x a\nresumption:\n  b: 1\n  c:\n    - d: *x\n', [[5, 'resumption.c.0.d']]],
    ['what a merge key brings', 'x: &x {a: 1}\nresumption:\n  <<: *x\n  b: 2\n', [[2, 'resumption.a']]],
    ['a key with a question mark', 'resumption:\n  b: 1\n  c:\n    ? d\n    : e\n', [[3, 'resumption.c']]],
    [
      'nothing, of what is only written in many ways',
      'resumption:\n  a: &a {b: "c\\u0064"}\n  e: |\n    f\n\n  g: 1.0\n',
      [],
    ],
  ])('notes what hooks do not read: %s', (_, text, places) => {
    const { notes, faults } = parseOrchestration(text);
    expect(faults).toEqual([]);
    expect(notes.map(({ line, found }) => [line, /"(.*)" as hooks do not read it/.exec(found)?.[1]])).toEqual(
      places,
    );
  });

  test('comes to an end on what is nested deeper than anybody reads', () => {
    for (const text of [
      '['.repeat(50_000),
      `resumption: ${'{a: '.repeat(20_000)}`,
      '- '.repeat(20_000),
      `a: &a [x]\n${Array.from({ length: 30 }, (_, i) => `b${i}: &b${i} [*a, *a, *${i ? `b${i - 1}` : 'a'}, *${i ? `b${i - 1}` : 'a'}]`).join('\n')}`,
    ]) {
      expect(parseOrchestration(text).faults[0]?.found).toMatch(/Nested deeper than 200|alias/i);
    }
  });

  test('takes no longer for a row of blanks between two words', () => {
    const text = `resumption:\n  next_step: a${' '.repeat(200_000)}b\n`;
    expect(parseOrchestration(text)).toMatchObject({ faults: [], notes: [] });
  });

  test('says in which line a place stands, or the nearest above it', () => {
    const { lineOf } = parseOrchestration(
      'workflow:\n  id: a\nresumption:\n  files:\n    - path: a\n      n: 1\n    - b\n',
    );
    expect(lineOf(['resumption'])).toBe(3);
    expect(lineOf(['resumption', 'files', 0, 'n'])).toBe(6);
    expect(lineOf(['resumption', 'files', 1])).toBe(7);
    expect(lineOf(['resumption', 'gone', 'deeper'])).toBe(3);
    expect(lineOf(['gone'])).toBe(1);
  });
});

describe('changeText()', () => {
  // [what, text, change, message, line]
  const refusals: [string, string, (top: DataMap) => DataMap, RegExp, number | null][] = [
    ['tabs', 'resumption:\n\tnext_step: a\n', next('b'), /no sound YAML: Tabs/, 2],
    ['a torn file', 'resumption:\n  next_step: "a', next('b'), /no sound YAML/, 2],
    ['an unclosed bracket', 'resumption:\n  files_to_read: [a, b\n', next('b'), /no sound YAML/, 3],
    ['a file without the section', 'workflow:\n  id: a\n', next('b'), /no "resumption" section/, null],
    [
      'a section that stands twice',
      'resumption:\n  a: 1\nresumption:\n  b: 1\n',
      next('c'),
      /"resumption" stands twice \(lines 1 and 3\)/,
      3,
    ],
    [
      'a field that stands twice',
      'resumption:\n  next_step: 1\n  next_step: 2\n',
      next('c'),
      /"resumption\.next_step" stands twice \(lines 2 and 3\)/,
      3,
    ],
    [
      'a section that is an alias',
      'x: &x {a: 1}\nresumption: *x\n',
      next('c'),
      /"resumption" is an alias \(\*x\)/,
      2,
    ],
    [
      'an anchored section that is used elsewhere',
      'resumption: &r\n  next_step: a\ny: *r\n',
      next('c'),
      /altered something else/,
      1,
    ],
    [
      'an anchored value that is used elsewhere',
      'resumption:\n  next_step: &n a\ny: *n\n',
      next('c'),
      /altered something else/,
      1,
    ],
    [
      'a section that is a text',
      'resumption: later\n',
      next('c'),
      /"resumption" is the value "later", a map of fields is expected/,
      1,
    ],
    [
      'a list that is a number',
      'resumption:\n  quality_trajectory:\n    gates_completed: 3\n',
      (top) => enterGate(top, 'g').top,
      /gates_completed" is the value 3, a list is expected/,
      3,
    ],
    ['a list in place of sections', '- a\n', next('c'), /no map of sections/, 1],
  ];
  test.each(refusals)('refuses %s, and says where', (_, text, by, message, line) => {
    const refused = refusal(text, by);
    expect(refused.message).toMatch(message);
    expect(refused.line).toBe(line);
    expect(refused.hint).not.toBe('');
  });

  test('takes a value from a merge key as its own only where it changes it', () => {
    const text = 'x: &x\n  workflow_status: "ACTIVE"\nresumption:\n  <<: *x\n  current_phase: 1\n';
    const after = change(text, (top) => changePhase(top, { phase: 2, name: 'Two' }));
    expect(after).toContain('  <<: *x\n  current_phase: 2\n  current_phase_name: "Two"\n');
    const paused = change(text, (top) => ({
      ...top,
      resumption: { ...(top.resumption as DataMap), workflow_status: 'PAUSED' },
    }));
    expect(paused).toBe(text.replace('phase: 1\n', 'phase: 1\n  workflow_status: "PAUSED"\n'));
  });

  test('changes an empty file, and one of comments, by adding to its end', () => {
    expect(change('', () => ({ a: { b: 1 } }))).toBe('a:\n  b: 1\n');
    expect(change('# c\n', () => ({ a: [] }))).toBe('# c\na: []\n');
    expect(change('# c', () => ({ a: [] }))).toBe('# c\na: []');
  });

  test('writes a text of any characters so that it reads back the same', () => {
    const hard = '\u0000\u0007\t"\\\u007f\u0085\u00a0\u2028\u2029\ufeff\ud800 # x: y\r\n';
    const after = change('resumption:\n  current_activity: a\n', (top) =>
      recover(top, { current_activity: hard }),
    );
    expect(parseOrchestration(after).top).toEqual({ resumption: { current_activity: hard } });
    expect(after.split('\n')).toHaveLength(3);
  });

  test('puts comments above a key, behind a byte order mark and in its column', () => {
    const remark = (text: string, section = 'resumption'): string =>
      changeText(text, (top) => ({ data: top, remark: { section, lines: ['# one', '# two'] } }));
    expect(remark('\uFEFFresumption:\r\n  a: 1\r\n')).toBe(
      '\uFEFF# one\r\n# two\r\nresumption:\r\n  a: 1\r\n',
    );
    expect(remark('  x: 1\n  # mine\n  resumption:\n    a: 1')).toBe(
      '  x: 1\n  # mine\n  # one\n  # two\n  resumption:\n    a: 1',
    );
    expect(remark('{resumption: {}}')).toBe('{resumption: {}}');
  });
});
