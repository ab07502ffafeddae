import { describe, expect, test } from 'vitest';
import { draft } from '../../test/unit/drafts.ts';
import { judge } from '../../test/unit/judgements.ts';
import type { TriggerType } from '../compaction/checkpoint/checkpoint.ts';
import { findEpoch } from '../compaction/delivery.ts';
import type { SessionSnapshot } from '../context/context-status.ts';
import { foldFacts, type WithOffset } from '../context/usage.ts';
import type { AppliedEffect, AuditInput } from '../hook/action.ts';
import { buildEvents, findSessionEnd } from './derive-events.ts';
import { EVENTS, type LogEvent } from './log-event.ts';
import type { Alert, LastAnnounced, SessionPatch, SessionState } from './session-state.ts';
import { createSessionState } from './session-state.ts';

const AT = '2026-11-28T07:00:00.000Z';
const boundary = (offset: number, preTokens: number | null = 167_000): WithOffset => ({
  kind: 'boundary',
  trigger: 'manual',
  preTokens,
  at: null,
  offset,
});
const answer = (offset: number, tokens: number): WithOffset => ({
  kind: 'usage',
  tokens,
  input: 1,
  output: 1,
  model: 'claude-sonnet-4-5',
  at: null,
  messageId: `m${offset}`,
  offset,
});

function snapshot(
  known: Partial<SessionState> | null = {},
  facts: WithOffset[] = [],
  tokens = 120_000,
): SessionSnapshot {
  const state = known === null ? null : { ...createSessionState('a'), ...known };
  const folded = foldFacts(facts);
  return {
    state,
    said: state?.last_announced ?? null,
    hasFallen: false,
    hasRisen: false,
    scan: { facts: folded, from: 0, end: 0 },
    epoch: findEpoch(state, folded),
    assessment: judge(tokens),
    client: { enabled: true, window: null, percent: null },
    maxTokensByModel: {},
    largeWindowByModel: {},
    firstAnswerTokens: null,
    lastAutoCompactTokens: null,
    lastAutoCompactModel: null,
  };
}
const patch = (given: SessionPatch, session = 'a'): AppliedEffect => ({
  effect: { do: 'patch-session', session, patch: given },
});
const happening = (session: string, done: AppliedEffect[], seen: SessionSnapshot | null): AuditInput => ({
  session,
  moment: 'other',
  done,
  snapshot: seen,
  abandonOn: 'none',
});
const eventsOf = (session: string, done: AppliedEffect[], seen: SessionSnapshot): LogEvent[] =>
  buildEvents(happening(session, done, seen));
const said = (tier: LastAnnounced['tier'], top = tier): LastAnnounced => ({
  epoch: 0,
  tier,
  highest_tier: top,
  window: 200_000,
  max_tokens: 0,
});
const alert = (more: Partial<Alert> = {}): Alert => ({
  epoch: 1,
  checkpoint: 'cx-001',
  status: 'leased',
  tries: 1,
  offset: 0,
  at: AT,
  channel: 'SessionStart',
  ...more,
});
const checkpointBy = (type: TriggerType): AppliedEffect => ({
  effect: { do: 'write-checkpoint', draft: draft({ trigger: type }) },
  checkpoint: { id: 'cx-007' },
});
const pending = { checkpoint: 'cx-001', offset: 0, trigger: 'auto', at: AT } as const;
const resumption = { from: 'b', tries: 1, offset: 0, at: AT, channel: 'SessionStart' };

describe('eventsOf()', () => {
  test.each<[string, AppliedEffect[], SessionSnapshot, object[]]>([
    ['nothing', [], snapshot(), []],
    [
      'housekeeping',
      [patch({ active: true, ended: null, alert: null, last_announced: null })],
      snapshot(),
      [],
    ],
    [
      'what was done to another conversation',
      [patch({ last_announced: said('WARNING') }, 'b')],
      snapshot(),
      [],
    ],
    [
      'a rise',
      [patch({ last_announced: said('WARNING') })],
      snapshot({ last_announced: said('LOW') }),
      [
        {
          type: 'ContextThresholdReached',
          tier: 'WARNING',
          tokens: 120_000,
          window: 200_000,
          fill: 0.6,
          epoch: 0,
        },
      ],
    ],
    [
      'a rise that is not said, since the compaction comes first',
      [checkpointBy('auto')],
      snapshot({ last_announced: said('LOW') }),
      [
        { type: 'ContextThresholdReached', tier: 'WARNING', tokens: 120_000, epoch: 0 },
        { type: 'CheckpointCreated', checkpoint: 'cx-007', trigger: 'auto' },
      ],
    ],
    ['a first look at NOMINAL', [patch({ last_announced: said('NOMINAL') })], snapshot(), []],
    [
      'a fall',
      [patch({ last_announced: said('LOW', 'WARNING') })],
      snapshot({ last_announced: said('WARNING') }),
      [],
    ],
    [
      'a rise to where it was before',
      [patch({ last_announced: said('WARNING') })],
      snapshot({ last_announced: said('LOW', 'WARNING') }),
      [],
    ],
    [
      'a checkpoint',
      [checkpointBy('tier-rise')],
      snapshot(),
      [{ type: 'CheckpointCreated', checkpoint: 'cx-007', trigger: 'tier-rise' }],
    ],
    [
      'a compaction that PreCompact announced',
      [patch({ alert: alert() })],
      snapshot({ pending_compaction: pending }, [answer(10, 150_000)]),
      [
        { type: 'CompactionDetected', epoch: 1, trigger: 'auto', tokens: 150_000 },
        { type: 'AlertLeased', epoch: 1, checkpoint: 'cx-001', channel: 'SessionStart' },
      ],
    ],
    [
      'a compaction that only the file shows',
      [patch({ alert: alert({ checkpoint: null }) })],
      snapshot({}, [answer(10, 150_000), boundary(20)]),
      [{ type: 'CompactionDetected', epoch: 1, trigger: 'manual', tokens: 167_000 }, { type: 'AlertLeased' }],
    ],
    [
      'three compactions at once, of which the newest is told',
      [patch({ alert: alert({ epoch: 3 }) })],
      snapshot({}, [boundary(10, 151_000), boundary(20, 152_000), boundary(30, 153_000)]),
      [
        { type: 'CompactionDetected', epoch: 1, tokens: 151_000 },
        { type: 'CompactionDetected', epoch: 2, tokens: 152_000 },
        { type: 'CompactionDetected', epoch: 3, tokens: 153_000 },
        { type: 'AlertLeased', epoch: 3 },
      ],
    ],
    [
      'a compaction in a conversation that was never seen',
      [patch({ alert: alert({ epoch: 4 }) })],
      snapshot(null, [boundary(10), boundary(20), boundary(30), boundary(40)]),
      [
        { type: 'CompactionDetected', epoch: 4 },
        { type: 'AlertLeased', epoch: 4 },
      ],
    ],
    [
      'an alert that is said again',
      [patch({ alert: alert({ tries: 2 }) })],
      snapshot({ alert: alert(), epoch: 1 }),
      [{ type: 'AlertRepeated', epoch: 1, tries: 2 }],
    ],
    ...(['delivered', 'unverified', 'undelivered'] as const).map(
      (status): [string, AppliedEffect[], SessionSnapshot, object[]] => [
        `an alert that is ${status}`,
        [patch({ alert: alert({ status }) })],
        snapshot({ alert: alert(), epoch: 1 }),
        [{ type: 'AlertDelivered', epoch: 1, status }],
      ],
    ),
    [
      'a resumption that was said',
      [patch({ received_handoff: { ...resumption, status: 'leased' } })],
      snapshot(),
      [],
    ],
    [
      'a resumption that arrived',
      [patch({ received_handoff: { ...resumption, status: 'delivered' } })],
      snapshot(),
      [{ type: 'ResumptionDelivered', from: 'b', status: 'delivered', tries: 1 }],
    ],
  ])('of %s', (_, done, seen, expected) => {
    const events = eventsOf('a', done, seen);
    expect(events).toMatchObject(expected);
    expect(events).toHaveLength(expected.length);
    for (const event of events) {
      for (const field of Object.keys(EVENTS[event.type])) expect(event).toHaveProperty(field);
    }
    // Each has an id of its own, by which it is known when it comes twice.
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect(events.every(({ id }) => id !== undefined)).toBe(true);
  });

  test('of a subagent that finished, with nothing else looked at', () => {
    const secret = `token ghp_${'a1B2'.repeat(9)}`;
    const agent = { id: 'a1', type: `Explore\n${secret}` };
    const events = buildEvents({ ...happening('a', [], null), agent });
    expect(events).toEqual([
      {
        type: 'AgentCompleted',
        id: 'agent:a1',
        agent: 'a1',
        agent_type: 'Explore token [redacted]',
      },
    ]);
  });

  test('ids tell segments, windows and tries apart', () => {
    const ids = [
      ...eventsOf('a', [patch({ last_announced: said('LOW') })], snapshot()),
      ...eventsOf('a', [patch({ last_announced: { ...said('LOW'), epoch: 1 } })], snapshot()),
      ...eventsOf('a', [patch({ last_announced: { ...said('LOW'), window: 1_000_000 } })], snapshot()),
      ...eventsOf('a', [patch({ last_announced: said('WARNING') })], snapshot()),
      ...[1, 2].flatMap((epoch) =>
        eventsOf('a', [patch({ alert: alert({ epoch }) })], snapshot({ epoch: epoch - 1 })),
      ),
      ...[2, 3].flatMap((tries) =>
        eventsOf('a', [patch({ alert: alert({ tries }) })], snapshot({ epoch: 1 })),
      ),
    ].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('endOf()', () => {
  const ended = { at: AT, reason: 'clear' };
  test.each<[string, AppliedEffect[], object | null]>([
    ['nothing', [], null],
    ['work that goes on', [patch({ ended: null })], null],
    ['the end of another conversation', [patch({ ended }, 'b')], null],
    ['the end', [patch({ active: true }), patch({ ended })], ended],
  ])('of %s', (_, done, expected) => {
    expect(findSessionEnd(happening('a', done, null))).toEqual(expected);
  });
});
