// Tests that the usage that the plugin reports is exact at whatever moment it is asked for.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSession, runHeadless } from '../kit/client.ts';
import { notRun } from '../kit/not-run.ts';
import { failures, stateFolder } from '../kit/plimsoll.ts';
import { countIn, newText } from '../kit/requests.ts';
import { hasTmux, openTerminal } from '../kit/terminal.ts';
import { until } from '../kit/wait.ts';
import { asking, frames, measured, PLUGIN, ROOT, sandboxWith, withPlugin } from './plugin.ts';
import { bash, main, standard } from './said.ts';

test.each([
  ['the plugin', PLUGIN],
  ['the marketplace', ROOT],
])('%s is valid, also by the strict rules', async (_, folder) => {
  const sandbox = await sandboxWith({ script: { main: [] } });
  const { code, stdout } = await runHeadless(sandbox, ['plugin', 'validate', '--strict', folder]);
  expect(stdout).toContain('Validation passed');
  expect(code).toBe(0);
});

test.each([
  ['claude-sonnet-4-5', 200_000],
  ['claude-opus-5-5', 1_000_000],
  ['claude-sonnet-4-5[1m]', 1_000_000],
])('the window is exact on the first prompt: %s has %d', async (model, window) => {
  const sandbox = await sandboxWith({
    git: true,
    settings: asking(['UserPromptSubmit']),
    script: { main: [{ text: 'one', fill: 40_000 }] },
  });
  const talk = openSession(sandbox, ['--model', model, ...withPlugin]);
  await talk.say('first');
  await talk.end();
  expect(measured(sandbox)).toEqual([
    { event: 'UserPromptSubmit', tokens: null, source: 'none', window, windowSource: 'client' },
  ]);
  expect(frames(sandbox)).toMatchObject([{ tokens: 40_000, window, model }]);
  expect(failures(sandbox)).toEqual([]);
  // What the module writes never shows in the repository.
  expect(existsSync(path.join(stateFolder(sandbox), '.gitignore'))).toBe(true);
});

test('after /model the window is the new one at the next prompt, and the next request says so', async () => {
  const sandbox = await sandboxWith({
    settings: asking(['UserPromptSubmit']),
    script: { main: [30_000, 60_000, 90_000].map((fill) => ({ text: 'ok', fill })) },
  });
  const talk = openSession(sandbox, [...standard, ...withPlugin]);
  await talk.say('one');
  await talk.say('/model claude-opus-5-5');
  await talk.say('two');
  await talk.say('/model claude-sonnet-4-5');
  await talk.say('three');
  await talk.end();
  const asked = measured(sandbox).filter(({ tokens }) => tokens !== null);
  expect(asked.map(({ tokens, window }) => [tokens, window])).toEqual([
    [30_000, 1_000_000],
    [60_000, 200_000],
  ]);
  const [first, second, third] = main(sandbox);
  if (!first || !second || !third) throw new Error('three main requests expected');
  expect(newText(second, first)).toContain('of the 1,000,000 window');
  expect(newText(third, second)).toContain('of the 200,000 window');
});

test('no reading at a tool or at the end of a turn is one answer behind, and no subagent is taken for us', async () => {
  const fills = [30_000, 60_000, 95_000, 110_000, 120_000];
  const agent = { description: 'a job', prompt: 'do it', subagent_type: 'general-purpose' };
  const sandbox = await sandboxWith({
    settings: asking(['PreToolUse', 'PostToolUse', 'Stop']),
    script: {
      main: [
        { tools: [bash('true')], fill: fills[0] as number },
        { tools: [bash('true'), bash('false || true')], fill: fills[1] as number },
        { tools: [{ name: 'Agent', input: agent }], fill: fills[2] as number },
        { tools: [bash('true')], fill: fills[3] as number },
        { text: 'done', fill: fills[4] as number },
      ],
      agent: [
        { tools: [bash('true')], fill: 7_000 },
        { text: 'agent is done', fill: 8_000 },
      ],
    },
  });
  const talk = openSession(sandbox, [...standard, ...withPlugin]);
  await talk.say('go');
  await talk.end();
  const asked = measured(sandbox);
  const at = (event: string) => asked.filter((each) => each.event === event).map(({ tokens }) => tokens);
  expect(asked.every(({ window, windowSource }) => window === 200_000 && windowSource === 'client')).toBe(
    true,
  );
  expect(asked.some(({ tokens }) => tokens === 7_000 || tokens === 8_000)).toBe(false);
  // Each answer's figure is there when its own tools begin, in this order. An agent works in the background, so that
  // the next answer may have come when the hook after its start asks.
  expect([...new Set(at('PreToolUse'))]).toEqual(fills.slice(0, 4));
  expect([...new Set(at('PostToolUse'))].filter((tokens) => tokens !== fills[2])).toEqual(
    fills.slice(0, 4).filter((tokens) => tokens !== fills[2]),
  );
  // When the agent is done the client may begin a turn of its own, with another answer.
  expect(at('Stop')[0]).toBe(120_000);
  expect(failures(sandbox)).toEqual([]);
});

test('interactive: the reading at Stop is that of the answer which has just come', async (context) => {
  if (!hasTmux()) {
    notRun('the feed in the interactive client', 'tmux is not installed');
    context.skip();
  }
  const sandbox = await sandboxWith({
    settings: asking(['PreToolUse', 'Stop']),
    script: {
      main: [
        { tools: [bash('true')], fill: 30_000 },
        { text: 'first is done', fill: 40_000 },
        { text: 'second is done', fill: 70_000 },
        { text: 'third is done', fill: 90_000 },
      ],
    },
  });
  const terminal = await openTerminal(sandbox, [...standard, ...withPlugin]);
  onTestFinished(() => terminal.close());
  await terminal.waitFor(/❯/);
  await terminal.type('one');
  await terminal.waitFor(/first is done/);
  await terminal.type('two');
  await terminal.waitFor(/second is done/);
  await terminal.type('/model claude-opus-5-5');
  await terminal.waitFor(/Yes, switch/);
  terminal.key('Enter');
  await terminal.waitFor(/Set model to/);
  await terminal.type('three');
  await terminal.waitFor(/third is done/);
  await until(() => measured(sandbox).length === 4, { what: 'the last Stop' });
  await terminal.close();
  expect(measured(sandbox).map(({ event, tokens, window }) => [event, tokens, window])).toEqual([
    ['PreToolUse', 30_000, 200_000],
    ['Stop', 40_000, 200_000],
    ['Stop', 70_000, 200_000],
    ['Stop', 90_000, 1_000_000],
  ]);
});

test('after a compaction nothing old is told: an estimate, then the new fill', async () => {
  const sandbox = await sandboxWith({
    settings: asking(['UserPromptSubmit', 'Stop']),
    script: { main: [30_000, 100_000, 45_000].map((fill) => ({ text: 'ok', fill })) },
  });
  const talk = openSession(sandbox, [...standard, ...withPlugin]);
  for (const prompt of ['one', 'two', '/compact', 'three']) await talk.say(prompt);
  await talk.end();
  expect(measured(sandbox).map(({ tokens, source }) => [tokens, source])).toEqual([
    [null, 'none'],
    [30_000, 'client'],
    [30_000, 'client'],
    [100_000, 'client'],
    [40_000, 'after-compaction'],
    [45_000, 'client'],
  ]);
  const last = main(sandbox).at(-1);
  expect(last && countIn(last, 'COMPACTION EVENT: 1 of 1')).toBe(1);
});
