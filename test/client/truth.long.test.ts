// Tests that the model is told the truth after /clear, and in two sessions at once.
import { expect, test } from 'vitest';
import { openSession } from '../kit/client.ts';
import { checkpoints, failures, sessionStates } from '../kit/plimsoll.ts';
import { textOf } from '../kit/requests.ts';
import { afterCompactions, SMALL, sandboxFor, standard } from './said.ts';

/** The latest words of the user that the last alert names. */
const doing = (text: string): string => {
  const alert = text.match(/<compaction-alert>[\s\S]*?<\/compaction-alert>/g)?.at(-1) ?? '';
  return [...alert.matchAll(/^THE USER'S (?:GOAL|LATEST TASK|LAST WORDS): (.*)$/gm)].at(-1)?.[1] ?? '?';
};

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
  const talk = openSession(sandbox, standard);
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

test('two sessions at once in one project never see each other', async () => {
  const sandbox = await sandboxFor({
    env: SMALL,
    script: {
      main: [],
      fallback: { text: 'ok', fill: 60_000 },
    },
  });
  const fills = [118_000, 40_000, 41_000];
  const talks = [openSession(sandbox, standard), openSession(sandbox, standard)];
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
  expect(sessionStates(sandbox).map((state) => state.alert?.status)).toEqual(['delivered', 'delivered']);
  const owners = checkpoints(sandbox).map((each) => [
    each.conversation.session_id,
    each.work.requests.join(),
  ]);
  for (const [, requests] of owners) expect(/A/.test(requests ?? '') && /B/.test(requests ?? '')).toBe(false);
});
