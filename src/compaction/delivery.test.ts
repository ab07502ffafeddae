import { describe, expect, test } from 'vitest';
import {
  ALERT,
  alert,
  answer,
  compaction,
  file,
  pending,
  seen,
  state,
  words,
} from '../../test/unit/delivery-stories.ts';
import type { TranscriptFacts } from '../context/usage.ts';
import type { SessionState } from '../sessions/session-state.ts';
import { findDelivery, findEpoch, isExpired, listAlertMarks, MAX_TRIES } from './delivery.ts';

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

describe('listAlertMarks()', () => {
  test('stand in the alert of their checkpoint and epoch only', () => {
    const holds = (text: string, checkpoint: string | null, epoch: number): boolean =>
      listAlertMarks(checkpoint, epoch).every((mark) => text.includes(mark));
    expect(holds(ALERT, 'cx-001', 1)).toBe(true);
    expect(holds(ALERT, null, 1)).toBe(true);
    expect(holds(ALERT, 'cx-002', 1)).toBe(false);
    expect(holds(ALERT, 'cx-001', 2)).toBe(false);
    expect(holds(ALERT.replace('1 of 1', '11 of 11'), 'cx-001', 1)).toBe(false);
  });
});

describe('deliveryOf()', () => {
  const told = (more: Partial<SessionState> = {}): SessionState =>
    state({
      epoch: 1,
      transcript_position: seen(100, 0),
      client_stores_hook_output: true,
      alert: alert(),
      ...more,
    });

  // [story, state, file, expected]
  const stories: [string, SessionState | null, TranscriptFacts | null, object][] = [
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
    ['no compaction', state({ transcript_position: seen(10, 0) }), file(answer(10)), { step: 'nothing' }],
    [
      'PreCompact came and nothing else yet',
      state({ transcript_position: seen(100, 0), pending_compaction: pending(100) }),
      file(answer(50)),
      { step: 'nothing' },
    ],
    [
      'PreCompact and the boundary came, SessionStart(compact) did not',
      state({ transcript_position: seen(100, 0), pending_compaction: pending(100) }),
      file(answer(50), compaction(100), answer(120)),
      { step: 'say', tries: 1, checkpoint: 'cx-001' },
    ],
    [
      'a boundary without PreCompact',
      state({ transcript_position: seen(100, 0) }),
      file(answer(50), compaction(100), answer(120)),
      { step: 'say', tries: 1, checkpoint: null },
    ],
    [
      'PreCompact could write no checkpoint',
      state({ transcript_position: seen(100, 0), pending_compaction: pending(100, null) }),
      file(answer(50), compaction(100)),
      { step: 'say', tries: 1, checkpoint: null },
    ],
    [
      'two compactions, none of them told: the checkpoint of the newest',
      state({ transcript_position: seen(100, 0), pending_compaction: pending(200, 'cx-002') }),
      file(compaction(100), answer(150), compaction(200)),
      { step: 'say', tries: 1, checkpoint: 'cx-002' },
    ],
    [
      'leased, and nothing in the file since: wait',
      told({ compaction_not_in_transcript: { epoch: 1, offset: 100, at: 0 } }),
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
      'leased, and words about another segment stand in the file',
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
      told({ client_stores_hook_output: false }),
      file(compaction(100), answer(120)),
      { step: 'settle', status: 'unverified' },
    ],
    [
      'an answer without evidence, from a client that now turns out to store attachments',
      told({ client_stores_hook_output: false }),
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
      told({ transcript_position: seen(130, 1, 100), pending_compaction: pending(200, 'cx-002') }),
      file(answer(150), compaction(200)),
      { step: 'say', tries: 1, checkpoint: 'cx-002' },
    ],
    [
      'a phantom that was told and is refuted by the next answer',
      told({ compaction_not_in_transcript: { epoch: 1, offset: 100, at: 0 } }),
      file(answer(50), answer(120)),
      { step: 'nothing' },
    ],
    [
      'an alert of another segment is leased, without a transcript',
      told({
        compaction_not_in_transcript: { epoch: 2, offset: 0, at: 0 },
        epoch: 2,
        alert: alert({ epoch: 1, offset: 0 }),
      }),
      null,
      { step: 'nothing' },
    ],
    [
      'leased, without a transcript: the next event of the main session counts',
      told({
        client_stores_hook_output: false,
        compaction_not_in_transcript: { epoch: 1, offset: 0, at: 0 },
        alert: alert({ offset: 0 }),
      }),
      null,
      { step: 'settle', status: 'unverified' },
    ],
  ];
  test.each(stories)('decides the story: %s', (_, remembered, facts, expected) => {
    expect(findDelivery(remembered, facts, findEpoch(remembered, facts))).toMatchObject(expected);
  });

  test('does not take a quotation by a tool for the alert', () => {
    // Only what the client stores as a hook's words is a fact at all: a tool result that quotes the alert is none.
    const facts = file(compaction(100), answer(120));
    expect(facts.injections).toEqual([]);
    expect(findDelivery(told(), facts, findEpoch(told(), facts))).toMatchObject({ step: 'say', tries: 2 });
  });

  test(`says an alert ${MAX_TRIES} times at most`, () => {
    let remembered = told();
    let size = 100;
    const said: number[] = [];
    for (let turn = 0; turn < 10; turn++) {
      size += 20;
      const facts = file(compaction(100), answer(size));
      const delivery = findDelivery(remembered, facts, findEpoch(remembered, facts));
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
