import { describe, expect, test } from 'vitest';
import { type Judged, judge } from '../../test/unit/judgements.ts';

describe('assessUsage()', () => {
  test('reproduces the golden figures of seed 001 with threshold_base = "window"', () => {
    const found = judge(146_400, { settings: { thresholdBase: 'window' } });
    expect(found).toMatchObject({
      thresholdBase: 'window',
      effectiveLimit: 200_000,
      fractionOfLimit: 0.732,
      fractionOfWindow: 0.732,
      headroom: 53_600,
      tier: 'WARNING',
      tierIfStandardWindow: null,
    });
    expect(found.window).toEqual({ tokens: 200_000, source: 'table', confidence: 'inferred' });
  });

  test('measures against the auto-compact threshold with threshold_base = "limit"', () => {
    expect(judge(146_400)).toMatchObject({
      thresholdBase: 'limit',
      effectiveLimit: 167_000,
      fractionOfLimit: 146_400 / 167_000,
      fractionOfWindow: 0.732,
      headroom: 20_600,
      tier: 'CRITICAL',
    });
  });

  test('measures against the window where the client never compacts by itself', () => {
    const found = judge(146_400, { client: { enabled: false } });
    expect(found).toMatchObject({
      effectiveLimit: 200_000,
      headroom: 53_600,
      tier: 'WARNING',
      fractionOfLimit: 0.732,
    });
    expect(found.autoCompactAt).toMatchObject({ tokens: null, source: 'off' });
  });

  test('leaves everything open where the usage is unknown', () => {
    expect(judge(null)).toMatchObject({
      fractionOfLimit: null,
      fractionOfWindow: null,
      headroom: null,
      tier: null,
    });
    expect(judge(null, { reading: { model: 'claude-opus-5-5' } }).tierIfStandardWindow).toBeNull();
  });

  test('never shows a headroom below 0', () => {
    expect(judge(172_000)).toMatchObject({ headroom: 0, tier: 'EMERGENCY' });
  });

  // [what, tokens, judged, expected]
  const rows: [string, number, Judged, object][] = [
    [
      'the configured window and point',
      60_000,
      { settings: { windowTokens: 100_000, autoCompactAt: 80_000 } },
      { effectiveLimit: 80_000, fractionOfWindow: 0.6, headroom: 20_000, tier: 'WARNING' },
    ],
    [
      'a window that the usage of this model proved',
      150_000,
      { maxTokensByModel: { 'claude-sonnet-4-5': 534_859, other: 5 } },
      { window: { tokens: 1_000_000, source: 'usage' }, effectiveLimit: 967_000, tier: 'NOMINAL' },
    ],
    [
      'no window that the usage of another model proved',
      150_000,
      { maxTokensByModel: { 'claude-opus-5-5': 534_859 } },
      { window: { tokens: 200_000 }, tier: 'EMERGENCY' },
    ],
    [
      'points learned for this window only',
      120_000,
      { learned: { '200000': [155_000, 155_000, 155_000], '1000000': [400_000, 400_000, 400_000] } },
      { effectiveLimit: 155_000, autoCompactAt: { source: 'learned' } },
    ],
    [
      'points learned for a large window',
      350_000,
      {
        reading: { model: 'claude-opus-5-5' },
        learned: { '200000': [155_000, 155_000, 155_000], '1000000': [400_000, 400_000, 400_000] },
      },
      { effectiveLimit: 400_000, autoCompactAt: { source: 'learned' } },
    ],
    [
      'no points that were learned under another setting of the client',
      110_000,
      { learned: { '200000': [155_000, 155_000, 155_000] }, client: { window: 150_000 } },
      { effectiveLimit: 117_000, autoCompactAt: { source: 'client' } },
    ],
    [
      'a point disproved by the largest usage of this segment',
      176_000,
      { maxTokensByModel: { 'claude-sonnet-4-5': 176_000 } },
      { effectiveLimit: 196_000, autoCompactAt: { source: 'reactive' }, headroom: 20_000, tier: 'EMERGENCY' },
    ],
    [
      'a compaction of this session and model far below what is assumed',
      130_000,
      {
        reading: { model: 'claude-opus-4-7' },
        maxTokensByModel: { 'claude-opus-4-7': 166_609 },
        lastAuto: 167_766,
        lastAutoModel: 'claude-opus-4-7',
      },
      {
        window: { tokens: 1_000_000, source: 'table' },
        autoCompactAt: { tokens: 167_766, source: 'learned' },
        tier: 'WARNING',
        tierIfStandardWindow: null,
      },
    ],
    [
      'no compaction of another model',
      130_000,
      {
        reading: { model: 'claude-opus-4-7' },
        maxTokensByModel: { 'claude-opus-4-7': 160_000 },
        lastAuto: 167_766,
        lastAutoModel: 'claude-sonnet-4-5',
      },
      { autoCompactAt: { tokens: 967_000, source: 'default' }, tier: 'NOMINAL' },
    ],
    [
      'no compaction that the usage has since passed',
      180_000,
      {
        reading: { model: 'claude-opus-4-7' },
        maxTokensByModel: { 'claude-opus-4-7': 180_000 },
        lastAuto: 167_766,
        lastAutoModel: 'claude-opus-4-7',
      },
      { autoCompactAt: { tokens: 967_000, source: 'default' }, tier: 'NOMINAL' },
    ],
    [
      'no compaction near what is assumed',
      120_000,
      {
        maxTokensByModel: { 'claude-sonnet-4-5': 166_000 },
        lastAuto: 165_000,
        lastAutoModel: 'claude-sonnet-4-5',
      },
      { autoCompactAt: { tokens: 167_000, source: 'default' } },
    ],
    [
      'a marked model',
      150_000,
      { marked: true },
      { window: { tokens: 1_000_000, source: 'mark' }, tier: 'NOMINAL', tierIfStandardWindow: null },
    ],
    [
      'windows by part of a model id',
      150_000,
      { settings: { modelWindows: { sonnet: 400_000 } } },
      { window: { tokens: 400_000, source: 'table' }, effectiveLimit: 367_000, tier: 'NOMINAL' },
    ],
    [
      'the environment of the client',
      150_000,
      { reading: { model: 'claude-opus-5-5' }, env: { CLAUDE_CODE_USE_BEDROCK: '1' } },
      { window: { tokens: 200_000 }, tier: 'EMERGENCY', tierIfStandardWindow: null },
    ],
  ];
  test.each(rows)('judges with %s', (_, tokens, judged, expected) => {
    expect(judge(tokens, judged)).toMatchObject(expected);
  });

  describe('where only the model table calls the window large', () => {
    const OPUS = { model: 'claude-opus-5-5' };

    test('says the tier that 200,000 would mean as well', () => {
      expect(judge(120_000, { reading: OPUS })).toMatchObject({
        tier: 'NOMINAL',
        tierIfStandardWindow: 'WARNING',
      });
      expect(judge(150_000, { reading: OPUS }).tierIfStandardWindow).toBe('EMERGENCY');
      expect(judge(50_000, { reading: OPUS }).tierIfStandardWindow).toBe('NOMINAL');
    });

    test('says nothing of it once a usage above 200,000 confirmed the window', () => {
      const found = judge(150_000, { reading: OPUS, maxTokensByModel: { 'claude-opus-5-5': 210_000 } });
      expect(found).toMatchObject({ window: { source: 'usage' }, tierIfStandardWindow: null });
    });

    test('says nothing of it where the window is configured', () => {
      const found = judge(150_000, { reading: OPUS, settings: { windowTokens: 1_000_000 } });
      expect(found.tierIfStandardWindow).toBeNull();
    });
  });
});
