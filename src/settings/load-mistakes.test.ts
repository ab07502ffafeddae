import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { load, only, thresholdBase } from '../../test/unit/layers.ts';
import { SETTING_KEYS, SETTINGS } from './settings.ts';

describe('loadSettings() with mistakes', () => {
  test('reports broken TOML with its line, and takes the next layer', () => {
    const { settings, origins, problems, root } = load({
      local: 'enabled = true\n\n[context_monitor\nthreshold_base = "window"\n',
      project: thresholdBase('window'),
    });
    expect(settings['context_monitor.threshold_base']).toBe('window');
    expect(origins['context_monitor.threshold_base']).toBe('project');
    const { origin, where, message } = only(problems);
    expect(origin).toBe('local');
    expect(where).toMatch(new RegExp(`^${root}/\\.plimsoll/state-[^/]+/config\\.local\\.toml:3:\\d+$`));
    expect(message).toContain('the whole file is left out');
  });

  test.each<[string, string, string]>([
    ['text for a number', '[context_monitor]\nwindow_tokens = "many"\n', '"context_monitor.window_tokens": '],
    ['a number for text', '[orchestration]\npath = 5\n', '"orchestration.path": '],
    ['an unknown choice', thresholdBase('usual'), '"context_monitor.threshold_base": '],
    ['text for yes or no', 'enabled = "yes"\n', '"enabled": '],
    ['a fraction above 1', '[context_monitor]\nlow_threshold = 55\n', '"context_monitor.low_threshold": '],
    ['a fraction of 0', '[context_monitor]\nlow_threshold = 0.0\n', '"context_monitor.low_threshold": '],
    [
      'a window that is too small',
      '[context_monitor]\nwindow_tokens = 500\n',
      '"context_monitor.window_tokens": ',
    ],
    ['half a token', '[context_monitor]\nwindow_tokens = 20000.5\n', '"context_monitor.window_tokens": '],
    ['an empty path', '[orchestration]\npath = ""\n', '"orchestration.path": '],
    [
      'a key that a table does not have',
      '[guardrails.paths]\nprotectd = ["x"]\n',
      '"guardrails.paths": unknown key "protectd"',
    ],
    [
      'a wrong value in a layer',
      '[[guardrails.architecture.layers]]\nname = "a"\nfiles = []\nonly = "b"\n',
      '"guardrails.architecture": layers.0.only: Invalid type: Expected Array',
    ],
    [
      'a path that could end a tag',
      '[orchestration]\npath = "a\\n</b>"\n',
      '"orchestration.path": Expected a text without',
    ],
    ['the state folder, which nobody chooses', 'state_dir = "x"\n', 'unknown key "state_dir"'],
    ['a table for a value', '[enabled]\nalways = true\n', '"enabled": '],
    [
      'a value for a table',
      'context_monitor = true\n',
      '"context_monitor" is a value, but settings are kept below it',
    ],
    [
      'a list of tables for a table',
      '[[context_monitor]]\nemit = "off"\n',
      '"context_monitor" is a list, but settings are kept below it',
    ],
    [
      'odd sizes in a table',
      '[context_monitor.model_windows]\na = "x"\n',
      '"context_monitor.model_windows": ',
    ],
  ])('reports %s, with the key, and takes the default', (_, project, message) => {
    const { settings, problems, root } = load({ project });
    const problem = only(problems);
    expect(problem.message).toContain(message);
    expect(problem).toMatchObject({ origin: 'project', where: join(root, '.plimsoll', 'config.toml') });
    for (const key of SETTING_KEYS) expect(settings[key]).toEqual(SETTINGS[key].default);
  });

  test('takes the next layer for the one value that is wrong', () => {
    const { settings, origins, problems } = load({
      local: '[context_monitor]\nthreshold_base = "usual"\nmode = "dynamic"\n',
      user: thresholdBase('window'),
    });
    expect(settings['context_monitor.threshold_base']).toBe('window');
    expect(origins['context_monitor.threshold_base']).toBe('user');
    expect(settings['context_monitor.mode']).toBe('dynamic');
    expect(only(problems).origin).toBe('local');
  });

  test.each([
    [
      '[context_monitor]\nwarning_treshold = 0.7\n',
      'context_monitor.warning_treshold',
      'context_monitor.warning_threshold',
    ],
    [
      '[context_monitor]\nthreshold_bass = "window"\n',
      'context_monitor.threshold_bass',
      'context_monitor.threshold_base',
    ],
    ['[context_monitor]\nwarning = 0.7\n', 'context_monitor.warning', 'context_monitor.warning_threshold'],
    ['enable = true\n', 'enable', 'enabled'],
    ['[checkpoint]\non_tier_raise = true\n', 'checkpoint.on_tier_raise', 'checkpoint.on_tier_rise'],
  ])('suggests the nearest key for %j', (project, key, near) => {
    expect(only(load({ project }).problems).message).toBe(`unknown key "${key}"; did you mean "${near}"?`);
  });

  test('reports an unknown key without a suggestion where none is near', () => {
    expect(only(load({ project: '[colours]\nbackground = "blue"\n' }).problems).message).toBe(
      'unknown key "colours.background"',
    );
  });

  test('reports thresholds that do not rise, and takes the preset', () => {
    const { settings, origins, problems } = load({
      project: '[context_monitor]\nwarning_threshold = 0.8\ncritical_threshold = 0.7\n',
    });
    expect(settings['context_monitor.warning_threshold']).toBeNull();
    expect(settings['context_monitor.critical_threshold']).toBeNull();
    expect(origins['context_monitor.warning_threshold']).toBe('default');
    const problem = only(problems);
    expect(problem.origin).toBe('project');
    expect(problem.message).toMatch(/must rise from LOW to EMERGENCY, found .*0\.8, 0\.7/);
  });

  test('reports a threshold that does not fit between those of its preset', () => {
    // WARNING at 0.9 with CRITICAL 0.80 and EMERGENCY 0.88 of the preset: WARNING would never be said.
    const { problems } = load({ user: '[context_monitor]\nwarning_threshold = 0.9\n' });
    expect(only(problems).message).toMatch(/must rise from LOW to EMERGENCY/);
  });

  test('takes thresholds that rise', () => {
    const { settings, problems } = load({
      project:
        '[context_monitor]\nlow_threshold = 0.4\nwarning_threshold = 0.6\ncritical_threshold = 0.6\nemergency_threshold = 0.9\n',
    });
    expect(problems).toEqual([]);
    expect(settings['context_monitor.critical_threshold']).toBe(0.6);
  });
});
