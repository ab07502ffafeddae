// Tests the loop on the real client where it is quick, old, or compacts at a prompt.
import { expect, test } from 'vitest';
import { openSession } from '../kit/client.ts';
import { failures, plimsoll, sessionStates } from '../kit/plimsoll.ts';
import { countIn, ofKind } from '../kit/requests.ts';
import {
  afterCompactions,
  bash,
  expectAlertOnce,
  main,
  SMALL,
  sandboxFor,
  standard,
  statusLines,
  whileRunning,
} from './said.ts';

test('a client that knows no PostToolBatch: five parallel PostToolUse hooks say the rise once', async () => {
  const sandbox = await sandboxFor({
    script: {
      main: [
        { tools: [bash('echo start')], fill: 60_000 },
        { tools: [1, 2, 3, 4, 5].map((n) => bash(`sleep 0.4; echo ${n}`)), fill: 125_000 },
        { text: 'done', fill: 126_000 },
      ],
    },
  });
  expect(plimsoll(sandbox, 'init', '--yes', '--client-version', '2.1.117').code).toBe(0);
  const talk = openSession(sandbox, standard);
  await talk.say('go');
  await talk.end();
  const [, second, third] = main(sandbox);
  if (!second || !third) throw new Error('three main requests expected');
  expect(statusLines(third, second)).toEqual(['CONTEXT STATUS: WARNING']);
  expect(whileRunning(sandbox)).toHaveLength(1);
  expect(failures(sandbox)).toEqual([]);
});

test('auto-compaction at a prompt: the main request of that prompt carries the alert', async () => {
  const sandbox = await sandboxFor({
    env: SMALL,
    script: {
      main: [
        { text: 'a', fill: 60_000 },
        { text: 'b', fill: 118_000 },
        { text: 'c', fill: 35_000 },
        { text: 'd', fill: 36_000 },
      ],
    },
  });
  const talk = openSession(sandbox, standard);
  for (const prompt of ['first', 'second', 'third', 'fourth']) await talk.say(prompt);
  await talk.end();
  const [next] = afterCompactions(sandbox);
  expectAlertOnce(sandbox, next, 'cx-001');
  expect(sessionStates(sandbox)[0]?.alert?.status).toBe('delivered');
});

test('manual /compact: the next prompt finds the alert, and the checkpoint holds what the user typed', async () => {
  const sandbox = await sandboxFor({
    script: {
      main: [
        { text: 'a', fill: 60_000 },
        { text: 'b', fill: 70_000 },
        { text: 'c', fill: 30_000 },
        { text: 'd', fill: 31_000 },
      ],
    },
  });
  const talk = openSession(sandbox, standard);
  await talk.say('first request');
  await talk.say('second request');
  await talk.say('/compact keep the names of the files');
  await talk.say('third');
  await talk.say('fourth');
  await talk.end();
  const [next] = afterCompactions(sandbox);
  expectAlertOnce(sandbox, next, 'cx-001');
  expect(whileRunning(sandbox)[0]?.trigger).toEqual({
    type: 'manual',
    source: 'PreCompact hook',
    custom_instructions: 'keep the names of the files',
  });
  const [summary] = ofKind(sandbox.model.requests, 'summary');
  expect(summary && countIn(summary, 'what the user asked for (first request … second request)')).toBe(1);
});
