import { describe, expect, test } from 'vitest';
import type { DataMap } from '../model/edits.ts';
import { addDecision } from '../model/state/decisions.ts';
import { enterGate, scoreGate } from '../model/state/gates.ts';
import { changeActivity, changeNext, changePhase, stamped } from '../model/state/recovery.ts';
import { changeText, orchestrationIn } from './orchestration-file.ts';
import { ChangeRefusedAt } from './yaml-edit.ts';

const change = (text: string, by: (top: DataMap) => DataMap): string =>
  changeText(text, (top) => ({ data: by(top) }));
const refusal = (
  text: string,
  by: (top: DataMap) => DataMap,
): { message: string; line: number | null; hint: string } => {
  try {
    change(text, by);
  } catch (error) {
    if (error instanceof ChangeRefusedAt)
      return { message: error.message, line: error.line, hint: error.hint };
    throw error;
  }
  throw new Error('not refused');
};
const next =
  (words: string) =>
  (top: DataMap): DataMap =>
    changeNext(top, words);
const decide =
  (decision: string) =>
  (top: DataMap): DataMap =>
    addDecision(top, { decision, at: '2026-02-17T12:00:00Z', phases: [3] }).top;

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
    const file = orchestrationIn(text);
    expect(file.top).toEqual(top);
    expect(file.faults.map(({ line }) => line)).toEqual(faults.map(([line]) => line));
    file.faults.forEach(({ found }, index) => void expect(found).toMatch(faults[index]?.[1] ?? /never/));
  });

  test('notes keys that stand twice where nothing is read from, merge keys aside', () => {
    const { faults, notes, top } = orchestrationIn(
      'x: &x {a: 1}\nphases:\n  - id: 1\n    name: a\n    name: b\nresumption:\n  b:\n    <<: *x\n    <<: *x\n',
    );
    expect(faults).toEqual([]);
    expect(notes).toMatchObject([{ line: 5, found: '"phases.name" again, first in line 4' }]);
    expect(top.phases).toEqual([{ id: 1, name: 'b' }]);
  });

  test('comes to an end on what is nested deeper than anybody reads', () => {
    for (const text of [
      '['.repeat(50_000),
      `resumption: ${'{a: '.repeat(20_000)}`,
      '- '.repeat(20_000),
      `a: &a [x]\n${Array.from({ length: 30 }, (_, i) => `b${i}: &b${i} [*a, *a, *${i ? `b${i - 1}` : 'a'}, *${i ? `b${i - 1}` : 'a'}]`).join('\n')}`,
    ]) {
      expect(orchestrationIn(text).faults[0]?.found).toMatch(/Nested deeper than 200|alias/i);
    }
  });

  test('says in which line a place stands, or the nearest above it', () => {
    const { lineOf } = orchestrationIn(
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
  // [what, text before, change, text after]
  const edits: [string, string, (top: DataMap) => DataMap, string][] = [
    [
      'nothing where nothing changes',
      'resumption: {next_step:   "a"}   # odd\n',
      next('a'),
      'resumption: {next_step:   "a"}   # odd\n',
    ],
    [
      'a value, not its comment',
      'resumption:\n  next_step: "a"    # b\n',
      next('c'),
      'resumption:\n  next_step: "c"    # b\n',
    ],
    [
      'a plain value',
      'resumption:\n  next_step: a\n',
      next('go on: now'),
      'resumption:\n  next_step: "go on: now"\n',
    ],
    [
      'a single-quoted value',
      "resumption:\n  next_step: 'a'\n",
      next("it's"),
      "resumption:\n  next_step: 'it''s'\n",
    ],
    ['null', 'resumption:\n  next_step: null # x\n', next('a'), 'resumption:\n  next_step: "a" # x\n'],
    [
      'nothing behind a colon',
      "resumption:\n  a: 'b'\n  next_step:   # x\n",
      next('c'),
      "resumption:\n  a: 'b'\n  next_step: 'c'   # x\n",
    ],
    [
      'a text of several lines',
      'resumption:\n  next_step: "a"\n',
      next('a\nb "c"'),
      'resumption:\n  next_step: "a\\nb \\"c\\""\n',
    ],
    [
      'a plain value over several lines',
      'resumption:\n  next_step: a\n    b\n  z: 1\n',
      next('c'),
      'resumption:\n  next_step: c\n  z: 1\n',
    ],
    [
      'a text under |',
      'resumption:\n  next_step: |  # x\n    a\n    b\n\n  z: 1\n',
      next('c\nd\n'),
      'resumption:\n  next_step: |  # x\n    c\n    d\n\n  z: 1\n',
    ],
    [
      'a text under > by one line',
      'resumption:\n  next_step: >\n    a\n    b\n',
      next('c'),
      'resumption:\n  next_step: >-\n    c\n',
    ],
    [
      'a text under | by one that | cannot hold',
      'resumption:\n  next_step: |\n    a\n  z: 1\n',
      next(' b'),
      'resumption:\n  next_step: " b"\n  z: 1\n',
    ],
    [
      'a new key beside its neighbour',
      'resumption:\n  last_checkpoint: null\n  z: 1\n',
      next('a'),
      'resumption:\n  last_checkpoint: null\n  next_step: "a"\n  z: 1\n',
    ],
    [
      'a new key with CRLF and four columns',
      '\uFEFFw: {}\r\nresumption:\r\n    last_checkpoint: null\r\n',
      next('a'),
      '\uFEFFw: {}\r\nresumption:\r\n    last_checkpoint: null\r\n    next_step: "a"\r\n',
    ],
    [
      'a new key at the end of a file without a last line end',
      'resumption:\n  updated_at: "x"',
      next('a'),
      'resumption:\n  updated_at: "x"\n  next_step: "a"',
    ],
    [
      'a new key in brackets',
      '{"resumption": {"a": "b"}}\n',
      next('c'),
      '{"resumption": {"a": "b", next_step: "c"}}\n',
    ],
    [
      'a section that is empty',
      'resumption:\nother: 1\n',
      next('a'),
      'resumption:\n  next_step: "a"\nother: 1\n',
    ],
    [
      'below recovery_state',
      'resumption:\n  recovery_state:\n    updated_at: "x"\n  z: 1\n',
      next('a'),
      'resumption:\n  recovery_state:\n    updated_at: "x"\n    next_step: "a"\n  z: 1\n',
    ],
    [
      'an alias',
      'a: &a "x"\nresumption:\n  next_step: *a\n',
      next('b'),
      'a: &a "x"\nresumption:\n  next_step: "b"\n',
    ],
    [
      'a first item in place of []',
      'resumption:\n  decisions: []   # none\n  # more\n  z: 1\n',
      decide('d'),
      'resumption:\n  decisions:   # none\n    - id: "RD-001"\n      at: "2026-02-17T12:00:00Z"\n      decision: "d"\n      affects_phases: [3]\n      applied: false\n  # more\n  z: 1\n',
    ],
    [
      'an item as the others are written',
      "resumption:\n  decisions:\n  -   id: 'RD-007'\n      decision: 'c'\n  # behind\n",
      decide('d'),
      "resumption:\n  decisions:\n  -   id: 'RD-007'\n      decision: 'c'\n  -   id: 'RD-008'\n      at: '2026-02-17T12:00:00Z'\n      decision: 'd'\n      affects_phases: [3]\n      applied: false\n  # behind\n",
    ],
    [
      'a score in brackets',
      'resumption:\n  quality_trajectory:\n    gates_completed: []\n    gates_remaining: ["qg-1"]\n    current_gate: "qg-1"\n    current_gate_iteration: 2\n    score_history:\n      qg-1: [0.90]  # x\n    total_iterations_used: 1\n  current_activity: "qg-1-iteration-2"\n',
      (top) => scoreGate(top, 'qg-1', { score: 0.95, iteration: 2 }).top,
      'resumption:\n  quality_trajectory:\n    gates_completed: []\n    gates_remaining: ["qg-1"]\n    current_gate: "qg-1"\n    current_gate_iteration: 2\n    score_history:\n      qg-1: [0.90, 0.95]  # x\n    total_iterations_used: 2\n  current_activity: "qg-1-iteration-2"\n',
    ],
    [
      'a new sub-section with a blank line, as the others have one',
      'resumption:\n  current_activity: "a"\n\n  files_to_read:\n    - "x/of/a/file/that/stands/rather/deep/in/the/tree/of/the/project.md"\n\n  agent_summaries:\n    a: "b"\n',
      (top) => enterGate(top, 'qg-1').top,
      'resumption:\n  current_activity: "qg-1-iteration-1"\n\n  files_to_read:\n    - "x/of/a/file/that/stands/rather/deep/in/the/tree/of/the/project.md"\n\n  quality_trajectory:\n    gates_completed: []\n    gates_remaining: ["qg-1"]\n    current_gate: "qg-1"\n    current_gate_iteration: 1\n    score_history: {}\n    lowest_dimension: null\n    total_iterations_used: 0\n\n  agent_summaries:\n    a: "b"\n',
    ],
    [
      'a new key behind the comments that belong to its neighbour',
      'resumption:\n  last_checkpoint:\n    # of the checkpoint\n\n  # of all\n',
      next('a'),
      'resumption:\n  last_checkpoint:\n    # of the checkpoint\n  next_step: "a"\n\n  # of all\n',
    ],
    [
      'a text under | at the end of a file without a last line end',
      'resumption:\n  next_step: |-\n    a',
      next('b'),
      'resumption:\n  next_step: |-\n    b',
    ],
    [
      'a plain time stays plain',
      'resumption:\n  next_step: a b\n  updated_at: 2026-01-06T21:00:00Z\n',
      (top) => stamped(top, '2026-02-17T12:00:00Z', null),
      'resumption:\n  next_step: a b\n  updated_at: 2026-02-17T12:00:00Z\n',
    ],
    [
      'the document that has the section',
      'x: 1\n---\nresumption:\n  next_step: "a"\n---\ny: 2\n',
      next('b'),
      'x: 1\n---\nresumption:\n  next_step: "b"\n---\ny: 2\n',
    ],
    [
      'before an end mark',
      'resumption:\n  updated_at: "x"\n...\n',
      next('a'),
      'resumption:\n  updated_at: "x"\n  next_step: "a"\n...\n',
    ],
    [
      'a key that stands twice elsewhere stays',
      'resumption:\n  next_step: "a"\nw:\n  b: 1\n  b: 2\n',
      next('c'),
      'resumption:\n  next_step: "c"\nw:\n  b: 1\n  b: 2\n',
    ],
  ];
  test.each(edits)('changes %s', (_, before, by, after) => {
    expect(change(before, by)).toBe(after);
    expect(change(after, by)).toBe(after);
  });

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
    const after = change('resumption:\n  current_activity: a\n', (top) => changeActivity(top, hard));
    expect(orchestrationIn(after).top).toEqual({ resumption: { current_activity: hard } });
    expect(after.split('\n')).toHaveLength(3);
  });

  test('puts comments above a key, behind a byte order mark and in its column', () => {
    const remark = (text: string, path: string[]): string =>
      changeText(text, (top) => ({
        data: top,
        remarks: [{ kind: 'remark', path, lines: ['# one', '# two'] }],
      }));
    expect(remark('\uFEFFresumption:\r\n  a: 1\r\n', ['resumption'])).toBe(
      '\uFEFF# one\r\n# two\r\nresumption:\r\n  a: 1\r\n',
    );
    expect(remark('x: 1\nresumption:\n  # mine\n  a: 1', ['resumption', 'a'])).toBe(
      'x: 1\nresumption:\n  # mine\n  # one\n  # two\n  a: 1',
    );
    expect(remark('{resumption: {}}', ['resumption'])).toBe('{resumption: {}}');
  });
});
