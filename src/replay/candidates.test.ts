import { describe, expect, test } from 'vitest';
import { SETTING_KEYS, SETTINGS, type Settings } from '../settings/settings.ts';
import { describeSpread } from './calibrate.ts';
import { chooseThresholds, type Judgement, listCandidates } from './candidates.ts';

const DEFAULTS = Object.fromEntries(SETTING_KEYS.map((key) => [key, SETTINGS[key].default])) as Settings;

const judged = (
  name: string,
  warned: number,
  false_warnings: number,
  lead: number,
  compactions = 5,
): Judgement => ({
  ...{ name, compactions, warned, false_warnings },
  lead_calls: describeSpread([9]),
  lead_tokens: describeSpread(warned === 0 ? [] : [lead]),
});

describe('chooseThresholds()', () => {
  const STEP = 20_000;
  // [which is chosen, today, others, name or null, reason]
  const cases: [string, Judgement, Judgement[], string | null, string | null][] = [
    ['today where nothing is tried', judged('t', 5, 2, 30_000), [], null, 'nothing-better'],
    [
      'today where another is as good',
      judged('t', 5, 2, 30_000),
      [judged('a', 5, 2, 90_000)],
      null,
      'nothing-better',
    ],
    [
      'none of two compactions',
      judged('t', 0, 9, 0, 2),
      [judged('a', 2, 0, 30_000, 2)],
      null,
      'too-few-compactions',
    ],
    ['one of three compactions', judged('t', 0, 9, 0, 3), [judged('a', 3, 0, 30_000, 3)], 'a', null],
    ['fewer without a warning before all else', judged('t', 4, 0, 30_000), [judged('a', 5, 9, 1)], 'a', null],
    ['fewer in vain before the lead', judged('t', 5, 3, 30_000), [judged('a', 5, 2, 1)], 'a', null],
    [
      'a lead of a step where all else is equal',
      judged('t', 5, 2, 19_999),
      [judged('a', 5, 2, 20_000)],
      'a',
      null,
    ],
    [
      'the first of equal ones',
      judged('t', 4, 2, 1),
      [judged('a', 5, 2, 1), judged('b', 5, 2, 1)],
      'a',
      null,
    ],
    [
      'today where others miss more',
      judged('t', 5, 9, 1),
      [judged('a', 4, 0, 90_000)],
      null,
      'nothing-better',
    ],
  ];
  test.each(cases)('chooses %s', (_, today, others, name, reason) => {
    const { chosen, reason: why } = chooseThresholds(today, others, STEP);
    expect([chosen?.name ?? null, why]).toEqual([name, reason]);
  });
});

describe('listCandidates()', () => {
  const named = (settings: Partial<Settings>, step: number | null) =>
    listCandidates({ ...DEFAULTS, ...settings }, step).map((group) => group.map(({ name }) => name));

  test('are the other presets and steps, the earliest warning first', () => {
    expect(named({}, 12_000)).toEqual([
      ['static 50/65/78%', 'static 60/72/82%', 'static 80/90/95%'],
      ['dynamic, steps of 29,000', 'dynamic, steps of 12,000'],
    ]);
    expect(named({ 'context_monitor.mode': 'dynamic' }, null)).toEqual([
      ['static 50/65/78%', 'static 60/72/82%', 'static 70/80/88%', 'static 80/90/95%'],
      [],
    ]);
  });

  test('name the settings alone that have to change', () => {
    const [statics = [], dynamics = []] = listCandidates(DEFAULTS, 29_000);
    expect(statics[0]?.changes).toEqual({
      'context_monitor.low_threshold': 0.35,
      'context_monitor.warning_threshold': 0.5,
      'context_monitor.critical_threshold': 0.65,
      'context_monitor.emergency_threshold': 0.78,
    });
    expect(Object.keys(statics[1]?.changes ?? {})).not.toContain('context_monitor.low_threshold');
    expect(dynamics.map(({ changes }) => changes)).toEqual([{ 'context_monitor.mode': 'dynamic' }]);
  });

  test('bring whole thresholds where some are set by hand', () => {
    const own = { 'context_monitor.low_threshold': 0.6, 'context_monitor.warning_threshold': 0.7 };
    const [statics = []] = listCandidates({ ...DEFAULTS, ...own }, null);
    for (const { assessment } of statics) {
      const { low, warning, critical, emergency } = assessment.thresholds;
      expect([low, warning, critical, emergency]).toEqual([low, warning, critical, emergency].sort());
    }
  });
});
