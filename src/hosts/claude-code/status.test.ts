import { describe, expect, test } from 'vitest';
import { statusFrame } from './statusline.ts';

const usage = (input: unknown, created: unknown = 0, read: unknown = 0) => ({
  input_tokens: input,
  output_tokens: 20,
  cache_creation_input_tokens: created,
  cache_read_input_tokens: read,
});
const payload = (context: unknown, more: Record<string, unknown> = {}) => ({
  session_id: 's-1',
  transcript_path: '/t.jsonl',
  cwd: '/p/sub',
  model: { id: 'claude-sonnet-4-5', display_name: 'Sonnet 4.5' },
  workspace: { current_dir: '/p/sub', project_dir: '/p' },
  context_window: context,
  ...more,
});
const window = { context_window_size: 200_000 };

describe('statusFrame()', () => {
  test('reads what the client sends after an answer', () => {
    expect(statusFrame(payload({ ...window, current_usage: usage(10, 1_000, 93_990) }))).toEqual({
      session: 's-1',
      transcript: '/t.jsonl',
      cwd: '/p/sub',
      project: '/p',
      model: { id: 'claude-sonnet-4-5', name: 'Sonnet 4.5' },
      window: 200_000,
      tokens: 95_000,
    });
  });

  // [what, context_window, tokens, window]
  test.each<[string, unknown, number | null, number | null]>([
    [
      'before the first answer: null',
      { ...window, current_usage: null, used_percentage: null },
      null,
      200_000,
    ],
    ['after /compact: zeros', { ...window, current_usage: usage(0), used_percentage: 0 }, null, 200_000],
    ['a percentage alone is no measurement', { ...window, used_percentage: 48 }, null, 200_000],
    ['running totals are no fill', { ...window, total_input_tokens: 95_000 }, null, 200_000],
    ['a window that its own figures contradict', { ...window, current_usage: usage(250_000) }, 250_000, null],
    ['a window exactly full', { ...window, current_usage: usage(200_000) }, 200_000, 200_000],
    ['no window', { current_usage: usage(5) }, 5, null],
    ['nothing', undefined, null, null],
    ['null', null, null, null],
    ['a list', [], null, null],
    ['text for numbers', { context_window_size: '200000', current_usage: usage('95000') }, null, null],
    ['negative numbers', { context_window_size: -1, current_usage: usage(-5, 10) }, 10, null],
    ['fractions', { context_window_size: 0.5, current_usage: usage(1.5) }, null, null],
    ['numbers without end', { context_window_size: 1e300, current_usage: usage(1e300) }, null, null],
  ])('%s', (_, context, tokens, size) => {
    expect(statusFrame(payload(context))).toMatchObject({ tokens, window: size });
  });

  test.each([null, undefined, 1, 'x', [], {}, { session_id: '' }, { session_id: 5 }])(
    'names no session: %j',
    (value) => {
      expect(statusFrame(value)).toBeNull();
    },
  );

  test('takes what is there of an odd payload', () => {
    expect(statusFrame({ session_id: 's', model: 'opus', workspace: null, cwd: 5 })).toEqual({
      session: 's',
      transcript: null,
      cwd: null,
      project: null,
      model: { id: null, name: null },
      window: null,
      tokens: null,
    });
  });
});
