// Tests that a replay of a session of the real client gives the events that the hooks stored while it ran, one for one.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { LoggedEvent } from '../../src/sessions/log-event.ts';
import { openSession } from '../kit/client.ts';
import { failures, plimsoll, sessionStates, stateFolder } from '../kit/plimsoll.ts';
import { textOf } from '../kit/requests.ts';
import { until } from '../kit/wait.ts';
import { bash, main, SMALL, sandboxFor, standard } from './said.ts';

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
        { tools: [{ name: 'Bash', input: { command: 'sleep 2', run_in_background: true } }], fill: 31_000 },
        { text: 'waits', fill: 90_000 },
        // A notice of the client begins this turn, and is the first that can tell of the rise.
        { text: 'six', fill: 91_000 },
        { tools: [bash('sleep 2')], fill: 95_000 },
        { text: 'seven', fill: 96_000 },
      ],
      agent: [{ text: 'All have headers.', fill: 9_000 }],
    },
  });
  const talk = openSession(sandbox, standard);
  for (const words of ['build the parser', 'go on', 'third', 'fourth', '/compact', 'sixth', 'seventh'])
    await talk.say(words);
  const isIn = (words: string): boolean => main(sandbox).some((each) => textOf(each).includes(words));
  await until(() => isIn('<task-notification>'), { what: 'the notice' });
  await until(() => talk.messages.filter(({ type }) => type === 'result').length === 8, {
    what: 'the end of its turn',
  });
  const eighth = talk.say('eighth');
  await until(() => isIn('eighth'), { what: 'the prompt' });
  // It waits in the queue, and is told to the agent in the turn that runs.
  void talk.say('ninth').catch(() => undefined);
  await eighth;
  expect(isIn('ninth')).toBe(true);
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
