import { describe, expect, test } from 'vitest';
import {
  type Freshness,
  findTime,
  isBefore,
  rateFreshness,
  readSectionStanding,
  readUpdatedAt,
} from './staleness.ts';

const marks = (updated_at: string | null, last_checkpoint: string | null, current_phase: string | null) => ({
  updated_at,
  last_checkpoint,
  current_phase,
});

describe('rateFreshness()', () => {
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
    expect(rateFreshness(times).level).toBe(level);
  });
});

describe('findTime()', () => {
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
    expect(findTime(text)).toBe(expected);
  });
});

describe('readUpdatedAt()', () => {
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
    expect(readUpdatedAt(text, file)).toBe(expected);
  });
});

describe('isBefore()', () => {
  const since = Date.parse('2026-11-28T12:00:00.400Z');
  test.each([
    ['2026-11-28T12:00:00.399Z', true],
    ['2026-11-28T12:00:00.400Z', false],
    ['2026-11-28T12:00:00Z', false],
    ['2026-11-28T11:59:59Z', true],
  ])('of %s is %s', (updated, expected) => {
    expect(isBefore(Date.parse(updated), since)).toBe(expected);
  });
});

describe('readSectionStanding()', () => {
  const now = Date.parse('2026-11-28T12:00:00Z');
  const file = (updated_at: string | null) => ({
    ...marks(updated_at, 'CP-002', '3'),
    mtimeMs: now - 60_000,
    phase_since: null,
  });

  test('goes by the time in the section', () => {
    expect(readSectionStanding(file('2026-11-28T10:00:00Z'), now, null)).toMatchObject({
      updated_at: '2026-11-28T10:00:00Z',
      age_s: 7_200,
      checkpoint: 'CP-002',
      level: 'STALE',
    });
  });

  test.each([[null], ['yesterday']])('goes by the time of the file where the section says %j', (updated) => {
    expect(readSectionStanding(file(updated), now, null)).toMatchObject({
      updated_at: '2026-11-28T11:59:00.000Z',
      age_s: 60,
      level: 'FRESH',
    });
  });
});
