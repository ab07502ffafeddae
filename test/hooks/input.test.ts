// Whatever comes in on stdin, does a hook exit 0 in time, with one answer of the allowed form or none?
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DIST } from '../kit/plimsoll.ts';
import { answer, request, toolResult, toolUse } from '../unit/lines.ts';
import { type Host, newHost, SESSION } from './host.ts';

const measured = (): Host => {
  const host = newHost();
  host.append(request('go'), answer(30_000));
  return host;
};

const userLog = (host: Host): string => {
  const file = path.join(host.env.XDG_STATE_HOME ?? '', 'plimsoll', 'failures.jsonl');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

test.each([
  ['nothing', ''],
  ['white space', ' \n\t'],
  ['broken JSON', '{"session_id": "x"'],
  ['null', 'null'],
  ['a list', '[]'],
  ['a number', '7'],
  ['an object without a conversation', '{"hook_event_name":"UserPromptSubmit","cwd":"/"}'],
  [
    'another event than the one named',
    JSON.stringify({ session_id: 's', cwd: '/', hook_event_name: 'Stop' }),
  ],
  ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
])('%s on stdin: exit 0, silence, and a line in the failure log', (_name, stdin) => {
  const host = measured();
  const result = host.fire('UserPromptSubmit', {}, stdin);
  expect(result).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(userLog(host)).toContain('"part":"event"');
});

test('an unknown event name is silence', () => {
  expect(measured().fire('Elicitation')).toMatchObject({ code: 0, stdout: '', stderr: '' });
});

test('stdin that is never closed: the answer comes when the JSON is complete', async () => {
  const host = measured();
  const child = spawn(process.execPath, [path.join(DIST, 'hook.cjs'), 'UserPromptSubmit'], {
    env: host.env,
    cwd: host.project,
  });
  let stdout = '';
  child.stdout.on('data', (data: Buffer) => {
    stdout += data.toString();
  });
  const payload = JSON.stringify({
    session_id: SESSION,
    transcript_path: host.transcript,
    cwd: host.project,
    hook_event_name: 'UserPromptSubmit',
    prompt: 'a brace } in the middle, and more',
  });
  const cut = payload.indexOf('}') + 1;
  child.stdin.write(payload.slice(0, cut));
  setTimeout(() => child.stdin.write(payload.slice(cut)), 60);
  const code = await new Promise((done) => child.on('close', done));
  expect(code).toBe(0);
  expect(stdout).toContain('CONTEXT STATUS: NOMINAL');
});

test.each([
  ['a path out of the folder', '../../../x'],
  ['300 characters', 'a'.repeat(300)],
  ['a device name', 'con'],
  ['control characters', 'a\u0000b\nc'],
  ['an absolute path', '/etc/passwd'],
])('a hostile session_id (%s) stays inside the state folder', (_name, session) => {
  const host = measured();
  const result = host.fire('UserPromptSubmit', { session_id: session, prompt: 'x' });
  expect(result).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(host.root).sort()).toEqual(['home', 'project']);
  expect(readdirSync(host.project).sort()).toEqual(['.git', '.plimsoll']);
  const names = readdirSync(host.state('conversations')).filter((each) => each.endsWith('.json'));
  expect(names).toHaveLength(1);
  expect(names[0]).toMatch(/^[A-Za-z0-9_-]{1,80}\.json$/);
  expect(names[0]).not.toBe('con.json');
});

test.each([
  ['missing', (host: Host) => rmSync(host.transcript)],
  [
    'a folder',
    (host: Host) => {
      rmSync(host.transcript);
      mkdirSync(host.transcript);
    },
  ],
  ['empty', (host: Host) => writeFileSync(host.transcript, '')],
])('a transcript that is %s: exit 0 and nothing to say', (_name, change) => {
  const host = measured();
  change(host);
  expect(host.fire('UserPromptSubmit', { prompt: 'x' })).toMatchObject({ code: 0, stdout: '', stderr: '' });
});

test("a subagent's events are silence and leave nothing", () => {
  const host = measured();
  host.append(answer(160_000, { id: 'msg_2' }));
  for (const [event, fields] of [
    ['PreCompact', { trigger: 'auto', custom_instructions: null }],
    ['SessionStart', { source: 'compact' }],
    ['PostToolBatch', { tool_calls: [] }],
  ] as const) {
    const result = host.fire(event, { ...fields, agent_id: 'a123', agent_type: 'claude' });
    expect(result).toMatchObject({ code: 0, stdout: '' });
  }
  expect(existsSync(host.state())).toBe(false);
});

test('PLIMSOLL=off and enabled = false are silence', () => {
  const host = measured();
  for (const [name, value] of [
    ['PLIMSOLL', 'off'],
    ['PLIMSOLL_ENABLED', 'false'],
  ] as const) {
    host.env[name] = value;
    expect(host.fire('UserPromptSubmit', { prompt: 'x' }).stdout).toBe('');
    delete host.env[name];
  }
  expect(host.fire('UserPromptSubmit', { prompt: 'x' }).stdout).not.toBe('');
});

function allTexts(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const target = path.join(folder, name);
    return statSync(target).isDirectory() ? allTexts(target) : [readFileSync(target, 'utf8')];
  });
}

test('secrets in prompts, commands and outputs reach neither checkpoint, tag, log nor the words for the summariser', () => {
  const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
  const host = newHost();
  host.append(request(`use ${secret} to push`), answer(60_000));
  host.append(
    toolUse('t1', 'Bash', { command: `curl -H "Authorization: Bearer ${secret}" x` }),
    toolResult('t1', `PASSWORD=hunter2secret ${secret}`, { isError: true }),
    answer(160_000, { id: 'msg_3', content: [{ type: 'text', text: `the token is ${secret}` }] }),
  );
  const words = [
    host.fire('PreCompact', { trigger: 'manual', custom_instructions: `keep ${secret}` }).stdout,
    host.fire('SessionStart', { source: 'compact' }).stdout,
    ...allTexts(host.state()),
  ].join('\n');
  expect(words).toContain('[redacted]');
  expect(words).not.toContain(secret);
  expect(words).not.toContain('hunter2secret');
});

test('what holds conversation content is readable for its owner only', () => {
  const host = measured();
  host.append(answer(160_000, { id: 'msg_2' }));
  host.fire('PreCompact', { trigger: 'auto', custom_instructions: null });
  for (const file of ['checkpoints/cx-001-checkpoint.json', `conversations/${SESSION}.json`]) {
    expect(statSync(host.state(file)).mode & 0o777).toBe(0o600);
  }
});
