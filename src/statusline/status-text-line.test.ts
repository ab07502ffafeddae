import { describe, expect, test } from 'vitest';
import { type Judged, judge } from '../../test/unit/judgements.ts';
import type { Tier } from '../context/tier.ts';
import { countColumns } from '../text/columns.ts';
import { STATUS_FORMAT, type StatusFacts, statusLine } from './status-parts.ts';

const facts = (tokens: number | null, judged: Judged = {}, more: Partial<StatusFacts> = {}): StatusFacts => ({
  model: 'Sonnet 4.5',
  assessment: judge(tokens, judged),
  compactions: 0,
  checkpoint: null,
  workflow: null,
  ...more,
});
const lineOf = (given: StatusFacts, more: Partial<Parameters<typeof statusLine>[1]> = {}): string =>
  statusLine(given, { format: STATUS_FORMAT, width: 1_000, colours: false, ...more });
const certain: Judged = { settings: { windowTokens: 200_000, autoCompactAt: 167_000 } };

describe('the line at every tier', () => {
  // [tokens, line]
  test.each([
    [24_000, 'Sonnet 4.5 █░░░░░░░░░ 14% of 167k NOMINAL · 143k left · 0 compactions · no checkpoint'],
    [1_000, 'Sonnet 4.5 ░░░░░░░░░░ <1% of 167k NOMINAL · 166k left · 0 compactions · no checkpoint'],
    [91_849, 'Sonnet 4.5 █████░░░░░ 54% of 167k NOMINAL · 75k left · 0 compactions · no checkpoint'],
    [91_850, 'Sonnet 4.5 █████░░░░░ 55% of 167k LOW · 75k left · 0 compactions · no checkpoint'],
    [116_900, 'Sonnet 4.5 ███████░░░ 70% of 167k WARNING · 50k left · 0 compactions · no checkpoint'],
    [133_599, 'Sonnet 4.5 ███████░░░ 79% of 167k WARNING · 33k left · 0 compactions · no checkpoint'],
    [133_600, 'Sonnet 4.5 ████████░░ 80% of 167k CRITICAL · 33k left · 0 compactions · no checkpoint'],
    [146_960, 'Sonnet 4.5 ████████░░ 88% of 167k EMERGENCY · 20k left · 0 compactions · no checkpoint'],
    [170_000, 'Sonnet 4.5 ██████████ 101% of 167k EMERGENCY · 0 left · 0 compactions · no checkpoint'],
  ])('%i tokens', (tokens, expected) => {
    expect(lineOf(facts(tokens, certain))).toBe(expected);
  });

  test.each<[string, StatusFacts, string]>([
    [
      'an unknown fill is said, never 0%',
      facts(null, certain),
      'Sonnet 4.5 usage unknown · 0 compactions · no checkpoint',
    ],
    [
      'nothing at all is known',
      { model: null, assessment: null, compactions: null, checkpoint: undefined, workflow: null },
      'usage unknown',
    ],
    [
      'an estimate is marked',
      facts(34_000, { ...certain, reading: { estimated: true, stale: true } }, { compactions: 1 }),
      'Sonnet 4.5 ██░░░░░░░░ ~20% of 167k (estimate) NOMINAL · ~133k left · 1 compaction · no checkpoint',
    ],
    [
      'what the usage is measured against is marked where it is assumed',
      facts(83_500),
      'Sonnet 4.5 █████░░░░░ 50% of ~167k NOMINAL · 83k left · 0 compactions · no checkpoint',
    ],
    [
      'a large window that only the table knows',
      facts(150_000, { reading: { model: 'claude-opus-4-7' } }),
      'Sonnet 4.5 █░░░░░░░░░ 15% of ~967k NOMINAL (EMERGENCY if the window is 200k) · 817k left · 0 compactions · no checkpoint',
    ],
    [
      'without automatic compaction the window counts',
      facts(100_000, { settings: { windowTokens: 1_000_000 }, client: { enabled: false } }),
      'Sonnet 4.5 █░░░░░░░░░ 10% of 1M NOMINAL · 900k left · 0 compactions · no checkpoint',
    ],
    [
      'a checkpoint and a workflow',
      facts(24_000, certain, {
        compactions: 2,
        checkpoint: { id: 'cx-004', age_s: 300 },
        workflow: { id: 'ledger-v2', freshness: 'FRESH' },
      }),
      'Sonnet 4.5 █░░░░░░░░░ 14% of 167k NOMINAL · 143k left · 2 compactions · cx-004 5 min ago · ledger-v2',
    ],
    [
      'a workflow whose section lags behind',
      facts(24_000, certain, { workflow: { id: 'ledger-v2', freshness: 'STALE' } }),
      'Sonnet 4.5 █░░░░░░░░░ 14% of 167k NOMINAL · 143k left · 0 compactions · no checkpoint · ledger-v2: stale',
    ],
  ])('%s', (_, given, expected) => {
    expect(lineOf(given)).toBe(expected);
  });

  test('a format of its own', () => {
    const given = facts(116_900, { ...certain, reading: { age_s: 600 } });
    expect(lineOf(given, { format: 'ctx:{usage} [{tier}] ({age})' })).toBe(
      'ctx:70% of 167k [WARNING] (read 10 min ago)',
    );
    expect(lineOf(given, { format: '{usage} \u001b[31m|\u0007 {tier}' })).toBe('70% of 167k | WARNING');
  });
});

describe('colours', () => {
  test.each<[Tier, number, string]>([
    ['NOMINAL', 24_000, '32'],
    ['LOW', 92_000, '36'],
    ['WARNING', 117_000, '33'],
    ['CRITICAL', 134_000, '31'],
    ['EMERGENCY', 150_000, '1;31'],
  ])('%s', (tier, tokens, colour) => {
    expect(lineOf(facts(tokens, certain), { format: '{tier}', colours: true })).toBe(
      `\u001b[${colour}m${tier}\u001b[0m`,
    );
  });

  test('change nothing but the colours', () => {
    for (const tokens of [24_000, 150_000]) {
      const given = facts(tokens, {}, { workflow: { id: 'w', freshness: 'CRITICAL' } });
      const coloured = lineOf(given, { colours: true });
      expect(coloured).toContain('\u001b[');
      expect(coloured.replace(/\u001b\[[\d;]*m/g, '')).toBe(lineOf(given));
    }
  });
});

test.each<[number, 'FRESH' | 'STALE' | 'CRITICAL', string]>([
  [24_000, 'FRESH', 'w'],
  [24_000, 'STALE', 'w: stale'],
  [24_000, 'CRITICAL', 'w: not updated yet'],
  [150_000, 'FRESH', 'w'],
  [150_000, 'STALE', '\u001b[33mw: stale\u001b[0m'],
  [150_000, 'CRITICAL', '\u001b[33mw: not updated yet\u001b[0m'],
])('at %i tokens a workflow that is %s is %j', (tokens, freshness, expected) => {
  const given = facts(tokens, certain, { workflow: { id: 'w', freshness } });
  expect(lineOf(given, { format: '{workflow}', colours: true })).toBe(expected);
});

describe('narrow terminals', () => {
  const given = facts(116_900, certain, {
    model: '模型 4.5',
    compactions: 1,
    checkpoint: { id: 'cx-001', age_s: 0 },
    workflow: { id: 'ledger', freshness: 'STALE' },
  });
  test.each([
    [
      107,
      '模型 4.5 ███████░░░ 70% of 167k WARNING · 50k left · 1 compaction · cx-001 just now · ledger: stale',
    ],
    [90, '模型 4.5 ███████░░░ 70% of 167k WARNING · 50k left · cx-001 just now · ledger: stale'],
    [70, '模型 4.5 ███████░░░ 70% of 167k WARNING · 50k left · ledger: stale'],
    [54, '模型 4.5 ███████░░░ 70% of 167k WARNING · 50k left'],
    [41, '███████░░░ 70% of 167k WARNING · 50k left'],
    [40, '███████░░░ 70% of 167k WARNING'],
    [25, '70% of 167k WARNING'],
    [12, '70% of 167k'],
    [8, '70% of…'],
    [1, '…'],
  ])('%i columns', (width, expected) => {
    expect(lineOf(given, { width })).toBe(expected);
  });

  test('the line fits, whatever the width, with colours too', () => {
    for (let width = 1; width < 130; width++) {
      const line = lineOf(given, { width, colours: true });
      expect(countColumns(line.replace(/\u001b\[[\d;]*m/g, ''))).toBeLessThanOrEqual(width);
    }
  });
});

describe('text from outside', () => {
  test.each([
    ['\u001b[2J\u001b[31mEvil\u001b]0;title\u0007', 'Evil'],
    ['two\nlines', 'two lines'],
    ['\u202eright to left', 'right to left'],
    ['x'.repeat(500), `${'x'.repeat(29)}…`],
    ['{usage} 100%', '{usage} 100%'],
  ])('a model named %j is %j', (model, expected) => {
    expect(lineOf(facts(1_000, {}, { model }), { format: '{model}' })).toBe(expected);
    const workflow = { id: model, freshness: 'FRESH' as const };
    expect(lineOf(facts(1_000, {}, { workflow }), { format: '{workflow}' })).toBe(expected);
  });

  test('a name of which nothing can be read is no name', () => {
    expect(lineOf(facts(null, {}, { model: '\u001b[31m\u200b' }), { format: '{model} {usage}' })).toBe(
      'usage unknown',
    );
  });
});
