// Tests that init --tracks writes what the project lacks, overwrites nothing, and that its entry points work.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Host, newHost, SESSION } from '../hooks/host.ts';
import { UNREADY } from '../unit/tracks.ts';
import { data, run } from './healthy.ts';

const PAGES = [
  'CONTEXT_CORE',
  'ROLES',
  'GUARDRAILS',
  'INVARIANTS',
  'CONTEXT_TIERS',
  'COMPACTION_RULES',
  'RECOVERY_FLOW',
  'ARTIFACT_PATHS',
].map((name) => `docs/context/${name}.md`);
const FIRST = PAGES.slice(0, 3);
const HOOKS = ['precompact.sh', 'pretooluse.py', 'posttooluse.py'].map((name) => `automation/hooks/${name}`);

const textOf = (host: Host, name: string): string => readFileSync(path.join(host.project, name), 'utf8');
const config = (host: Host): string => textOf(host, '.plimsoll/config.toml');

function project(files: Record<string, string> = {}): Host {
  const host = newHost({
    files: {
      'package.json': '{"name": "my-app", "scripts": {"test": "vitest"}}',
      'src/a.js': '',
      'test/a.js': '',
      ...files,
    },
  });
  return host;
}
/** The verdict of the hook, on a file of the project. */
const written = (host: Host, file: string): Record<string, string> => {
  const { stdout } = host.fire('PreToolUse', {
    tool_name: 'Write',
    tool_input: { file_path: path.join(host.project, file), content: '' },
  });
  return stdout === ''
    ? {}
    : (JSON.parse(stdout) as { hookSpecificOutput: Record<string, string> }).hookSpecificOutput;
};

test('every page and entry point is there, short, about this project, and whole', () => {
  const host = project();
  const { code, stdout } = run(host, 'init', '--tracks', '--all', '--yes');
  expect(code).toBe(0);
  for (const name of PAGES) {
    const text = textOf(host, name);
    expect(text).toMatch(/^# .*: my-app\n/);
    expect(text).not.toMatch(/undefined|\bTODO\b|\$\{/);
    expect(text.split('\n').length).toBeLessThan(50);
    expect(stdout).toContain(`  ${name}\n`);
  }
  expect(textOf(host, 'docs/context/CONTEXT_CORE.md')).toMatch(
    /JavaScript[\s\S]*`src\/`, `test\/`[\s\S]*`npm test`/,
  );
  expect(textOf(host, 'docs/context/GUARDRAILS.md')).toMatch(
    /mode `warn`[\s\S]*`docs\/\*\*`, `artifacts\/\*\*`, `src\/\*\*`, `test\/\*\*`/,
  );
  for (const name of HOOKS) expect(statSync(path.join(host.project, name)).mode & 0o111).toBe(0o111);
  expect(textOf(host, '.gitignore')).toMatch(/^# plimsoll: .*\nartifacts\/sessions\/\n/);
  expect(readFileSync(path.join(host.project, '.claude/settings.local.json'), 'utf8')).toContain(
    'PreToolUse',
  );
});

test('a project begins with three documents', () => {
  const host = project();
  expect(run(host, 'init', '--tracks', '--yes').code).toBe(0);
  for (const name of PAGES)
    expect([name, existsSync(path.join(host.project, name))]).toEqual([name, FIRST.includes(name)]);
  for (const name of HOOKS) expect(existsSync(path.join(host.project, name))).toBe(false);
  // The others can be added later.
  expect(run(host, 'init', '--tracks', '--all', '--yes').stdout).toContain(
    '  docs/context/RECOVERY_FLOW.md\n',
  );
});

test('with --strict only listed tools go on without a question', () => {
  const host = project();
  run(host, 'init', '--tracks', '--strict', '--yes');
  expect(config(host)).toMatch(/\[guardrails\.tools\]\nallow = \[.*"Bash".*"Write".*\]\nunknown = "ask"/s);
  const { stdout } = host.fire('PreToolUse', {
    tool_name: 'mcp__db__query',
    tool_input: {},
    tool_use_id: 't',
  });
  expect(stdout).toContain('"permissionDecision":"ask"');
  expect(written(host, 'docs/a.md')).toEqual({});
  expect(textOf(host, 'docs/context/GUARDRAILS.md')).toContain(
    '- Tools that may change files: those of `guardrails.tools.allow`',
  );
});

test('the guardrails warn of what is not among the sources', () => {
  const host = project();
  run(host, 'init', '--tracks', '--yes');
  expect(config(host)).toMatch(
    /preset = "tracks"\nmode = "warn"\n\n\[guardrails\.paths\]\nwritable = \["docs\/\*\*", "artifacts\/\*\*", "src\/\*\*", "test\/\*\*"\]/,
  );
  expect(written(host, 'src/a.js')).toEqual({});
  expect(written(host, 'other/a.js').additionalContext).toMatch(
    /only docs\/\*\*, artifacts\/\*\*, src\/\*\*, test\/\*\* may be written/,
  );
});

test('with --source the given globs are it', () => {
  const host = project();
  expect(
    JSON.parse(run(host, 'init', '--tracks', '--yes', '--json', '--source', 'lib/**', '*.sql').stdout),
  ).toMatchObject({
    changed: true,
    tracks: {
      writable: ['lib/**', '*.sql'],
      kept: [],
      settings: { 'guardrails.mode': 'warn' },
      gitignore_changed: true,
      notes: [],
    },
  });
  expect(config(host)).toContain('["docs/**", "artifacts/**", "lib/**", "*.sql"]');
});

test('with --strict only docs/ and artifacts/ may be written, and all else is refused', () => {
  const host = project();
  run(host, 'init', '--tracks', '--strict', '--yes');
  expect(config(host)).toMatch(/mode = "enforce"/);
  expect(config(host)).not.toContain('writable');
  expect(textOf(host, 'docs/context/GUARDRAILS.md')).toMatch(
    /mode `enforce`[\s\S]*written: `docs\/\*\*`, `artifacts\/\*\*`\n/,
  );
  expect(written(host, 'src/a.js').permissionDecision).toBe('deny');
  expect(written(host, 'docs/a.md')).toEqual({});
});

test('what is there stays, to the byte, and is said; a second run changes nothing', () => {
  const host = project({
    'docs/context/ROLES.md': 'mine\r\n',
    'automation/hooks/precompact.sh': 'mine',
    '.plimsoll/config.toml': '# mine\n[guardrails]\nmode = "enforce"\n',
    '.gitignore': 'dist/',
  });
  const { stdout } = run(host, 'init', '--tracks', '--all', '--yes');
  expect(stdout).toMatch(/docs\/context\/ROLES\.md is there, and stays as it is/);
  expect(stdout).toMatch(/guardrails\.mode is set there already, and stays/);
  expect(textOf(host, 'docs/context/ROLES.md')).toBe('mine\r\n');
  expect(textOf(host, 'automation/hooks/precompact.sh')).toBe('mine');
  expect(config(host)).toMatch(/^# mine\n\[guardrails\]\nmode = "enforce"\npreset = "tracks"\n/);
  expect(textOf(host, '.gitignore')).toMatch(/^dist\/\n\n# plimsoll/);
  const all = [...PAGES, ...HOOKS, '.plimsoll/config.toml', '.gitignore'];
  const before = all.map((name) => textOf(host, name));
  expect(run(host, 'init', '--tracks', '--all', '--yes').stdout).toMatch(
    /^Documents, entry points and guardrails of tracks are there\.\n/,
  );
  expect(all.map((name) => textOf(host, name))).toEqual(before);
  run(host, 'uninstall', '--yes');
  expect(all.map((name) => textOf(host, name))).toEqual(before);
});

test('--dry-run shows everything and writes nothing', () => {
  const host = project();
  const { stdout, code } = run(host, 'init', '--tracks', '--all', '--dry-run');
  expect(code).toBe(0);
  for (const name of [...PAGES, ...HOOKS]) expect(stdout).toContain(`  ${name}\n`);
  expect(stdout).toMatch(
    /Would set in .*config\.toml:\n.*guardrails\.preset[\s\S]*Would add to \.gitignore[\s\S]*\+ PreToolUse/,
  );
  for (const name of ['docs', 'automation', '.plimsoll', '.gitignore', '.claude'])
    expect(existsSync(path.join(host.project, name))).toBe(false);
});

describe('nothing is written', () => {
  test.each<[string, string[], number, RegExp]>([
    ['where nobody can be asked', ['--tracks'], 2, /Nobody can be asked here/],
    ['with --strict alone', ['--strict', '--yes'], 2, /belong to --tracks/],
    ['with --source alone', ['--yes', '--source', 'a'], 2, /belong to --tracks/],
  ])('%s', (_, args, code, message) => {
    const host = project();
    const result = run(host, 'init', ...args);
    expect(result.code).toBe(code);
    expect(result.stderr).toMatch(message);
    for (const name of ['docs', '.plimsoll', '.claude'])
      expect(existsSync(path.join(host.project, name))).toBe(false);
  });
});

describe('the entry points', () => {
  const start = (host: Host, name: string, payload: object, env: Record<string, string> = {}) =>
    spawnSync(path.join(host.project, name), [], {
      cwd: host.project,
      env: { ...host.env, ...env },
      input: JSON.stringify({
        session_id: SESSION,
        transcript_path: host.transcript,
        cwd: host.project,
        ...payload,
      }),
      encoding: 'utf8',
    });
  const ready = (): Host => {
    const host = project({ ...UNREADY });
    run(host, 'init', '--tracks', '--all', '--strict', '--yes');
    return host;
  };

  test('hand a tool call on, and the refusal back', () => {
    const host = ready();
    const { stdout, status } = start(host, 'automation/hooks/pretooluse.py', {
      hook_event_name: 'PreToolUse',
      tool_name: 'Write',
      tool_input: { file_path: path.join(host.project, 'src/ä.js'), content: '' },
    });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      hookSpecificOutput: {
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringContaining('src/ä.js'),
      },
    });
  });

  test('hand a compaction on: a checkpoint is there', () => {
    const host = ready();
    const { status, stderr } = start(host, 'automation/hooks/precompact.sh', {
      hook_event_name: 'PreCompact',
      trigger: 'manual',
      custom_instructions: '',
    });
    expect([status, stderr]).toEqual([0, '']);
    expect(existsSync(host.state('checkpoints', 'cx-001-checkpoint.json'))).toBe(true);
  });

  test('hand what a tool did on: it is in the work log', () => {
    const host = ready();
    const { status } = start(host, 'automation/hooks/posttooluse.py', {
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_response: { stdout: '', stderr: '', interrupted: false },
      tool_use_id: 't',
    });
    expect(status).toBe(0);
    expect(textOf(host, `artifacts/sessions/${SESSION}/work_log.md`)).toMatch(/ Bash `ls`: /);
  });

  test.each(HOOKS)('%s ends with 0 and says nothing where plimsoll is missing, or node is', (name) => {
    const host = ready();
    const payload = { hook_event_name: 'PreToolUse', tool_name: 'Write', tool_input: { file_path: 'x' } };
    expect(start(host, name, payload, { XDG_DATA_HOME: path.join(host.root, 'nowhere') })).toMatchObject({
      status: 0,
      stdout: '',
      stderr: '',
    });
    // A PATH with an interpreter for the entry point, and no node.
    const bin = path.join(host.root, 'no-node');
    mkdirSync(bin);
    const said = (command: string): string =>
      spawnSync('sh', ['-c', command], { env: host.env, encoding: 'utf8' }).stdout.trim();
    // The interpreter itself, not a shim that looks for it on PATH.
    const python = said("python3 -c 'import sys; print(sys.executable)'");
    for (const [program, found] of [
      ['sh', '/bin/sh'],
      ['python3', python],
    ] as const)
      writeFileSync(path.join(bin, program), `#!/bin/sh\nexec ${found} "$@"\n`, { mode: 0o755 });
    expect(start(host, name, payload, { PATH: bin })).toMatchObject({ status: 0, stdout: '' });
    expect(existsSync(data(host))).toBe(true);
  });
});
