import { describe, expect, test } from 'vitest';
import { type Alert, type Conversation, newConversation, type Pending } from './conversation.ts';
import {
  alertMarks,
  deliveryOf,
  epochAtCompaction,
  epochOf,
  isExpired,
  MAX_TRIES,
  startOf,
} from './delivery.ts';
import { foldFacts, type Placed, type TranscriptFacts } from './fill.ts';

// A story is what stands in the file, by offset, and what is remembered of it.
const answer = (offset: number, tokens = 50_000): Placed => ({
  kind: 'usage',
  tokens,
  output: 1,
  model: 'claude-sonnet-4-5',
  at: null,
  messageId: `msg_${offset}`,
  offset,
});
const compaction = (offset: number, trigger: 'auto' | 'manual' = 'auto'): Placed => ({
  kind: 'boundary',
  trigger,
  preTokens: 167_000,
  at: null,
  offset,
});
const words = (offset: number, text: string): Placed => ({ kind: 'injection', text, offset });
const file = (...facts: Placed[]): TranscriptFacts => foldFacts(facts);

const AT = '2026-11-27T10:00:00.000Z';
const pending = (offset: number, checkpoint: string | null = 'cx-001'): Pending => ({
  checkpoint,
  offset,
  trigger: 'auto',
  at: AT,
});
const alert = (more: Partial<Alert> = {}): Alert => ({
  epoch: 1,
  checkpoint: 'cx-001',
  status: 'leased',
  tries: 1,
  offset: 100,
  at: AT,
  channel: 'SessionStart',
  ...more,
});
const state = (more: Partial<Conversation> = {}): Conversation => ({ ...newConversation('a'), ...more });
const seen = (offset: number, boundaries: number, last: number | null = null): Conversation['seen'] => ({
  offset,
  boundaries,
  last,
});

const ALERT = [
  '<compaction-alert>',
  'CONTEXT COMPACTION OCCURRED.',
  'COMPACTION EVENT: 1 of 1 this session',
  'CHECKPOINT: .plimsoll/checkpoints/cx-001-checkpoint.json',
  '</compaction-alert>',
].join('\n');

describe('epochOf()', () => {
  // [story, state, file, expected]
  const stories: [string, Conversation | null, TranscriptFacts | null, ReturnType<typeof epochOf>][] = [
    ['nothing at all', null, null, { number: 0, boundaries: 0, unflushed: null, starts: [] }],
    ['no compaction', null, file(answer(10)), { number: 0, boundaries: 0, unflushed: null, starts: [] }],
    [
      'two compactions before our first look',
      null,
      file(answer(10), compaction(20), answer(30), compaction(40), answer(50)),
      { number: 2, boundaries: 2, unflushed: null, starts: [20, 40] },
    ],
    [
      'compactions counted before, and none since',
      state({ seen: seen(60, 2, 40) }),
      file(answer(70)),
      { number: 2, boundaries: 2, unflushed: null, starts: [40] },
    ],
    [
      'a compaction that is seen again is not counted again',
      state({ seen: seen(60, 2, 40) }),
      file(compaction(40), answer(50), answer(70)),
      { number: 2, boundaries: 2, unflushed: null, starts: [40] },
    ],
    [
      'a compaction at the very place where the last look ended',
      state({ seen: seen(60, 1, 20) }),
      file(compaction(60), answer(70)),
      { number: 2, boundaries: 2, unflushed: null, starts: [20, 60] },
    ],
    [
      'SessionStart(compact) came and the boundary is not in the file yet',
      state({ seen: seen(100, 0), unflushed: { epoch: 1, offset: 100, at: 0 } }),
      file(answer(50)),
      { number: 1, boundaries: 0, unflushed: { epoch: 1, offset: 100, at: 0 }, starts: [] },
    ],
    [
      'the boundary came',
      state({ seen: seen(100, 0), unflushed: { epoch: 1, offset: 100, at: 0 } }),
      file(answer(50), compaction(100)),
      { number: 1, boundaries: 1, unflushed: null, starts: [100] },
    ],
    [
      'the boundary and an answer came',
      state({ seen: seen(100, 0), unflushed: { epoch: 1, offset: 100, at: 0 } }),
      file(answer(50), compaction(105), answer(110)),
      { number: 1, boundaries: 1, unflushed: null, starts: [105] },
    ],
    [
      "a phantom: an answer came and no boundary (it was a subagent's)",
      state({ seen: seen(100, 0), unflushed: { epoch: 1, offset: 100, at: 0 } }),
      file(answer(50), answer(110)),
      { number: 0, boundaries: 0, unflushed: null, starts: [] },
    ],
    [
      'an older boundary does not stand for the new compaction',
      state({ seen: seen(100, 1, 20), unflushed: { epoch: 2, offset: 100, at: 0 } }),
      file(compaction(20), answer(50)),
      { number: 2, boundaries: 1, unflushed: { epoch: 2, offset: 100, at: 0 }, starts: [20] },
    ],
    [
      'no file any more',
      state({ seen: seen(100, 3, 80) }),
      null,
      { number: 3, boundaries: 3, unflushed: null, starts: [80] },
    ],
  ];
  test.each(stories)('tells the epoch of the story: %s', (_, remembered, facts, expected) => {
    expect(epochOf(remembered, facts)).toEqual(expected);
  });

  test('begins an epoch at its boundary, and the first one at 0', () => {
    expect(startOf(epochOf(null, file(answer(10))))).toBe(0);
    expect(startOf(epochOf(null, file(compaction(20), compaction(40))))).toBe(40);
    expect(startOf(epochOf(state({ seen: seen(60, 2, 40) }), file(answer(70))))).toBe(40);
  });
});

describe('epochAtCompaction()', () => {
  // [story, state, file, size, expected]
  const stories: [
    string,
    Conversation | null,
    TranscriptFacts | null,
    number,
    ReturnType<typeof epochAtCompaction>,
  ][] = [
    [
      'automatic: PreCompact came, the boundary is not in the file yet',
      state({ seen: seen(100, 0), pending: pending(100) }),
      file(answer(50)),
      100,
      { number: 1, unflushed: { epoch: 1, offset: 100, at: 0 } },
    ],
    [
      'the boundary is in the file already',
      state({ seen: seen(100, 0), pending: pending(100) }),
      file(answer(50), compaction(100)),
      120,
      { number: 1, unflushed: null },
    ],
    [
      'manual: the command lines stand before the boundary',
      state({ seen: seen(100, 0), pending: pending(100) }),
      file(answer(50), compaction(130, 'manual')),
      160,
      { number: 1, unflushed: null },
    ],
    [
      'PreCompact did not fire, the boundary is not in the file yet',
      state({ seen: seen(60, 0) }),
      file(answer(50)),
      100,
      { number: 1, unflushed: { epoch: 1, offset: 100, at: 0 } },
    ],
    [
      'PreCompact did not fire, the boundary is in the file',
      state({ seen: seen(60, 0) }),
      file(answer(50), compaction(90)),
      100,
      { number: 1, unflushed: null },
    ],
    [
      'the first we hear of the conversation',
      null,
      file(answer(50)),
      100,
      { number: 1, unflushed: { epoch: 1, offset: 100, at: 0 } },
    ],
    [
      'the first we hear, with its boundary',
      null,
      file(answer(50), compaction(90)),
      100,
      { number: 1, unflushed: null },
    ],
    [
      'the first we hear, after a compaction of old',
      null,
      file(answer(10), compaction(20), answer(50)),
      100,
      { number: 2, unflushed: { epoch: 2, offset: 100, at: 0 } },
    ],
    ['no transcript', null, null, 0, { number: 1, unflushed: { epoch: 1, offset: 0, at: 0 } }],
    [
      'the second compaction, the first one being told',
      state({ seen: seen(200, 1, 100), epoch: 1, pending: pending(200, 'cx-002') }),
      file(compaction(100), answer(150)),
      200,
      { number: 2, unflushed: { epoch: 2, offset: 200, at: 0 } },
    ],
    [
      'the second compaction with its boundary in the file',
      state({ seen: seen(200, 1, 100), epoch: 1, pending: pending(200, 'cx-002') }),
      file(compaction(100), answer(150), compaction(210)),
      240,
      { number: 2, unflushed: null },
    ],
    [
      'a second compaction at once, with no answer between',
      state({
        seen: seen(100, 0),
        epoch: 1,
        unflushed: { epoch: 1, offset: 100, at: 0 },
        pending: pending(140, 'cx-002'),
      }),
      file(answer(50), compaction(100)),
      140,
      { number: 2, unflushed: { epoch: 2, offset: 140, at: 0 } },
    ],
    [
      'the same SessionStart(compact) twice, before its boundary',
      state({ seen: seen(100, 0), epoch: 1, unflushed: { epoch: 1, offset: 100, at: 0 }, alert: alert() }),
      file(answer(50)),
      104,
      { number: 1, unflushed: { epoch: 1, offset: 100, at: 0 } },
    ],
    [
      'the second compaction without any transcript',
      state({ epoch: 1, unflushed: { epoch: 1, offset: 0, at: 0 }, pending: pending(0, 'cx-002') }),
      null,
      0,
      { number: 2, unflushed: { epoch: 2, offset: 0, at: 0 } },
    ],
    [
      'after a phantom that was refuted',
      state({
        seen: seen(100, 0),
        epoch: 1,
        unflushed: { epoch: 1, offset: 100, at: 0 },
        pending: pending(160, 'cx-002'),
      }),
      file(answer(50), answer(150)),
      160,
      { number: 1, unflushed: { epoch: 1, offset: 160, at: 0 } },
    ],
  ];
  test.each(stories)('numbers the compaction of the story: %s', (_, remembered, facts, size, expected) => {
    expect(epochAtCompaction(remembered, facts, size)).toEqual(expected);
  });

  test('does not open an epoch again for a compaction that was counted and told', () => {
    // An event of the main conversation saw the boundary first, told the agent, and the late hook comes after it.
    const told = state({ seen: seen(120, 1, 100), epoch: 1, alert: alert({ offset: 120 }) });
    expect(epochAtCompaction(told, file(answer(50), compaction(100)), 120).number).toBe(1);
  });
});

describe('isExpired()', () => {
  test.each([
    ['no file', null, false],
    ['nothing since PreCompact', file(answer(50)), false],
    ['an answer since, and no boundary: blocked, failed or cancelled', file(answer(50), answer(110)), true],
    ['an answer at the very offset', file(answer(100)), true],
    ['a boundary since', file(answer(50), compaction(110)), false],
    ['a boundary and an answer since', file(compaction(110), answer(120)), false],
    ['an answer since, and a boundary from before', file(compaction(20), answer(110)), true],
  ])('judges a pending compaction with %s', (_, facts, expected) => {
    expect(isExpired(pending(100), facts)).toBe(expected);
  });
});

describe('alertMarks()', () => {
  test('stand in the alert of their checkpoint and epoch only', () => {
    const holds = (text: string, checkpoint: string | null, epoch: number): boolean =>
      alertMarks(checkpoint, epoch).every((mark) => text.includes(mark));
    expect(holds(ALERT, 'cx-001', 1)).toBe(true);
    expect(holds(ALERT, null, 1)).toBe(true);
    expect(holds(ALERT, 'cx-002', 1)).toBe(false);
    expect(holds(ALERT, 'cx-001', 2)).toBe(false);
    expect(holds(ALERT.replace('1 of 1', '11 of 11'), 'cx-001', 1)).toBe(false);
  });
});

describe('deliveryOf()', () => {
  const told = (more: Partial<Conversation> = {}): Conversation =>
    state({ epoch: 1, seen: seen(100, 0), stores_injections: true, alert: alert(), ...more });

  // [story, state, file, expected]
  const stories: [string, Conversation | null, TranscriptFacts | null, object][] = [
    ['no transcript and nothing remembered', null, null, { step: 'nothing' }],
    ['the first look, and no compaction', null, file(answer(10)), { step: 'nothing' }],
    [
      'the first look, a compaction and no answer after it',
      null,
      file(answer(10), compaction(20)),
      { step: 'say', tries: 1, checkpoint: null },
    ],
    [
      'the first look, a compaction and an answer after it: too late for news',
      null,
      file(answer(10), compaction(20), answer(30)),
      { step: 'nothing' },
    ],
    ['no compaction', state({ seen: seen(10, 0) }), file(answer(10)), { step: 'nothing' }],
    [
      'PreCompact came and nothing else yet',
      state({ seen: seen(100, 0), pending: pending(100) }),
      file(answer(50)),
      { step: 'nothing' },
    ],
    [
      'PreCompact and the boundary came, SessionStart(compact) did not',
      state({ seen: seen(100, 0), pending: pending(100) }),
      file(answer(50), compaction(100), answer(120)),
      { step: 'say', tries: 1, checkpoint: 'cx-001' },
    ],
    [
      'a boundary without PreCompact',
      state({ seen: seen(100, 0) }),
      file(answer(50), compaction(100), answer(120)),
      { step: 'say', tries: 1, checkpoint: null },
    ],
    [
      'PreCompact could write no checkpoint',
      state({ seen: seen(100, 0), pending: pending(100, null) }),
      file(answer(50), compaction(100)),
      { step: 'say', tries: 1, checkpoint: null },
    ],
    [
      'two compactions, none of them told: the checkpoint of the newest',
      state({ seen: seen(100, 0), pending: pending(200, 'cx-002') }),
      file(compaction(100), answer(150), compaction(200)),
      { step: 'say', tries: 1, checkpoint: 'cx-002' },
    ],
    [
      'leased, and nothing in the file since: wait',
      told({ unflushed: { epoch: 1, offset: 100, at: 0 } }),
      file(answer(50)),
      { step: 'wait' },
    ],
    [
      'leased, the boundary flushed, no answer yet: wait',
      told(),
      file(answer(50), compaction(100)),
      { step: 'wait' },
    ],
    [
      'leased, and our words stand after the boundary',
      told(),
      file(answer(50), compaction(100), words(110, ALERT)),
      { step: 'settle', status: 'delivered', evidence: 'hook attachment at byte 110' },
    ],
    [
      'leased, and our words stand there with an answer after them',
      told(),
      file(answer(50), compaction(100), words(110, ALERT), answer(120)),
      { step: 'settle', status: 'delivered', evidence: 'hook attachment at byte 110' },
    ],
    [
      'leased, and only words of an alert from before stand in the file',
      told(),
      file(words(60, ALERT), compaction(100), answer(120)),
      { step: 'say', tries: 2, checkpoint: 'cx-001' },
    ],
    [
      'leased, and words about another checkpoint stand in the file',
      told(),
      file(compaction(100), words(110, ALERT.replace('cx-001', 'cx-007')), answer(120)),
      { step: 'say', tries: 2, checkpoint: 'cx-001' },
    ],
    [
      'leased, and words about another epoch stand in the file',
      told(),
      file(compaction(100), words(110, ALERT.replace('EVENT: 1 of 1', 'EVENT: 2 of 2')), answer(120)),
      { step: 'say', tries: 2, checkpoint: 'cx-001' },
    ],
    [
      'leased, and only the monitor stands in the file',
      told(),
      file(compaction(100), words(110, '<context-monitor>…</context-monitor>'), answer(120)),
      { step: 'say', tries: 2, checkpoint: 'cx-001' },
    ],
    [
      'an answer without evidence, from a client that stores attachments',
      told(),
      file(compaction(100), answer(120)),
      { step: 'say', tries: 2, checkpoint: 'cx-001' },
    ],
    [
      'an answer without evidence, from a client not known to store attachments',
      told({ stores_injections: false }),
      file(compaction(100), answer(120)),
      { step: 'settle', status: 'unverified' },
    ],
    [
      'an answer without evidence, from a client that now turns out to store attachments',
      told({ stores_injections: false }),
      file(compaction(100), words(105, 'other words'), answer(120)),
      { step: 'say', tries: 2, checkpoint: 'cx-001' },
    ],
    [
      'the second try has no trace either',
      told({ alert: alert({ tries: 2, offset: 130 }) }),
      file(compaction(100), answer(140)),
      { step: 'say', tries: 3, checkpoint: 'cx-001' },
    ],
    [
      'the third try has no trace either',
      told({ alert: alert({ tries: 3, offset: 130 }) }),
      file(compaction(100), answer(140)),
      { step: 'settle', status: 'undelivered', evidence: 'no trace after 3 tries' },
    ],
    [
      'the third try has not been answered yet',
      told({ alert: alert({ tries: 3, offset: 130 }) }),
      file(compaction(100), answer(120)),
      { step: 'wait' },
    ],
    [
      'the second try arrived',
      told({ alert: alert({ tries: 2, offset: 130 }) }),
      file(compaction(100), answer(120), words(135, ALERT), answer(140)),
      { step: 'settle', status: 'delivered' },
    ],
    [
      'an alert without a checkpoint arrived',
      told({ alert: alert({ checkpoint: null }) }),
      file(
        compaction(100),
        words(110, ALERT.replace(/CHECKPOINT: .*/, 'CHECKPOINT: not written')),
        answer(120),
      ),
      { step: 'settle', status: 'delivered' },
    ],
    [
      'delivered already',
      told({ alert: alert({ status: 'delivered' }) }),
      file(compaction(100), answer(120)),
      { step: 'nothing' },
    ],
    [
      'given up already',
      told({ alert: alert({ status: 'undelivered', tries: 3 }) }),
      file(compaction(100), answer(120)),
      { step: 'nothing' },
    ],
    [
      'a new compaction, the last alert still leased: only the newest is told',
      told({ seen: seen(130, 1, 100), pending: pending(200, 'cx-002') }),
      file(answer(150), compaction(200)),
      { step: 'say', tries: 1, checkpoint: 'cx-002' },
    ],
    [
      'a phantom that was told and is refuted by the next answer',
      told({ unflushed: { epoch: 1, offset: 100, at: 0 } }),
      file(answer(50), answer(120)),
      { step: 'nothing' },
    ],
    [
      'an alert of another epoch is leased, without a transcript',
      told({ unflushed: { epoch: 2, offset: 0, at: 0 }, epoch: 2, alert: alert({ epoch: 1, offset: 0 }) }),
      null,
      { step: 'nothing' },
    ],
    [
      'leased, without a transcript: the next event of the main conversation counts',
      told({
        stores_injections: false,
        unflushed: { epoch: 1, offset: 0, at: 0 },
        alert: alert({ offset: 0 }),
      }),
      null,
      { step: 'settle', status: 'unverified' },
    ],
  ];
  test.each(stories)('decides the story: %s', (_, remembered, facts, expected) => {
    expect(deliveryOf(remembered, facts, epochOf(remembered, facts))).toMatchObject(expected);
  });

  test('does not take a quotation by a tool for the alert', () => {
    // Only what the client stores as a hook's words is a fact at all: a tool result that quotes the alert is none.
    const facts = file(compaction(100), answer(120));
    expect(facts.injections).toEqual([]);
    expect(deliveryOf(told(), facts, epochOf(told(), facts))).toMatchObject({ step: 'say', tries: 2 });
  });

  test(`says an alert ${MAX_TRIES} times at most`, () => {
    let remembered = told();
    let size = 100;
    const said: number[] = [];
    for (let turn = 0; turn < 10; turn++) {
      size += 20;
      const facts = file(compaction(100), answer(size));
      const delivery = deliveryOf(remembered, facts, epochOf(remembered, facts));
      if (delivery.step === 'say') {
        said.push(delivery.tries);
        remembered = { ...remembered, alert: alert({ tries: delivery.tries, offset: size + 5 }) };
      } else if (delivery.step === 'settle') {
        remembered = { ...remembered, alert: alert({ status: delivery.status, tries: 3 }) };
      }
    }
    expect(said).toEqual([2, 3]);
    expect(remembered.alert?.status).toBe('undelivered');
  });
});
