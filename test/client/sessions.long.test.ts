// Tests that a session of the real client leaves exactly the events that happened in it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, inject, test } from 'vitest';
import type { LoggedEvent } from '../../src/sessions/log-event.ts';
import { openSession, runHeadless } from '../kit/client.ts';
import { notRun } from '../kit/not-run.ts';
import { failures, MINE, plimsoll, sessionStates, stateFolder } from '../kit/plimsoll.ts';
import type { Sandbox } from '../kit/sandbox.ts';
import { SMALL, sandboxFor, standard } from './said.ts';

/** Ids of the sessions that have a log. */
const loggedIn = (sandbox: Sandbox): string[] => {
  const folder = path.join(stateFolder(sandbox), 'sessions');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((id) => existsSync(path.join(folder, id, 'events.jsonl')));
};
const eventsOf = (sandbox: Sandbox, id = loggedIn(sandbox)[0] ?? ''): LoggedEvent[] =>
  readFileSync(path.join(stateFolder(sandbox), 'sessions', id, 'events.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as LoggedEvent);

const WORTH = ['tier', 'epoch', 'checkpoint', 'trigger', 'tokens', 'status', 'agent_type', 'reason'];
/** An event in one line: its name, and what tells it from others of its kind. */
const short = (event: LoggedEvent): string =>
  [event.type, ...WORTH.map((field) => (event as unknown as Record<string, unknown>)[field])]
    .filter((each) => each !== undefined && each !== null && each !== false)
    .join(' ');
const task = { description: 'check', prompt: 'check the headers', subagent_type: 'general-purpose' };

test('a headless session with two compactions and a subagent: exactly the events that happened, in order', async () => {
  const sandbox = await sandboxFor({
    env: SMALL,
    script: {
      main: [
        { text: 'one', fill: 40_000 },
        { tools: [{ name: 'Agent', input: { ...task, run_in_background: false } }], fill: 60_000 },
        { text: 'two', fill: 85_000 },
        { text: 'three', fill: 118_000 },
        { text: 'four', fill: 30_000 },
        { text: 'five', fill: 31_000 },
        { text: 'six', fill: 32_000 },
        { text: 'seven', fill: 33_000 },
      ],
      agent: [{ text: 'All have headers.', fill: 9_000 }],
    },
  });
  const talk = openSession(sandbox, standard);
  for (const words of ['first', 'send an agent', 'third', 'fourth', 'fifth', '/compact', 'sixth', 'seventh'])
    await talk.say(words);
  await talk.end();
  expect(loggedIn(sandbox)).toHaveLength(1);
  const events = eventsOf(sandbox);
  expect(events.map(short)).toEqual([
    'SessionStarted',
    'AgentCompleted general-purpose',
    'CheckpointCreated 0 cx-001 tier-rise',
    'ContextThresholdReached WARNING 0 85000',
    'ContextThresholdReached EMERGENCY 0 118000',
    'CheckpointCreated 0 cx-002 auto',
    'CompactionDetected 1 auto 118000',
    'AlertLeased 1 cx-002',
    'AlertDelivered 1 cx-002 delivered',
    'CheckpointCreated 1 cx-003 manual',
    'CompactionDetected 2 manual 31000',
    'AlertLeased 2 cx-003',
    'AlertDelivered 2 cx-003 delivered',
    'SessionEnded other',
  ]);
  const [{ session_id: id } = { session_id: '' }] = sessionStates(sandbox);
  expect(events.every((event) => event.session === id)).toBe(true);
  const asked = plimsoll(sandbox, 'events', '--type', 'CompactionDetected', '--session', id, '--count');
  expect(asked).toEqual({ code: 0, stdout: '2\n', stderr: '' });
  expect(failures(sandbox)).toEqual([]);
});

test('a session is resumed, ends again, and says in which one its work went on; a fork has its own', async () => {
  const sandbox = await sandboxFor({
    files: { [MINE]: '[resume]\nheadless = true\n' },
    script: {
      main: [{ tools: [{ name: 'Write', input: { file_path: 'a.ts', content: '// a\n' } }], fill: 30_000 }],
      fallback: { text: 'OK', fill: 31_000 },
    },
  });
  const run = (...args: string[]) => runHeadless(sandbox, ['-p', 'go on', ...standard, ...args]);
  const ids = (): string[] => sessionStates(sandbox).map((each) => each.session_id);
  await run();
  const [first = ''] = ids();
  await run('--resume', first);
  expect(eventsOf(sandbox).map(short)).toEqual([
    'SessionStarted',
    expect.stringMatching(/^CheckpointCreated 0 cx-001 session-end$/),
    'SessionEnded other',
    'SessionResumed',
    'SessionEnded other',
  ]);

  await run('--resume', first, '--fork-session');
  const fork = ids().find((id) => id !== first) ?? '';
  expect(loggedIn(sandbox).sort()).toEqual([first, fork].sort());
  expect(eventsOf(sandbox, fork)[0]).toMatchObject({ type: 'SessionStarted', forked: true });

  // A client that is killed leaves work unfinished, and the next one goes on with it.
  const talk = openSession(sandbox, standard);
  await talk.say('write the parser');
  sandbox.model.push('main', {
    text: 'never seen',
    fill: 32_000,
    delayMs: 500,
    onRequest: () => void process.kill(talk.pid, 'SIGKILL'),
  });
  await talk.say('will be cut off').catch(() => undefined);
  const killed = ids().find((id) => id !== first && id !== fork) ?? '';
  await run();
  const taker = ids().find((id) => ![first, fork, killed].includes(id)) ?? '';
  expect(eventsOf(sandbox, killed)).toMatchObject([{ type: 'SessionStarted', session: killed }]);
  expect(eventsOf(sandbox, taker).map(({ type }) => type)).toEqual(
    expect.arrayContaining(['SessionStarted', 'SessionEnded']),
  );
  const shown = plimsoll(sandbox, 'session', 'show', killed, '--json').stdout;
  expect(JSON.parse(shown)).toMatchObject({ session: { status: 'ended', ended: null, continued_in: taker } });
  expect(loggedIn(sandbox)).toHaveLength(4);
  expect(failures(sandbox)).toEqual([]);
});

test('on a client that stores no attachments (2.0.76) the alert ends unverified, and the rest is the same', async (context) => {
  const client = inject('oldClientPath');
  if (client === '') {
    notRun('events on the old client 2.0.76', 'it could not be installed');
    context.skip();
  }
  const sandbox = await sandboxFor({
    client,
    version: '2.0.76',
    script: { main: [40_000, 50_000, 30_000, 31_000].map((fill) => ({ text: 'OK', fill })) },
  });
  const talk = openSession(sandbox, standard);
  for (const words of ['first', 'second', '/compact', 'third', 'fourth']) await talk.say(words);
  await talk.end();
  expect(eventsOf(sandbox).map(short)).toEqual([
    'SessionStarted',
    'CheckpointCreated 0 cx-001 manual',
    'CompactionDetected 1 manual 50000',
    'AlertLeased 1 cx-001',
    'AlertDelivered 1 cx-001 unverified',
    'SessionEnded other',
  ]);
  expect(failures(sandbox)).toEqual([]);
});
