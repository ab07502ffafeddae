import { describe, expect, test } from 'vitest';
import type { Formatter } from '../../../doctor/finding.ts';
import type { Trouble } from '../transcript/timeline.ts';
import { checkTraces, type TraceFacts } from './session-findings.ts';

const NOW = Date.parse('2026-11-27T12:00:00.000Z');
const WORDS: Formatter = { path: (path) => path, ago: () => '3 min ago' };
const minutes = (before: number): string => new Date(NOW - before * 60_000).toISOString();
const HEALTHY: TraceFacts = { troubles: [], arrived: {}, hookRuns: [], answeredAt: NOW, feeds: [] };
const trouble = (more: Partial<Trouble>): Trouble => ({
  kind: 'timeout',
  event: 'Stop',
  isOurs: true,
  times: [minutes(10)],
  text: '',
  ...more,
});
const found = (facts: Partial<TraceFacts>): string[] =>
  checkTraces({ ...HEALTHY, ...facts }, NOW, WORDS).map(
    ({ level, finding, fix }) => `${level}: ${finding} → ${fix}`,
  );
const ran = (before: number) => ({ hookRuns: [{ name: 'Stop', at: minutes(before) }] });

// [what happened, facts, what is said; null for nothing]
const rows: [string, Partial<TraceFacts>, RegExp | null][] = [
  ['nothing', {}, null],
  [
    'a hook that ran out of its time',
    { troubles: [trouble({})] },
    /^error: Stop ran out of its time.*lost, last 3 min ago → plimsoll init/,
  ],
  [
    'and has run well since',
    { troubles: [trouble({})], ...ran(5) },
    /^ok: .*; it has run well since → null$/,
  ],
  ['and had run before', { troubles: [trouble({})], ...ran(20) }, /^error/],
  [
    'one that does so often',
    { troubles: [trouble({ times: [9, 8, 7, 6].map(minutes) })], ...ran(5) },
    /^info: .*4 times in the last 24 hours/,
  ],
  ['one of yesterday', { troubles: [trouble({ times: [minutes(1_500)] })] }, null],
  ['one of others', { troubles: [trouble({ isOurs: false })] }, null],
  ['one that Esc broke off', { troubles: [trouble({ kind: 'cancelled' })] }, null],
  [
    'one of an unknown hook of an event that is not ours',
    { troubles: [trouble({ kind: 'cancelled', isOurs: null })] },
    null,
  ],
  [
    'one of an unknown hook of an event of ours',
    { troubles: [trouble({ kind: 'cancelled', isOurs: null })], ...ran(20) },
    /^info: Stop was broken off.*somebody else/,
  ],
  [
    'an answer that was not understood',
    { troubles: [trouble({ kind: 'failed', text: 'wrong event name' })] },
    /^error: Stop: the client could not use its answer \(wrong event name\).*restart the client$/,
  ],
  [
    'too many words',
    { troubles: [trouble({ kind: 'cut' })] },
    /^error: Stop said more than the client takes/,
  ],
];

describe('what the client did with the words of hooks', () => {
  test.each(rows)('%s', (_name, facts, expected) => {
    const lines = found(facts);
    if (expected === null) expect(lines).toEqual([]);
    else expect(lines).toEqual([expect.stringMatching(expected)]);
  });
});

describe('feeds', () => {
  const feed = (at: number | null): Partial<TraceFacts> => ({
    feeds: [{ from: 'statusline', path: 'x.statusline.feed', at }],
  });
  test('one as fresh as the last answer is alive', () => {
    expect(found(feed(NOW - 1_000))).toEqual([expect.stringMatching(/^ok: the status line wrote/)]);
  });
  test('one that answers have left behind is dead', () => {
    expect(found(feed(NOW - 3_600_000))).toEqual([
      expect.stringMatching(
        /^info: the status line wrote its last figures .*transcript alone → see whether "statusLine"/,
      ),
    ]);
  });
  test('one that is as old as the session is not', () => {
    expect(found({ ...feed(NOW - 3_600_000), answeredAt: NOW - 3_600_000 })).toEqual([
      expect.stringMatching(/^ok/),
    ]);
  });
  test('one that cannot be read is named', () => {
    expect(found(feed(null))).toEqual([expect.stringMatching(/^info: x\.statusline\.feed .*cannot be read/)]);
  });
});
