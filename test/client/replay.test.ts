// Tests that a replay of a session of the real client gives the events that the hooks stored while it ran, one for one.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { LoggedEvent } from '../../src/sessions/log-event.ts';
import { openSession } from '../kit/client.ts';
import { failures, plimsoll, sessionStates, stateFolder } from '../kit/plimsoll.ts';
import { bash, SMALL, sandboxFor, standard } from './said.ts';

/** What no transcript tells: when and why the client ended, and the checkpoint that is kept at that moment. */
const isOfTheEnd = (event: LoggedEvent): boolean =>
  event.type === 'SessionEnded' || (event.type === 'CheckpointCreated' && event.trigger === 'session-end');

/** An event without when it came and in which file it stands. */
const bare = (event: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(event).filter(([key]) => !['schema_version', 'session', 'at', 'call'].includes(key)),
  );

test('the events that hooks stored are the events that a replay of the transcript derives, one for one', async () => {
  const task = { description: 'check', prompt: 'check the headers', subagent_type: 'general-purpose' };
  const slow = (words: string) => ({ tools: [bash(`sleep 0.3; echo ${words}`)] });
  const sandbox = await sandboxFor({
    env: SMALL,
    script: {
      main: [
        { text: 'one', fill: 40_000 },
        { tools: [{ name: 'Agent', input: { ...task, run_in_background: false } }], fill: 60_000 },
        { ...slow('reads'), fill: 70_000 },
        { ...slow('warns'), fill: 85_000 },
        { ...slow('goes on'), fill: 96_000 },
        { ...slow('is full'), fill: 118_000 },
        { ...slow('is back'), fill: 40_000 },
        { text: 'two', fill: 41_000 },
        { text: 'three', fill: 90_000 },
        { ...slow('rises again'), fill: 95_000 },
        { text: 'four', fill: 97_000 },
        { text: 'five', fill: 30_000 },
      ],
      agent: [{ text: 'All have headers.', fill: 9_000 }],
    },
  });
  const talk = openSession(sandbox, standard);
  for (const words of ['build the parser', 'go on', 'third', 'fourth', '/compact', 'sixth'])
    await talk.say(words);
  await talk.end();
  const [state] = sessionStates(sandbox);
  if (state?.transcript == null) throw new Error('a session with a transcript expected');
  const folder = path.join(stateFolder(sandbox), 'sessions', state.session_id);
  expect(readdirSync(folder)).toContain('events.jsonl');
  const stored = readFileSync(path.join(folder, 'events.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as LoggedEvent)
    .filter((event) => !isOfTheEnd(event));
  const { stdout } = plimsoll(sandbox, 'replay', state.transcript, '--json');
  const [file] = (JSON.parse(stdout) as { files: { events: object[] }[] }).files;
  expect(file?.events.map(bare)).toEqual(stored.map(bare));
  const types = new Set(stored.map(({ type }) => type));
  expect([...types].sort()).toEqual([
    ...['AgentCompleted', 'AlertDelivered', 'AlertLeased', 'CheckpointCreated'],
    ...['CompactionDetected', 'ContextThresholdReached', 'SessionStarted'],
  ]);
  expect(failures(sandbox)).toEqual([]);
});
