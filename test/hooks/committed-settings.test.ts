// Tests that a cloned project may describe itself and tighten settings;
// what loosens, runs or leads outside waits for `plimsoll trust`.
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CliResult, plimsoll } from '../kit/plimsoll.ts';
import { answer, request } from '../unit/lines.ts';
import { repository } from '../unit/repository.ts';
import { type Host, newHost, userState, writeMine } from './host.ts';

const CONFIG = '.plimsoll/config.toml';

/** A host whose project was made by `git clone` of a repository with these files. */
function cloned(files: Record<string, string>, mine = ''): Host {
  const host = newHost();
  const origin = repository(files);
  rmSync(host.project, { recursive: true });
  origin.git('clone', '--quiet', '--no-local', origin.folder, host.project);
  if (mine !== '') writeMine(host, mine);
  host.append(request('go'), answer(60_000));
  return host;
}

const run = (host: Host, ...args: string[]): CliResult =>
  plimsoll({ env: host.env, projectDir: host.project }, ...args);
const json = <T>(host: Host, ...args: string[]): T => JSON.parse(run(host, ...args, '--json').stdout) as T;
const prompt = (host: Host) => host.fire('UserPromptSubmit', { prompt: 'x' });
const isDenied = (host: Host, file: string): boolean =>
  /"permissionDecision":"(?:deny|ask)"/.test(
    host.fire('PreToolUse', {
      tool_name: 'Write',
      tool_input: { file_path: path.join(host.project, file), content: 'x' },
      tool_use_id: 't',
    }).stdout,
  );
const write = (host: Host, text: string): void => writeFileSync(path.join(host.project, CONFIG), text);

const ENFORCE = '[guardrails]\nmode = "enforce"\n';
const SILENT = 'enabled = false\n[context_monitor]\nemit = "off"\n[quality]\nreinforcement = false\n';

describe('in a clone', () => {
  test.each([
    ['off', '[guardrails]\nmode = "off"\n', 'guardrails.mode'],
    ['warn', '[guardrails]\nmode = "warn"\n', 'guardrails.mode'],
    ['without a preset', '[guardrails]\npreset = "none"\n', 'guardrails.preset'],
    ['without secrets', '[guardrails.paths]\nsecrets = []\n', 'guardrails.paths'],
    ['with all taken back', '[guardrails.paths]\nsecrets = ["!**"]\n', 'guardrails.paths'],
    ['that passes secrets', '[guardrails.paths]\non_secret = "abstain"\n', 'guardrails.paths'],
    ['switched off', 'enabled = false\n', 'enabled'],
  ])("the user's own guardrails hold against settings %s, and he is told", (_, config, key) => {
    const host = cloned({ [CONFIG]: config }, ENFORCE);
    expect(isDenied(host, '.env')).toBe(true);
    const { person, context } = host.fire('SessionStart', { source: 'startup', model: 'claude-sonnet-4-5' });
    expect(person).toContain(`${key} of this project's settings does not fully count until you allow it.`);
    expect(context).not.toContain('trust');
    // Also where the settings come from what was kept.
    expect(isDenied(host, '.env')).toBe(true);
    expect(run(host, 'trust', '--yes').code).toBe(0);
    expect(isDenied(host, '.env'), 'what he allows counts at once').toBe(false);
  });

  test('the user is told once in a session, at its first prompt where no start was seen, and the agent never', () => {
    const host = cloned({ [CONFIG]: SILENT });
    const first = prompt(host);
    expect(first.person).toBe(
      "Plimsoll: enabled, context_monitor.emit, quality.reinforcement of this project's settings do not fully count until you allow it. What they do, and to allow it: plimsoll trust",
    );
    expect(first.context).toContain('<context-monitor>');
    host.append(answer(70_000, { id: 'msg_2' }));
    const later = [prompt(host), prompt(host), host.fire('SessionStart', { source: 'resume' })];
    expect(later.map(({ person }) => person).filter((text) => text.includes('trust'))).toEqual([]);
    expect([first, ...later].map(({ context }) => context).join()).not.toContain('plimsoll trust');
    const other = host.fire('UserPromptSubmit', { prompt: 'x', session_id: 'another' });
    expect(other.person).toContain('plimsoll trust');
  });

  test('what was trusted and then changes, is not followed again, and is asked about again', () => {
    const host = cloned({ [CONFIG]: 'enabled = false\n[checkpoint]\nkeep = 1\n' });
    expect(prompt(host).context).toContain('<context-monitor>');
    expect(run(host, 'trust', '--yes').stdout).toMatch(
      /enabled = false\n {4}Everything on or off; without it: true\n.*checkpoint\.keep = 1\n[\s\S]*2 values count from now on/,
    );
    expect(prompt(host).stdout).toBe('');
    write(host, 'enabled = false\n[checkpoint]\nkeep = 2\n');
    expect(json<{ asked: object[]; stale: string[] }>(host, 'trust', '--list')).toMatchObject({
      asked: [
        { key: 'enabled', trusted: true },
        { key: 'checkpoint.keep', value: 2, trusted: false, before: 1 },
      ],
      stale: ['checkpoint.keep'],
    });
    const { code, stdout, stderr } = run(host, 'trust');
    expect(code, 'nobody can be asked here').toBe(2);
    expect(stderr).toContain('or with --list to see them only');
    expect(stdout).toContain('It has changed: what you trusted was 1');
    expect(stdout, 'only what is open is asked about').not.toContain('enabled');
    expect(run(host, 'trust', '--remove').stdout).toBe('2 values of this project count no more.\n');
    expect(prompt(host).context).toContain('<context-monitor>');
  });

  test('status, config show and doctor name what is not followed, with the next step', () => {
    const host = cloned({ [CONFIG]: `${SILENT}[tracks]\nevaluator = "sh evil.sh"\n` });
    prompt(host);
    const keys = ['enabled', 'context_monitor.emit', 'quality.reinforcement', 'tracks.evaluator'];
    expect(run(host, 'status', '--transcript', host.transcript).stdout).toMatch(
      new RegExp(
        `\\nNot followed +${keys.join(', ')} of the project's settings, until you allow it: plimsoll trust`,
      ),
    );
    expect(json(host, 'status', '--transcript', host.transcript)).toMatchObject({ not_followed: keys });
    expect(run(host, 'config', 'show').stdout).toContain(
      `Not followed of the project's settings, until you allow it: ${keys.join(', ')}. Next: plimsoll trust`,
    );
    expect(json(host, 'config', 'show')).toMatchObject({ not_followed: keys, problems: [] });
    expect(run(host, 'doctor').stdout).toMatch(
      new RegExp(`not followed of the project's settings: ${keys.join(', ')};[\\s\\S]*plimsoll trust`),
    );
    expect(run(host, 'config', 'validate').code).toBe(0);
  });

  test('no trust is taken from what the clone brings', () => {
    const trust = (root: string): string =>
      JSON.stringify({ schema_version: '1.0.0', projects: { [root]: { enabled: false } } });
    const host = cloned({
      [CONFIG]: 'enabled = false\n',
      '.plimsoll/trust.json': trust('/'),
      '.local/state/plimsoll/trust.json': trust('/'),
    });
    writeFileSync(path.join(host.project, '.plimsoll', 'trust.json'), trust(host.project));
    expect(prompt(host).context).toContain('<context-monitor>');
    expect(run(host, 'trust', '--yes').code).toBe(0);
    expect(statSync(path.join(userState(host), 'trust.json')).mode & 0o777).toBe(0o600);
    expect(prompt(host).stdout).toBe('');
  });
});

describe('commands and paths of a clone', () => {
  const TRACK = {
    'docs/tracks/ACTIVE_TRACK': 'cache\n',
    'docs/tracks/cache/SPEC.md': '# Spec\n',
    'docs/tracks/cache/PLAN.md': '# Plan\n',
  };

  test('evaluate and its gate run no committed command, and say so, until it is trusted', () => {
    const command = 'touch "$HOME/ran"; exit 1';
    const host = cloned({ ...TRACK, [CONFIG]: `[tracks]\nevaluator = ${JSON.stringify(command)}\n` });
    const ran = path.join(host.env.HOME ?? '', 'ran');
    for (const args of [
      ['track', 'lint'],
      ['track', 'verify'],
    ])
      expect(run(host, ...args).stdout).toMatch(/\(tracks\.evaluator\) was not run\. Next: plimsoll trust/);
    expect(json<{ notes: string[] }>(host, 'track', 'lint').notes).toHaveLength(1);
    run(host, 'check', '--all');
    expect(existsSync(ran)).toBe(false);
    expect(run(host, 'trust', '--yes').stdout).toContain(`tracks.evaluator = ${JSON.stringify(command)}\n`);
    run(host, 'track', 'lint');
    expect(existsSync(ran)).toBe(true);
  });

  test.each(['/etc/passwd', '../outside.yaml', 'docs/../../outside.yaml'])(
    'no hook and no command looks at %s',
    (file) => {
      const host = cloned({ [CONFIG]: `[orchestration]\npath = ${JSON.stringify(file)}\n` });
      writeFileSync(
        path.join(host.root, 'outside.yaml'),
        'workflow:\n  id: "SECRET-1"\n  status: ACTIVE\nresumption:\n  next_step: "SECRET-2"\n',
      );
      const said = [
        host.fire('SessionStart', { source: 'startup' }).stdout,
        prompt(host).stdout,
        ...['status', 'resume', 'check'].map((name) => run(host, name).stdout),
        run(host, 'state', 'show').stdout,
      ].join('\n');
      expect(said).not.toMatch(/SECRET|root:/);
    },
  );

  test('what trust shows cannot hide itself: every character is seen, on one line', () => {
    const hidden = 'make \u001b[2K\u202e\u200b\u{e0041} check\nrm x';
    const host = cloned({ [CONFIG]: `[tracks]\nevaluator = ${JSON.stringify(hidden)}\n` });
    expect(run(host, 'trust', '--list').stdout).toContain(
      'tracks.evaluator = "make \\u001b[2K\\u{202e}\\u{200b}\\u{e0041} check\\nrm x"\n',
    );
  });

  test('a status line that the project brings is left out with --yes, and taken once it is trusted', () => {
    const command = 'touch "$HOME/ran"; echo theirs';
    const host = cloned({
      '.claude/settings.json': JSON.stringify({ statusLine: { type: 'command', command } }),
    });
    const own = path.join(host.project, '.claude', 'settings.local.json');
    const init = () => run(host, 'init', '--yes', '--statusline', '--client-version', '2.1.332');
    const before = init();
    expect(before.stdout).toMatch(/is not shown above ours: .* Next: plimsoll trust/);
    expect(readFileSync(own, 'utf8')).not.toContain('theirs');
    expect(readFileSync(own, 'utf8')).toContain('statusline.cjs');
    expect(run(host, 'trust', '--yes').stdout).toContain(`statusLine.command = ${JSON.stringify(command)}`);
    init();
    expect(readFileSync(own, 'utf8')).toContain('echo theirs');
    // Another command is another question.
    const other = JSON.stringify({ statusLine: { type: 'command', command: 'echo changed' } });
    writeFileSync(path.join(host.project, '.claude', 'settings.json'), other);
    init();
    expect(readFileSync(own, 'utf8')).not.toContain('echo changed');
    expect(existsSync(path.join(host.env.HOME ?? '', 'ran'))).toBe(false);
  });
});

describe("a team's own settings", () => {
  const TEAM = `[context_monitor]
sensitivity = "C3"
warning_threshold = 0.5
window_tokens = 128000
emit = "on-change"
[guardrails]
mode = "enforce"
[guardrails.paths]
protected = ["dist/**"]
[[guardrails.architecture.layers]]
name = "model"
files = ["src/model/**"]
only = []
[tracks]
capture = false
[state]
auto_merge = true
`;

  test('count without being asked about, as long as they describe and tighten', () => {
    const host = cloned({ [CONFIG]: TEAM, '.plimsoll/quality.md': '# Quality\n\n- Score strictly.\n' });
    const start = host.fire('SessionStart', { source: 'startup' });
    expect(start.person).toBe('');
    expect(start.context).toContain('Score strictly.');
    expect(prompt(host).context).toMatch(/of the 128,000 window/);
    expect(isDenied(host, 'dist/a.js')).toBe(true);
    expect(run(host, 'trust').stdout).toBe(
      'The settings of this project ask for nothing that needs your trust.\n',
    );
    expect(json(host, 'status', '--transcript', host.transcript)).toMatchObject({
      not_followed: [],
      problems: [],
    });
  });

  test('a project is judged by its own file in a check, also beside stricter ones of the user', () => {
    const config = `${ENFORCE}[guardrails.architecture]\nexempt = ["**/*.test.ts"]\n[guardrails.paths]\nsecrets = []\n`;
    const host = cloned({ [CONFIG]: config, '.env': 'A=1\n' }, ENFORCE);
    writeFileSync(path.join(host.project, '.env'), 'A=2\n');
    expect(run(host, 'check').stdout).not.toContain('.env');
    expect(isDenied(host, '.env')).toBe(true);
  });

  test('config set --scope project says where the file may not decide by itself', () => {
    const host = cloned({ 'a.txt': '' });
    mkdirSync(path.join(host.project, '.plimsoll'), { recursive: true });
    expect(run(host, 'config', 'set', 'enabled', 'false', '--scope', 'project').stdout).toMatch(
      /In force: true \(default\)\nNote: a project's file may not decide that by itself; plimsoll trust/,
    );
    expect(run(host, 'config', 'set', 'enabled', 'false', '--scope', 'user').stdout).toMatch(
      /in force: false/i,
    );
  });
});
