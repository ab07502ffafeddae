// Tests that the work survives the end of its session: the handoff on the real client.
import { expect, onTestFinished, test } from 'vitest';
import { openSession, runHeadless } from '../kit/client.ts';
import { notRun } from '../kit/not-run.ts';
import { checkpoints, failures, MINE, sessionStates } from '../kit/plimsoll.ts';
import { countIn, textOf } from '../kit/requests.ts';
import type { Sandbox } from '../kit/sandbox.ts';
import type { RecordedRequest } from '../kit/scripted-model.ts';
import { hasTmux, openTerminal, type Terminal } from '../kit/terminal.ts';
import { until } from '../kit/wait.ts';
import { main, sandboxFor, standard } from './said.ts';

const CONTEXT = 'An earlier session in this project left work unfinished';
const POINTER = '<resumption-context>Earlier session here';
const write = (name: string) => ({ name: 'Write', input: { file_path: name, content: `// ${name}\n` } });

/** A turn that leaves two of three tasks open and a file written. */
const unfinished = [
  {
    tools: [{ name: 'ToolSearch', input: { query: 'select:TaskCreate,TaskUpdate', max_results: 5 } }],
    fill: 30_000,
  },
  {
    tools: ['Write the lexer', 'Write the parser', 'Run all tests'].map((subject) => ({
      name: 'TaskCreate',
      input: { subject, description: subject },
    })),
    fill: 32_000,
  },
  {
    tools: [
      { name: 'TaskUpdate', input: { taskId: '1', status: 'completed' } },
      { name: 'TaskUpdate', input: { taskId: '2', status: 'in_progress' } },
      write('src/lexer.ts'),
    ],
    fill: 34_000,
  },
  { text: 'The lexer is written.', fill: 36_000 },
];

/** A turn that takes up what the first left open, by its name, and finishes it. */
const finished = [
  {
    tools: [{ name: 'ToolSearch', input: { query: 'select:TaskCreate,TaskUpdate', max_results: 5 } }],
    fill: 30_200,
  },
  {
    tools: ['Write the parser', 'Run all tests'].map((subject) => ({
      name: 'TaskCreate',
      input: { subject, description: subject },
    })),
    fill: 30_400,
  },
  {
    tools: ['1', '2'].map((taskId) => ({ name: 'TaskUpdate', input: { taskId, status: 'completed' } })),
    fill: 30_600,
  },
];
const REQUEST = 'Port the expression compiler to TypeScript';

function needTmux(context: { skip: () => void }): void {
  if (hasTmux()) return;
  notRun('resumption in the interactive client', 'tmux is not installed');
  context.skip();
}

/** A terminal of its own for one session, ready for a prompt. */
async function open(sandbox: Sandbox): Promise<Terminal> {
  const terminal = await openTerminal(sandbox, standard);
  onTestFinished(() => terminal.close());
  await terminal.waitFor(/❯/);
  return terminal;
}

const lastRequest = (sandbox: Sandbox): RecordedRequest => {
  const request = main(sandbox).at(-1);
  if (request === undefined) throw new Error('the model was asked nothing');
  return request;
};

/** Asks in the terminal, waits for the answer, and gives the request that the model got. */
async function ask(
  sandbox: Sandbox,
  terminal: Terminal,
  text: string,
  answer: RegExp,
): Promise<RecordedRequest> {
  await terminal.type(text);
  await terminal.waitFor(answer);
  return lastRequest(sandbox);
}

test('interactive: after an unfinished session the context comes once, after a finished one a pointer', async (context) => {
  needTmux(context);
  const sandbox = await sandboxFor({
    git: true,
    script: {
      main: [
        ...unfinished,
        { text: 'second goes on', fill: 30_000 },
        ...finished,
        { text: 'second is done', fill: 31_000 },
        { text: 'third begins', fill: 30_000 },
      ],
    },
  });
  const first = await open(sandbox);
  await ask(sandbox, first, REQUEST, /The lexer is written/);
  await first.close();
  await until(() => sessionStates(sandbox).some((each) => each.ended !== null), { what: 'SessionEnd' });

  const second = await open(sandbox);
  const told = await ask(sandbox, second, 'go on', /second goes on/);
  expect(countIn(told, CONTEXT)).toBe(1);
  const words = textOf(told);
  expect(words).toContain(`THE USER'S GOAL: ${REQUEST}`);
  expect(words).toContain('OPEN TASKS:\n- Write the parser (in progress)\n- Run all tests');
  expect(words).toContain('FILES CHANGED (latest first): src/lexer.ts');
  expect(countIn(await ask(sandbox, second, 'finish it', /second is done/), CONTEXT)).toBe(1);
  await second.close();
  await until(() => sessionStates(sandbox).filter((each) => each.ended !== null).length === 2, {
    what: 'the second SessionEnd',
  });
  expect(
    sessionStates(sandbox).find((each) => each.received_handoff !== null)?.received_handoff,
  ).toMatchObject({
    status: 'delivered',
    tries: 1,
  });

  const third = await open(sandbox);
  const pointed = await ask(sandbox, third, 'hello', /third begins/);
  expect(countIn(pointed, CONTEXT)).toBe(0);
  expect(countIn(pointed, POINTER)).toBe(1);
  await third.close();
  expect(failures(sandbox)).toEqual([]);
});

test('interactive: after /clear one line', async (context) => {
  needTmux(context);
  const sandbox = await sandboxFor({
    script: {
      main: [...unfinished, { text: 'after clear', fill: 30_000 }],
    },
  });
  const first = await open(sandbox);
  await ask(sandbox, first, REQUEST, /The lexer is written/);
  await first.type('/clear');
  await until(() => sessionStates(sandbox).some((each) => each.ended?.reason === 'clear'), {
    what: 'the end of the cleared session',
  });
  const cleared = await ask(sandbox, first, 'something else', /after clear/);
  expect(countIn(cleared, CONTEXT)).toBe(0);
  expect(countIn(cleared, POINTER)).toBe(1);
  await first.close();
});

test('interactive: a start that nothing follows, and a headless run in between, consume nothing', async (context) => {
  needTmux(context);
  const sandbox = await sandboxFor({
    script: {
      main: [...unfinished, { text: 'version 3', fill: 20_000 }, { text: 'resumed here', fill: 30_000 }],
    },
  });
  const first = await open(sandbox);
  await ask(sandbox, first, REQUEST, /The lexer is written/);
  await first.close();
  await until(() => sessionStates(sandbox).some((each) => each.ended !== null), { what: 'SessionEnd' });

  const phantom = await open(sandbox);
  await phantom.close();
  await runHeadless(sandbox, ['-p', 'Which version?', ...standard]);
  expect(countIn(lastRequest(sandbox), CONTEXT)).toBe(0);
  expect(countIn(lastRequest(sandbox), POINTER)).toBe(1);

  const second = await open(sandbox);
  expect(countIn(await ask(sandbox, second, 'go on', /resumed here/), CONTEXT)).toBe(1);
  await second.close();
});

test('interactive: a session killed in the middle of a turn is resumed', async (context) => {
  needTmux(context);
  let kill = (): void => {};
  const sandbox = await sandboxFor({
    script: {
      main: [
        ...unfinished.slice(0, -1),
        { text: 'never seen', fill: 36_000, onRequest: () => kill(), delayMs: 500 },
        { text: 'resumed here', fill: 30_000 },
      ],
    },
  });
  const first = await open(sandbox);
  kill = () => process.kill(first.pid, 'SIGKILL');
  await first.type(REQUEST);
  await until(() => first.screen() === '', { what: 'the client to be gone' });
  await first.close();

  const second = await open(sandbox);
  const told = await ask(sandbox, second, 'go on', /resumed here/);
  expect(countIn(told, CONTEXT)).toBe(1);
  expect(textOf(told)).toContain('its last turn was interrupted, it ended without saying so');
  expect(textOf(told)).toContain('OPEN TASKS:\n- Write the parser (in progress)');
  await second.close();
});

const HEADLESS = { [MINE]: '[resume]\nheadless = true\n' };

test('three resumes and a fork add no second copy, and neither is told of itself', async () => {
  const sandbox = await sandboxFor({
    files: HEADLESS,
    script: { main: [...unfinished], fallback: { text: 'OK', fill: 40_000 } },
  });
  const first = openSession(sandbox, standard);
  await first.say(REQUEST);
  await first.end();
  const run = async (...args: string[]): Promise<RecordedRequest> => {
    await runHeadless(sandbox, ['-p', 'go on', ...standard, ...args]);
    return lastRequest(sandbox);
  };
  expect(countIn(await run(), CONTEXT)).toBe(1);
  const resumed = sessionStates(sandbox).find((each) => each.received_handoff !== null)?.session_id ?? '?';
  for (let time = 0; time < 3; time++) {
    expect(countIn(await run('--resume', resumed), '<resumption-context>')).toBe(1);
  }
  expect(countIn(await run('--resume', resumed, '--fork-session'), '<resumption-context>')).toBe(1);
  expect(sessionStates(sandbox).find((each) => each.session_id === resumed)).toMatchObject({
    received_handoff: { status: 'delivered', tries: 1 },
  });
  expect(failures(sandbox)).toEqual([]);
});

test('two sessions at once in one project never see each other', async () => {
  const sandbox = await sandboxFor({
    files: HEADLESS,
    script: { main: [], fallback: { text: 'OK', tools: [], fill: 40_000 } },
  });
  const one = openSession(sandbox, standard);
  await one.say('the words of the first');
  const two = openSession(sandbox, standard);
  await two.say('the words of the second');
  await one.say('more of the first');
  await two.say('more of the second');
  await Promise.all([one.end(), two.end()]);
  for (const request of main(sandbox)) {
    const text = textOf(request);
    expect(text.includes('the words of the first') && text.includes('the words of the second')).toBe(false);
    expect(text).not.toContain('resumption-context');
  }
  const states = sessionStates(sandbox);
  expect(new Set(states.map((each) => each.session_id)).size).toBe(2);
});

test('the end of a session leaves a checkpoint of what the last one does not hold', async () => {
  const sandbox = await sandboxFor({ script: { main: [...unfinished] } });
  const talk = openSession(sandbox, standard);
  await talk.say(REQUEST);
  await talk.end();
  const [only, ...more] = checkpoints(sandbox);
  expect(more).toEqual([]);
  expect(only).toMatchObject({
    event_type: 'session-end',
    work: { requests: [REQUEST], last_answer: 'The lexer is written.', turn_open: false },
  });
  expect(only?.work.files_written[0]).toMatch(/src\/lexer\.ts$/);
  expect(sessionStates(sandbox)[0]).toMatchObject({ ended: { reason: 'other' }, entrypoint: 'sdk-cli' });
});
