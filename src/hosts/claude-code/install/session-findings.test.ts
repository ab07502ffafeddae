import { describe, expect, test } from 'vitest';
import type { Formatter } from '../../../doctor/finding.ts';
import type { Alert } from '../../../sessions/session-state.ts';
import { checkSession, type SessionFacts } from './session-findings.ts';

const NOW = Date.parse('2026-11-28T10:00:00.000Z');
const MINUTE = 60_000;
const iso = (minutes: number): string => new Date(NOW + minutes * MINUTE).toISOString();
const WORDS: Formatter = {
  path: (path) => path,
  ago: (at) => `${Math.round((NOW - (typeof at === 'number' ? at : Date.parse(at))) / MINUTE)} min ago`,
};

const ran = (name: string, minutes: number, ms = 30) => ({ name, at: iso(minutes), ms });
const EVENTS = ['UserPromptSubmit', 'PostToolBatch', 'PreCompact', 'SessionStart', 'Stop', 'SessionEnd'];

const HEALTHY: SessionFacts = {
  id: 'c',
  transcript: '/t.jsonl',
  isKnown: true,
  off: false,
  registered: EVENTS,
  registeredAt: NOW - 600 * MINUTE,
  hookRuns: [ran('UserPromptSubmit', -2), ran('SessionStart', -20), ran('PreCompact', -22)],
  startedAt: NOW - 60 * MINUTE,
  answeredAt: NOW - MINUTE,
  compactedAt: NOW - 21 * MINUTE,
  compactions: 1,
  alert: null,
  evidence: null,
  handoff: null,
};
const SILENT = { isKnown: false, hookRuns: [], compactedAt: null, compactions: 0 };

const alert = (more: Partial<Alert> = {}): Alert => ({
  epoch: 1,
  checkpoint: 'cx-001',
  status: 'delivered',
  tries: 1,
  offset: 0,
  at: iso(-20),
  channel: 'SessionStart',
  ...more,
});

const all = (more: Partial<SessionFacts>): string[] =>
  checkSession({ ...HEALTHY, ...more }, WORDS).map(
    ({ level, finding, fix }) => `${level}: ${finding} → ${fix}`,
  );
const amiss = (more: Partial<SessionFacts>): string[] => all(more).filter((each) => !each.startsWith('ok'));

test('what ran, when and how long, and what has not yet', () => {
  expect(all({})).toEqual([
    'ok: c, /t.jsonl → null',
    'ok: UserPromptSubmit 2 min ago (30 ms), SessionStart 20 min ago (30 ms), PreCompact 22 min ago (30 ms); not yet: PostToolBatch, Stop, SessionEnd → null',
  ]);
});

const rows: [string, Partial<SessionFacts>, RegExp][] = [
  ['silence for the session', { off: true }, /^info: silenced for this session → plimsoll on --session c$/],
  [
    'no run in a session that began after the hooks were registered',
    SILENT,
    /^error: no hook has run .*before it began → trust the folder/,
  ],
  [
    'no run in one that began before',
    { ...SILENT, registeredAt: NOW - 30 * MINUTE },
    /^info: no hook has run .*began before they were registered → restart the client/,
  ],
  [
    'hooks that are younger than its last answer',
    { ...SILENT, registeredAt: NOW },
    /^info: the hooks are younger than this session → null$/,
  ],
  [
    'a compaction, and PreCompact never',
    { hookRuns: HEALTHY.hookRuns.filter((each) => each.name !== 'PreCompact') },
    /^error: PreCompact has never run, though the context was compacted 21 min ago; .*written late.* → restart/,
  ],
  [
    'a compaction, and PreCompact at an earlier one only',
    { hookRuns: [ran('SessionStart', -20), ran('PreCompact', -200)] },
    /^info: PreCompact did not run at the compaction 21 min ago/,
  ],
  [
    'a compaction, and SessionStart before it only',
    { hookRuns: [ran('PreCompact', -22), ran('SessionStart', -59)] },
    /^info: SessionStart did not run at the compaction 21 min ago; the agent is told a step later/,
  ],
  [
    'SessionStart never, though others have run',
    { compactedAt: null, compactions: 0, hookRuns: [ran('UserPromptSubmit', -2)] },
    /^info: SessionStart has never run in this session, though UserPromptSubmit has → restart/,
  ],
  [
    'a slow hook',
    { hookRuns: [ran('UserPromptSubmit', -2, 1_250), ran('SessionStart', -20), ran('PreCompact', -22)] },
    /^info: UserPromptSubmit took 1250 ms last time/,
  ],
  [
    'an alert that left no trace',
    { alert: alert({ status: 'undelivered', tries: 3 }) },
    /^error: the alert about compaction 1 \(cx-001\) left no trace, said by SessionStart 20 min ago, in 3 tries → .*plimsoll checkpoint show cx-001/,
  ],
  [
    'an alert without a checkpoint that left no trace',
    { alert: alert({ status: 'undelivered', checkpoint: null }) },
    /^error: the alert about compaction 1 \(without a checkpoint\) left no trace.* → restart the client/,
  ],
  [
    'a resumption that left no trace',
    { handoff: { ...alert({ status: 'undelivered' }), from: 'before' } },
    /^error: the resumption of session before left no trace/,
  ],
];
test.each(rows)('%s is the one thing amiss', (_name, more, expected) => {
  const found = amiss(more);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(expected);
});

const fine: [string, Partial<SessionFacts>][] = [
  ['no registration at all (said elsewhere)', { ...SILENT, registered: [], registeredAt: null }],
  ['state from before runs were noted', { ...SILENT, isKnown: true }],
  ['a session without an answer', { ...SILENT, startedAt: null, answeredAt: null }],
  [
    'a compaction before the hooks were registered',
    { hookRuns: [ran('UserPromptSubmit', -2), ran('SessionStart', -3)], registeredAt: NOW - 10 * MINUTE },
  ],
  [
    'a compaction hook that is not registered',
    { registered: ['UserPromptSubmit'], hookRuns: [ran('UserPromptSubmit', -2)] },
  ],
  [
    'a start before the hooks were registered',
    { compactedAt: null, hookRuns: [ran('UserPromptSubmit', -2)], registeredAt: NOW - 10 * MINUTE },
  ],
  ['a hook that takes half a second', { hookRuns: [...HEALTHY.hookRuns, ran('Stop', -1, 500)] }],
];
test.each(fine)('%s is in order', (_name, more) => {
  expect(amiss(more)).toEqual([]);
});

describe('the last delivery', () => {
  const said: [Alert['status'], string | null, RegExp][] = [
    [
      'delivered',
      'delivered: hook attachment at byte 7',
      /arrived, said by SessionStart 20 min ago \(delivered: hook attachment at byte 7\)/,
    ],
    ['unverified', null, /was said by SessionStart 20 min ago; this client keeps no proof/],
    ['leased', null, /was said by SessionStart 20 min ago; whether it arrived shows with the next event/],
  ];
  test.each(said)('%s is in order, with its evidence', (status, evidence, expected) => {
    const found = all({ alert: alert({ status }), evidence });
    expect(found.at(-1)).toMatch(/^ok: /);
    expect(found.at(-1)).toMatch(expected);
  });
});
