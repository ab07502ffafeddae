// Tests what is recorded of decisions: what silences everything, what costs nothing, and what damage does.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Host, newHost, SESSION, STATE, writeMine } from '../hooks/host.ts';
import { answer, request } from '../unit/lines.ts';
import { announced, explained, last, prompt, run, tool, used } from './explained.ts';

test('what another process says at the same time is not said twice, and explain knows it', () => {
  const host = announced(30_000);
  used(host, 120_000);
  const claims = host.state('sessions', SESSION, 'claims');
  mkdirSync(claims, { recursive: true });
  appendFileSync(
    path.join(claims, 'e0-w200000-said-WARNING'),
    `${process.pid} ${new Date().toISOString()}\n`,
  );
  expect(tool(host).context).toBe('');
  expect(last(host)).toMatchObject({ said: null, reason: 'claimed', tier: 'WARNING' });
  expect(last(host)?.text).toMatch(/nothing said, because another process said it at the same time\.$/);
});

test.each([
  [
    'PLIMSOLL=off',
    (host: Host) => {
      host.env.PLIMSOLL = 'off';
    },
    'PLIMSOLL=off is set in the environment',
  ],
  ['enabled = false', (host: Host) => writeMine(host, 'enabled = false\n'), 'enabled = false'],
  [
    'plimsoll off',
    (host: Host) => {
      run(host, 'off');
    },
    'plimsoll off silences this project',
  ],
  [
    'plimsoll off --session',
    (host: Host) => {
      run(host, 'off', '--session', SESSION);
    },
    'plimsoll off silences this session',
  ],
] as const)('%s silences all, and is named beside what was decided before', (_, silence, words) => {
  const host = announced(30_000);
  silence(host);
  expect(prompt(host).stdout).toBe('');
  expect(explained(host).silenced).toBe(words);
  expect(run(host, 'explain', '--session', SESSION).stdout).toContain(
    `Now nothing is said, because ${words}.`,
  );
  const { stdout } = run(host, 'status', '--transcript', host.transcript, '--json');
  expect((JSON.parse(stdout) as { announcement: object }).announcement).toEqual({
    said: null,
    reason: 'off',
  });
});

test('a session of which no hook has run is told apart from one with nothing to say', () => {
  const host = newHost();
  host.append(request('go'), answer(30_000));
  const { stdout } = run(host, 'explain', '--session', SESSION);
  expect(stdout).toContain('No hook of ours has run at a prompt or a tool of this session.');
  const status = JSON.parse(run(host, 'status', '--transcript', host.transcript, '--json').stdout) as object;
  expect(status).toMatchObject({ announcement: { said: null, reason: 'no-hook-ran' } });
});

test('a prompt at NOMINAL at which nothing has changed writes nothing but the line of its hook', () => {
  const host = announced(30_000);
  prompt(host);
  const folder = path.join(host.project, STATE);
  const files = [`sessions/${SESSION}/state.json`, 'config.snapshot.json'].map((name) =>
    path.join(folder, name),
  );
  const before = files.map((file) => readFileSync(file, 'utf8'));
  const size = readFileSync(path.join(folder, 'sessions', SESSION, 'runs')).length;
  prompt(host);
  expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(before);
  expect(readFileSync(path.join(folder, 'sessions', SESSION, 'runs')).length).toBe(size);
  expect(last(host)).toMatchObject({ reason: 'every-prompt', times: 2 });
});

test('a damaged record is no reason to fail', () => {
  const host = announced(30_000);
  const file = host.state('sessions', SESSION, 'runs');
  expect(existsSync(file)).toBe(true);
  writeFileSync(file, '\0\u0001{{{'.repeat(500));
  expect(explained(host).decisions).toEqual([]);
  expect(prompt(host).context).toContain('NOMINAL');
  expect(last(host)).toMatchObject({ reason: 'every-prompt' });
});
