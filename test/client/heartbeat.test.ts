// Tests the whole loop on the real client; each test asserts on what the model received.
import { expect, test } from 'vitest';
import { openSession } from '../kit/client.ts';
import { some } from '../kit/effort.ts';
import { failures, plimsoll, sessionStates } from '../kit/plimsoll.ts';
import { countIn } from '../kit/requests.ts';
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

const tooLong = { status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' };

test('the monitor arrives with every prompt from the first answer on: once in full, then in one line of equal bytes', async () => {
  const sandbox = await sandboxFor({
    script: {
      main: [
        { text: 'a', fill: 30_000 },
        { text: 'b', fill: 30_400 },
        { text: 'c', fill: 31_000 },
        { text: 'd', fill: 31_200 },
      ],
    },
    projectName: 'mein Projekt für 你',
    git: true,
  });
  const talk = openSession(sandbox, standard);
  for (const prompt of ['one', 'two', 'three', 'four']) await talk.say(prompt);
  await talk.end();
  const [first, second, third, fourth] = main(sandbox);
  if (!first || !second || !third || !fourth) throw new Error('four main requests expected');
  const full =
    '<context-monitor>CONTEXT STATUS: NOMINAL (~20% of the way to auto-compaction at 167,000; ~15% of the 200,000 window)</context-monitor>';
  expect(countIn(first, '<context-monitor>')).toBe(0);
  const line = '<context-monitor>CONTEXT STATUS: NOMINAL ~20%</context-monitor>';
  const heard = [second, third, fourth].map((request) => [countIn(request, full), countIn(request, line)]);
  expect(heard).toEqual([
    [1, 0],
    [1, 1],
    [1, 2],
  ]);
  expect(failures(sandbox)).toEqual([]);
});

// LOW is not waited for: the answer of a tool that takes a few milliseconds may be in the file one step late.
const LOOPS: [string, string, string[]][] = [
  ['of a moment', 'sleep 0.3; ', ['3: LOW', '5: WARNING', '7: CRITICAL', '8: EMERGENCY']],
  ['of milliseconds', '', ['5: WARNING', '7: CRITICAL', '8: EMERGENCY']],
];
test.each(some(LOOPS, 1))(
  'in a loop of tools %s each tier rise arrives once, before the compaction, and the alert right after it',
  async (_, slow, expected) => {
    const fills = [50_000, 58_000, 66_000, 74_000, 83_000, 90_000, 95_000, 104_000];
    const sandbox = await sandboxFor({
      env: SMALL,
      script: {
        main: [
          ...fills.map((fill, index) => ({
            text: `step ${index}`,
            tools: [bash(`${slow}echo ${index}`)],
            fill,
          })),
          { text: 'over', tools: [bash('echo over')], fill: 118_000 },
          { text: 'after', tools: [bash('sleep 0.3; echo after')], fill: 40_000 },
          { text: 'done', fill: 41_000 },
        ],
      },
    });
    const talk = openSession(sandbox, standard);
    await talk.say('build the parser');
    await talk.end();
    const said = main(sandbox).flatMap((request, index, all) => {
      const before = all[index - 1];
      return before ? statusLines(request, before).map((line) => `${index}: ${line.slice(16)}`) : [];
    });
    expect(said.filter((each) => slow !== '' || !each.endsWith('LOW'))).toEqual(expected);
    const [next] = afterCompactions(sandbox);
    expectAlertOnce(sandbox, next, 'cx-004');
    expect(
      whileRunning(sandbox).map((each) => [each.event_id, each.trigger.type, each.context_state.tier]),
    ).toEqual([
      ['cx-001', 'tier-rise', 'WARNING'],
      ['cx-002', 'tier-rise', 'CRITICAL'],
      ['cx-003', 'tier-rise', 'EMERGENCY'],
      ['cx-004', 'auto', 'EMERGENCY'],
    ]);
    expect(sessionStates(sandbox)[0]?.alert).toMatchObject({
      status: 'delivered',
      tries: 1,
      checkpoint: 'cx-004',
    });
    expect(failures(sandbox)).toEqual([]);
  },
);

test('five tools in parallel: the rise is said once', async () => {
  const sandbox = await sandboxFor({
    script: {
      main: [
        { tools: [bash('echo start')], fill: 112_000 },
        { tools: [1, 2, 3, 4, 5].map((n) => bash(`echo ${n}`)), fill: 120_000 },
        { text: 'done', fill: 126_000 },
      ],
    },
  });
  const talk = openSession(sandbox, standard);
  await talk.say('go');
  await talk.end();
  const [, second, third] = main(sandbox);
  if (!second || !third) throw new Error('three main requests expected');
  expect(statusLines(third, second)).toEqual(['CONTEXT STATUS: WARNING']);
  expect(whileRunning(sandbox)).toHaveLength(1);
});

test('reactive compaction: the retry after "prompt is too long" carries the alert', async () => {
  const sandbox = await sandboxFor({
    script: {
      main: [
        { text: 'a', fill: 100_000 },
        { text: 'b', fill: 190_000 },
        { error: tooLong },
        { text: 'c', fill: 30_000 },
        { text: 'd', fill: 31_000 },
      ],
    },
  });
  const talk = openSession(sandbox, standard);
  for (const prompt of ['first', 'second', 'third', 'fourth']) await talk.say(prompt);
  await talk.end();
  const [next] = afterCompactions(sandbox);
  const newest = whileRunning(sandbox).at(-1);
  expect(newest?.trigger.type).toBe('auto');
  expectAlertOnce(sandbox, next, newest?.event_id ?? '?');
  expect(failures(sandbox)).toEqual([]);
});

test('two compactions in one session: event 2 of 2, the newest checkpoint, both acknowledged', async () => {
  const sandbox = await sandboxFor({
    env: SMALL,
    script: {
      main: [
        { text: 'a', fill: 60_000 },
        { text: 'b', fill: 118_000 },
        { text: 'c', fill: 40_000 },
        { text: 'd', fill: 118_500 },
        { text: 'e', fill: 41_000 },
        { text: 'f', fill: 42_000 },
      ],
    },
  });
  const talk = openSession(sandbox, standard);
  for (const prompt of ['p1', 'p2', 'p3', 'p4', 'p5', 'p6']) await talk.say(prompt);
  await talk.end();
  const [first, second] = afterCompactions(sandbox);
  const auto = whileRunning(sandbox).filter((each) => each.trigger.type === 'auto');
  expect(auto.map((each) => each.conversation.epoch)).toEqual([0, 1]);
  expectAlertOnce(sandbox, first, auto[0]?.event_id ?? '?', 1);
  expectAlertOnce(sandbox, second, auto[1]?.event_id ?? '?', 2);
  const list = JSON.parse(plimsoll(sandbox, 'checkpoint', 'list', '--json').stdout) as {
    acknowledged: boolean;
  }[];
  expect(list.every((each) => each.acknowledged)).toBe(true);
});

test("the default model's window of 1,000,000 is recognised", async () => {
  const sandbox = await sandboxFor({
    script: {
      main: [
        { text: 'a', fill: 30_000 },
        { text: 'b', fill: 31_000 },
      ],
    },
  });
  const talk = openSession(sandbox);
  await talk.say('one');
  await talk.say('two');
  await talk.end();
  const second = main(sandbox)[1];
  expect(second && countIn(second, '~5% of the 1,000,000 window')).toBe(1);
  const status = JSON.parse(plimsoll(sandbox, 'status', '--json').stdout) as { window: unknown };
  expect(status.window).toEqual({ tokens: 1_000_000, source: 'table', confidence: 'inferred' });
});

test('"plimsoll off" silences everything, "on" ends that', async () => {
  const sandbox = await sandboxFor({
    env: SMALL,
    script: {
      main: [
        { text: 'a', fill: 60_000 },
        { text: 'b', tools: [bash('echo 1')], fill: 95_000 },
        { text: 'c', fill: 118_000 },
        { text: 'd', fill: 30_000 },
        { text: 'e', fill: 31_000 },
      ],
    },
  });
  expect(plimsoll(sandbox, 'off').code).toBe(0);
  const talk = openSession(sandbox, standard);
  for (const prompt of ['p1', 'p2', 'p3']) await talk.say(prompt);
  for (const request of sandbox.model.requests) {
    expect(countIn(request, '<context-monitor>') + countIn(request, '<compaction-alert>')).toBe(0);
    expect(countIn(request, 'Facts to keep word for word')).toBe(0);
  }
  expect(whileRunning(sandbox)).toEqual([]);
  expect(plimsoll(sandbox, 'on').code).toBe(0);
  await talk.say('p4');
  await talk.end();
  const last = main(sandbox).at(-1);
  expect(last && countIn(last, '<context-monitor>')).toBe(1);
});
