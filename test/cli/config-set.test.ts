// Tests that `config set` writes to the right file, says what stays in force, and refuses what makes no sense.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { newHost, STATE } from '../hooks/host.ts';
import { json, LOCAL, PROJECT, run, text, userFile } from './config.ts';

describe('config set', () => {
  test('writes the local file unless another scope is named, and says what is in force', () => {
    const host = newHost();
    expect(run(host, 'set', 'context_monitor.threshold_base', 'window').stdout).toBe(
      `context_monitor.threshold_base = "window" is set in ${LOCAL}\nIn force: window (${LOCAL}:2)\n`,
    );
    expect(text(host, LOCAL)).toBe('[context_monitor]\nthreshold_base = "window"\n');
    expect(text(host, `${STATE}/.gitignore`)).toBe('*\n');
    expect(run(host, 'set', 'checkpoint.keep', '20', '--scope', 'project').code).toBe(0);
    expect(text(host, PROJECT)).toBe('[checkpoint]\nkeep = 20\n');
    expect(run(host, 'set', 'enabled', 'no', '--scope', 'user').code).toBe(0);
    expect(readFileSync(userFile(host), 'utf8')).toBe('enabled = false\n');
  });

  test('says which stronger file or variable stays in force', () => {
    const host = newHost({ files: { [LOCAL]: '# mine\n[checkpoint]\nkeep = 5\n' } });
    expect(run(host, 'set', 'checkpoint.keep', '20', '--scope', 'project').stdout).toContain(
      `Still in force: 5, from ${LOCAL}:3, which comes first`,
    );
    host.env.PLIMSOLL_CHECKPOINT__KEEP = '7';
    expect(run(host, 'set', 'checkpoint.keep', '6').stdout).toContain(
      'Still in force: 7, from variable PLIMSOLL_CHECKPOINT__KEEP, which comes first',
    );
    expect(json(host, 'set', 'checkpoint.keep', '8')).toMatchObject({
      key: 'checkpoint.keep',
      value: 8,
      scope: 'local',
      changed: true,
      effective: 7,
      origin: 'env',
      where: 'PLIMSOLL_CHECKPOINT__KEEP',
      overridden: true,
    });
    expect(text(host, LOCAL)).toBe('# mine\n[checkpoint]\nkeep = 8\n');
  });

  test('says that a table hides the one of a weaker file', () => {
    const host = newHost({ files: { [PROJECT]: '[context_monitor.model_windows]\n"glm-5.1" = 128000\n' } });
    const { stdout } = run(host, 'set', 'context_monitor.model_windows.claude-x', '200_000');
    expect(stdout).toContain('In force: {"claude-x":200000}');
    expect(stdout).toContain('replaces the one in .plimsoll/config.toml as a whole');
  });

  test('says when git would take what is meant for one person', () => {
    const host = newHost({ files: { [`${STATE}/.gitignore`]: 'off\n' } });
    rmSync(path.join(host.project, '.git'), { recursive: true });
    spawnSync('git', ['init', '--quiet'], { cwd: host.project, env: host.env });
    const note = `Note: git does not ignore ${LOCAL}`;
    expect(run(host, 'set', 'checkpoint.keep', '5').stdout).toContain(note);
    expect(run(host, 'set', 'checkpoint.keep', '5', '--scope', 'project').stdout).not.toContain('Note');
    writeFileSync(host.state('.gitignore'), 'config.local.toml\n');
    expect(run(host, 'set', 'checkpoint.keep', '6').stdout).not.toContain('Note');
  });

  test('a name in a file moves nothing on the terminal', () => {
    const host = newHost({ files: { [PROJECT]: '"a\\u001b[2Jb" = 1\n' } });
    const { stdout } = run(host, 'validate');
    expect(stdout).toMatch(/^\.plimsoll\/config\.toml:1: unknown key "ab"/);
    expect(stdout).not.toContain('\u001b');
  });

  // [key, as typed, in the file, value in force]
  test.each<[string, string, string, unknown]>([
    ['enabled', 'off', 'enabled = false', false],
    ['enabled', 'TRUE', 'enabled = true', true],
    ['context_monitor.window_tokens', '1_000_000', 'window_tokens = 1_000_000', 1_000_000],
    ['context_monitor.window_tokens', '200000', 'window_tokens = 200000', 200_000],
    ['context_monitor.warning_threshold', '0.65', 'warning_threshold = 0.65', 0.65],
    ['context_monitor.sensitivity', 'C4', 'sensitivity = "C4"', 'C4'],
    ['context_monitor.emit', '"off"', 'emit = "off"', 'off'],
    ['orchestration.path', 'docs/a b.yaml', 'path = "docs/a b.yaml"', 'docs/a b.yaml'],
    ['resume.max_age_hours', '0.5', 'max_age_hours = 0.5', 0.5],
    ['context_monitor.model_windows', '{"a.b": 20000}', '"a.b" = 20000', { 'a.b': 20_000 }],
    ['context_monitor.model_windows', '{ "a.b" = 20_000 }', '"a.b" = 20000', { 'a.b': 20_000 }],
    ['context_monitor.model_windows.glm-5.1', '128_000', '"glm-5.1" = 128_000', { 'glm-5.1': 128_000 }],
    ['context_monitor.model_windows."x y"', '20000', '"x y" = 20000', { 'x y': 20_000 }],
  ])('%s %s', (key, typed, line, value) => {
    const host = newHost();
    expect(run(host, 'set', key, typed).stderr).toBe('');
    expect(text(host, LOCAL).split('\n')).toContain(line);
    const whole = key.startsWith('context_monitor.model_windows') ? 'context_monitor.model_windows' : key;
    expect(json(host, 'get', whole)).toMatchObject({
      value,
      origin: 'local',
      where: path.join(host.project, LOCAL),
    });
    expect(json(host, 'validate')).toMatchObject({ ok: true });
  });

  // [key, as typed, code, what is said]
  test.each<[string, string, number, RegExp]>([
    [
      'context_monitor.threshold_bass',
      'window',
      2,
      /no setting "context_monitor\.threshold_bass"\n {2}Next: did you mean context_monitor\.threshold_base\?/,
    ],
    ['colours.background', 'blue', 2, /no setting "colours\.background"\n {2}Next: plimsoll config show/],
    [
      'context_monitor.threshold_base',
      'windo',
      2,
      /"windo" is no value for context_monitor\.threshold_base\n {2}Next: give limit or window/,
    ],
    ['context_monitor.warning_threshold', '70', 2, /give a number from 0\.01 to 1/],
    ['context_monitor.window_tokens', '20000.5', 2, /give a whole number from 10,000 to 10,000,000/],
    ['enabled', 'perhaps', 2, /give true or false/],
    ['orchestration.path', '', 2, /give a text/],
    ['state_dir', '.jerry', 2, /no setting "state_dir"/],
    ['context_monitor.model_windows.a', '5', 2, /give a table: names, each with a whole number from 10,000/],
    ['context_monitor.model_windows.__proto__', '20000', 2, /is no value/],
    ['context_monitor', 'true', 2, /no setting "context_monitor"/],
    [
      'context_monitor.warning_threshold',
      '0.9',
      1,
      /warning_threshold = 0\.9 is refused: thresholds must rise.*found 0\.55, 0\.9, 0\.8, 0\.88 \(LOW, CRITICAL, EMERGENCY of preset C2\)/,
    ],
  ])('refuses %s %s and writes nothing', (key, typed, code, message) => {
    const host = newHost();
    const result = run(host, 'set', key, typed);
    expect(result.stderr).toMatch(message);
    expect([result.code, result.stdout, existsSync(host.state())]).toEqual([code, '', false]);
    const { stdout } = run(host, 'set', key, typed, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      error: { message: expect.any(String), next: expect.any(String) },
    });
  });

  test('names file, line and the way out where a table is written inline', () => {
    const before = 'enabled = true\ncheckpoint = { keep = 3 }\n';
    const host = newHost({ files: { [LOCAL]: before } });
    const { code, stderr } = run(host, 'set', 'checkpoint.on_tier_rise', 'false');
    expect([code, text(host, LOCAL)]).toEqual([1, before]);
    expect(stderr).toMatch(
      /config\.local\.toml:2: "checkpoint" is an inline table\..*\n {2}Next: .*\[checkpoint\]/,
    );
  });

  test('refuses thresholds turned round across files, presets and what others see of a shared file', () => {
    const host = newHost({ files: { [PROJECT]: '[context_monitor]\nwarning_threshold = 0.75\n' } });
    const refused = (...args: string[]): void => {
      const before = text(host, PROJECT);
      const result = run(host, ...args);
      expect([result.code, result.stderr]).toEqual([
        1,
        expect.stringMatching(/must rise from LOW to EMERGENCY/),
      ]);
      expect(text(host, PROJECT)).toBe(before);
    };
    refused('set', 'context_monitor.low_threshold', '0.76');
    refused('set', 'context_monitor.sensitivity', 'C4');
    host.env.PLIMSOLL_CONTEXT_MONITOR__LOW_THRESHOLD = '0.1';
    refused('set', 'context_monitor.low_threshold', '0.76', '--scope', 'project');
    delete host.env.PLIMSOLL_CONTEXT_MONITOR__LOW_THRESHOLD;
    expect(run(host, 'set', 'context_monitor.critical_threshold', '0.85').code).toBe(0);
    expect(run(host, 'set', 'context_monitor.warning_threshold', '0.82').code).toBe(0);
    refused('unset', 'context_monitor.critical_threshold');
    refused('set', 'context_monitor.warning_threshold', '0.82', '--scope', 'project');
    expect(json(host, 'validate')).toMatchObject({ ok: true });
  });

  test('may put right step by step what is wrong already, and says what is still wrong', () => {
    const host = newHost({
      files: { [PROJECT]: '[context_monitor]\nlow_threshold = 0.7\nwarning_threshold = 0.5\n' },
    });
    const first = run(host, 'set', 'context_monitor.low_threshold', '0.6', '--scope', 'project');
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('Problem: thresholds must rise')]);
    expect(
      run(host, 'set', 'context_monitor.warning_threshold', '0.65', '--scope', 'project').stdout,
    ).toContain('In force: 0.65');
    expect(run(host, 'validate').code).toBe(0);
  });
});
