// Tests that a stream that several sessions share goes with the last of them, and not before.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Host, newHost, SESSION } from '../hooks/host.ts';
import { answer, request } from '../unit/lines.ts';
import { run } from './healthy.ts';

const OTHER = 'aaaaaaaa-1111-4222-8333-444455556666';

/** A session that died, and another one that took its work over and has ended. */
async function takenOver(): Promise<Host> {
  const host = newHost();
  const transcript = path.join(path.dirname(host.transcript), `${OTHER}.jsonl`);
  for (const file of [host.transcript, transcript])
    writeFileSync(file, [request('go'), answer(30_000)].map((each) => `${JSON.stringify(each)}\n`).join(''));
  const client = spawn('sleep', ['600']);
  host.env.CLAUDE_PID = String(client.pid);
  host.fire('SessionStart', { source: 'startup' });
  host.fire('UserPromptSubmit');
  client.kill('SIGKILL');
  await once(client, 'exit');
  delete host.env.CLAUDE_PID;
  const other = { session_id: OTHER, transcript_path: transcript };
  host.fire('SessionStart', { ...other, source: 'startup' });
  host.fire('UserPromptSubmit', other);
  host.fire('SessionEnd', { ...other, reason: 'other' });
  return host;
}

const files = (host: Host): string[] =>
  readdirSync(host.state(), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

test.each([
  ['the one that began it first', [SESSION, OTHER]],
  ['the one that took it over first', [OTHER, SESSION]],
])('%s', async (_, [first = '', last = '']) => {
  const host = await takenOver();
  const stream = host.state('events', `${SESSION}.jsonl`);
  expect(readFileSync(stream, 'utf8')).toContain(`"conversation":"${OTHER}"`);
  expect(run(host, 'delete', '--session', first, '--yes').code).toBe(0);
  expect(existsSync(stream)).toBe(true);
  const others = (): number => files(host).filter((file) => !file.includes('/checkpoints/')).length;
  const before = others();
  const { code, stdout } = run(host, 'delete', '--session', last, '--yes');
  expect(code).toBe(0);
  expect(existsSync(stream)).toBe(false);
  // What is told to go is what goes.
  expect(stdout).toContain(` ${before - others()} other files\n`);
  const left = files(host).filter((file) => /0f6e3a52|aaaaaaaa/.test(`${file}${readFileSync(file, 'utf8')}`));
  expect(left).toEqual([]);
});
