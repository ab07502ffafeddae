import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/unit/temporary.ts';
import { PRESETS } from '../context/tier.ts';
import { listProjectPaths } from '../platform/project/paths.ts';
import { replaceFile } from '../platform/write.ts';
import { checkValue, findNearestKey } from './check-value.ts';
import { writeTrust } from './committed.io.ts';
import { listSettingsPaths } from './layers.io.ts';
import { loadSettings } from './load.io.ts';
import type { Resolved } from './resolved.ts';
import { formatSettingsSnapshot, hasOwnVariables } from './resolved.ts';
import { buildVariableName, SETTING_KEYS, SETTINGS } from './settings.ts';
import { readSettingsSnapshot } from './settings-snapshot.io.ts';
import { readAssessmentSettings } from './usage-settings.ts';

describe('readSnapshot()', () => {
  function kept(toml = 'enabled = true\n') {
    const env = { HOME: temporaryFolder() };
    const root = temporaryFolder();
    const { config, snapshot } = listProjectPaths(root, env);
    mkdirSync(dirname(config), { recursive: true });
    writeFileSync(config, toml);
    const resolved = loadSettings(root, env);
    replaceFile(snapshot, formatSettingsSnapshot(resolved));
    return {
      root,
      env,
      config,
      snapshot,
      resolved,
      sources: listSettingsPaths(listProjectPaths(root, env), env),
    };
  }

  test('gives back what was resolved while no file changed', () => {
    const { snapshot, resolved, sources } = kept('[context_monitor]\nthreshold_base = "window"\nwrong = 1\n');
    expect(readSettingsSnapshot(snapshot, sources)).toEqual({ ...resolved, origins: {} });
    expect(resolved.problems).toHaveLength(1);
  });

  test.each<[string, (place: { root: string; config: string }) => void]>([
    ['changed', ({ config }) => writeFileSync(config, 'enabled = false\n')],
    ['was touched', ({ config }) => utimesSync(config, 1, 1)],
    [
      'came',
      ({ root }) => {
        mkdirSync(join(root, '.claude'));
        writeFileSync(join(root, '.claude', 'settings.json'), '{}');
      },
    ],
  ])('is null when one of its files %s', (_, change) => {
    const place = kept();
    change(place);
    expect(readSettingsSnapshot(place.snapshot, place.sources)).toBeNull();
  });

  test.each<[string, (resolved: Resolved, at: string) => object]>([
    ['with no stamps', (resolved) => ({ ...resolved, stamps: [] })],
    ['that leaves a file out', ({ stamps, ...resolved }) => ({ ...resolved, stamps: stamps.slice(1) })],
    [
      "of another user's settings",
      ({ stamps, ...resolved }, at) => ({
        ...resolved,
        stamps: stamps.map((each) =>
          each.path.endsWith('/plimsoll/config.toml') ? { ...each, path: at } : each,
        ),
      }),
    ],
    ['with settings of another kind', (resolved) => ({ ...resolved, settings: { enabled: 'yes' } })],
    ['with words of another kind', (resolved) => ({ ...resolved, promptText: { text: 'x' } })],
    ['with a part that is missing', ({ assessment: _, ...resolved }) => resolved],
  ])('does not believe one %s', (_, forge) => {
    const { snapshot, resolved, sources } = kept();
    expect(readSettingsSnapshot(snapshot, sources)).not.toBeNull();
    writeFileSync(
      snapshot,
      formatSettingsSnapshot(forge(resolved, join(temporaryFolder(), 'config.toml')) as Resolved),
    );
    expect(readSettingsSnapshot(snapshot, sources)).toBeNull();
  });

  test('is null once what the user trusts has changed', () => {
    const { root, env, snapshot, sources } = kept('enabled = false\n');
    expect(readSettingsSnapshot(snapshot, sources)?.settings.enabled).toBe(true);
    writeTrust(env, root, { enabled: false });
    expect(readSettingsSnapshot(snapshot, sources)).toBeNull();
    expect(loadSettings(root, env).settings.enabled).toBe(false);
  });

  test('is null when a file changed while it was read', () => {
    const { root, config, snapshot } = kept();
    const env = { HOME: temporaryFolder() };
    const resolved = loadSettings(root, env, (path) => {
      const text = path === config ? readFileSync(path, 'utf8') : null;
      if (text !== null) writeFileSync(config, 'enabled = false\n');
      return text;
    });
    expect(resolved.settings.enabled).toBe(true);
    replaceFile(snapshot, formatSettingsSnapshot(resolved));
    expect(readSettingsSnapshot(snapshot, listSettingsPaths(listProjectPaths(root, env), env))).toBeNull();
  });

  test.each([
    ['missing', null],
    ['torn', '{"snapshot_version": 1, "resol'],
    ['empty', ''],
    ['null', 'null'],
    ['of another version', '{"snapshot_version": 0, "resolved": {}}'],
    ['without stamps', '{"snapshot_version": 1, "resolved": {}}'],
  ])('is null where the snapshot is %s', (_, text) => {
    const path = join(temporaryFolder(), 'snapshot.json');
    if (text !== null) writeFileSync(path, text);
    expect(readSettingsSnapshot(path, [])).toBeNull();
  });
});

describe('hasOwnVariables()', () => {
  test.each([
    [{}, false],
    [{ HOME: '/home/me', CLAUDE_PROJECT_DIR: '/p' }, false],
    [{ PLIMSOLL_ENABLED: '' }, false],
    [{ PLIMSOLL_ENABLED: 'true' }, true],
    [{ PLIMSOLL_CONTEXT_MONITOR__THRESHOLD_BASE: 'window' }, true],
    [{ PLIMSOLL_TRACK: 'cache' }, false],
  ])('says of %j: %s', (env, expected) => {
    expect(hasOwnVariables(env)).toBe(expected);
  });
});

describe('readAssessmentSettings()', () => {
  const settings = loadSettings(null, { HOME: '/nowhere' }).settings;

  test('takes the preset C2 where nothing is set', () => {
    expect(readAssessmentSettings(settings)).toEqual({
      thresholdBase: 'limit',
      mode: 'static',
      ownThresholds: {},
      thresholds: PRESETS.C2,
      windowTokens: null,
      autoCompactAt: null,
      typicalStepTokens: 29_000,
      modelWindows: {},
    });
  });

  test('lets an explicit threshold beat the preset', () => {
    const found = readAssessmentSettings({
      ...settings,
      'context_monitor.sensitivity': 'C4',
      'context_monitor.warning_threshold': 0.6,
    });
    expect(found.thresholds).toEqual({ ...PRESETS.C4, warning: 0.6 });
  });
});

describe('the list of settings', () => {
  test.each(SETTING_KEYS.map((key) => [key] as const))(
    'has a default for %s that its own check accepts, or null',
    (key) => {
      const { default: value, meaning } = SETTINGS[key];
      if (value !== null) expect(checkValue(key, value)).toEqual({ value });
      expect(meaning.length).toBeGreaterThan(10);
    },
  );

  test('names the variable of a key', () => {
    expect(buildVariableName('context_monitor.warning_threshold')).toBe(
      'PLIMSOLL_CONTEXT_MONITOR__WARNING_THRESHOLD',
    );
    expect(buildVariableName('enabled')).toBe('PLIMSOLL_ENABLED');
    expect(new Set(SETTING_KEYS.map(buildVariableName)).size).toBe(SETTING_KEYS.length);
  });

  test('finds the nearest key, and none for something else', () => {
    expect(findNearestKey('context_monitor.threshold_base')).toBe('context_monitor.threshold_base');
    expect(findNearestKey('contextmonitor.threshold_base')).toBe('context_monitor.threshold_base');
    expect(findNearestKey('threshold_base')).toBe('context_monitor.threshold_base');
    expect(findNearestKey('guard.preset')).toBe('guardrails.preset');
    expect(findNearestKey('mode'), 'stands in several tables').toBeNull();
    expect(findNearestKey('x')).toBeNull();
    expect(findNearestKey('something.else.entirely')).toBeNull();
  });
});
