// Tests that a person can see which settings are in force, why, and what is wrong, and that hooks obey them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { newHost } from '../hooks/host.ts';
import { answer, request } from '../unit/lines.ts';
import { json, LOCAL, PROJECT, run, text, userFile } from './config.ts';

describe('config unset', () => {
  test('takes a value out, keeps its comment, and says what holds now', () => {
    const host = newHost({
      files: { [PROJECT]: '[checkpoint]\nkeep = 60\n', [LOCAL]: '[checkpoint] # mine\nkeep = 5 # why\n' },
    });
    expect(run(host, 'unset', 'checkpoint.keep').stdout).toBe(
      `checkpoint.keep is taken out of ${LOCAL}\nIn force: 60 (.plimsoll/config.toml:2)\n`,
    );
    expect(text(host, LOCAL)).toBe('[checkpoint] # mine\n# why\n');
    expect(run(host, 'unset', 'checkpoint.keep').stdout).toContain(`not set in ${LOCAL}: nothing to do`);
    run(host, 'unset', 'checkpoint.keep', '--scope', 'project');
    expect(json(host, 'get', 'checkpoint.keep')).toMatchObject({ value: 50, origin: 'default', where: null });
  });

  test('takes out a key that no setting has, where it stands; elsewhere it is named as unknown', () => {
    const host = newHost({ files: { [PROJECT]: '[contxt]\n"a b" = 1\n' } });
    expect(run(host, 'unset', 'contxt."a b"', '--scope', 'project').code).toBe(0);
    expect(text(host, PROJECT)).toBe('');
    const { code, stderr } = run(host, 'unset', 'context_monitor.threshold_bass');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('did you mean context_monitor.threshold_base?'),
    ]);
  });
});

describe('config get, show and path', () => {
  test('get prints the bare value', () => {
    const host = newHost({
      files: { [PROJECT]: '[context_monitor]\nsensitivity = "C3"\nmodel_windows."glm-5.1" = 128000\n' },
    });
    // [key, printed]
    for (const [key, printed] of [
      ['enabled', 'true'],
      ['context_monitor.warning_threshold', '0.6'],
      ['context_monitor.window_tokens', 'detected'],
      ['context_monitor.model_windows', '{"glm-5.1":128000}'],
      ['context_monitor.model_windows.glm-5.1', '128000'],
    ] as const)
      expect(run(host, 'get', key)).toEqual({ code: 0, stdout: `${printed}\n`, stderr: '' });
    expect(json(host, 'get', 'context_monitor.window_tokens')).toMatchObject({
      value: null,
      origin: 'default',
    });
    expect(run(host, 'get', 'context_monitor.model_windows.gpt').stderr).toMatch(/no entry "gpt"/);
    expect(run(host, 'get', 'context_monitor.threshold_bass').stderr).toMatch(/did you mean/);
  });

  test('show prints an empty text as one', () => {
    expect(run(newHost(), 'show').stdout).toMatch(/^tracks\.evaluator +"" +\(default\)$/m);
  });

  test('show --origin names file and line, variable, preset and default', () => {
    const host = newHost({
      files: { [PROJECT]: '# c\n[context_monitor]\n\nsensitivity = "C3"\n' },
      env: { PLIMSOLL_RESUME__AUTO: 'off' },
    });
    const { stdout } = run(host, 'show', '--origin');
    for (const line of [
      /^context_monitor\.sensitivity +C3 +\.plimsoll\/config\.toml:4$/m,
      /^context_monitor\.warning_threshold +0\.6 +preset C3$/m,
      /^resume\.auto +off +variable PLIMSOLL_RESUME__AUTO$/m,
      /^checkpoint\.keep +50 +default$/m,
    ])
      expect(stdout).toMatch(line);
    expect(run(host, 'show').stdout).toMatch(/^checkpoint\.keep +50 +\(default\)$/m);
    const { settings } = json<{ settings: { key: string; origin: string; line: number | null }[] }>(
      host,
      'show',
    );
    expect(settings.find((each) => each.key === 'context_monitor.sensitivity')).toMatchObject({
      origin: 'project',
      line: 4,
    });
  });

  test('path names all files and whether they are there', () => {
    const host = newHost({ files: { [PROJECT]: '' } });
    expect(json(host, 'path')).toMatchObject({
      files: [
        { scope: 'local', path: path.join(host.project, LOCAL), exists: false },
        { scope: 'project', path: path.join(host.project, PROJECT), exists: true },
        { scope: 'user', path: userFile(host), exists: false },
      ],
    });
    expect(run(host, 'path').stdout).toMatch(/project +\.plimsoll\/config\.toml\nuser/);
  });

  test('schema prints what the package holds', () => {
    const shipped = readFileSync(
      path.resolve(import.meta.dirname, '../../schema/config.schema.json'),
      'utf8',
    );
    expect(run(newHost(), 'schema').stdout).toBe(shipped);
  });
});

describe('config validate', () => {
  test('lists every problem of every layer with file, line and the next step', () => {
    const host = newHost({
      files: {
        [LOCAL]: '# mine\n[context_monitor]\nthreshold_base = "window"\nlow_treshold = 0.5\n',
        [PROJECT]: '[context_monitor]\nthreshold_base = "usual"\n\nwarning_threshold = 0.9\n',
      },
      env: { PLIMSOLL_ENABLED: 'perhaps', PLIMSOLL_CHECKPOINT__KEP: '1' },
    });
    mkdirSync(path.dirname(userFile(host)), { recursive: true });
    writeFileSync(userFile(host), 'enabled = true\n\n[resume\n');
    const { code, stdout } = run(host, 'validate');
    expect(code).toBe(1);
    for (const line of [
      /^PLIMSOLL_ENABLED: "enabled": .*\n {2}Next: unset the variable, or give it true or false$/m,
      /^PLIMSOLL_CHECKPOINT__KEP: no setting .* did you mean PLIMSOLL_CHECKPOINT__KEEP\?$/m,
      /^\.plimsoll\/state-\w+\/config\.local\.toml:4: unknown key "context_monitor\.low_treshold".*\n {2}Next: plimsoll config unset context_monitor\.low_treshold --scope local, then plimsoll config set context_monitor\.low_threshold VALUE --scope local$/m,
      // Hidden by the local file, and wrong all the same.
      /^\.plimsoll\/config\.toml:2: "context_monitor\.threshold_base": .*\n {2}Next: plimsoll config set context_monitor\.threshold_base VALUE --scope project, with limit or window$/m,
      /^\.plimsoll\/config\.toml:4: thresholds must rise from LOW to EMERGENCY, found 0\.55, 0\.9, 0\.8, 0\.88/m,
      /config\/plimsoll\/config\.toml:3:\d+: .*\n {2}Next: repair that place by hand/m,
    ])
      expect(stdout).toMatch(line);
    expect(stdout).toMatch(/^6 problems\./m);
    const { ok, problems } = json<{ ok: boolean; problems: { line: number | null; next: string }[] }>(
      host,
      'validate',
    );
    expect([ok, problems.length, problems.every((each) => each.next !== '')]).toEqual([false, 6, true]);
  });

  test('follows its own advice until nothing is wrong', () => {
    const host = newHost({
      files: {
        [PROJECT]:
          '"a.b".c = "blue" # c1\n[context_monitor]\nthreshold_base = "x" # c2\nlow_threshold = 0.9\n',
      },
    });
    let left = 9;
    for (; left > 0; left--) {
      const { problems } = json<{ problems: { key: string; next: string }[] }>(host, 'validate');
      const [problem] = problems;
      if (problem === undefined) break;
      const words = problem.next.split(', ')[0]?.replace('VALUE', 'window').split(' ') ?? [];
      expect(run(host, ...words.slice(2)).stderr).toBe('');
    }
    expect(left).toBe(6);
    expect(text(host, PROJECT)).toContain('# c1');
    expect(text(host, PROJECT)).toContain('# c2');
  });

  test('is content with no files at all', () => {
    expect(run(newHost(), 'validate')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('in order'),
    });
  });
});
test('a changed setting is obeyed by the next hook, also when the file keeps its size', () => {
  const host = newHost();
  host.append(request('go'), answer(150_000));
  for (let round = 0; round < 6; round++) {
    // "C1" and "C2": the file keeps its size.
    const sensitivity = round % 2 === 0 ? 'C1' : 'C2';
    expect(run(host, 'set', 'context_monitor.sensitivity', sensitivity).code).toBe(0);
    const { context } = host.fire('UserPromptSubmit', { prompt: 'go on' });
    // 150,000 is 90% of the effective limit, 167,000.
    const [, status] = /CONTEXT STATUS: (\w+)/.exec(context) ?? [];
    expect([round, status]).toEqual([round, sensitivity === 'C2' ? 'EMERGENCY' : 'WARNING']);
    expect(existsSync(host.state('config.snapshot.json'))).toBe(true);
  }
  run(host, 'set', 'enabled', 'false', '--scope', 'user');
  expect(host.fire('UserPromptSubmit', { prompt: 'go on' }).stdout).toBe('');
});
