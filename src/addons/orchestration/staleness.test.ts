import { describe, expect, test } from 'vitest';
import {
  type Freshness,
  freshnessOf,
  sectionMarks,
  sectionStanding,
  timeIn,
  updatedAt,
  workflowId,
} from './staleness.ts';

const marks = (updated_at: string | null, last_checkpoint: string | null, current_phase: string | null) => ({
  updated_at,
  last_checkpoint,
  current_phase,
});
const NOTHING = marks(null, null, null);

describe('sectionMarks()', () => {
  test.each<[string, string, object]>([
    [
      'directly in the section',
      'workflow:\n  updated_at: "2020"\nresumption:\n  last_checkpoint: "CP-002"\n  current_phase: 3   # now\n  updated_at: 2026-02-17T12:34:56Z\nnext:\n  updated_at: x\n',
      marks('2026-02-17T12:34:56Z', 'CP-002', '3'),
    ],
    [
      'in recovery_state',
      "resumption:\n  # v2\n  recovery_state:\n    current_phase: two\n    updated_at: '2026-02-17'\n  defect_summary:\n    updated_at: no\n",
      marks('2026-02-17', null, 'two'),
    ],
    ['with CRLF and BOM', '\uFEFFresumption:\r\n  updated_at: "a"\r\n', marks('a', null, null)],
    ['in an entry of a list, which is not it', 'resumption:\n  decisions:\n    - updated_at: x\n', NOTHING],
    ['deeper down, which is not it', 'resumption:\n  a:\n    b:\n      updated_at: x\n', NOTHING],
    ['as null', 'resumption:\n  updated_at: null\n  last_checkpoint: ~\n', NOTHING],
    ['as an alias', 'resumption:\n  updated_at: *t\n', NOTHING],
    ['as a block', 'resumption:\n  updated_at: a\n  last_checkpoint: |\n    b\n', marks('a', 'b', null)],
    ['in brackets', 'resumption: {updated_at: "a", current_phase: 2}\n', marks('a', null, '2')],
    ['in JSON', '{"resumption": {"updated_at": "a"}}', marks('a', null, null)],
    ['in a section in quotes', '"resumption":\n  updated_at: a\n', marks('a', null, null)],
    ['over two lines', 'resumption:\n  current_phase: the\n    second\n', marks(null, null, 'the second')],
    ['twice', 'resumption:\n  updated_at: a\nresumption:\n  updated_at: b\n', marks('b', null, null)],
    ['with tabs', 'resumption:\n\tupdated_at: a\n', marks('a', null, null)],
    [
      'behind a row of blanks',
      `resumption:\n  updated_at: a${' '.repeat(1_000_000)}# b\n`,
      marks('a', null, null),
    ],
    [
      'and blanks between words are none the slower',
      `resumption:\n  updated_at: a${' '.repeat(1_000_000)}b\n`,
      marks(`a${' '.repeat(1_000_000)}b`, null, null),
    ],
    ['nowhere', 'workflow:\n  id: a\n', NOTHING],
    ['in nothing', '', NOTHING],
  ])('finds them %s', (_, source, expected) => {
    expect(sectionMarks(source)).toEqual(expected);
  });
});

describe('freshnessOf()', () => {
  const MINUTE = 60_000;
  const now = 1e12;
  const ago = (minutes: number): number => now - minutes * MINUTE;
  test.each<[string, number, number | null, number | null, Freshness]>([
    ['a moment ago', 0, 120, 60, 'FRESH'],
    ['exactly 30 minutes ago', 30, 120, 60, 'FRESH'],
    ['31 minutes ago', 31, 120, 60, 'STALE'],
    ['before the phase began', 10, 120, 5, 'STALE'],
    ['at the moment in which the phase began', 10, 120, 10, 'FRESH'],
    ['before the session began', 10, 5, null, 'CRITICAL'],
    ['long ago, in a session of unknown age', 600, null, null, 'STALE'],
    ['in five minutes', -5, 120, 60, 'FRESH'],
    ['in six minutes', -6, 120, 60, 'STALE'],
    ['just now, where nothing else is known', 0, null, null, 'FRESH'],
  ])('of a section written %s', (_, updated, started, phase, level) => {
    const times = {
      updated: ago(updated),
      started: started === null ? null : ago(started),
      phaseSince: phase === null ? null : ago(phase),
      now,
    };
    expect(freshnessOf(times).level).toBe(level);
  });
});

describe('timeIn()', () => {
  const at = Date.UTC(2026, 1, 17, 12, 34, 56);
  test.each<[string | null, number | null]>([
    ['2026-02-17T12:34:56Z', at],
    ['2026-02-17t12:34:56z', at],
    ['2026-02-17T12:34:56.250Z', at + 250],
    ['2026-02-17 12:34:56Z', at],
    ['2026-02-17T14:34:56+02:00', at],
    ['2026-02-17 06:34:56 -0600', at],
    ['2026-02-17T14:34:56+02', at],
    ['2026-02-17T12:34Z', at - 56_000],
    ['2026-02-17', Date.UTC(2026, 1, 17)],
    ['2026-02-17T12:34:56', new Date(2026, 1, 17, 12, 34, 56).getTime()],
    [null, null],
    ['', null],
    ['3', null],
    ['12', null],
    ['1.5', null],
    ['2026', null],
    ['20260217', null],
    ['1771331696', null],
    ['17.02.2026', null],
    ['02-17-2026', null],
    ['2026-13-01', null],
    ['2026-02-17T25:00:00Z', null],
    ['phase 2', null],
    ['just now', null],
    ['2026-02-17T12:34:56Z or so', null],
  ])('takes %j for %j', (text, expected) => {
    expect(timeIn(text)).toBe(expected);
  });
});

describe('updatedAt()', () => {
  const day = Date.UTC(2026, 1, 17);
  const HOUR = 3_600_000;
  test.each<[string, string | null, number, number]>([
    ['its own word', '2026-02-17T12:00:00Z', day + 20 * HOUR, day + 12 * HOUR],
    ["the file's, without a word", null, day, day],
    ["the file's, where the word is no time", '3', day, day],
    ["of a day, the file's in it", '2026-02-17', day + 20 * HOUR, day + 20 * HOUR],
    ['of a day, not later than it', '2026-02-17', day + 90 * HOUR, day + 36 * HOUR],
    ['of a day, not before it', '2026-02-17', day - 5 * HOUR, day],
  ])('is %s', (_, text, file, expected) => {
    expect(updatedAt(text, file)).toBe(expected);
  });
});

describe('workflowId()', () => {
  test.each<[string, string, string | null]>([
    ['quoted', 'workflow:\n  id: "flow-1"\n  status: ACTIVE\n', 'flow-1'],
    [
      'plain, with a comment',
      '# x\nworkflow: # w\n  # c\n\n  status: ACTIVE\n  id: flow-1  # it\nphases: []\n',
      'flow-1',
    ],
    ['with the line ends of Windows', 'workflow:\r\n  id: flow-1\r\n  status: x\r\n', 'flow-1'],
    ['at the end, without a line break', 'workflow:\n    id: flow-1', 'flow-1'],
    ['not the id of something in it', 'workflow:\n  owner:\n    id: nobody\n  status: x\n', null],
    ['not the id of something after it', 'workflow:\n  status: x\nphase:\n  id: 3\n', null],
    ['not of another section', 'other:\n  id: x\n', null],
    ['nothing', '', null],
    ['an anchor', 'workflow:\n  id: &a x\n', 'x'],
  ])('%s', (_, source, expected) => {
    expect(workflowId(source)).toBe(expected);
  });
});

describe('sectionStanding()', () => {
  const now = Date.parse('2026-11-28T12:00:00Z');
  const file = (updated_at: string | null) => ({
    ...marks(updated_at, 'CP-002', '3'),
    mtimeMs: now - 60_000,
    phase_since: null,
  });

  test('goes by the time in the section', () => {
    expect(sectionStanding(file('2026-11-28T10:00:00Z'), now, null)).toMatchObject({
      updated_at: '2026-11-28T10:00:00Z',
      age_s: 7_200,
      checkpoint: 'CP-002',
      level: 'STALE',
    });
  });

  test.each([[null], ['yesterday']])('goes by the time of the file where the section says %j', (updated) => {
    expect(sectionStanding(file(updated), now, null)).toMatchObject({
      updated_at: '2026-11-28T11:59:00.000Z',
      age_s: 60,
      level: 'FRESH',
    });
  });
});
