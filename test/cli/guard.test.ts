// Tests that `guard explain` and `guard test` say what the hook decides, and that init adds the hook only where wanted.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Host, newHost } from '../hooks/host.ts';
import { answer, request } from '../unit/lines.ts';
import { run } from './healthy.ts';

function project(mode: string): Host {
  const host = newHost();
  mkdirSync(host.state(), { recursive: true });
  writeFileSync(
    host.shared('config.toml'),
    `[guardrails]\nmode = "${mode}"\n\n[guardrails.paths]\nprotected = ["dist/**"]\n`,
  );
  return host;
}

describe('guard explain', () => {
  test.each<[string, string[]]>([
    ['a file', ['--path', 'dist/a.js']],
    ['a command', ['--command', 'echo x > dist/a.js']],
    ['a call', ['{"tool_name": "Write", "tool_input": {"file_path": "dist/a.js", "content": ""}}']],
  ])('says of %s what the hook would say, with its trace', (_, args) => {
    const { stdout, code } = run(project('enforce'), 'guard', 'explain', ...args);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^DENY, by paths: the call is refused\n.*guardrails\.paths\.protected/);
    expect(stdout).toMatch(/\n {2}paths {9}deny {5}dist\/a\.js: /);
  });

  // [call, decision with its meaning, what the rule saw]
  test.each<[string, RegExp, RegExp]>([
    [
      'npm test',
      /^ABSTAIN: nothing is said; the client's own permissions decide\n/,
      /names no file .*; "npm test" may/,
    ],
    ['ls', /^ABSTAIN: /, /paths +abstain +Bash: changes no file\n/],
    ['echo x > .env', /^ASK, by paths: a person is asked\n/, /paths +ask +\.env: /],
    ['if true; then', /^WARN, by paths: it goes on, and the agent is told\n/, /cannot decide: /],
    ['echo x > a.txt', /^ABSTAIN: /, /tools +abstain +Bash: guardrails\.tools lists none\n/],
  ])('says what comes of "%s", and what nobody knows before it has run', (command, decision, saw) => {
    const { stdout } = run(project('enforce'), 'guard', 'explain', '--command', command);
    expect(stdout).toMatch(decision);
    expect(stdout).toMatch(saw);
  });

  test.each<[string, object, RegExp]>([
    ['Read', { file_path: 'dist/a.js' }, /paths +abstain +Read: changes no file\n/],
    [
      'mcp__x__put',
      { where: 'dist/a.js' },
      /its input is not known; guardrails\.paths\.fields may name the field/,
    ],
  ])('says of a call of %s why no file was judged', (tool_name, tool_input, saw) => {
    const call = JSON.stringify({ tool_name, tool_input });
    expect(run(project('enforce'), 'guard', 'explain', call).stdout).toMatch(saw);
  });

  test('says that nothing is judged where guardrails are off, and what would be', () => {
    const { stdout } = run(project('off'), 'guard', 'explain', '--path', 'dist/a.js');
    expect(stdout).toMatch(
      /^guardrails\.mode is "off": nothing is judged\. With "enforce" it would be:\nDENY/,
    );
  });

  test('gives the verdict as JSON', () => {
    const { stdout } = run(project('warn'), 'guard', 'explain', '--path', 'dist/a.js', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      mode: 'warn',
      preset: 'standard',
      decision: 'warn',
      rule: 'paths',
    });
  });

  test.each([
    ['nothing', []],
    ['two things', ['--path', 'a', '--command', 'b']],
    ['no JSON', ['not json']],
    ['JSON that is no call', ['{"a": 1}']],
  ])('refuses %s with a next step', (_, args) => {
    const { code, stderr } = run(project('enforce'), 'guard', 'explain', ...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/Next: |hint|give one|as the client sends it/);
  });
});

describe('guard test', () => {
  const MET = `[[guardrails.examples]]
path = "dist/a.js"
expect = "deny"
rule = "paths"
note = "made by the build"

[[guardrails.examples]]
command = "npm test"
expect = "abstain"

[[guardrails.examples]]
call = { tool = "Edit", input = { file_path = ".claude/settings.json", old_string = "a", new_string = "b" } }
expect = "ask"
rule = "governance"
`;
  const FAILING =
    '\n[[guardrails.examples]]\ncommand = "echo x > dist/a.js"\nexpect = "abstain"\n\n[[guardrails.examples]]\npath = "dist/b.js"\nexpect = "deny"\nrule = "governance"\n';
  function withExamples(text: string, mode = 'enforce'): Host {
    const host = project(mode);
    appendFileSync(host.shared('config.toml'), `\n${text}`);
    return host;
  }

  // What an example expects is what the rules say, however far they are in force.
  test.each(['enforce', 'warn', 'off'])('says one line of each example with mode = "%s"', (mode) => {
    const { stdout, stderr, code } = run(withExamples(MET, mode), 'guard', 'test');
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(stdout.trim().split('\n')).toEqual([
      'ok    1  path dist/a.js: deny by paths (made by the build)',
      'ok    2  command npm test: abstain',
      expect.stringMatching(
        /^ok {4}3 {2}call Edit \{"file_path":"\.claude\/settings\.json".*: ask by governance$/,
      ),
      '3 examples: all met',
    ]);
  });

  test('shows the trace of those that are not met, by decision or by rule, and ends with 1', () => {
    const { stdout, stderr, code } = run(withExamples(MET + FAILING), 'guard', 'test');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /\nFAIL {2}4 {2}command echo x > dist\/a\.js: expected abstain, but it is deny by paths\n {8}tools .*\n {8}paths {9}deny {5}dist\/a\.js: /,
    );
    expect(stdout).toMatch(
      /\nFAIL {2}5 {2}path dist\/b\.js: expected deny by governance, but it is deny by paths\n/,
    );
    expect(stderr).toMatch(/^2 of 5 examples are not met\n {2}Next: /);
  });

  test('gives examples and verdicts as JSON, met or not', () => {
    const met = run(withExamples(MET), 'guard', 'test', '--json');
    expect(met.code).toBe(0);
    expect(JSON.parse(met.stdout)).toMatchObject({
      examples: [{ path: 'dist/a.js', expect: 'deny', met: true, verdict: { decision: 'deny' } }, {}, {}],
    });
    const failing = run(withExamples(FAILING), 'guard', 'test', '--json');
    expect(failing.code).toBe(1);
    expect(JSON.parse(failing.stdout)).toMatchObject({
      examples: [{ met: false }, { met: false }],
      error: { message: '2 of 2 examples are not met' },
    });
  });

  test('shows an example to copy where there are none, and that one is met', () => {
    const host = project('enforce');
    const { stderr, code } = run(host, 'guard', 'test');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^There are no examples.*\n {2}Next: add one to \.plimsoll\/config\.toml:/);
    appendFileSync(host.shared('config.toml'), stderr.slice(stderr.indexOf('    [[')).replace(/^ {4}/gm, ''));
    expect(run(host, 'guard', 'test').stdout).toMatch(/^ok {4}1 {2}command echo .*\n1 example: all met/);
  });

  test.each([
    ['two things', 'path = "a"\ncommand = "b"\nexpect = "abstain"'],
    ['nothing to judge', 'expect = "abstain"'],
    ['no expectation', 'path = "a"'],
    ['an unknown verdict', 'path = "a"\nexpect = "allow"'],
    ['an unknown rule', 'path = "a"\nexpect = "deny"\nrule = "path"'],
  ])('refuses an example with %s', (_, text) => {
    const { stderr, code } = run(withExamples(`[[guardrails.examples]]\n${text}\n`), 'guard', 'test');
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^The examples cannot be used: \.plimsoll\/config\.toml: .*\n {2}Next: plimsoll config validate/,
    );
  });
});

describe('init', () => {
  const hooksOf = (host: Host): Record<string, { matcher?: string }[]> =>
    (
      JSON.parse(readFileSync(path.join(host.project, '.claude', 'settings.local.json'), 'utf8')) as {
        hooks: Record<string, { matcher?: string }[]>;
      }
    ).hooks;

  test('asks for PreToolUse only where guardrails are on, and takes it out where they are no more', () => {
    const host = project('off');
    const init = (): string => run(host, 'init', '--yes', '--client-version', '2.1.332').stdout;
    init();
    expect(hooksOf(host).PreToolUse).toBeUndefined();
    expect(run(host, 'config', 'set', 'guardrails.mode', 'enforce').code).toBe(0);
    expect(init()).toContain('+ PreToolUse');
    expect(hooksOf(host).PreToolUse?.[0]?.matcher).toContain('NotebookEdit');
    run(host, 'config', 'set', 'guardrails.mode', 'off');
    expect(init()).toContain('- PreToolUse');
    expect(hooksOf(host).PreToolUse).toBeUndefined();
  });

  test('is named in one line where a setting needs it, by config set and by status, until it is done', () => {
    const host = project('off');
    host.append(request('Go'), answer(30_000));
    host.fire('UserPromptSubmit');
    const set = (...args: string[]): string =>
      run(host, 'config', 'set', ...args)
        .stdout.split('\n')
        .filter((line) => line.startsWith('Note: ') && line.includes('plimsoll init'))
        .join('\n');
    const status = (): string =>
      /^Guardrails +(.*)$/m.exec(run(host, 'status', '--transcript', host.transcript).stdout)?.[1] ?? '';
    const init = (): string => run(host, 'init', '--yes', '--client-version', '2.1.332').stdout;
    // Nothing is registered: as with the plugin alone.
    expect(run(host, 'status', '--transcript', host.transcript).stdout).toMatch(
      /^Model (?:(?!Guardrails)[\s\S])*$/m,
    );
    expect(set('guardrails.mode', 'warn')).toMatch(
      /^Note: no settings ask for .*"plimsoll init", unless the plugin brings it/,
    );
    expect(status()).toMatch(/^"warn", but no settings ask for /);
    run(host, 'config', 'set', 'guardrails.mode', 'off');
    init();
    expect(set('guardrails.mode', 'enforce')).toMatch(/^Note: no call is judged until .*"plimsoll init"$/);
    init();
    expect(set('guardrails.mode', 'warn')).toBe('');
    expect(status()).toBe('"warn"');
    expect(JSON.parse(run(host, 'status', '--json', '--transcript', host.transcript).stdout)).toMatchObject({
      guardrails: { mode: 'warn', missing: null },
    });
    expect(set('guardrails.tools.deny', '["WebFetch"]')).toMatch(
      /^Note: the hook is not run before all calls/,
    );
    expect(set('guardrails.mode', 'off')).toMatch(/^Note: the hook before each call has nothing to do/);
  });

  test('doctor says that guardrails are on and their hook is missing', () => {
    const host = project('off');
    run(host, 'init', '--yes', '--client-version', '2.1.332');
    run(host, 'config', 'set', 'guardrails.mode', 'enforce');
    expect(run(host, 'doctor').stdout).toMatch(/ERROR +hooks.*PreToolUse[\s\S]*plimsoll init/);
  });
});
