// Tests that the model is told the truth where the client is quick, changes its model or starts anew.
import { expect, test } from 'vitest';
import { openSession } from '../kit/client.ts';
import { isLong } from '../kit/effort.ts';
import { textOf } from '../kit/requests.ts';
import { afterCompactions, main, SMALL, sandboxFor, standard, statusLines } from './said.ts';

/** The latest words of the user that the last alert names. */
const doing = (text: string): string => {
  const alert = text.match(/<compaction-alert>[\s\S]*?<\/compaction-alert>/g)?.at(-1) ?? '';
  return [...alert.matchAll(/^THE USER'S (?:GOAL|LATEST TASK|LAST WORDS): (.*)$/gm)].at(-1)?.[1] ?? '?';
};

test('compactions at prompts: every alert names the very prompt that is being worked on', async () => {
  const all = [40_000, 118_000, 41_000, 118_000, 42_000, 118_000, 43_000, 118_000, 44_000];
  const fills = isLong ? all : all.slice(0, 5);
  const sandbox = await sandboxFor({
    env: SMALL,
    script: { main: fills.map((fill, index) => ({ text: `answer ${index}`, fill })) },
  });
  const talk = openSession(sandbox, standard);
  for (const index of fills.keys()) await talk.say(`TASK-${index}`);
  await talk.end();
  expect(afterCompactions(sandbox).map((request) => doing(textOf(request)))).toEqual(
    ['TASK-2', 'TASK-4', 'TASK-6', 'TASK-8'].slice(0, (fills.length - 1) / 2),
  );
});

test('a switch from a [1m] model to the plain one: the window is 200,000 again', async () => {
  const sandbox = await sandboxFor({
    script: {
      main: [
        { text: 'a', fill: 60_000 },
        { text: 'b', fill: 70_000 },
        { text: 'c', fill: 150_000 },
        { text: 'd', fill: 160_000 },
      ],
    },
  });
  const talk = openSession(sandbox, ['--model', 'claude-sonnet-4-5[1m]']);
  await talk.say('one');
  await talk.say('two');
  await talk.say('/model claude-sonnet-4-5');
  await talk.say('three');
  await talk.say('four');
  await talk.end();
  const requests = main(sandbox);
  const [first, second] = requests;
  const last = requests.at(-1);
  const before = requests.at(-2);
  if (!first || !second || !last || !before) throw new Error('four main requests expected');
  expect(textOf(second)).toContain('of the 1,000,000 window');
  expect(statusLines(last, before)).toEqual(['CONTEXT STATUS: EMERGENCY']);
  expect(textOf(last)).toContain('75% of the 200,000 window');
});
