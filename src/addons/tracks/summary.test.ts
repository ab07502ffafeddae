import { describe, expect, test } from 'vitest';
import { listGravestRisks, listPlanTasks, listTrackDecisions, readFirstWords, readGoal } from './summary.ts';

describe('listPlanTasks()', () => {
  test('gives open ones first, what is under way before what is blocked and what is to do', () => {
    const plan = '- [x] Task: a\n- [ ] Task: [T-002] b\n- [!] Task: c\n- [~] Task: d\n';
    expect(listPlanTasks(plan).map(({ state, id, text }) => [state, id, text])).toEqual([
      ['doing', null, 'd'],
      ['blocked', null, 'c'],
      ['todo', 'T-002', 'b'],
      ['done', null, 'a'],
    ]);
  });

  test("takes an author's own boxes too, and what stands in two places once, with the state that is further", () => {
    const plan =
      '1. [ ] write it down\n- [ ] Task: b\n\n<!-- plimsoll:entries -->\n- [x] Task: [T-001] b\n  - At: 2026-01-01T00:00:00Z\n<!-- /plimsoll:entries -->\n';
    expect(listPlanTasks(plan)).toEqual([
      { state: 'todo', id: null, text: 'write it down' },
      { state: 'done', id: 'T-001', text: 'b' },
    ]);
  });

  test('takes what an author wrote twice for two, in the block as well, each with the state that is further', () => {
    const plan = (...states: string[]): string =>
      `- [ ] Task: a\n- [~] Task: a\n<!-- plimsoll:entries -->\n${states.map((state, at) => `- [${state}] Task: [T-${at}] a\n`).join('')}<!-- /plimsoll:entries -->\n`;
    const told = (text: string) => listPlanTasks(text).map(({ state, id }) => [state, id]);
    expect(told(plan('x', ' '))).toEqual([
      ['doing', 'T-1'],
      ['done', 'T-0'],
    ]);
    // One that somebody has taken out of the list above still stands in the block.
    expect(told(plan('x', ' ', '!'))).toEqual([
      ['doing', 'T-1'],
      ['blocked', 'T-2'],
      ['done', 'T-0'],
    ]);
  });

  test('takes no example in a code block or comment for a task', () => {
    expect(listPlanTasks('```\n- [ ] Task: a\n```\n<!--\n- [ ] b\n-->\n')).toEqual([]);
  });
});

test('decisionsIn() gives the newest first; of those without a time the one that stands last', () => {
  const decision = (text: string, at?: string): string =>
    `- Decision: ${text}\n  - Reason: r\n  - Impact: i\n${at === undefined ? '' : `  - At: ${at}\n`}`;
  const text = [
    decision('old', '2026-01-01T00:00:00Z'),
    decision('new', '2026-03-01T00:00:00Z'),
    decision('first'),
    decision('second'),
    decision('new', '2026-03-01T00:00:00Z'),
  ].join('');
  expect(listTrackDecisions(text).map((each) => each.text)).toEqual(['new', 'old', 'second', 'first']);
});

test('listGravestRisks() leaves out what is closed or of no weight', () => {
  const risk = (text: string, severity: string, status: string): string =>
    `- Risk: ${text}\n  - Severity: ${severity}\n  - Status: ${status}\n`;
  const text = [
    risk('a', 'high', 'open'),
    risk('b', 'low', 'open'),
    risk('c', 'critical', 'open'),
    risk('d', 'critical', 'mitigated'),
  ].join('');
  expect(listGravestRisks(text).map((each) => each.text)).toEqual(['c', 'a']);
});

describe('readGoal()', () => {
  test.each<[string, string | null]>([
    [
      '# Specification: x\n\n## Goal\n\nFaster answers,\nfor all.\n\nMore words.\n',
      'Faster answers, for all.',
    ],
    ['# Spec\n\n## 1. Aims\n\n- Fast\n- Small\n\n## Scope\n', 'Fast Small'],
    ['# Spec\n\n## Non-goals\n\nSlow\n\n## Purpose\n\n**Speed**\n', 'Speed'],
    ['**Goal:** half the time\n', 'half the time'],
    ['## Goal\n\nTODO: what is better when this is done.\n', null],
    ['## Goal\n\n## Scope\n\nall\n', null],
    ['# Spec\n\nwords\n', null],
    ['', null],
  ])('of %j is %j', (text, goal) => {
    expect(readGoal(text)).toBe(goal);
  });
});

describe('readFirstWords()', () => {
  test.each<[string, string | null]>([
    ['# Roles\n\n<!-- how -->\n- A person sets the goal.\n', 'A person sets the goal.'],
    ['---\n\nWhat holds.\n', 'What holds.'],
    ['# Only a title\n', null],
  ])('of %j is %j', (text, words) => {
    expect(readFirstWords(text)).toBe(words);
  });
});
