import { describe, expect, test } from 'vitest';
import { LOG_VERSION, type LogEvent, type LoggedEvent } from './log-event.ts';
import { buildSession, isReopenable, type Session } from './work-session.ts';

const at = (minute: number): string => `2026-11-28T07:${String(minute).padStart(2, '0')}:00.000Z`;

/** A stream of these events, one a minute. */
const stream = (...events: LogEvent[]): LoggedEvent[] =>
  events.map((event, index) => ({
    schema_version: LOG_VERSION,
    stream: 's',
    version: index + 1,
    at: at(index),
    ...event,
  }));

const started: LogEvent = {
  type: 'SessionStarted',
  conversation: 'a',
  entrypoint: 'cli',
  forked: false,
  previous: null,
};
const linked = (conversation: string, reopened: boolean): LogEvent => ({
  type: 'SessionLinked',
  conversation,
  from: conversation === 'a' ? null : 'a',
  reopened,
});
const completed = (cause = 'conversation'): LogEvent => ({
  type: 'SessionCompleted',
  conversation: 'a',
  reason: 'other',
  cause,
});
const abandoned = (cause: string): LogEvent => ({
  type: 'SessionAbandoned',
  conversation: 'a',
  reason: 'why',
  cause,
});
const alert = (status: string): LogEvent => ({
  type: 'AlertDelivered',
  conversation: 'a',
  epoch: 1,
  checkpoint: null,
  status,
  tries: 1,
});
const compacted = (epoch: number): LogEvent => ({
  type: 'CompactionDetected',
  conversation: 'a',
  epoch,
  trigger: 'auto',
  tokens: 150_000,
});

describe('sessionOf()', () => {
  test('is null for a stream without events', () => {
    expect(buildSession([])).toBeNull();
  });

  test.each<[string, LogEvent[], Partial<Session>]>([
    ['begun', [started], { status: 'active', started: at(0), ended: null, reason: null, cause: null }],
    [
      'completed',
      [started, completed()],
      { status: 'completed', ended: at(1), reason: 'other', cause: 'conversation' },
    ],
    [
      'abandoned',
      [started, abandoned('died')],
      { status: 'abandoned', ended: at(1), reason: 'why', cause: 'died' },
    ],
    [
      'reopened',
      [started, completed(), linked('a', true)],
      { status: 'active', started: at(0), ended: null, reason: null, cause: null, conversations: ['a'] },
    ],
    [
      'taken over while it goes on',
      [started, linked('b', false)],
      { status: 'active', conversations: ['a', 'b'], last: at(1) },
    ],
    [
      'audited after its end',
      [started, completed(), alert('delivered')],
      { status: 'completed', ended: at(1), last: at(2) },
    ],
    [
      'known only from its middle',
      [compacted(1), completed()],
      { status: 'completed', started: at(0), conversations: ['a'] },
    ],
    ['after another one', [{ ...started, previous: 'r' } as LogEvent], { previous: 'r' }],
  ])('knows one that is %s', (_, events, expected) => {
    expect(buildSession(stream(...events))).toMatchObject({ id: 's', ...expected });
  });

  test('counts what happened', () => {
    const events = stream(started, compacted(1), compacted(2), alert('delivered'), alert('undelivered'));
    expect(buildSession(events)?.counts).toEqual({
      compactions: 2,
      checkpoints: 0,
      tier_rises: 0,
      alerts: 0,
      alerts_repeated: 0,
      alerts_undelivered: 1,
      resumptions: 0,
      agents: 0,
      gates_scored: 0,
      violations: 0,
    });
  });
});

describe('isReopenable()', () => {
  test.each<[string, LogEvent, boolean]>([
    ['the end of its conversation', completed(), true],
    ['a death', abandoned('died'), true],
    ['a person that completed it', completed('person'), false],
    ['a person that gave it up', abandoned('person'), false],
    ['the rule about compactions', abandoned('compaction'), false],
  ])('after %s: %s', (_, end, expected) => {
    const session = buildSession(stream(started, end));
    expect(session && isReopenable(session)).toBe(expected);
  });
});
