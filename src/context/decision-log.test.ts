// Tests the log of decisions: bounded, equal ones together, nothing lost to damage.
import { expect, test } from 'vitest';
import type { Announcement } from './announcement.ts';
import { appendDecision, LOG_BYTES, parseDecisions } from './decision-log.ts';

const made = (
  reason: Announcement['reason'],
  now: number,
  more: Partial<Announcement> = {},
  event: 'prompt' | 'tool' = 'tool',
) => ({
  event,
  now,
  announcement: {
    ...{ said: null, reason, tier: 'WARNING', from: 'LOW', fractionOfLimit: 0.71234 },
    ...{ isRise: false, warnStandard: false, isKept: false, ...more },
  } as Announcement,
});

/** A log after decisions, each written where it belongs. */
function logOf(...list: ReturnType<typeof made>[]): string {
  return list.reduce((text, each) => {
    const entry = appendDecision(text, each);
    return text.slice(0, entry.at) + entry.text + text.slice(entry.at + entry.text.length);
  }, '');
}

test('a decision comes back as it was made', () => {
  const said = made('tier-rose', 5, { said: 'full' }, 'prompt');
  expect(parseDecisions(logOf(said))).toEqual([
    {
      ...{ event: 'prompt', since: 5, at: 5, times: 1, tier: 'WARNING', from: 'LOW' },
      ...{ fractionOfLimit: 0.7123, said: 'full', reason: 'tier-rose' },
    },
  ]);
  const unknown = made('usage-unknown', 6, { tier: null, from: null, fractionOfLimit: null });
  expect(parseDecisions(logOf(unknown))).toMatchObject([{ tier: null, from: null, fractionOfLimit: null }]);
});

test('equal ones share a line, whatever else was silent in between', () => {
  const log = logOf(
    made('every-prompt', 1, { said: 'line' }, 'prompt'),
    made('already-said', 2),
    made('subagent', 3),
    made('already-said', 4, { fractionOfLimit: 0.73 }),
    made('subagent', 5),
  );
  expect(parseDecisions(log).map(({ reason, since, at, times }) => [reason, since, at, times])).toEqual([
    ['every-prompt', 1, 1, 1],
    ['already-said', 2, 4, 2],
    ['subagent', 3, 5, 2],
  ]);
});

test('what else was said in between parts equal ones', () => {
  const log = logOf(
    made('already-said', 1),
    made('tier-rose', 2, { said: 'full', tier: 'CRITICAL' }, 'prompt'),
    made('already-said', 3),
    made('every-prompt', 4, { said: 'line' }, 'prompt'),
    made('already-said', 5),
    made('every-prompt', 6, { said: 'line' }, 'prompt'),
  );
  expect(parseDecisions(log).map(({ reason, at, times }) => [reason, at, times])).toEqual([
    ['already-said', 1, 1],
    ['tier-rose', 2, 1],
    ['already-said', 3, 1],
    ['already-said', 5, 1],
    ['every-prompt', 6, 2],
  ]);
});

test('the last 20 are kept, in a log that does not grow', () => {
  const rise = (now: number) => made('tier-rose', now, { said: 'full', tier: now % 2 ? 'LOW' : 'WARNING' });
  const log = logOf(...Array.from({ length: 50 }, (_, index) => rise(index)));
  expect(log.length).toBe(LOG_BYTES);
  expect(parseDecisions(log).map(({ at }) => at)).toEqual(
    Array.from({ length: 20 }, (_, index) => 30 + index),
  );
});

test('what cannot be read is left out, and written over in its turn', () => {
  const log = `${'\0'.repeat(111)}\n${logOf(made('estimate', 7))}half a li`;
  expect(parseDecisions(log)).toMatchObject([{ reason: 'estimate' }]);
  expect(appendDecision(log, made('claimed', 8)).at).toBe(2 * 112);
});
