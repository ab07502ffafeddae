// Tests that the model is told the truth where the client is quick, changes its model or starts anew.
import { expect, test } from 'vitest';
import { openConversation } from '../kit/client.ts';
import { checkpoints, conversationStates, failures } from '../kit/plimsoll.ts';
import { textOf } from '../kit/requests.ts';
import { afterCompactions, main, SMALL, sandboxFor, standard, statusLines } from './said.ts';

/** The latest words of the user that the last alert names. */
const doing = (text: string): string => {
  const alert = text.match(/<compaction-alert>[\s\S]*?<\/compaction-alert>/g)?.at(-1) ?? '';
  return [...alert.matchAll(/^THE USER'S (?:GOAL|LATEST TASK|LAST WORDS): (.*)$/gm)].at(-1)?.[1] ?? '?';
};

test('compactions at prompts: every alert names the very prompt that is being worked on', async () => {
  const fills = [40_000, 118_000, 41_000, 118_000, 42_000, 118_000, 43_000, 118_000, 44_000];
  const sandbox = await sandboxFor({
    env: SMALL,
    script: { main: fills.map((fill, index) => ({ text: `answer ${index}`, fill })) },
  });
  const talk = openConversation(sandbox, standard);
  for (const index of fills.keys()) await talk.say(`TASK-${index}`);
  await talk.end();
  expect(afterCompactions(sandbox).map((request) => doing(textOf(request)))).toEqual([
    'TASK-2',
    'TASK-4',
    'TASK-6',
    'TASK-8',
  ]);
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
  const talk = openConversation(sandbox, ['--model', 'claude-sonnet-4-5[1m]']);
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

test('after /clear, work and /compact: the estimate starts from the first call, and no tier is raised by it', async () => {
  const sandbox = await sandboxFor({
    script: {
      main: [
        { text: 'a', fill: 30_000 },
        { text: 'b', fill: 100_000 },
        { text: 'c', fill: 101_000 },
        { text: 'd', fill: 40_000 },
      ],
    },
  });
  const talk = openConversation(sandbox, standard);
  await talk.say('/clear');
  for (const prompt of ['one', 'two', 'three', '/compact', 'four']) await talk.say(prompt);
  await talk.end();
  const [next] = afterCompactions(sandbox);
  const text = next ? textOf(next) : '';
  expect(text).toContain('COMPACTION EVENT: 1 of 1 this session');
  expect(text).toContain(
    'CONTEXT STATUS: NOMINAL (~25% of the way to auto-compaction at 167,000; ~20% of the 200,000 window; est.)',
  );
  expect(failures(sandbox)).toEqual([]);
});

test('two conversations at once in one project never see each other', async () => {
  const sandbox = await sandboxFor({
    env: SMALL,
    script: {
      main: [],
      fallback: { text: 'ok', fill: 60_000 },
    },
  });
  const fills = [118_000, 40_000, 41_000];
  const talks = [openConversation(sandbox, standard), openConversation(sandbox, standard)];
  await Promise.all(talks.map((talk, index) => talk.say(`begin ${'AB'[index]}`)));
  for (const fill of fills) {
    for (const [index, talk] of talks.entries()) {
      sandbox.model.push('main', { text: 'ok', fill });
      await talk.say(`work ${'AB'[index]}`);
    }
  }
  await Promise.all(talks.map((talk) => talk.end()));
  const alerts = afterCompactions(sandbox).map((request) => doing(textOf(request)));
  expect(alerts.sort()).toEqual(['work A', 'work B']);
  expect(conversationStates(sandbox).map((state) => state.alert?.status)).toEqual(['delivered', 'delivered']);
  const owners = checkpoints(sandbox).map((each) => [
    each.conversation.session_id,
    each.work.requests.join(),
  ]);
  for (const [, requests] of owners) expect(/A/.test(requests ?? '') && /B/.test(requests ?? '')).toBe(false);
});
