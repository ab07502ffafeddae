// Tests that work waits for the plan of the active track, only where configured, and for nothing else.
import { readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../cli/healthy.ts';
import { answer, request } from '../unit/lines.ts';
import { READY, TRACK, UNREADY } from '../unit/tracks.ts';
import { type Host, MINE, newHost, SESSION } from './host.ts';

const config = (mode: string, more = ''): Record<string, string> => ({
  '.plimsoll/config.toml': `[guardrails]\nmode = "${mode}"\npreset = "none"\n${more}`,
});
const host = (files: Record<string, string>, env: Record<string, string> = {}): Host =>
  newHost({ files, env });

interface Told {
  permissionDecision?: string;
  permissionDecisionReason?: string;
  additionalContext?: string;
}
function told(where: Host, tool: string, input: object): Told | null {
  const { stdout, stderr, code } = where.fire('PreToolUse', {
    tool_name: tool,
    tool_input: input,
    tool_use_id: 't',
  });
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(stdout).not.toMatch(/"allow"/);
  return stdout === '' ? null : (JSON.parse(stdout) as { hookSpecificOutput: Told }).hookSpecificOutput;
}
const bash = (where: Host, command: string): Told | null => told(where, 'Bash', { command });

describe('while the plan fails', () => {
  test.each<[string, object]>([
    ['Bash', { command: 'npm test' }],
    ['Bash', { command: 'make' }],
    ['Bash', { command: 'echo x > src/a.ts' }],
    ['Write', { file_path: 'src/a.ts', content: '' }],
  ])('%s %j is denied, with the finding and the next step', (tool, input) => {
    const where = host({ ...UNREADY, ...config('enforce') });
    expect(told(where, tool, input)).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringMatching(
        /The track cache is not ready.*\n- placeholders: docs\/tracks\/cache\/PLAN\.md:10: placeholder "TODO"\n.*plimsoll track lint$/,
      ),
    });
  });

  test('what is denied stands in the stream of the session', () => {
    const where = host({ ...UNREADY, ...config('enforce') });
    where.append(request('Go'), answer(30_000, { id: 'm1' }));
    where.fire('UserPromptSubmit');
    bash(where, 'make');
    const stream = readFileSync(where.state('sessions', SESSION, 'events.jsonl'), 'utf8');
    expect(stream).toMatch(/"GuardrailViolated".*"rule":"tracks".*"tool":"Bash".*"verdict":"deny"/);
  });

  test('with mode "warn" it is a word to the agent', () => {
    expect(bash(host({ ...UNREADY, ...config('warn') }), 'npm test')).toEqual({
      hookEventName: 'PreToolUse',
      additionalContext: expect.stringContaining('The track cache is not ready'),
    });
  });

  test('with mode "warn" it is said once of the same findings, and again of others', () => {
    const where = host({ ...UNREADY, ...config('warn') });
    expect(bash(where, 'npm test')).not.toBeNull();
    expect(bash(where, 'make')).toBeNull();
    expect(told(where, 'Write', { file_path: 'src/a.ts', content: '' })).toBeNull();
    const plan = path.join(where.project, TRACK, 'PLAN.md');
    writeFileSync(plan, `${readFileSync(plan, 'utf8')}\nTBD\n`);
    expect(bash(where, 'npm test')).not.toBeNull();
    expect(bash(where, 'npm test')).toBeNull();
  });

  test.each([
    'ls',
    'git status',
    'grep -rn "a b" src | head',
    'plimsoll track lint',
    'npx plimsoll note task x',
    'echo x > docs/a.md',
  ])('%s is let through', (command) => {
    expect(bash(host({ ...UNREADY, ...config('enforce') }), command)).toBeNull();
  });

  test('its files can be written', () => {
    const where = host({ ...UNREADY, ...config('enforce') });
    expect(
      told(where, 'Write', { file_path: path.join(where.project, TRACK, 'PLAN.md'), content: 'x' }),
    ).toBeNull();
  });

  test('a plan that leads out of the project is not read, and not ready', () => {
    const where = host({ ...READY, ...config('enforce') });
    const outside = path.join(where.root, 'outside.md');
    const plan = path.join(where.project, TRACK, 'PLAN.md');
    renameSync(plan, outside);
    writeFileSync(outside, '- Task: words of somebody else\n');
    symlinkSync(outside, plan);
    const reason = bash(where, 'make')?.permissionDecisionReason;
    expect(reason).toMatch(/\n- sections: docs\/tracks\/cache: A link leads out of the project: /);
    expect(reason).not.toContain('words of somebody else');
  });

  test('a secret in a finding is not said', () => {
    const key = `sk-ant-api03-${'a1B2'.repeat(12)}`;
    const files = {
      ...UNREADY,
      [`${TRACK}/PLAN.md`]: `# Plan\n\n## Tasks\n\n- [ ] Task: log in with ${key}\n`,
    };
    const reason = bash(host({ ...files, ...config('enforce') }), 'make')?.permissionDecisionReason;
    expect(reason).toMatch(/has no acceptance criteria/);
    expect(reason).not.toContain('a1B2a1B2');
  });
});

describe('nothing waits', () => {
  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['where guardrails are off', { ...UNREADY, ...config('off') }, {}],
    [
      'where the person does not want the gate',
      { ...UNREADY, ...config('enforce'), [MINE]: '[tracks]\ngate = false\n' },
      {},
    ],
    [
      'where the person has turned tracks off',
      { ...UNREADY, ...config('enforce'), [MINE]: '[tracks]\nenabled = "off"\n' },
      {},
    ],
    ['where the plan passes', { ...READY, ...config('enforce') }, {}],
    ['where no track is active', { ...UNREADY, 'docs/tracks/ACTIVE_TRACK': '', ...config('enforce') }, {}],
    ['where there are no tracks', config('enforce'), {}],
    [
      'where the environment names a track that is ready',
      {
        ...UNREADY,
        'docs/tracks/net/SPEC.md': READY[`${TRACK}/SPEC.md`] ?? '',
        'docs/tracks/net/PLAN.md': READY[`${TRACK}/PLAN.md`] ?? '',
        ...config('enforce'),
      },
      { PLIMSOLL_TRACK: 'net' },
    ],
  ])('%s', (_, files, env) => {
    const where = host(files, env);
    expect(bash(where, 'npm test')).toBeNull();
    expect(told(where, 'Write', { file_path: 'src/a.ts', content: '' })).toBeNull();
  });
});

test('the track that is pinned to the session is the one that counts', () => {
  const where = host({ ...READY, 'docs/tracks/net/SPEC.md': '# Net\n', ...config('enforce') });
  expect(bash(where, 'make')).toBeNull();
  expect(run(where, 'track', 'activate', 'net', '--session', SESSION).code).toBe(0);
  expect(bash(where, 'make')?.permissionDecisionReason).toMatch(/The track net is not ready/);
});

test('guard explain says the same, with its trace', () => {
  const where = host({ ...UNREADY, ...config('enforce') });
  const { stdout, code } = run(where, 'guard', 'explain', '--command', 'npm test');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^DENY, by tracks: the call is refused\nThe track cache is not ready/);
  expect(stdout).toMatch(
    /\n {2}tracks {8}deny {5}Bash: npm test is run; the evaluator finds 1 in SPEC and PLAN of cache/,
  );
  expect(run(where, 'guard', 'explain', '--command', 'ls').stdout).toMatch(
    /^ABSTAIN[\s\S]*\n {2}tracks {8}abstain {2}Bash: reads, or writes in docs\/ and artifacts\/ only/,
  );
});
