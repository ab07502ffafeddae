// Do the configuration commands change files as a careful person would, and do hooks obey what they wrote?
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Host, newHost } from '../hooks/host.ts';
import { CLI, type CliResult, plimsoll } from '../kit/plimsoll.ts';
import { EDITS, type Edit, expectKept, TEXTS } from '../unit/config-edits.ts';
import { answer, request } from '../unit/lines.ts';

const run = (host: Host, ...args: string[]): CliResult =>
  plimsoll({ env: host.env, projectDir: host.project }, 'config', ...args);
const json = <T>(host: Host, ...args: string[]): T => JSON.parse(run(host, ...args, '--json').stdout) as T;
const PROJECT = '.plimsoll/config.toml';
const LOCAL = '.plimsoll/config.local.toml';
const userFile = (host: Host): string => path.join(host.env.XDG_CONFIG_HOME ?? '', 'plimsoll', 'config.toml');
const text = (host: Host, name: string): string => readFileSync(path.join(host.project, name), 'utf8');

describe('config set', () => {
  test('writes the local file unless another scope is named, and says what is in force', () => {
    const host = newHost();
    expect(run(host, 'set', 'context_monitor.basis', 'window').stdout).toBe(
      'context_monitor.basis = "window" is set in .plimsoll/config.local.toml\nIn force: window (.plimsoll/config.local.toml:2)\n',
    );
    expect(text(host, LOCAL)).toBe('[context_monitor]\nbasis = "window"\n');
    expect(text(host, '.plimsoll/.gitignore')).toContain('config.local.toml\n');
    expect(run(host, 'set', 'checkpoint.keep', '20', '--scope', 'project').code).toBe(0);
    expect(text(host, PROJECT)).toBe('[checkpoint]\nkeep = 20\n');
    expect(run(host, 'set', 'enabled', 'no', '--scope', 'user').code).toBe(0);
    expect(readFileSync(userFile(host), 'utf8')).toBe('enabled = false\n');
  });

  test('says which stronger file or variable stays in force', () => {
    const host = newHost({ files: { [LOCAL]: '# mine\n[checkpoint]\nkeep = 5\n' } });
    expect(run(host, 'set', 'checkpoint.keep', '20', '--scope', 'project').stdout).toContain(
      'Still in force: 5, from .plimsoll/config.local.toml:3, which comes first',
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
    const host = newHost({ files: { '.plimsoll/.gitignore': 'off\n' } });
    rmSync(path.join(host.project, '.git'), { recursive: true });
    spawnSync('git', ['init', '--quiet'], { cwd: host.project, env: host.env });
    const note = 'Note: git does not ignore .plimsoll/config.local.toml';
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
    ['context_monitor.criticality', 'C4', 'criticality = "C4"', 'C4'],
    ['context_monitor.emit', '"off"', 'emit = "off"', 'off'],
    ['state_dir', '123', 'state_dir = "123"', '123'],
    ['orchestration.path', 'docs/a b.yaml', 'path = "docs/a b.yaml"', 'docs/a b.yaml'],
    ['resume.max_age_hours', '0.5', 'max_age_hours = 0.5', 0.5],
    [
      'context_monitor.model_windows',
      '{"a.b": 20000}',
      'model_windows = { "a.b" = 20000 }',
      { 'a.b': 20_000 },
    ],
    [
      'context_monitor.model_windows',
      '{ "a.b" = 20_000 }',
      'model_windows = { "a.b" = 20000 }',
      { 'a.b': 20_000 },
    ],
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
      'context_monitor.bass',
      'window',
      2,
      /no setting "context_monitor\.bass"\n {2}Next: did you mean context_monitor\.basis\?/,
    ],
    ['colours.background', 'blue', 2, /no setting "colours\.background"\n {2}Next: plimsoll config show/],
    [
      'context_monitor.basis',
      'windo',
      2,
      /"windo" is no value for context_monitor\.basis\n {2}Next: give usable or window/,
    ],
    ['context_monitor.warning_threshold', '70', 2, /give a number from 0\.01 to 1/],
    ['context_monitor.window_tokens', '20000.5', 2, /give a whole number from 10,000 to 10,000,000/],
    ['enabled', 'perhaps', 2, /give true or false/],
    ['state_dir', '', 2, /give a text/],
    ['state_dir', '/', 1, /top of the file system\. Nothing was changed/],
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
    refused('set', 'context_monitor.criticality', 'C4');
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
      files: { [PROJECT]: '[context_monitor]\nlow_threshold = 0.99\nwarning_threshold = 0.98\n' },
    });
    const first = run(host, 'set', 'context_monitor.low_threshold', '0.3', '--scope', 'project');
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('Problem: thresholds must rise')]);
    expect(
      run(host, 'set', 'context_monitor.warning_threshold', '0.6', '--scope', 'project').stdout,
    ).toContain('In force: 0.6');
    expect(run(host, 'validate').code).toBe(0);
  });
});

describe('config unset', () => {
  test('takes a value out, keeps its comment, and says what holds now', () => {
    const host = newHost({
      files: { [PROJECT]: '[checkpoint]\nkeep = 20\n', [LOCAL]: '[checkpoint] # mine\nkeep = 5 # why\n' },
    });
    expect(run(host, 'unset', 'checkpoint.keep').stdout).toBe(
      'checkpoint.keep is taken out of .plimsoll/config.local.toml\nIn force: 20 (.plimsoll/config.toml:2)\n',
    );
    expect(text(host, LOCAL)).toBe('[checkpoint] # mine\n# why\n');
    expect(run(host, 'unset', 'checkpoint.keep').stdout).toContain(
      'not set in .plimsoll/config.local.toml: nothing to do',
    );
    run(host, 'unset', 'checkpoint.keep', '--scope', 'project');
    expect(json(host, 'get', 'checkpoint.keep')).toMatchObject({ value: 50, origin: 'default', where: null });
  });

  test('takes out a key that no setting has, where it stands; elsewhere it is named as unknown', () => {
    const host = newHost({ files: { [PROJECT]: '[contxt]\n"a b" = 1\n' } });
    expect(run(host, 'unset', 'contxt."a b"', '--scope', 'project').code).toBe(0);
    expect(text(host, PROJECT)).toBe('');
    const { code, stderr } = run(host, 'unset', 'context_monitor.bass');
    expect([code, stderr]).toEqual([2, expect.stringContaining('did you mean context_monitor.basis?')]);
  });
});

describe('config get, show and path', () => {
  test('get prints the bare value', () => {
    const host = newHost({
      files: { [PROJECT]: '[context_monitor]\ncriticality = "C3"\nmodel_windows."glm-5.1" = 128000\n' },
    });
    // [key, printed]
    for (const [key, printed] of [
      ['enabled', 'true'],
      ['state_dir', '.plimsoll'],
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
    expect(run(host, 'get', 'context_monitor.bass').stderr).toMatch(/did you mean/);
  });

  test('show --origin names file and line, variable, preset and default', () => {
    const host = newHost({
      files: { [PROJECT]: '# c\n[context_monitor]\n\ncriticality = "C3"\n' },
      env: { PLIMSOLL_RESUME__AUTO: 'off' },
    });
    const { stdout } = run(host, 'show', '--origin');
    for (const line of [
      /^context_monitor\.criticality +C3 +\.plimsoll\/config\.toml:4$/m,
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
    expect(settings.find((each) => each.key === 'context_monitor.criticality')).toMatchObject({
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

  test.each(['get', 'set', 'unset', 'show', 'path', 'validate', 'schema'])(
    '%s has help with an example',
    (name) => {
      const { code, stdout } = run(newHost(), name, '--help');
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(new RegExp(`Examples?:\n {2}plimsoll config ${name}`)),
      ]);
    },
  );
});

describe('config validate', () => {
  test('lists every problem of every layer with file, line and the next step', () => {
    const host = newHost({
      files: {
        [LOCAL]: '# mine\n[context_monitor]\nbasis = "window"\nlow_treshold = 0.5\n',
        [PROJECT]: '[context_monitor]\nbasis = "usual"\n\nwarning_threshold = 0.9\n',
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
      /^\.plimsoll\/config\.local\.toml:4: unknown key "context_monitor\.low_treshold".*\n {2}Next: plimsoll config unset context_monitor\.low_treshold --scope local, then plimsoll config set context_monitor\.low_threshold VALUE --scope local$/m,
      // Hidden by the local file, and wrong all the same.
      /^\.plimsoll\/config\.toml:2: "context_monitor\.basis": .*\n {2}Next: plimsoll config set context_monitor\.basis VALUE --scope project, with usable or window$/m,
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
        [PROJECT]: '"a.b".c = "blue" # c1\n[context_monitor]\nbasis = "x" # c2\nlow_threshold = 0.9\n',
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

describe('odd files', () => {
  // [what, text, what is said]
  test.each<[string, string, RegExp]>([
    [
      'a syntax error',
      'enabled = true\n[checkpoint\nkeep = 1\n',
      /^\.plimsoll\/config\.toml:2:\d+: .*Nothing was changed\n {2}Next: repair that place by hand/,
    ],
    ['a key twice', 'enabled = true\n\nenabled = false\n', /^\.plimsoll\/config\.toml:3:1: .*redefine/],
    [
      'a value for a section',
      '# c\ncheckpoint = 3\n',
      /^\.plimsoll\/config\.toml:2: "checkpoint" is a value/,
    ],
  ])('%s is refused with its place, and the file left as it is', (_, before, message) => {
    const host = newHost({ files: { [PROJECT]: before } });
    for (const args of [['set', 'checkpoint.keep', '3']]) {
      const result = run(host, ...args, '--scope', 'project');
      expect([result.code, result.stderr]).toEqual([1, expect.stringMatching(message)]);
    }
    expect(text(host, PROJECT)).toBe(before);
  });

  test('BOM, CRLF, a link, no last line end, an empty file', () => {
    const host = newHost({ files: { 'team.toml': '\uFEFF# c\r\nenabled = true # on', [LOCAL]: '' } });
    symlinkSync('../team.toml', path.join(host.project, PROJECT));
    expect(run(host, 'set', 'checkpoint.keep', '3', '--scope', 'project').code).toBe(0);
    expect(text(host, 'team.toml')).toBe('\uFEFF# c\r\nenabled = true # on\r\n\r\n[checkpoint]\r\nkeep = 3');
    expect(run(host, 'set', 'enabled', 'false').code).toBe(0);
    expect(text(host, LOCAL)).toBe('enabled = false\n');
  });

  test('a folder in place of the file', () => {
    const host = newHost();
    mkdirSync(host.state('config.local.toml'), { recursive: true });
    const { code, stderr } = run(host, 'set', 'enabled', 'false');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^Cannot change \.plimsoll\/config\.local\.toml: it is a folder/),
    ]);
    expect(run(host, 'validate')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('config.local.toml: EISDIR'),
    });
  });

  test('the home folder has no project files', () => {
    const host = newHost({ env: {} });
    delete host.env.CLAUDE_PROJECT_DIR;
    const home = { env: host.env, projectDir: host.env.HOME ?? '' };
    expect(plimsoll(home, 'config', 'set', 'enabled', 'no').stderr).toMatch(
      /no projects\n {2}Next: .*--scope user/,
    );
    expect(plimsoll(home, 'config', 'set', 'enabled', 'no', '--scope', 'user').code).toBe(0);
  });
});

test('several at once: no change is lost', async () => {
  const host = newHost({ files: { [LOCAL]: '# c\n' } });
  const keys = [
    'enabled',
    'context_monitor.enabled',
    'checkpoint.on_tier_rise',
    'resume.headless',
    'checkpoint.on_session_end',
  ];
  const codes = await Promise.all(
    keys.map(
      (key) =>
        new Promise<number | null>((done) => {
          spawn(process.execPath, [CLI, 'config', 'set', key, 'true'], {
            cwd: host.project,
            env: host.env,
          }).on('exit', done);
        }),
    ),
  );
  expect(codes).toEqual(keys.map(() => 0));
  const { settings } = json<{ settings: { key: string; origin: string }[] }>(host, 'show');
  expect(
    settings
      .filter((each) => each.origin === 'local')
      .map((each) => each.key)
      .sort(),
  ).toEqual([...keys].sort());
  expect(text(host, LOCAL)).toMatch(/^# c\n/);
});

test('a changed setting is obeyed by the next hook, also when the file keeps its size', () => {
  const host = newHost();
  host.append(request('go'), answer(150_000));
  const lines = new Set<string>();
  for (let round = 0; round < 6; round++) {
    // "usable" and "window": the file keeps its size.
    const basis = round % 2 === 0 ? 'window' : 'usable';
    expect(run(host, 'set', 'context_monitor.basis', basis).code).toBe(0);
    const { context } = host.fire('UserPromptSubmit', { prompt: 'go on' });
    expect([round, /of the way to auto-compaction/.test(context)]).toEqual([round, basis === 'usable']);
    expect(existsSync(host.state('config.snapshot.json'))).toBe(true);
    lines.add(context.split('\n')[1] ?? '');
  }
  expect(lines.size).toBe(2);
  run(host, 'set', 'enabled', 'false', '--scope', 'user');
  expect(host.fire('UserPromptSubmit', { prompt: 'go on' }).stdout).toBe('');
});

test('changes through the command line keep comments and order of a hand-written file', () => {
  const typed = ({ value }: Edit): string =>
    typeof value === 'object' ? JSON.stringify(value) : String(value);
  const before = TEXTS.tables ?? '';
  fc.assert(
    fc.property(fc.array(EDITS, { minLength: 12, maxLength: 12 }), (edits) => {
      const host = newHost({ files: { [PROJECT]: before } });
      for (const edit of edits) {
        const args = edit.value === undefined ? ['unset', edit.key] : ['set', edit.key, typed(edit)];
        expect(run(host, ...args, '--scope', 'project').stderr).toBe('');
      }
      expectKept(before, text(host, PROJECT), edits);
    }),
    { numRuns: 2, endOnFailure: true },
  );
}, 120_000);
