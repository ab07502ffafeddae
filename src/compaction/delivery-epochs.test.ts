import { describe, expect, test } from 'vitest';
import { alert, answer, compaction, file, pending, seen, state } from '../../test/unit/delivery-stories.ts';
import type { TranscriptFacts } from '../context/usage.ts';
import type { SessionState } from '../sessions/session-state.ts';
import { findEpoch, findEpochAtCompaction, findSegmentStart } from './delivery.ts';

describe('findEpoch()', () => {
  // [story, state, file, expected]
  const stories: [string, SessionState | null, TranscriptFacts | null, ReturnType<typeof findEpoch>][] = [
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
      state({ transcript_position: seen(60, 2, 40) }),
      file(answer(70)),
      { number: 2, boundaries: 2, unflushed: null, starts: [40] },
    ],
    [
      'a compaction that is seen again is not counted again',
      state({ transcript_position: seen(60, 2, 40) }),
      file(compaction(40), answer(50), answer(70)),
      { number: 2, boundaries: 2, unflushed: null, starts: [40] },
    ],
    [
      'a compaction at the very place where the last look ended',
      state({ transcript_position: seen(60, 1, 20) }),
      file(compaction(60), answer(70)),
      { number: 2, boundaries: 2, unflushed: null, starts: [20, 60] },
    ],
    [
      'SessionStart(compact) came and the boundary is not in the file yet',
      state({
        transcript_position: seen(100, 0),
        compaction_not_in_transcript: { epoch: 1, offset: 100, at: 0 },
      }),
      file(answer(50)),
      { number: 1, boundaries: 0, unflushed: { epoch: 1, offset: 100, at: 0 }, starts: [] },
    ],
    [
      'the boundary came',
      state({
        transcript_position: seen(100, 0),
        compaction_not_in_transcript: { epoch: 1, offset: 100, at: 0 },
      }),
      file(answer(50), compaction(100)),
      { number: 1, boundaries: 1, unflushed: null, starts: [100] },
    ],
    [
      'the boundary and an answer came',
      state({
        transcript_position: seen(100, 0),
        compaction_not_in_transcript: { epoch: 1, offset: 100, at: 0 },
      }),
      file(answer(50), compaction(105), answer(110)),
      { number: 1, boundaries: 1, unflushed: null, starts: [105] },
    ],
    [
      "a phantom: an answer came and no boundary (it was a subagent's)",
      state({
        transcript_position: seen(100, 0),
        compaction_not_in_transcript: { epoch: 1, offset: 100, at: 0 },
      }),
      file(answer(50), answer(110)),
      { number: 0, boundaries: 0, unflushed: null, starts: [] },
    ],
    [
      'an older boundary does not stand for the new compaction',
      state({
        transcript_position: seen(100, 1, 20),
        compaction_not_in_transcript: { epoch: 2, offset: 100, at: 0 },
      }),
      file(compaction(20), answer(50)),
      { number: 2, boundaries: 1, unflushed: { epoch: 2, offset: 100, at: 0 }, starts: [20] },
    ],
    [
      'no file any more',
      state({ transcript_position: seen(100, 3, 80) }),
      null,
      { number: 3, boundaries: 3, unflushed: null, starts: [80] },
    ],
  ];
  test.each(stories)('tells the epoch of the story: %s', (_, remembered, facts, expected) => {
    expect(findEpoch(remembered, facts)).toEqual(expected);
  });

  test('begins an epoch at its boundary, and the first one at 0', () => {
    expect(findSegmentStart(findEpoch(null, file(answer(10))))).toBe(0);
    expect(findSegmentStart(findEpoch(null, file(compaction(20), compaction(40))))).toBe(40);
    expect(
      findSegmentStart(findEpoch(state({ transcript_position: seen(60, 2, 40) }), file(answer(70)))),
    ).toBe(40);
  });
});

describe('findEpochAtCompaction()', () => {
  // [story, state, file, size, expected]
  const stories: [
    string,
    SessionState | null,
    TranscriptFacts | null,
    number,
    ReturnType<typeof findEpochAtCompaction>,
  ][] = [
    [
      'automatic: PreCompact came, the boundary is not in the file yet',
      state({ transcript_position: seen(100, 0), pending_compaction: pending(100) }),
      file(answer(50)),
      100,
      { number: 1, unflushed: { epoch: 1, offset: 100, at: 0 } },
    ],
    [
      'the boundary is in the file already',
      state({ transcript_position: seen(100, 0), pending_compaction: pending(100) }),
      file(answer(50), compaction(100)),
      120,
      { number: 1, unflushed: null },
    ],
    [
      'manual: the command lines stand before the boundary',
      state({ transcript_position: seen(100, 0), pending_compaction: pending(100) }),
      file(answer(50), compaction(130, 'manual')),
      160,
      { number: 1, unflushed: null },
    ],
    [
      'PreCompact did not fire, the boundary is not in the file yet',
      state({ transcript_position: seen(60, 0) }),
      file(answer(50)),
      100,
      { number: 1, unflushed: { epoch: 1, offset: 100, at: 0 } },
    ],
    [
      'PreCompact did not fire, the boundary is in the file',
      state({ transcript_position: seen(60, 0) }),
      file(answer(50), compaction(90)),
      100,
      { number: 1, unflushed: null },
    ],
    [
      'the first we hear of the session',
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
      state({ transcript_position: seen(200, 1, 100), epoch: 1, pending_compaction: pending(200, 'cx-002') }),
      file(compaction(100), answer(150)),
      200,
      { number: 2, unflushed: { epoch: 2, offset: 200, at: 0 } },
    ],
    [
      'the second compaction with its boundary in the file',
      state({ transcript_position: seen(200, 1, 100), epoch: 1, pending_compaction: pending(200, 'cx-002') }),
      file(compaction(100), answer(150), compaction(210)),
      240,
      { number: 2, unflushed: null },
    ],
    [
      'a second compaction at once, with no answer between',
      state({
        transcript_position: seen(100, 0),
        epoch: 1,
        compaction_not_in_transcript: { epoch: 1, offset: 100, at: 0 },
        pending_compaction: pending(140, 'cx-002'),
      }),
      file(answer(50), compaction(100)),
      140,
      { number: 2, unflushed: { epoch: 2, offset: 140, at: 0 } },
    ],
    [
      'the same SessionStart(compact) twice, before its boundary',
      state({
        transcript_position: seen(100, 0),
        epoch: 1,
        compaction_not_in_transcript: { epoch: 1, offset: 100, at: 0 },
        alert: alert(),
      }),
      file(answer(50)),
      104,
      { number: 1, unflushed: { epoch: 1, offset: 100, at: 0 } },
    ],
    [
      'the second compaction without any transcript',
      state({
        epoch: 1,
        compaction_not_in_transcript: { epoch: 1, offset: 0, at: 0 },
        pending_compaction: pending(0, 'cx-002'),
      }),
      null,
      0,
      { number: 2, unflushed: { epoch: 2, offset: 0, at: 0 } },
    ],
    [
      'after a phantom that was refuted',
      state({
        transcript_position: seen(100, 0),
        epoch: 1,
        compaction_not_in_transcript: { epoch: 1, offset: 100, at: 0 },
        pending_compaction: pending(160, 'cx-002'),
      }),
      file(answer(50), answer(150)),
      160,
      { number: 1, unflushed: { epoch: 1, offset: 160, at: 0 } },
    ],
  ];
  test.each(stories)('numbers the compaction of the story: %s', (_, remembered, facts, size, expected) => {
    expect(findEpochAtCompaction(remembered, facts, size)).toEqual(expected);
  });

  test('does not open an epoch again for a compaction that was counted and told', () => {
    // An event of the main session saw the boundary first, told the agent, and the late hook comes after it.
    const told = state({ transcript_position: seen(120, 1, 100), epoch: 1, alert: alert({ offset: 120 }) });
    expect(findEpochAtCompaction(told, file(answer(50), compaction(100)), 120).number).toBe(1);
  });
});
