// Does the plugin, as it is built, do on the real client what it is for: alone, beside hooks in settings, on old clients?
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, onTestFinished, test } from 'vitest';
import type { Frame } from '../../src/model/feed.ts';
import { openConversation, runHeadless } from '../kit/client.ts';
import { notRun } from '../kit/not-run.ts';
import { CLI, conversationStates, DIST, failures, plimsoll } from '../kit/plimsoll.ts';
import { countIn, newText, textOf } from '../kit/requests.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../kit/sandbox.ts';
import { hasTmux, openTerminal } from '../kit/terminal.ts';
import { until } from '../kit/wait.ts';
import { bash, main, sandboxFor, standard } from './said.ts';

const { version: VERSION } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string };
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PLUGIN = path.join(DIST, 'plugin');
const withPlugin = ['--plugin-dir', PLUGIN];

interface Measured {
  event: string;
  tokens: number | null;
  source: string;
  window: number;
  windowSource: string;
}

/** Hooks of the test's own, which ask `plimsoll status` at every moment; what they were told is in `measured`. */
function asking(events: readonly string[]): Record<string, unknown> {
  const hook = (event: string) => {
    const status = `"${process.execPath}" "${CLI}" status --json`;
    return {
      type: 'command',
      // One write for the whole line: an agent's hooks run beside the main conversation's.
      command: `printf '%s\\t%s\\n' '${event}' "$(${status} | tr -d '\\n')" >> "$HOME/asked"`,
    };
  };
  const entry = (event: string) => [event, [{ hooks: [hook(event)] }]];
  return { hooks: Object.fromEntries(events.map(entry)), permissions: { allow: ['Bash', 'Agent', 'Task'] } };
}

function measured(sandbox: Sandbox): Measured[] {
  const lines = readFileSync(path.join(sandbox.home, 'asked'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [event = '', told = ''] = line.split('\t');
    const { reading, window } = JSON.parse(told);
    const { tokens, source } = reading;
    return {
      event,
      tokens,
      source,
      window: window.tokens,
      windowSource: window.source,
    };
  });
}

async function sandboxWith(options: SandboxOptions): Promise<Sandbox> {
  const sandbox = await createSandbox({
    settings: { permissions: { allow: ['Bash', 'Agent', 'Task'] } },
    ...options,
  });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

function framesIn(folder: string): Frame[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.module.feed'))
    .map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Frame);
}
const frames = (sandbox: Sandbox): Frame[] =>
  framesIn(path.join(sandbox.projectDir, '.plimsoll', 'conversations'));

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
  const talk = openConversation(sandbox, ['--model', model, ...withPlugin]);
  await talk.say('first');
  await talk.end();
  expect(measured(sandbox)).toEqual([
    { event: 'UserPromptSubmit', tokens: null, source: 'none', window, windowSource: 'feed' },
  ]);
  expect(frames(sandbox)).toMatchObject([{ tokens: 40_000, window, model }]);
  expect(failures(sandbox)).toEqual([]);
  // What the module writes never shows in the repository.
  expect(existsSync(path.join(sandbox.projectDir, '.plimsoll', '.gitignore'))).toBe(true);
});

test('after /model the window is the new one at the next prompt, and the next request says so', async () => {
  const sandbox = await sandboxWith({
    settings: asking(['UserPromptSubmit']),
    script: { main: [30_000, 60_000, 90_000].map((fill) => ({ text: 'ok', fill })) },
  });
  const talk = openConversation(sandbox, [...standard, ...withPlugin]);
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
  const talk = openConversation(sandbox, [...standard, ...withPlugin]);
  await talk.say('go');
  await talk.end();
  const asked = measured(sandbox);
  const at = (event: string) => asked.filter((each) => each.event === event).map(({ tokens }) => tokens);
  expect(asked.every(({ window, windowSource }) => window === 200_000 && windowSource === 'feed')).toBe(true);
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
  const talk = openConversation(sandbox, [...standard, ...withPlugin]);
  for (const prompt of ['one', 'two', '/compact', 'three']) await talk.say(prompt);
  await talk.end();
  expect(measured(sandbox).map(({ tokens, source }) => [tokens, source])).toEqual([
    [null, 'none'],
    [30_000, 'feed'],
    [30_000, 'feed'],
    [100_000, 'feed'],
    [40_000, 'after-compaction'],
    [45_000, 'feed'],
  ]);
  const last = main(sandbox).at(-1);
  expect(last && countIn(last, 'COMPACTION EVENT: 1 of 1')).toBe(1);
});

const RULES: [string, (sandbox: Sandbox) => string, Record<string, string>][] = [
  ['below the root', (sandbox) => path.join(sandbox.projectDir, 'a', 'b'), {}],
  [
    'another state folder',
    (sandbox) => sandbox.projectDir,
    { '.plimsoll/config.toml': 'state_dir = ".state"\n' },
  ],
];
test.each(RULES)('the module writes where the hooks look: %s', async (_, cwdOf, files) => {
  const sandbox = await sandboxWith({
    git: true,
    files: { 'a/b/c.txt': '', '.plimsoll/.gitignore': '*\n', ...files },
    script: { main: [], fallback: { text: 'ok', fill: 40_000 } },
  });
  const state = path.join(sandbox.projectDir, files['.plimsoll/config.toml'] ? '.state' : '.plimsoll');
  await runHeadless(sandbox, ['-p', 'hello', ...standard, ...withPlugin], { cwd: cwdOf(sandbox) });
  await runHeadless(sandbox, ['-p', 'hello', '--continue', ...standard, ...withPlugin], {
    cwd: cwdOf(sandbox),
  });
  expect(framesIn(path.join(state, 'conversations'))).toMatchObject([{ tokens: 40_000, window: 200_000 }]);
  expect(existsSync(path.join(cwdOf(sandbox), '.plimsoll')) || state.endsWith('.state')).toBe(
    cwdOf(sandbox) === sandbox.projectDir,
  );
});

test('in the home folder nothing is written', async () => {
  const sandbox = await sandboxWith({ script: { main: [{ text: 'ok', fill: 40_000 }] } });
  const { stdout } = await runHeadless(sandbox, ['-p', 'hello', ...standard, ...withPlugin], {
    cwd: sandbox.home,
  });
  expect(stdout).toContain('ok');
  expect(existsSync(path.join(sandbox.home, '.plimsoll'))).toBe(false);
});

test('a feed that cannot be written is nobody’s business', async () => {
  const sandbox = await sandboxWith({
    settings: asking(['Stop']),
    script: {
      main: [
        { tools: [bash('true')], fill: 30_000 },
        { text: 'done', fill: 40_000 },
      ],
    },
  });
  const id = randomUUID();
  const blocked = path.join(sandbox.projectDir, '.plimsoll', 'conversations', `${id}.module.feed`);
  mkdirSync(blocked, { recursive: true });
  const talk = openConversation(sandbox, ['--session-id', id, ...standard, ...withPlugin]);
  const { result, is_error } = await talk.say('go');
  await talk.end();
  expect({ result, is_error, stderr: talk.stderr() }).toEqual({
    result: 'done',
    is_error: false,
    stderr: '',
  });
  expect(measured(sandbox)).toMatchObject([{ tokens: 40_000, source: 'usage', windowSource: 'table' }]);
  expect(failures(sandbox)).toEqual([]);
});

test('with hooks in settings too, each tag comes once; the module feeds them', async () => {
  const sandbox = await sandboxFor({
    script: {
      main: [
        { text: 'one', fill: 100_000 },
        { tools: [bash('true')], text: 'two', fill: 130_000 },
        { text: 'three', fill: 131_000 },
        { text: 'four', fill: 40_000 },
      ],
    },
  });
  const talk = openConversation(sandbox, [...standard, ...withPlugin]);
  for (const prompt of ['one', 'two', '/compact', 'three']) await talk.say(prompt);
  await talk.end();
  const requests = main(sandbox);
  const said = requests.map((request, index) => {
    const before = requests[index - 1];
    return (
      (before ? newText(request, before) : textOf(request)).match(
        /<(?:context-monitor|compaction-alert)>/g,
      ) ?? []
    );
  });
  expect(said.map((tags) => tags.length)).toEqual([0, 1, 1, 2]);
  expect(frames(sandbox)).toMatchObject([{ tokens: 40_000, window: 200_000 }]);
  expect(conversationStates(sandbox)[0]?.alert).toMatchObject({ status: 'delivered', tries: 1 });
  expect(failures(sandbox)).toEqual([]);
});

test('started below the root, where the client reads the local settings of the root too, each tag comes once', async () => {
  const sandbox = await sandboxFor({
    git: true,
    files: { 'a/b/c.txt': '' },
    script: { main: [], fallback: { text: 'ok', fill: 40_000 } },
  });
  const cwd = path.join(sandbox.projectDir, 'a', 'b');
  await runHeadless(sandbox, ['-p', 'one', ...standard, ...withPlugin], { cwd });
  await runHeadless(sandbox, ['-p', 'two', '--continue', ...standard, ...withPlugin], { cwd });
  const last = main(sandbox).at(-1);
  expect(last && countIn(last, '<context-monitor>')).toBe(1);
});

test.each([
  ['taken out again', (sandbox: Sandbox) => void plimsoll(sandbox, 'uninstall', '--yes')],
  [
    'left without their bundle',
    (sandbox: Sandbox) => rmSync(path.join(sandbox.home, '.local', 'share'), { recursive: true }),
  ],
])('hooks in settings that were %s do not silence the plugin', async (_, change) => {
  const sandbox = await sandboxFor({
    script: { main: [30_000, 40_000].map((fill) => ({ text: 'ok', fill })) },
  });
  change(sandbox);
  const talk = openConversation(sandbox, [...standard, ...withPlugin]);
  await talk.say('one');
  await talk.say('two');
  await talk.end();
  const last = main(sandbox).at(-1);
  expect(last && countIn(last, '<context-monitor>')).toBe(1);
});

test.each([
  ['2.1.112', 'beforeModulesPath'],
  ['2.0.76', 'oldClientPath'],
] as const)(
  'on %s, which knows no modules, the same plugin works without the feed',
  async (version, name) => {
    const client = inject(name);
    if (client === '') {
      notRun(`the plugin on ${version}`, 'it could not be installed');
      return;
    }
    const sandbox = await sandboxWith({
      client,
      script: {
        main: [
          { text: 'one', fill: 30_000 },
          { tools: [bash('sleep 0.3')], text: 'two', fill: 130_000 },
          { text: 'three', fill: 131_000 },
          { text: 'four', fill: 40_000 },
        ],
      },
    });
    const talk = openConversation(sandbox, [...standard, ...withPlugin]);
    for (const prompt of ['one', 'two', '/compact', 'three']) await talk.say(prompt);
    const { result } = await talk.say('/plimsoll:status');
    await talk.end();
    const [, second, third] = main(sandbox);
    expect(second && countIn(second, 'CONTEXT STATUS: NOMINAL')).toBe(1);
    expect(third && countIn(third, 'CONTEXT STATUS: WARNING')).toBe(1);
    const last = main(sandbox).at(-1);
    expect(last && textOf(last)).toContain('COMPACTION EVENT: 1 of 1 this session');
    expect(last && textOf(last)).toContain('Context       NOMINAL');
    expect(result).toBe('OK');
    expect(frames(sandbox)).toEqual([]);
    expect(failures(sandbox)).toEqual([]);
  },
);

test('its commands show, keep and resume, and ask for no permission', async () => {
  const sandbox = await sandboxWith({
    settings: {},
    script: { main: [{ text: 'one', fill: 40_000 }], fallback: { text: 'ok', fill: 41_000 } },
  });
  const first = openConversation(sandbox, [...standard, ...withPlugin]);
  await first.say('Port the lexer');
  await first.say('/plimsoll:status');
  await first.say('/plimsoll:checkpoint');
  await first.end();
  const second = openConversation(sandbox, [...standard, ...withPlugin]);
  await second.say('/plimsoll:resume');
  await second.end();
  const [, status, checkpoint, resume] = main(sandbox).map(textOf);
  expect(status).toContain('Window        200,000 (told by the client)');
  expect(checkpoint).toContain('Checkpoint cx-001 written');
  expect(resume).toContain('Port the lexer');
});

test('it is installed from the marketplace, and carries all that it needs with it', async () => {
  const sandbox = await sandboxWith({
    script: {
      main: [
        { tools: [bash('plimsoll --version')], fill: 30_000 },
        { text: 'ok', fill: 35_000 },
        { text: 'ok', fill: 40_000 },
      ],
    },
  });
  // The package as npm unpacks it.
  const unpacked = path.join(sandbox.root, 'package');
  for (const name of ['.claude-plugin', 'package.json'])
    cpSync(path.join(ROOT, name), path.join(unpacked, name), { recursive: true });
  cpSync(PLUGIN, path.join(unpacked, 'dist', 'plugin'), { recursive: true });
  const added = await runHeadless(sandbox, ['plugin', 'marketplace', 'add', unpacked]);
  expect(`${added.code} ${added.stderr}`).toBe('0 ');
  const installed = await runHeadless(sandbox, ['plugin', 'install', 'plimsoll@plimsoll']);
  expect(`${installed.code} ${installed.stderr}`).toBe('0 ');
  const talk = openConversation(sandbox, standard);
  await talk.say('one');
  await talk.say('two');
  await talk.end();
  const last = main(sandbox).at(-1);
  expect(last && countIn(last, '<context-monitor>')).toBe(1);
  // The skill's commands are there without anything else being installed.
  expect(last && textOf(last)).toContain(`\n${VERSION}\n`);
  expect(frames(sandbox)).toMatchObject([{ tokens: 40_000, window: 200_000 }]);
});
