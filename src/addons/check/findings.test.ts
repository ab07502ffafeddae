// Tests the findings of `plimsoll check` about rule markers and resumption sections, and the order of findings.
import { describe, expect, test } from 'vitest';
import { type CheckFinding, sortFindings, tally } from '../../cli/check-finding.ts';
import { findStaleSections } from '../orchestration/check-state.io.ts';
import { checkMarkers } from '../rules/check-rules.io.ts';

describe('checkMarkers()', () => {
  const GOOD = '<!-- L2-REINJECT: rank=1, content="x" -->';
  // [text, whether the file is read, line and beginning of each finding]
  const cases: [string, boolean, string[]][] = [
    [GOOD, true, []],
    ['no marker', true, []],
    ['# A\n\n<!-- L2-REINJECT: content="x" -->', true, ['3 the marker has no rank=N']],
    [`${GOOD}\n<!-- L2-REINJECT: rank=1, content=two words -->`, true, ['2 the marker does not end']],
    ['```\n<!-- L2-REINJECT: -->\n```', true, []],
    [`\n${GOOD}`, false, ['2 has a marker, and markers of this file are not read']],
  ];
  test.each(cases)('%j', (text, isRead, expected) => {
    const found = checkMarkers('a.md', text, isRead).map(({ line, message }) => `${line} ${message}`);
    expect(found).toHaveLength(expected.length);
    for (const [index, words] of expected.entries()) expect(found[index]?.startsWith(words)).toBe(true);
  });
});

describe('findStaleSections()', () => {
  const NOW = Date.parse('2026-03-01T12:00:00Z');
  const minutes = (count: number): number => NOW - count * 60_000;
  const iso = (ms: number): string => new Date(ms).toISOString();
  const levels = (given: {
    updated: number | null;
    worked?: number;
    started?: number;
    phase?: number;
    mtime?: number;
  }) =>
    findStaleSections(
      {
        file: 'ORCHESTRATION.yaml',
        line: 4,
        marks: {
          updated_at: given.updated === null ? null : iso(given.updated),
          last_checkpoint: null,
          current_phase: null,
        },
        mtimeMs: given.mtime ?? NOW,
        phase_since: given.phase === undefined ? null : iso(given.phase),
        started: given.started === undefined ? null : iso(given.started),
      },
      given.worked ?? NOW,
      NOW,
    ).map(({ level, message }) => `${level} ${/is (\w+)/.exec(message)?.[1]}`);

  test.each<[string, Parameters<typeof levels>[0], string[]]>([
    ['updated 30 minutes before the work', { updated: minutes(30) }, []],
    ['updated 31 minutes before the work', { updated: minutes(31) }, ['warning STALE']],
    ['of yesterday, in a repository of yesterday', { updated: minutes(1450), worked: minutes(1440) }, []],
    ['updated after the last commit', { updated: minutes(10), worked: minutes(1440) }, []],
    [
      'updated long before a commit of yesterday',
      { updated: minutes(1500), worked: minutes(1440) },
      ['warning STALE'],
    ],
    ['older than the session', { updated: minutes(20), started: minutes(10) }, ['warning CRITICAL']],
    ['older than the phase', { updated: minutes(20), phase: minutes(10) }, ['warning STALE']],
    ['with a time still to come', { updated: minutes(-10) }, ['warning STALE']],
    ['without a time, in a file of now', { updated: null }, []],
    ['without a time, in an old file', { updated: null, mtime: minutes(31) }, ['warning STALE']],
  ])('a section %s', (_, given, expected) => {
    expect(levels(given)).toEqual(expected);
  });
});

test('findings are ordered by file and line, those of no file last, and counted by level', () => {
  const one = (file: string | null, line: number | null, level: CheckFinding['level']): CheckFinding => ({
    check: 'c',
    rule: 'r',
    level,
    file,
    line,
    message: '',
    next: null,
  });
  const given = [
    one(null, null, 'note'),
    one('b', 1, 'error'),
    one('a', 2, 'error'),
    one('a', null, 'warning'),
  ];
  expect(sortFindings(given).map(({ file, line }) => [file, line])).toEqual([
    ['a', null],
    ['a', 2],
    ['b', 1],
    [null, null],
  ]);
  expect(tally(given)).toEqual({ note: 1, warning: 1, error: 2 });
});
