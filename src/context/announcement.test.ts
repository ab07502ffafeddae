// Tests what is announced of the context usage at each event, and why nothing is.
import { describe, expect, test } from 'vitest';
import { type Judged, judge } from '../../test/unit/judgements.ts';
import { findEpoch } from '../compaction/delivery.ts';
import { createSessionState, type LastAnnounced } from '../sessions/session-state.ts';
import type { AnnouncementEvent, AnnouncementSettings } from './announcement.ts';
import { decideAnnouncement, mayRiseNext, needsShortLineOnly } from './announcement.ts';
import type { SessionSnapshot } from './context-status.ts';
import type { Tier } from './tier.ts';

const SETTINGS: AnnouncementSettings = {
  enabled: true,
  'context_monitor.enabled': true,
  'context_monitor.emit': 'always',
};
const PROMPT: AnnouncementEvent = { kind: 'prompt', agent: null, isNotice: false };
const NOTICE: AnnouncementEvent = { kind: 'prompt', agent: null, isNotice: true };
const TOOL: AnnouncementEvent = { kind: 'after-tool', agent: null };

/** Tokens in the middle of each tier of a window of 200,000. */
const TOKENS: Record<Tier, number> = {
  NOMINAL: 30_000,
  LOW: 95_000,
  WARNING: 120_000,
  CRITICAL: 140_000,
  EMERGENCY: 150_000,
};

interface Given {
  tokens?: number | null;
  /** The tier that was announced last, and the highest one. */
  said?: [tier: Tier, top: Tier] | null;
  off?: boolean;
  judged?: Judged;
}

function snapshotOf({ tokens = 30_000, said = null, off = false, judged = {} }: Given): SessionSnapshot {
  const known: LastAnnounced | null = said && {
    epoch: 0,
    tier: said[0],
    highest_tier: said[1],
    window: 200_000,
    max_tokens: 0,
  };
  const state = { ...createSessionState('a'), said: known, off };
  return {
    state,
    said: known,
    hasFallen: false,
    hasRisen: false,
    scan: null,
    epoch: findEpoch(state, null),
    assessment: judge(tokens, judged),
    client: { enabled: true, window: null, percent: null },
    maxTokensByModel: {},
    largeWindowByModel: {},
    firstAnswerTokens: 20_000,
    lastAutoCompactTokens: null,
    lastAutoCompactModel: null,
  };
}

const ESTIMATE: Judged = { reading: { estimated: true, stale: true, source: 'after-compaction' } };
const BY_TEXT: Judged = { reading: { estimated: true, source: 'characters' } };
const LARGE: Judged = { reading: { model: 'claude-opus-4-7' } };
const emit = (value: 'on-change' | 'off') => ({ 'context_monitor.emit': value });

// [what is given, event, settings that differ, what is said, why]
const rows: [
  string,
  Given,
  AnnouncementEvent,
  Partial<AnnouncementSettings>,
  'full' | 'line' | null,
  string,
][] = [
  ['the first prompt', {}, PROMPT, {}, 'full', 'first-report'],
  ['a notice of the client, first', {}, NOTICE, {}, 'full', 'first-report'],
  ['a prompt, once more', { said: ['NOMINAL', 'NOMINAL'] }, PROMPT, {}, 'line', 'every-prompt'],
  ['a rise at a prompt', { tokens: TOKENS.WARNING, said: ['LOW', 'LOW'] }, PROMPT, {}, 'full', 'tier-rose'],
  ['a rise at a tool', { tokens: TOKENS.LOW, said: ['NOMINAL', 'NOMINAL'] }, TOOL, {}, 'full', 'tier-rose'],
  ['the first figure, high, at a tool', { tokens: TOKENS.CRITICAL }, TOOL, {}, 'full', 'first-report'],
  [
    'a fall at a prompt',
    { tokens: TOKENS.LOW, said: ['WARNING', 'WARNING'] },
    PROMPT,
    {},
    'line',
    'tier-changed',
  ],
  [
    'a return below the top',
    { tokens: TOKENS.WARNING, said: ['LOW', 'CRITICAL'] },
    PROMPT,
    {},
    'line',
    'tier-changed',
  ],
  [
    'a change at a notice',
    { tokens: TOKENS.LOW, said: ['NOMINAL', 'NOMINAL'] },
    NOTICE,
    {},
    'full',
    'tier-rose',
  ],
  [
    'an estimate at a prompt',
    { tokens: TOKENS.LOW, said: ['NOMINAL', 'NOMINAL'], judged: ESTIMATE },
    PROMPT,
    {},
    'full',
    'tier-rose',
  ],
  ['text below WARNING', { tokens: TOKENS.LOW, judged: BY_TEXT }, PROMPT, {}, null, 'estimate-by-text'],
  ['text at WARNING', { tokens: TOKENS.WARNING, judged: BY_TEXT }, TOOL, {}, 'full', 'first-report'],
  [
    'text at WARNING, once more',
    { tokens: TOKENS.WARNING, said: ['WARNING', 'WARNING'], judged: BY_TEXT },
    TOOL,
    {},
    null,
    'already-said',
  ],
  [
    'a window that only the table knows',
    { tokens: 140_000, said: ['NOMINAL', 'NOMINAL'], judged: LARGE },
    TOOL,
    {},
    'full',
    'window-unconfirmed',
  ],
  [
    'a change with emit on-change',
    { tokens: TOKENS.LOW, said: ['NOMINAL', 'NOMINAL'] },
    PROMPT,
    emit('on-change'),
    'full',
    'tier-rose',
  ],
  [
    'no change with emit on-change',
    { said: ['NOMINAL', 'NOMINAL'] },
    PROMPT,
    emit('on-change'),
    null,
    'unchanged',
  ],
  ['no change at a notice', { said: ['NOMINAL', 'NOMINAL'] }, NOTICE, {}, null, 'client-notice'],
  ['emit off', { tokens: TOKENS.WARNING }, PROMPT, emit('off'), null, 'emit-setting'],
  [
    'the monitor switched off',
    { tokens: TOKENS.WARNING },
    PROMPT,
    { 'context_monitor.enabled': false },
    null,
    'monitor-off',
  ],
  ['everything switched off', {}, PROMPT, { enabled: false }, null, 'off'],
  ['the session switched off', { off: true }, PROMPT, {}, null, 'off'],
  [
    'a tool of a subagent',
    { tokens: TOKENS.WARNING },
    { kind: 'after-tool', agent: 'a1' },
    {},
    null,
    'subagent',
  ],
  ['no usage', { tokens: null }, PROMPT, {}, null, 'usage-unknown'],
  ['a tool at NOMINAL', { said: ['NOMINAL', 'NOMINAL'] }, TOOL, {}, null, 'below-lowest-tier'],
  [
    'a tool at a tier that was said',
    { tokens: TOKENS.WARNING, said: ['WARNING', 'WARNING'] },
    TOOL,
    {},
    null,
    'already-said',
  ],
  [
    'a tool below the top',
    { tokens: TOKENS.LOW, said: ['WARNING', 'WARNING'] },
    TOOL,
    {},
    null,
    'already-said',
  ],
  [
    'an estimate at a tool',
    { tokens: TOKENS.LOW, said: ['NOMINAL', 'NOMINAL'], judged: ESTIMATE },
    TOOL,
    {},
    null,
    'estimate',
  ],
  ['a tool past the threshold', { tokens: 168_000 }, TOOL, {}, null, 'compaction-due'],
  [
    'a prompt past the threshold',
    { tokens: 168_000, said: ['EMERGENCY', 'EMERGENCY'] },
    PROMPT,
    {},
    null,
    'compaction-due',
  ],
];

describe('decideAnnouncement()', () => {
  test.each(rows)('%s', (_, given, event, settings, said, reason) => {
    const snapshot = snapshotOf(given);
    expect(decideAnnouncement(snapshot, event, { ...SETTINGS, ...settings })).toMatchObject({
      said,
      reason,
      tier: snapshot.assessment.tier,
      from: given.said?.[0] ?? null,
      fractionOfLimit: snapshot.assessment.fractionOfLimit,
    });
  });

  test('needs no snapshot for a subagent', () => {
    const event = { kind: 'after-tool', agent: 'a1' } as const;
    expect(decideAnnouncement(null, event, SETTINGS)).toMatchObject({ reason: 'subagent', tier: null });
    expect(decideAnnouncement(null, TOOL, SETTINGS).reason).toBe('usage-unknown');
  });

  // [given, event, settings, isRise, isKept]
  const kept: [string, Given, AnnouncementEvent, Partial<AnnouncementSettings>, boolean, boolean][] = [
    ['a rise is kept', { tokens: TOKENS.WARNING }, PROMPT, {}, true, true],
    ['a repeated line is not', { said: ['NOMINAL', 'NOMINAL'] }, PROMPT, {}, false, false],
    [
      'an estimate is kept as said, and is no rise',
      { tokens: TOKENS.LOW, judged: ESTIMATE },
      PROMPT,
      {},
      false,
      true,
    ],
    ['with emit off a prompt counts as said', { tokens: TOKENS.WARNING }, PROMPT, emit('off'), true, true],
    [
      'with emit off a fall at a tool does not',
      { tokens: TOKENS.LOW, said: ['WARNING', 'WARNING'] },
      TOOL,
      emit('off'),
      false,
      false,
    ],
    [
      'the warning for a window is kept, though the tier is the same',
      { tokens: 140_000, said: ['NOMINAL', 'NOMINAL'], judged: LARGE },
      TOOL,
      {},
      false,
      true,
    ],
    ['before a compaction it is no news', { tokens: 168_000 }, TOOL, {}, false, false],
  ];
  test.each(kept)('%s', (_, given, event, settings, isRise, isKept) => {
    const found = decideAnnouncement(snapshotOf(given), event, { ...SETTINGS, ...settings });
    expect(found).toMatchObject({ isRise, isKept });
    expect(needsShortLineOnly(found)).toBe(found.said !== 'full' && !isRise && !isKept);
  });
});

describe('mayRiseNext()', () => {
  test.each([
    [30_000, null, false],
    [60_000, null, false],
    [90_000, null, true],
    [90_000, ['LOW', 'WARNING'], false],
    [105_000, ['WARNING', 'WARNING'], true],
    [null, null, false],
  ] as [number | null, Given['said'], boolean][])('%s tokens after %j: %s', (tokens, said, expected) => {
    expect(mayRiseNext(snapshotOf({ tokens, said: said ?? null }))).toBe(expected);
  });
});
