// Tests that an export holds what a bug report needs, and nothing of what people wrote or who they are.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Host, SESSION, sessionFile } from '../hooks/host.ts';
import { answer, request, toolUse } from '../unit/lines.ts';
import { append, compacted, fire, healthy, run } from './healthy.ts';

interface Export {
  plimsoll_export: string;
  version: string;
  client: string;
  system: { node: string };
  settings: Record<string, { value: unknown; origin: string }>;
  doctor: { level: string; finding: string }[];
  failures: { error: string }[];
  session: {
    id: string;
    status: { tier: string };
    state: { session_id: string; last_stop: { answer: string } | null };
    hook_runs: { name: string }[];
    events: { type: string; reason?: string }[];
    checkpoints: { event_id: string; work: { requests: string[]; files_written: string[] } }[];
    history: { fills: { tokens: number }[] };
  } | null;
}
const SECRET = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789';
const exported = (host: Host, ...args: string[]): Export =>
  JSON.parse(run(host, 'export', '--output', '-', ...args).stdout) as Export;

/** A session in which words, a secret, the home folder and the name of the user stand everywhere. */
function telling(host: Host): void {
  host.env.USER = 'jane.doe';
  compacted(host);
  append(
    host,
    request(`our client Acme is late, token=${SECRET}`),
    toolUse('w', 'Write', { file_path: `${host.env.HOME}/notes-of-jane.doe.md`, content: 'x' }),
    answer(150_000, { id: 'msg_9' }),
  );
  fire(host, 'Stop', { last_assistant_message: 'Acme gets its answer', stop_hook_active: false });
  fire(host, 'PreCompact', { trigger: 'manual', custom_instructions: 'keep Acme out of it' });
  run(host, 'session', 'abandon', '--reason', 'Acme has paid');
  writeFileSync(
    host.state('failures.jsonl'),
    `${JSON.stringify({ at: new Date().toISOString(), hook: 'Stop', part: 'x', error: `ENOENT: ${host.env.HOME}/gone` })}\n`,
  );
}

test('all that a report needs stands in one file, which is nobody else’s to read', () => {
  const host = healthy();
  telling(host);
  const { stdout, code } = run(host, 'export');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Written: plimsoll-export-0f6e3a52\.json \(\d+ KB\)\. It holds\n/);
  expect(stdout).toMatch(/\n {2}without the words of requests, .*\n.*\nRead it before you send it\.\n$/);
  const file = path.join(host.project, 'plimsoll-export-0f6e3a52.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const data = JSON.parse(readFileSync(file, 'utf8')) as Export;
  expect(data).toMatchObject({
    plimsoll_export: '1.0.0',
    version: expect.stringMatching(/^\d/),
    client: '2.1.332',
    system: { node: process.version },
  });
  expect(data.settings['checkpoint.keep']).toEqual({ value: 50, origin: 'default' });
  expect(data.doctor.length).toBeGreaterThan(5);
  const of = data.session;
  expect(of?.id).toBe(SESSION);
  expect(of?.state.session_id).toBe(SESSION);
  expect(of?.status.tier).toBeTruthy();
  expect(of?.hook_runs.map(({ name }) => name)).toContain('PreCompact');
  expect(of?.events.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['SessionStarted', 'CompactionDetected', 'AlertDelivered']),
  );
  expect(of?.checkpoints.length).toBeGreaterThan(1);
  expect(of?.history.fills.at(-1)?.tokens).toBe(150_000);
  // One that is there already is somebody's.
  expect(run(host, 'export')).toMatchObject({ code: 1, stderr: expect.stringContaining('is there already') });
  expect(run(host, 'export', '--output', 'other.json').code).toBe(0);
  expect(existsSync(path.join(host.project, 'other.json'))).toBe(true);
});

test('nothing in it says what people wrote, which secrets they have, where they live, or who they are', () => {
  const host = healthy();
  telling(host);
  const text = run(host, 'export', '--output', '-').stdout;
  for (const told of ['Acme', 'write the lexer', SECRET, host.env.HOME ?? '?', 'jane.doe'])
    expect([told, text.includes(told)]).toEqual([told, false]);
  const slug = (host.env.HOME ?? '').replace(/[^A-Za-z0-9]/g, '-');
  expect(text).not.toContain(slug);
  expect(text).toContain('[text left out: ');
  expect(text).toContain('~/notes-of-~.md');
  expect(text).toContain('ENOENT: ~/gone');
});

test('--with-text puts the words in, but no secret', () => {
  const host = healthy();
  telling(host);
  const text = run(host, 'export', '--output', '-', '--with-text').stdout;
  expect(text).toContain('our client Acme is late');
  expect(text).toContain('keep Acme out of it');
  expect(text).not.toContain(SECRET);
  expect(text).not.toContain('jane.doe');
  expect(run(host, 'export', '--with-text').stdout).toContain('WITH the words of requests');
});

test('without a session, with a damaged state, or of one that is named: still an export, or what to do', () => {
  const host = healthy();
  expect(exported(host).session).toBeNull();
  compacted(host);
  writeFileSync(sessionFile(host), '{"torn');
  mkdirSync(host.state('checkpoints', 'cx-900-checkpoint.json'), { recursive: true });
  expect(exported(host).session?.id).toBe(SESSION);
  expect(exported(host, '--session', SESSION).session?.id).toBe(SESSION);
  expect(run(host, 'export', '--session', 'nobody')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No transcript of session "nobody"'),
  });
});
