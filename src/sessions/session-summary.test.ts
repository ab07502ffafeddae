import { describe, expect, test } from 'vitest';
import type { LogEvent, LoggedEvent } from './log-event.ts';
import { createSessionState, type SessionState } from './session-state.ts';
import { summarizeSession } from './session-summary.ts';

const log = (...events: LogEvent[]): LoggedEvent[] =>
  events.map((event, index) => ({
    schema_version: '1.0.0',
    session: 'a',
    at: `2026-11-28T07:00:0${index}.000Z`,
    ...event,
  }));
const started: LogEvent = { type: 'SessionStarted', entrypoint: 'cli', forked: false };
const resumed: LogEvent = { type: 'SessionResumed' };
const ended: LogEvent = { type: 'SessionEnded', reason: 'other' };
const dropped: LogEvent = { type: 'SessionAbandoned', reason: 'no more', cause: 'person' };
const state = (more: Partial<SessionState>): SessionState => ({ ...createSessionState('a'), ...more });
const at = '2026-11-28T08:00:00.000Z';

describe('summarizeSession()', () => {
  test.each<[string, LogEvent[], SessionState | null, boolean, object]>([
    ['that runs', [started], state({}), true, { status: 'running', reason: null, ended: null }],
    [
      'that stopped without a word',
      [started],
      state({}),
      false,
      { status: 'ended', reason: 'it never said that it ended', ended: null },
    ],
    [
      'whose end came, though its client runs on',
      [started, ended],
      state({ ended: { at, reason: 'clear' } }),
      true,
      { status: 'ended', reason: 'clear', ended: at },
    ],
    ['that was resumed', [started, ended, resumed], state({}), true, { status: 'running' }],
    [
      'that was dropped and has ended',
      [started, dropped, ended],
      state({ dropped: { at, reason: 'no more', cause: 'person' }, ended: { at, reason: 'other' } }),
      false,
      { status: 'dropped', reason: 'no more', cause: 'person', ended: at },
    ],
    [
      'of which the log alone says the end',
      [started, ended],
      null,
      true,
      { status: 'ended', reason: 'other' },
    ],
    [
      'of which the log alone says that it was dropped',
      [started, dropped, ended],
      null,
      true,
      { status: 'dropped', reason: 'no more', cause: 'person' },
    ],
    [
      'of which the log alone says that it goes on',
      [started, dropped, resumed],
      null,
      true,
      { status: 'running' },
    ],
    [
      'that was handed work, and handed it on',
      [started],
      state({
        received_handoff: {
          from: 'x',
          status: 'delivered',
          tries: 1,
          offset: 0,
          at,
          channel: 'SessionStart',
        },
        resumed_by: { session_id: 'y', status: 'taken', at },
      }),
      false,
      { continues: 'x', continued_in: 'y' },
    ],
    [
      'whose work was only offered to another one',
      [started],
      state({ resumed_by: { session_id: 'y', status: 'leased', at } }),
      false,
      { continues: null, continued_in: null },
    ],
  ])('of a session %s', (_, events, known, isRunning, expected) => {
    expect(summarizeSession('a', log(...events), known, isRunning)).toMatchObject(expected);
  });

  test('counts what happened', () => {
    const alert = { epoch: 1, checkpoint: null, channel: 'SessionStart' };
    const events = log(
      started,
      { type: 'CompactionDetected', epoch: 1, trigger: 'auto', tokens: 1 },
      { type: 'AlertLeased', ...alert },
      { type: 'AlertRepeated', ...alert, tries: 2 },
      { type: 'AlertDelivered', epoch: 1, checkpoint: null, status: 'undelivered', tries: 3 },
      { type: 'GuardrailViolated', rule: 'r', tool: 'Write', verdict: 'deny' },
    );
    expect(summarizeSession('a', events, null, true)).toMatchObject({
      started: '2026-11-28T07:00:00.000Z',
      last: '2026-11-28T07:00:05.000Z',
      counts: {
        compactions: 1,
        alerts: 1,
        alerts_repeated: 1,
        alerts_undelivered: 1,
        violations: 1,
        agents: 0,
      },
    });
  });
});
