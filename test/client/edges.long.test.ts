// Tests that the alert arrives once where the client's usual course is broken, and never where nothing happened.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSession, runHeadless } from '../kit/client.ts';
import { notRun } from '../kit/not-run.ts';
import { failures, plimsoll, sessionStates, unregister } from '../kit/plimsoll.ts';
import { countIn, ofKind, textOf } from '../kit/requests.ts';
import type { Sandbox } from '../kit/sandbox.ts';
import { hasTmux, openTerminal } from '../kit/terminal.ts';
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

const loopScript = {
  main: [
    { text: 'a', tools: [bash('echo 1')], fill: 60_000 },
    { text: 'b', tools: [bash('echo 2')], fill: 118_000 },
    { text: 'c', tools: [bash('sleep 0.3; echo 3')], fill: 40_000 },
    { text: 'd', tools: [bash('sleep 0.3; echo 4')], fill: 41_000 },
    { text: 'e', fill: 42_000 },
  ],
};

test('PreCompact not registered: a late checkpoint, and the alert arrives all the same', async () => {
  const sandbox = await sandboxFor({ env: SMALL, script: loopScript });
  unregister(sandbox, 'PreCompact');
  const talk = openSession(sandbox, standard);
  await talk.say('write the lexer');
  await talk.end();
  const late = whileRunning(sandbox).at(-1);
  expect(late?.trigger).toMatchObject({ type: 'late', source: 'SessionStart hook' });
  expect(late?.work.requests).toEqual(['write the lexer']);
  expect(late?.context_state.estimated_tokens_used).toBe(118_000);
  expectAlertOnce(sandbox, afterCompactions(sandbox)[0], late?.event_id ?? '?');
  expect(sessionStates(sandbox)[0]?.alert?.status).toBe('delivered');
});

/** Makes the process of PreCompact kill itself when it publishes a file whose name matches: a script starts it. */
function killAtLink(sandbox: Sandbox, name: string): void {
  const killer = path.join(sandbox.root, 'kill.cjs');
  writeFileSync(
    killer,
    `const fs = require('node:fs'); const link = fs.linkSync;
     fs.linkSync = (from, to) => (to.includes(${JSON.stringify(name)}) ? process.kill(process.pid, 'SIGKILL') : link(from, to));`,
  );
  const script = path.join(sandbox.home, '.local', 'share', 'plimsoll', 'current', 'hook');
  const text = readFileSync(script, 'utf8');
  expect(text).toContain('exec "$n"');
  writeFileSync(script, text.replace('exec "$n"', `exec "$n" --require '${killer}'`));
}

test('PreCompact killed in mid-write: no half file, a late checkpoint, and the alert arrives once', async () => {
  const sandbox = await sandboxFor({ env: SMALL, script: loopScript });
  killAtLink(sandbox, '-checkpoint.json');
  const talk = openSession(sandbox, standard);
  await talk.say('write the lexer');
  await talk.end();
  const all = whileRunning(sandbox);
  expect(all.map((each) => each.trigger.type)).toEqual(['late']);
  expectAlertOnce(sandbox, afterCompactions(sandbox)[0], 'cx-001');
  const list = JSON.parse(plimsoll(sandbox, 'checkpoint', 'list', '--json').stdout) as { fault?: string }[];
  expect(list.every((each) => each.fault === undefined)).toBe(true);
});

test('SessionStart not registered: the next hook of the session brings the alert, with the checkpoint of PreCompact', async () => {
  const sandbox = await sandboxFor({ env: SMALL, script: loopScript });
  unregister(sandbox, 'SessionStart');
  const talk = openSession(sandbox, standard);
  await talk.say('write the lexer');
  await talk.end();
  const compaction = whileRunning(sandbox).find((each) => each.trigger.type === 'auto');
  const withAlert = main(sandbox).filter(
    (each) => countIn(each, 'COMPACTION EVENT: 1 of 1 this session') > 0,
  );
  expect(withAlert.length).toBeGreaterThan(0);
  expectAlertOnce(sandbox, withAlert[0], compaction?.event_id ?? '?');
  expect(sessionStates(sandbox)[0]?.alert).toMatchObject({ channel: 'PostToolBatch', tries: 1 });
});

test("a subagent's compaction moves nothing: no checkpoint, no alert, no epoch", async () => {
  const sandbox = await sandboxFor({
    env: SMALL,
    script: {
      main: [
        {
          text: 'delegating',
          tools: [
            {
              name: 'Agent',
              input: {
                description: 'a job',
                prompt: 'do the job',
                subagent_type: 'claude',
                run_in_background: false,
              },
            },
          ],
          fill: 30_000,
        },
        { text: 'thanks', tools: [bash('sleep 0.3; echo x')], fill: 35_000 },
        { text: 'done', fill: 36_000 },
      ],
      agent: [
        { text: 'a', tools: [bash('echo 1')], fill: 100_000 },
        { text: 'b', tools: [bash('echo 2')], fill: 120_000 },
        { text: 'job done', fill: 30_000 },
      ],
    },
  });
  const talk = openSession(sandbox, standard);
  await talk.say('delegate');
  await talk.say('next');
  await talk.end();
  expect(ofKind(sandbox.model.requests, 'summary')).toHaveLength(1);
  for (const request of sandbox.model.requests) expect(countIn(request, '<compaction-alert>')).toBe(0);
  for (const request of ofKind(sandbox.model.requests, 'agent'))
    expect(countIn(request, '<context-monitor>')).toBe(0);
  expect(whileRunning(sandbox)).toEqual([]);
  expect(sessionStates(sandbox)[0]).toMatchObject({ epoch: 0, alert: null, pending_compaction: null });
});

test('PreCompact with nothing following (the compaction fails) leaves no alert', async () => {
  const sandbox = await sandboxFor({
    script: {
      main: [
        { text: 'a', fill: 30_000 },
        { text: 'b', fill: 31_000 },
        { text: 'c', fill: 32_000 },
        { text: 'd', fill: 33_000 },
      ],
      summary: { error: { status: 400, type: 'invalid_request_error', message: 'no summary today' } },
    },
  });
  const talk = openSession(sandbox, standard);
  await talk.say('first');
  await talk.say('second');
  await talk.say('/compact');
  expect(whileRunning(sandbox)).toHaveLength(1);
  expect(sessionStates(sandbox)[0]?.pending_compaction).toMatchObject({ checkpoint: 'cx-001' });
  await talk.say('third');
  await talk.say('fourth');
  await talk.end();
  for (const request of main(sandbox)) expect(countIn(request, '<compaction-alert>')).toBe(0);
  expect(sessionStates(sandbox)[0]).toMatchObject({ epoch: 0, pending_compaction: null, alert: null });
});

test('the state is carried: request, open tasks, files and next step stand in the first request after the compaction', async () => {
  const write = (name: string) => ({ name: 'Write', input: { file_path: name, content: `// ${name}\n` } });
  const sandbox = await sandboxFor({
    env: SMALL,
    git: true,
    script: {
      main: [
        {
          tools: [{ name: 'ToolSearch', input: { query: 'select:TaskCreate,TaskUpdate', max_results: 5 } }],
          fill: 40_000,
        },
        {
          tools: ['Write the lexer', 'Write the parser', 'Write the printer', 'Run all tests'].map(
            (subject) => ({
              name: 'TaskCreate',
              input: { subject, description: subject },
            }),
          ),
          fill: 60_000,
        },
        {
          tools: [{ name: 'TaskUpdate', input: { taskId: '1', status: 'completed' } }, write('src/lexer.ts')],
          fill: 84_000,
        },
        {
          tools: [
            { name: 'TaskUpdate', input: { taskId: '2', status: 'in_progress' } },
            write('src/parser.ts'),
          ],
          fill: 95_000,
        },
        { tools: [write('src/printer.ts'), bash('exit 3')], fill: 104_000 },
        { text: 'The parser lacks error recovery.', tools: [bash('echo step')], fill: 118_000 },
        { text: 'going on', fill: 40_000 },
      ],
    },
  });
  const talk = openSession(sandbox, standard);
  await talk.say('Port the expression compiler to TypeScript and keep the public API');
  await talk.end();
  const [next] = afterCompactions(sandbox);
  const alert = /<compaction-alert>[\s\S]*?<\/compaction-alert>/.exec(next ? textOf(next) : '')?.[0] ?? '';
  expect(alert).toContain(
    "THE USER'S GOAL: Port the expression compiler to TypeScript and keep the public API",
  );
  expect(alert).toContain(
    'OPEN TASKS:\n- Write the parser (in progress)\n- Write the printer\n- Run all tests',
  );
  expect(alert).toMatch(/FILES CHANGED \(latest first\): src\/printer\.ts, src\/parser\.ts/);
  expect(alert).not.toContain('Write the lexer\n');
  expect(whileRunning(sandbox).map((each) => each.trigger.type)).toEqual([
    'tier-rise',
    'tier-rise',
    'tier-rise',
    'auto',
  ]);
  const last = whileRunning(sandbox).at(-1);
  expect(last?.conversation.git).toMatchObject({
    branch: 'main',
    dirty_files: expect.arrayContaining(['src/']),
  });
  expect(last?.work.failing_commands[0]?.command).toBe('exit 3');
  expect(failures(sandbox)).toEqual([]);
});

test('the interactive client: /compact shows the person a line and brings the model the alert', async (context) => {
  if (!hasTmux()) {
    notRun('the interactive client', 'tmux is not installed');
    context.skip();
  }
  const sandbox = await sandboxFor({
    script: {
      main: [
        { text: 'answer one', fill: 60_000 },
        { text: 'answer two', fill: 70_000 },
        { text: 'answer three', fill: 30_000 },
      ],
    },
  });
  const terminal = await openTerminal(sandbox, standard);
  onTestFinished(() => terminal.close());
  await terminal.waitFor(/❯/);
  await terminal.type('first');
  await terminal.waitFor(/answer one/);
  await terminal.type('second');
  await terminal.waitFor(/answer two/);
  await terminal.type('/compact');
  await terminal.waitFor(/agent was re-oriented/);
  await terminal.type('third');
  await terminal.waitFor(/answer three/);
  await terminal.close();
  expectAlertOnce(sandbox, afterCompactions(sandbox)[0], 'cx-001');
});

test('a resumed session goes on where it was: no alert twice, the epoch is kept', async () => {
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
  const ask = (prompt: string, ...more: string[]) =>
    runHeadless(sandbox, ['-p', prompt, ...standard, '--output-format', 'json', ...more]);
  const first = JSON.parse((await ask('one')).stdout) as { session_id: string };
  const resume = ['--resume', first.session_id];
  await ask('two', ...resume);
  await ask('/compact', ...resume);
  await ask('three', ...resume);
  await ask('four', ...resume);
  const requests = main(sandbox);
  const [next] = afterCompactions(sandbox);
  expectAlertOnce(sandbox, next, 'cx-001');
  expect(statusLines(requests.at(-1) as never, requests.at(-2) as never)).toEqual([
    'CONTEXT STATUS: NOMINAL',
  ]);
  const status = JSON.parse(plimsoll(sandbox, 'status', '--json').stdout) as {
    compactions: number;
    alert: { status: string };
  };
  expect(status).toMatchObject({ compactions: 1, alert: { status: 'delivered' } });
});
