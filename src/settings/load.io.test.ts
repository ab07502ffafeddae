import { relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Given, load, only, thresholdBase } from '../../test/unit/layers.ts';
import { temporaryFolder } from '../../test/unit/temporary.ts';
import { loadSettings } from './load.io.ts';
import type { Resolved } from './resolved.ts';
import { SETTING_KEYS } from './settings.ts';

describe('loadSettings() without any layer', () => {
  test('gives the defaults of the design, and says that they are', () => {
    const { settings, origins, problems, client } = load({});
    expect(settings).toMatchObject({
      enabled: true,
      'context_monitor.enabled': true,
      'context_monitor.emit': 'always',
      'context_monitor.threshold_base': 'limit',
      'context_monitor.mode': 'static',
      'context_monitor.sensitivity': null,
      'context_monitor.low_threshold': null,
      'context_monitor.window_tokens': null,
      'context_monitor.auto_compact_at': null,
      'context_monitor.typical_step_tokens': 29_000,
      'checkpoint.on_tier_rise': true,
      'checkpoint.summariser_hints': true,
      'orchestration.path': null,
    });
    expect(Object.keys(settings)).toEqual(SETTING_KEYS);
    expect(Object.values(origins).every((origin) => origin === 'default')).toBe(true);
    expect(problems).toEqual([]);
    expect(client).toEqual({});
  });

  test('gives them without a root too', () => {
    const { settings, problems } = loadSettings(null, { HOME: temporaryFolder() });
    expect(settings.enabled).toBe(true);
    expect(problems).toEqual([]);
  });
});

describe('loadSettings() with layers', () => {
  const BASE = 'PLIMSOLL_CONTEXT_MONITOR__THRESHOLD_BASE';
  test.each<[string, Given, string, string]>([
    ['the user', { user: thresholdBase('window') }, 'window', 'user'],
    [
      'the project, where the user has set nothing',
      { project: thresholdBase('window') },
      'window',
      'project',
    ],
    [
      'the local file before the project',
      { user: thresholdBase('limit'), project: thresholdBase('limit'), local: thresholdBase('window') },
      'window',
      'local',
    ],
    [
      'the environment before all files',
      {
        user: thresholdBase('limit'),
        project: thresholdBase('limit'),
        local: thresholdBase('limit'),
        env: { [BASE]: 'window' },
      },
      'window',
      'env',
    ],
    ['no empty variable', { project: thresholdBase('window'), env: { [BASE]: '' } }, 'window', 'project'],
  ])('takes %s', (_, given, value, origin) => {
    const { settings, origins, problems } = load(given);
    expect(settings['context_monitor.threshold_base']).toBe(value);
    expect(origins['context_monitor.threshold_base']).toBe(origin);
    expect(problems).toEqual([]);
  });

  test('decides each key for itself', () => {
    const { settings, origins } = load({
      user: 'enabled = false\n[checkpoint]\non_tier_rise = false\n',
      project: 'enabled = true\n',
    });
    expect([settings.enabled, origins.enabled]).toEqual([true, 'project']);
    expect([settings['checkpoint.on_tier_rise'], origins['checkpoint.on_tier_rise']]).toEqual([
      false,
      'user',
    ]);
  });

  test('keeps a setting that is a table whole', () => {
    const { settings, problems } = load({
      user: '[context_monitor.model_windows]\n"MiniMax" = 204800\n"glm-5.1" = 128000\n',
    });
    expect(settings['context_monitor.model_windows']).toEqual({ MiniMax: 204_800, 'glm-5.1': 128_000 });
    expect(problems).toEqual([]);
  });

  test('reads a file with BOM and CRLF', () => {
    const { settings, problems } = load({
      project: `\uFEFF${thresholdBase('window').replaceAll('\n', '\r\n')}`,
    });
    expect(settings['context_monitor.threshold_base']).toBe('window');
    expect(problems).toEqual([]);
  });
});

describe('loadSettings() with the environment', () => {
  test.each<[string, string, keyof Resolved['settings'], unknown]>([
    ['PLIMSOLL_ENABLED', 'false', 'enabled', false],
    ['PLIMSOLL_ENABLED', '0', 'enabled', false],
    ['PLIMSOLL_ENABLED', 'off', 'enabled', false],
    ['PLIMSOLL_ENABLED', 'NO', 'enabled', false],
    ['PLIMSOLL_ENABLED', 'yes', 'enabled', true],
    ['PLIMSOLL_ENABLED', '1', 'enabled', true],
    ['PLIMSOLL_CONTEXT_MONITOR__WARNING_THRESHOLD', '0.65', 'context_monitor.warning_threshold', 0.65],
    ['PLIMSOLL_CONTEXT_MONITOR__WINDOW_TOKENS', '1000000', 'context_monitor.window_tokens', 1_000_000],
    ['PLIMSOLL_CONTEXT_MONITOR__SENSITIVITY', 'C4', 'context_monitor.sensitivity', 'C4'],
    ['PLIMSOLL_CONTEXT_MONITOR__EMIT', 'on-change', 'context_monitor.emit', 'on-change'],
    [
      'PLIMSOLL_CONTEXT_MONITOR__MODEL_WINDOWS',
      '{"MiniMax": 204800}',
      'context_monitor.model_windows',
      { MiniMax: 204_800 },
    ],
    ['PLIMSOLL_CHECKPOINT__ON_TIER_RISE', 'false', 'checkpoint.on_tier_rise', false],
    ['PLIMSOLL_ORCHESTRATION__PATH', 'docs/flow.yaml', 'orchestration.path', 'docs/flow.yaml'],
  ])('reads %s=%s', (name, text, key, expected) => {
    const { settings, origins, problems } = load({ env: { [name]: text } });
    expect(settings[key]).toEqual(expected);
    expect(origins[key]).toBe('env');
    expect(problems).toEqual([]);
  });

  test.each([
    ['PLIMSOLL_ENABLED', 'perhaps'],
    ['PLIMSOLL_CONTEXT_MONITOR__WINDOW_TOKENS', '200k'],
    ['PLIMSOLL_CONTEXT_MONITOR__WARNING_THRESHOLD', '70'],
  ])('reports %s=%s by the name of the variable', (name, text) => {
    const { problems, origins } = load({ env: { [name]: text } });
    expect(only(problems)).toMatchObject({ origin: 'env', where: name });
    expect(Object.values(origins)).not.toContain('env');
  });
});

describe("loadSettings() and the client's own settings", () => {
  test('merges what decides when the client compacts, the strongest file last', () => {
    const { client, problems } = load({
      client: {
        '~/.claude/settings.json':
          '{"autoCompactWindow": 150000, "autoCompactEnabled": true, "model": "opus"}',
        '.claude/settings.json': '{"autoCompactWindow": 200000}',
        '.claude/settings.local.json': '{"autoCompactEnabled": false}',
      },
    });
    expect(client).toEqual({ autoCompactWindow: 200_000, autoCompactEnabled: false });
    expect(problems).toEqual([]);
  });

  test('takes the variables that decide the limits from the env of every file, the strongest last', () => {
    const { client } = load({
      client: {
        '~/.claude/settings.json':
          '{"env": {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": 150000, "DISABLE_COMPACT": "0"}}',
        '.claude/settings.json': '{"env": {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "180000", "API_KEY": "x"}}',
        '.claude/settings.local.json': '{"env": 5}',
      },
    });
    expect(client).toEqual({ env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '180000', DISABLE_COMPACT: '0' } });
  });

  test('takes what the others say where one is broken', () => {
    const { client } = load({
      client: {
        '~/.claude/settings.json': '{"autoCompactWindow": 150000}',
        '.claude/settings.json': '{ broken',
      },
    });
    expect(client).toEqual({ autoCompactWindow: 150_000 });
  });

  test('stamps every file that a value can come from, also those that are not there', () => {
    const { stamps, root } = load({ project: 'enabled = true\n' });
    const [local, committed] = stamps.map((stamp) => relative(root, stamp.path));
    expect(local).toMatch(/^\.plimsoll\/state-[^/]+\/config\.local\.toml$/);
    expect(committed).toBe('.plimsoll/config.toml');
    // Three of ours, three of the client and the administrator's, what is trusted; then what add-ons read.
    expect(stamps.slice(0, 8).map((stamp) => stamp.size)).toEqual([-1, 15, -1, -1, -1, -1, -1, -1]);
  });
});
