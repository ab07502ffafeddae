// Tests the built plugin on the real client: alone, beside hooks in settings, on old clients.
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, inject, test } from 'vitest';
import { openSession, runHeadless } from '../kit/client.ts';
import { notRun } from '../kit/not-run.ts';
import { failures, plimsoll, sessionStates } from '../kit/plimsoll.ts';
import { countIn, newText, textOf } from '../kit/requests.ts';
import type { Sandbox } from '../kit/sandbox.ts';
import { frames, PLUGIN, ROOT, sandboxWith, VERSION, withPlugin } from './plugin.ts';
import { bash, main, sandboxFor, standard } from './said.ts';

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
  const talk = openSession(sandbox, [...standard, ...withPlugin]);
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
  expect(sessionStates(sandbox)[0]?.alert).toMatchObject({ status: 'delivered', tries: 1 });
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
  const talk = openSession(sandbox, [...standard, ...withPlugin]);
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
  '%s knows no modules: the plugin says what it needs, and keeps what it can',
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
    const talk = openSession(sandbox, [...standard, ...withPlugin]);
    for (const prompt of ['one', 'two', '/compact', 'three']) await talk.say(prompt);
    const { result } = await talk.say('/plimsoll:status');
    await talk.end();
    const last = main(sandbox).at(-1);
    expect(main(sandbox).flatMap((each) => textOf(each).match(/<context-monitor>/g) ?? [])).toEqual([]);
    expect(last && textOf(last)).toContain('COMPACTION EVENT: 1 of 1 this session');
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
  const first = openSession(sandbox, [...standard, ...withPlugin]);
  await first.say('Port the lexer');
  await first.say('/plimsoll:status');
  await first.say('/plimsoll:checkpoint');
  await first.end();
  const second = openSession(sandbox, [...standard, ...withPlugin]);
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
  const talk = openSession(sandbox, standard);
  await talk.say('one');
  await talk.say('two');
  await talk.end();
  const last = main(sandbox).at(-1);
  expect(last && countIn(last, '<context-monitor>')).toBe(1);
  // The skill's commands are there without anything else being installed.
  expect(last && textOf(last)).toContain(`\n${VERSION}\n`);
  expect(frames(sandbox)).toMatchObject([{ tokens: 40_000, window: 200_000 }]);
});
