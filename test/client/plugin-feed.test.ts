// Does the feed of the plugin lie where the hooks look, and nowhere else?
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openConversation, runHeadless } from '../kit/client.ts';
import { failures } from '../kit/plimsoll.ts';
import type { Sandbox } from '../kit/sandbox.ts';
import { asking, framesIn, measured, sandboxWith, withPlugin } from './plugin.ts';
import { bash, standard } from './said.ts';

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
