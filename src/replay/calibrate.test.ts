import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calibrateSessions, collectSizes, describeSpread } from './calibrate.ts';
import type { ReplayedCompaction, ReplayedSession } from './replayed.ts';

const compaction = (more: Partial<ReplayedCompaction>): ReplayedCompaction => ({
  ...{ trigger: 'auto', at: null, call: 1, window: 200_000, client: '2.1.39' },
  ...{ pre_tokens: 167_000, last_tokens: 166_000, next_tokens: 32_000, rework: 0 },
  lead: { prompt_only: null, with_tool_use: null, status_line: null },
  other_methods: { input_only: 3, summed: 0, bytes_by_4: 0 },
  ...more,
});

const session = (more: Partial<ReplayedSession>): ReplayedSession => ({
  session: {
    ...{ id: null, client: null, cwd: null, entrypoint: null, title: null },
    ...{ started: null, ended: null },
  },
  ...{ series: [], prompts: [], compactions: [], peak: null, models: [], announced: [], events: [] },
  ...{ false_alarms: 0, copied_calls: 0, copied_compactions: 0, call_keys: [], detail: null },
  ...more,
});

describe('describeSpread()', () => {
  // [values, least, median, p75, p90, p99, most]
  const cases: [number[], ...(number | null)[]][] = [
    [[], null, null, null, null, null, null],
    [[5], 5, 5, 5, 5, 5, 5],
    [[4, 1, 3, 2], 1, 2, 3, 4, 4, 4],
    [[10, 20, 30, 40, 50, 60, 70, 80, 90, 100], 10, 50, 80, 90, 100, 100],
  ];
  test.each(cases)('of %j', (values, least, median, p75, p90, p99, most) => {
    expect(describeSpread(values)).toEqual({ n: values.length, least, median, p75, p90, p99, most });
  });

  test('every rank is one of the values, and they rise', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
        const { least, median, p75, p90, p99, most } = describeSpread(values);
        const ranks = [least, median, p75, p90, p99, most].map(Number);
        expect(values).toEqual(expect.arrayContaining(ranks));
        expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
        expect([least, most]).toEqual([Math.min(...values), Math.max(...values)]);
      }),
    );
  });
});

describe('the growth of the context', () => {
  const growthOf = (more: Partial<ReplayedSession>) => {
    const { per_call, per_prompt, falls } = calibrateSessions([session(more)]).growth;
    return {
      calls: [per_call.n, per_call.least, per_call.median, per_call.most],
      prompts: [per_prompt.n, per_prompt.least, per_prompt.most],
      falls,
    };
  };

  test('is what each call adds to the one before, and all calls of a prompt together', () => {
    // The first prompt has the calls 0 to 2, of which the first adds to nothing; the second has none; the third has 3 and 4.
    expect(growthOf({ series: [100, 130, 190, 200, 205], prompts: [0, 3, 3] })).toEqual({
      calls: [4, 5, 10, 60],
      prompts: [2, 15, 90],
      falls: 0,
    });
  });

  test('leaves out the call after a compaction, falls, and calls that a fork copied', () => {
    const series = [100, 150, 40, 60, 30, 90];
    expect(growthOf({ series, prompts: [0], compactions: [compaction({ call: 2 })] })).toEqual({
      calls: [3, 20, 50, 60],
      prompts: [1, 130, 130],
      falls: 1,
    });
    expect(growthOf({ series, prompts: [0], copied_calls: 4 })).toEqual({
      calls: [1, 60, 60, 60],
      prompts: [1, 60, 60],
      falls: 1,
    });
  });

  test.each([
    ['of ten prompts: nine of ten do not exceed it, rounded up', 10, 9_000],
    ['of nine prompts: unknown', 9, null],
  ])('gives the typical step %s', (_, turns, step) => {
    // Each prompt has one call; prompt k adds k times 900 tokens, so that the ninth adds 8,100.
    const series = [1_000];
    for (let index = 1; index <= turns; index++) series.push((series.at(-1) ?? 0) + index * 900);
    const prompts = series.slice(1).map((__, index) => index + 1);
    expect(calibrateSessions([session({ series, prompts })]).typical_step).toBe(step);
  });
});

describe('compactions', () => {
  const list = [
    compaction({ call: 1, pre_tokens: 170_000, last_tokens: 160_000, next_tokens: 40_000, rework: 2 }),
    compaction({ call: 2, pre_tokens: 160_000, last_tokens: 160_000, next_tokens: null, client: '2.1.5' }),
    compaction({ call: 3, pre_tokens: 168_000, last_tokens: 160_000, next_tokens: 30_000 }),
    compaction({ call: 4, trigger: 'manual', pre_tokens: 90_000, last_tokens: 80_000, next_tokens: 20_000 }),
    compaction({ call: 5, pre_tokens: 25, last_tokens: null, next_tokens: null, window: null }),
    compaction({
      call: 6,
      pre_tokens: 400_000,
      last_tokens: 400_000,
      next_tokens: 90_000,
      window: 1_000_000,
    }),
  ];
  const found = calibrateSessions([session({ compactions: list })]);

  test('are counted, automatic ones where something was measured before', () => {
    expect(found.compactions).toEqual({ total: 6, automatic: 4 });
  });

  test('give the threshold by window and version of the client: automatic ones alone', () => {
    const shown = ({ window, n, least, median, most }: (typeof found.auto_compact)[number]) => [
      ...[window, n, least, median, most],
    ];
    expect(found.auto_compact.map(shown)).toEqual([
      [200_000, 3, 160_000, 168_000, 170_000],
      [1_000_000, 1, 400_000, 400_000, 400_000],
    ]);
    expect(found.auto_compact_by_client.map((each) => [each.client, ...shown(each)])).toEqual([
      ['2.1.5', 200_000, 1, 160_000, 160_000, 160_000],
      ['2.1.39', 200_000, 2, 168_000, 168_000, 170_000],
      ['2.1.39', 1_000_000, 1, 400_000, 400_000, 400_000],
    ]);
  });

  test('give what they leave by window, whoever asked for them', () => {
    expect(found.after_compaction).toMatchObject([
      { window: 200_000, n: 3, least: 20_000, median: 30_000, most: 40_000 },
      { window: 1_000_000, n: 1, median: 90_000 },
    ]);
  });

  test('show how far the count of the client lies above the last usage, and what input tokens alone tell', () => {
    // 170/160, 160/160, 168/160, 90/80, 400/400.
    expect(found.counted_by_client).toMatchObject({ n: 5, least: 1, median: 1.05, most: 1.125 });
    expect(found.input_only).toMatchObject({ n: 5, least: 0.000008, most: 0.000038 });
  });

  test('show after which of them files were read again', () => {
    expect(found.rework).toMatchObject({
      ...{ compactions: 1, files: 2 },
      usage_with: { n: 1, median: 0.8 },
      usage_without: { n: 4, least: 0.4, median: 0.4, most: 0.8 },
    });
  });

  test('that a fork copied count once', () => {
    const copy = calibrateSessions([session({ compactions: list, copied_calls: 3, copied_compactions: 3 })]);
    expect(copy.compactions.total).toBe(3);
  });

  test('are learned in the order of their times', () => {
    const dated = [
      session({ compactions: [compaction({ at: '2026-11-03T00:00:00Z', next_tokens: 3 })] }),
      session({ compactions: [compaction({ at: '2026-11-01T00:00:00Z', next_tokens: 1 })] }),
      session({ compactions: [compaction({ at: '2026-11-02T00:00:00Z', next_tokens: 200_001 })] }),
    ];
    expect(collectSizes(dated)).toEqual({ '200000': [1, 3] });
  });
});
