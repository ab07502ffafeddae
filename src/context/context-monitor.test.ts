import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../test/kit/effort.ts';
import { type Judged, judge } from '../../test/unit/judgements.ts';
import { estimateTokens } from '../text/budget.ts';
import type { MonitorFacts } from './context-monitor.ts';
import { formatContextMonitor, formatShortMonitor, formatShortStatus } from './context-monitor.ts';
import { TIERS, type Tier } from './tier.ts';

const facts = (
  tokens: number | null,
  judged: Judged = {},
  more: Partial<MonitorFacts> = {},
): MonitorFacts => ({
  assessment: judge(tokens, judged),
  compactions: 0,
  checkpoint: null,
  hasOrchestration: false,
  operationTokens: 29_000,
  sensitivity: 'C2',
  ...more,
});
const lines = (text: string | null): string[] => (text ?? '').split('\n');

describe('formatContextMonitor()', () => {
  test('writes the golden text of seed 001 line for line', () => {
    const golden = facts(
      146_400,
      { settings: { thresholdBase: 'window', windowTokens: 200_000 } },
      { hasOrchestration: true },
    );
    expect(lines(formatContextMonitor(golden))).toEqual([
      '<context-monitor>',
      'CONTEXT STATUS: WARNING (73.2% filled)',
      'Tokens used: 146,400 / 200,000',
      'Estimated remaining: 53,600 tokens (~1.8 QG iterations)',
      'Compaction events: 0',
      'Last checkpoint: none',
      'The work goes on through the compaction; its state comes back right after it',
      '',
      'ACTION RECOMMENDED:',
      '- Keep decisions and findings that only this context holds: plimsoll note "…"',
      '- The resumption section of ORCHESTRATION.yaml is due for an update (defect_summary, agent_summaries): plimsoll state --help',
      '</context-monitor>',
    ]);
  });

  test('names both denominators where it measures against the auto-compact threshold', () => {
    expect(lines(formatContextMonitor(facts(117_000)))[1]).toBe(
      'CONTEXT STATUS: WARNING (70.1% of the way to auto-compaction at 167,000; 58.5% of the 200,000 window)',
    );
  });

  test('says so where automatic compaction is off', () => {
    const off = formatContextMonitor(facts(150_000, { client: { enabled: false } }));
    expect(lines(off)[1]).toBe('CONTEXT STATUS: WARNING (75% of the 200,000 window; auto-compaction is off)');
  });

  test('counts in gates only where the project has an orchestration file', () => {
    expect(formatContextMonitor(facts(120_000))).not.toMatch(/QG|ORCHESTRATION/);
    expect(formatContextMonitor(facts(120_000, {}, { hasOrchestration: true }))).toContain(
      'Estimated remaining: 47,000 tokens (~1.6 QG iterations)',
    );
  });

  test('names compactions and the last checkpoint with its age', () => {
    const text = formatContextMonitor(
      facts(120_000, {}, { compactions: 2, checkpoint: { id: 'cx-004', age_s: 1_380 } }),
    );
    expect(text).toContain('Compaction events: 2\nLast checkpoint: cx-004 (23 min ago)\n');
  });

  // [what, tokens, judged, the line]
  const sources: [string, number, Judged, string | undefined][] = [
    [
      'the table and the assumed point',
      120_000,
      {},
      'Source: window from the model table; auto-compact threshold assumed',
    ],
    [
      'an assumed window',
      120_000,
      { reading: { model: 'glm-5.1' } },
      'Source: window assumed; auto-compact threshold assumed',
    ],
    [
      'nothing but certain figures',
      160_000,
      { settings: { windowTokens: 200_000, autoCompactAt: 170_000 } },
      undefined,
    ],
    [
      "the client's settings",
      110_000,
      { client: { window: 150_000 } },
      "Source: window from the model table; auto-compact threshold from the client's settings",
    ],
    [
      'learned points',
      130_000,
      { learned: { '200000': [155_000, 155_000, 155_000] } },
      'Source: window from the model table; auto-compact threshold learned from earlier compactions',
    ],
    [
      'an estimate after the compaction',
      120_000,
      { reading: { estimated: true, source: 'after-compaction' } },
      'Source: usage estimated after the compaction; window from the model table; auto-compact threshold assumed',
    ],
    [
      'the length of the text',
      120_000,
      { reading: { estimated: true, source: 'characters' } },
      'Source: usage estimated from the length of the text: the provider reports none; window from the model table; auto-compact threshold assumed',
    ],
  ];
  test.each(sources)('says where the figures come from: %s', (_, tokens, judged, expected) => {
    expect(
      lines(formatContextMonitor(facts(tokens, judged))).find((line) => line.startsWith('Source:')),
    ).toBe(expected);
  });

  const KEEP = '- Keep decisions and findings that only this context holds: plimsoll note "…"';
  const STEP = (left: string): string =>
    `- ~${left} tokens remain: begin a step larger than that only after noting where the work stands`;
  const SECTIONS: [Tier, number, string, string[], string[]][] = [
    [
      'WARNING',
      117_000,
      'ACTION RECOMMENDED:',
      [KEEP],
      [
        '- The resumption section of ORCHESTRATION.yaml is due for an update (defect_summary, agent_summaries): plimsoll state --help',
      ],
    ],
    [
      'CRITICAL',
      134_000,
      'ACTION REQUIRED:',
      [KEEP, STEP('33,000')],
      [
        '- All sub-sections of the resumption section need to be current (plimsoll state show); a decision for later phases: plimsoll state decision add "…"',
      ],
    ],
    [
      'EMERGENCY',
      150_400,
      'ACTION REQUIRED:',
      [KEEP, STEP('17,000')],
      [
        '- The state of the work goes to ORCHESTRATION.yaml now: plimsoll state activity "…", plimsoll state next "…"',
      ],
    ],
    // Nothing is left: no figure to measure a step by.
    ['EMERGENCY', 168_000, 'ACTION REQUIRED:', [KEEP], []],
  ];
  test.each(SECTIONS)(
    'asks at %s (%d tokens) under its label for what helps, and for nothing else',
    (tier, tokens, label, asked, ofFile) => {
      for (const hasOrchestration of [false, true]) {
        const text = formatContextMonitor(facts(tokens, {}, { hasOrchestration })) ?? '';
        expect(text).toContain(`CONTEXT STATUS: ${tier} (`);
        const below = lines(text).slice(lines(text).indexOf(label) + 1, -1);
        // Where the file asks for something as well, the step is what there may be no room for.
        for (const line of hasOrchestration ? asked.slice(0, 1) : asked) expect(below).toContain(line);
        for (const line of ofFile) expect(below.includes(line)).toBe(hasOrchestration);
        if (!hasOrchestration) expect(below).toEqual(asked);
        expect(estimateTokens(text)).toBeLessThanOrEqual(260);
      }
    },
  );

  test.each([
    ['C1', false],
    ['C2', false],
    ['C3', true],
    ['C4', true],
  ] as const)('has the user told at EMERGENCY with %s: %s (AE-006)', (sensitivity, told) => {
    expect(formatContextMonitor(facts(150_000, {}, { sensitivity }))?.includes('AE-006')).toBe(told);
  });

  test.each(['WARNING', 'CRITICAL', 'EMERGENCY'] as const)(
    'never invites the agent to stop at %s',
    (tier) => {
      const tokens = { WARNING: 117_000, CRITICAL: 134_000, EMERGENCY: 150_000 }[tier];
      for (const hasOrchestration of [false, true])
        expect(formatContextMonitor(facts(tokens, {}, { hasOrchestration, sensitivity: 'C4' }))).not.toMatch(
          /\b(?:stop|wait|pause|nothing new|can wait|wrap up|end the)\b/i,
        );
    },
  );

  test('says what helps where auto-compaction is off', () => {
    const text = formatContextMonitor(facts(190_000, { client: { enabled: false } }));
    expect(text).toContain('Auto-compaction is off: the user can run /compact');
    expect(text).not.toContain('through the compaction');
  });

  test('asks for nothing at NOMINAL and LOW, in one line', () => {
    for (const tokens of [10_000, 100_000]) {
      const text = formatContextMonitor(facts(tokens, {}, { hasOrchestration: true, compactions: 3 })) ?? '';
      expect(text).not.toMatch(/ACTION|\n/);
      expect(text).toBe(formatShortMonitor(judge(tokens)));
    }
  });

  test('is silent where the usage is unknown', () => {
    expect(formatContextMonitor(facts(null))).toBeNull();
    expect(formatShortMonitor(judge(null))).toBeNull();
    expect(formatShortStatus(judge(null))).toBeNull();
  });

  describe('where only the model table calls the window large', () => {
    const large = (tokens: number): MonitorFacts => facts(tokens, { reading: { model: 'claude-opus-5-5' } });

    test('warns, when that is due, of what 200,000 would mean', () => {
      expect(lines(formatContextMonitor(large(150_000), true))).toEqual([
        '<context-monitor>',
        expect.stringMatching(/^CONTEXT STATUS: NOMINAL \(~15% of the way to auto-compaction at 967,000/),
        'If the window is 200,000 and not 1,000,000, this is EMERGENCY: 150,000 tokens used (said once)',
        '</context-monitor>',
      ]);
    });

    test('says nothing of it when it is not due, or would be no warning', () => {
      expect(formatContextMonitor(large(150_000))).not.toContain('If the window');
      expect(formatContextMonitor(large(100_000), true)).not.toContain('If the window');
    });
  });

  const anyFacts = fc
    .record({
      tokens: fc.integer({ min: 1, max: 1_100_000 }),
      thresholdBase: fc.constantFrom('limit', 'window' as const),
      mode: fc.constantFrom('static', 'dynamic' as const),
      model: fc.constantFrom('claude-sonnet-4-5', 'claude-opus-5-5', 'MiniMax-M2.7', null),
      estimated: fc.boolean(),
      enabled: fc.boolean(),
      window: fc.option(fc.integer({ min: 100_000, max: 1_000_000 })),
      windowTokens: fc.option(fc.integer({ min: 100_000, max: 10_000_000 })),
      learned: fc.array(fc.integer({ min: 100_000, max: 190_000 }), { maxLength: 3 }),
      compactions: fc.nat(10_000),
      checkpoint: fc.option(
        fc.record({ id: fc.nat(99_999).map((id) => `cx-${id}`), age_s: fc.nat(99_999_999) }),
      ),
      hasOrchestration: fc.boolean(),
      operationTokens: fc.integer({ min: 100, max: 10_000_000 }),
      sensitivity: fc.constantFrom('C1', 'C2', 'C3', 'C4' as const),
    })
    .map(
      ({
        tokens,
        thresholdBase,
        mode,
        model,
        estimated,
        enabled,
        window,
        windowTokens,
        learned,
        ...more
      }) => ({
        assessment: judge(tokens, {
          settings: { thresholdBase, mode, windowTokens, typicalStepTokens: more.operationTokens },
          reading: { model, estimated },
          client: { enabled, window },
          learned: { '200000': learned },
        }),
        ...more,
      }),
    ) as fc.Arbitrary<MonitorFacts>;

  test('stays within 60 and 260 tokens for every tier, threshold base, mode and source', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(anyFacts, fc.boolean(), (given, warnStandard) => {
        const text = formatContextMonitor(given, warnStandard) ?? '';
        const { tier } = given.assessment;
        const isShort = (tier === 'NOMINAL' || tier === 'LOW') && !text.includes('If the window');
        const isUsual = !given.assessment.reading.estimated && given.assessment.window.tokens <= 1_000_000;
        expect(estimateTokens(text)).toBeLessThanOrEqual(isShort && isUsual ? 60 : 260);
        expect(text.match(/<context-monitor>/g)).toHaveLength(1);
        expect(text.endsWith('</context-monitor>')).toBe(true);
        expect(text).toContain(`CONTEXT STATUS: ${tier} (`);
        expect(text).not.toMatch(/NaN|undefined|null|Infinity/);
        seen.add(`${tier} ${given.assessment.thresholdBase}`);
      }),
      // So many that every tier is among them.
      { numRuns: Math.max(1_000, runs(2_000)) },
    );
    expect(seen.size).toBe(TIERS.length * 2);
  });
});
