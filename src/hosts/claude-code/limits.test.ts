// Tests what is known of Claude models and of the client's own compaction settings.
import { describe, expect, test } from 'vitest';
import type { ClientCompaction } from '../host.ts';
import { claudeLimits, readClaudeVersion } from './limits.ts';

const PLAIN: ClientCompaction = { enabled: true, window: null, percent: null };

describe('readClaudeVersion()', () => {
  test.each([
    ['claude-opus-4-7', 'opus', 4.7],
    ['claude-opus-4-7-20260101', 'opus', 4.7],
    ['claude-opus-5-5', 'opus', 5.5],
    ['claude-opus-5', 'opus', 5],
    ['claude-opus-4-1-20250805', 'opus', 4.1],
    ['claude-sonnet-5', 'sonnet', 5],
    ['claude-sonnet-4-6', 'sonnet', 4.6],
    ['claude-sonnet-4-5-20250929', 'sonnet', 4.5],
    ['claude-sonnet-4-20250514', 'sonnet', 4],
    ['claude-haiku-4-5-20251001', 'haiku', 4.5],
    ['claude-fable-5', 'fable', 5],
    ['claude-opus-4-6-thinking', 'opus', 4.6],
    ['claude-opus-4-6[1m]', 'opus', 4.6],
    ['us.anthropic.claude-sonnet-5-v1:0', 'sonnet', 5],
    ['us.anthropic.claude-opus-4-7-20260101-v1:0', 'opus', 4.7],
    ['anthropic.claude-sonnet-4-20250514-v1:0', 'sonnet', 4],
    ['claude-sonnet-4-5@20250929', 'sonnet', 4.5],
  ])('reads %s as %s %d', (model, family, version) => {
    const [major, minor = 0] = String(version).split('.').map(Number);
    expect(readClaudeVersion(model)).toEqual({ family, major, minor });
  });

  test.each([['claude-3-5-sonnet-20241022'], ['MiniMax-M2.7'], ['glm-5.1'], ['opus'], ['<synthetic>'], ['']])(
    'knows no version in "%s"',
    (model) => {
      expect(readClaudeVersion(model)).toBeNull();
    },
  );
});

describe('readCompaction()', () => {
  type Env = Record<string, string>;
  const MODEL = 'claude-opus-4-7';

  // [what, environment, settings, expected]
  const rows: [string, Env, Record<string, unknown>, Partial<ClientCompaction>][] = [
    ['on, with nothing set', {}, {}, {}],
    ['off by DISABLE_AUTO_COMPACT=1', { DISABLE_AUTO_COMPACT: '1' }, {}, { enabled: false }],
    ['off by DISABLE_AUTO_COMPACT=true', { DISABLE_AUTO_COMPACT: 'true' }, {}, { enabled: false }],
    ['off by DISABLE_COMPACT=1', { DISABLE_COMPACT: '1' }, {}, { enabled: false }],
    ['on with DISABLE_AUTO_COMPACT=0', { DISABLE_AUTO_COMPACT: '0' }, {}, {}],
    ['on with an empty DISABLE_AUTO_COMPACT', { DISABLE_AUTO_COMPACT: '' }, {}, {}],
    ['off by its setting', {}, { autoCompactEnabled: false }, { enabled: false }],
    ['on by its setting', {}, { autoCompactEnabled: true }, {}],
    ['with W from the environment', { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '150000' }, {}, { window: 150_000 }],
    ['with W from the settings', {}, { autoCompactWindow: 150_000 }, { window: 150_000 }],
    [
      'with W of the model before the general one',
      {},
      { autoCompactWindow: 150_000, modelSettings: { [MODEL]: { autoCompactWindow: 300_000 } } },
      { window: 300_000 },
    ],
    [
      'without the W of another model',
      {},
      { modelSettings: { 'claude-haiku-4-5': { autoCompactWindow: 300_000 } } },
      {},
    ],
    [
      'with W of the environment before all settings',
      { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '120000' },
      { autoCompactWindow: 150_000, modelSettings: { [MODEL]: { autoCompactWindow: 300_000 } } },
      { window: 120_000 },
    ],
    [
      'with "500k" read as 500 and raised to 100,000',
      { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '500k' },
      {},
      { window: 100_000 },
    ],
    ['with W raised to 100,000', { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '50000' }, {}, { window: 100_000 }],
    [
      'with W lowered to 1,000,000',
      { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '2000000' },
      {},
      { window: 1_000_000 },
    ],
    ['without W where it is no number', { CLAUDE_CODE_AUTO_COMPACT_WINDOW: 'auto' }, {}, {}],
    ['without W where it is empty', { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '' }, {}, {}],
    ['without W where it is 0', { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '0' }, {}, {}],
    ['without W where the setting is no number', {}, { autoCompactWindow: { tokens: 5 } }, {}],
    ['without W where modelSettings are odd', {}, { modelSettings: 'all', autoCompactWindow: null }, {}],
    ['with a percentage', { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '50' }, {}, { percent: 50 }],
    ['without a percentage of 0', { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '0' }, {}, {}],
    ['without a percentage above 100', { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '150' }, {}, {}],
    ['without a percentage that is no number', { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: 'half' }, {}, {}],
  ];
  test.each(rows)('finds automatic compaction %s', (_, env, settings, expected) => {
    expect(claudeLimits.readCompaction(env, settings, MODEL)).toEqual({ ...PLAIN, ...expected });
  });

  test('asks for no model where none is known', () => {
    const settings = { modelSettings: { null: { autoCompactWindow: 300_000 } }, autoCompactWindow: 150_000 };
    expect(claudeLimits.readCompaction({}, settings, null).window).toBe(150_000);
  });
});
