import { describe, expect, test } from 'vitest';
import { chooseSample, findClientUsage, parseUsageSample, type UsageSample } from './client-usage.ts';

const NOW = Date.parse('2026-11-27T10:00:00.000Z');
const frame = (more: Partial<UsageSample> = {}): UsageSample => ({
  v: 1,
  session: 'a',
  from: 'module',
  at: NOW - 5_000,
  tokens: 50_000,
  window: 200_000,
  model: 'claude-sonnet-4-5',
  ...more,
});

describe('parseUsageSample()', () => {
  const read = (more: Record<string, unknown>) =>
    parseUsageSample(JSON.stringify({ ...frame(), ...more }), 'a');

  test('reads what a writer wrote, and what it does not know as unknown', () => {
    expect(read({})).toEqual(frame());
    expect(read({ tokens: null, model: null })).toEqual(frame({ tokens: null, model: null }));
    expect(read({ tokens: 0, model: '' })).toEqual(frame({ tokens: null, model: null }));
    expect(read({ from: 'statusline', more: 1 })).toEqual(frame({ from: 'statusline' }));
  });

  test.each([
    ['another session', { session: 'b' }],
    ['another version', { v: 2 }],
    ['no window', { window: null }],
    ['a window of zero', { window: 0 }],
    ['a window in words', { window: '200000' }],
    ['no time', { at: undefined }],
    ['a time that is none', { at: '2026-11-27' }],
  ])('knows no frame with %s', (_, more) => {
    expect(read(more)).toBeNull();
  });

  test.each(['', '{', '[]', 'null', '{"v":1}', JSON.stringify(frame()).slice(0, -3)])(
    'knows no frame in %j',
    (text) => {
      expect(parseUsageSample(text, 'a')).toBeNull();
    },
  );
});

describe('chooseSample()', () => {
  const line = (at: number) => frame({ from: 'statusline', at, tokens: 1 });

  test('takes the one that there is', () => {
    expect(chooseSample(frame(), null)).toEqual(frame());
    expect(chooseSample(null, line(NOW))).toEqual(line(NOW));
    expect(chooseSample(null, null)).toBeNull();
  });

  test('believes the module, unless the status line has gone on without it', () => {
    expect(chooseSample(frame({ at: NOW }), line(NOW + 9_000))?.from).toBe('module');
    expect(chooseSample(frame({ at: NOW }), line(NOW + 11_000))?.from).toBe('statusline');
  });
});

describe('findClientUsage()', () => {
  const at = NOW - 5_000;
  const DATED = 'claude-sonnet-4-5-20250929';
  const line = { from: 'statusline' as const };
  const against = (
    given: Partial<UsageSample> | null,
    seen: { answered?: number | null; model?: string; compacted?: number },
  ) => {
    const { answered } = seen;
    const iso = answered == null ? null : new Date(answered).toISOString();
    const usage = answered === undefined ? null : { at: iso, model: seen.model ?? DATED };
    const { reading, window } = findClientUsage(given && frame(given), {
      usage,
      compacted: seen.compacted ?? 0,
      now: NOW,
    });
    return [reading?.tokens ?? null, window, reading?.model ?? null];
  };

  test.each<[string, Partial<UsageSample> | null, Parameters<typeof against>[1], (number | string | null)[]]>(
    [
      ['no frame', null, {}, [null, null, null]],
      ['nothing in the transcript yet', {}, {}, [50_000, 200_000, 'claude-sonnet-4-5']],
      ['an answer before it', {}, { answered: at - 1 }, [50_000, 200_000, DATED]],
      ['an answer after it: the window stays', {}, { answered: at + 1 }, [null, 200_000, null]],
      ['an answer without a time', {}, { answered: null }, [null, 200_000, null]],
      [
        'an answer of another model long after it',
        { at: NOW - 62_000 },
        { answered: NOW - 1_000, model: 'claude-opus-5-5' },
        [null, null, null],
      ],
      [
        'an answer just after it, whose model has another name than the client gives it',
        { model: 'house-model' },
        { answered: at + 1, model: 'claude-opus-5-5' },
        [null, 200_000, null],
      ],
      [
        'an answer of another model before it: a switch',
        {},
        { answered: at - 1, model: 'claude-opus-5-5' },
        [50_000, 200_000, 'claude-sonnet-4-5'],
      ],
      [
        'the mark of the window in its name',
        { model: 'claude-sonnet-4-5[1m]' },
        { answered: at + 1 },
        [null, 200_000, null],
      ],
      [
        'the mark, and no answer',
        { model: 'claude-sonnet-4-5[1m]' },
        {},
        [50_000, 200_000, 'claude-sonnet-4-5'],
      ],
      ['a model that it does not know', { model: null }, { answered: at - 1 }, [50_000, 200_000, DATED]],
      ['an answer an hour after it', { at: NOW - 3_700_000 }, { answered: NOW }, [null, null, null]],
      ['a compaction after it', {}, { answered: at - 1, compacted: at + 1 }, [null, 200_000, null]],
      ['a compaction before it', {}, { answered: at - 2, compacted: at - 1 }, [50_000, 200_000, DATED]],
      ['tokens that are unknown', { tokens: null }, { answered: at - 1 }, [null, 200_000, null]],
      ['a clock that was set back', { at: NOW + 61_000 }, {}, [null, null, null]],
      [
        'the status line after an answer, which it may not show',
        line,
        { answered: at - 1 },
        [null, 200_000, null],
      ],
      ['the status line and no answer', line, {}, [50_000, 200_000, 'claude-sonnet-4-5']],
    ],
  )('%s', (_, given, seen, found) => {
    expect(against(given, seen)).toEqual(found);
  });
});
