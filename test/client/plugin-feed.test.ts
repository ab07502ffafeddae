// Tests that the plugin writes the client's usage where the hooks look, and nowhere else.
import { existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runHeadless } from '../kit/client.ts';
import { some } from '../kit/effort.ts';
import type { Sandbox } from '../kit/sandbox.ts';
import { frames, sandboxWith, withPlugin } from './plugin.ts';
import { standard } from './said.ts';

const RULES: [string, (sandbox: Sandbox) => string][] = [
  ['below the root', (sandbox) => path.join(sandbox.projectDir, 'a', 'b')],
  [
    'where .plimsoll leads elsewhere',
    (sandbox) => {
      rmSync(path.join(sandbox.projectDir, '.plimsoll'), { recursive: true });
      symlinkSync(sandbox.home, path.join(sandbox.projectDir, '.plimsoll'));
      return sandbox.projectDir;
    },
  ],
];
test.each(some(RULES, 1))('the module writes where the hooks look: %s', async (_, startIn) => {
  const sandbox = await sandboxWith({
    git: true,
    files: { 'a/b/c.txt': '', '.plimsoll/.gitignore': '*\n' },
    script: { main: [], fallback: { text: 'ok', fill: 40_000 } },
  });
  const cwd = startIn(sandbox);
  const home = readdirSync(sandbox.home);
  await runHeadless(sandbox, ['-p', 'hello', ...standard, ...withPlugin], { cwd });
  await runHeadless(sandbox, ['-p', 'hello', '--continue', ...standard, ...withPlugin], { cwd });
  expect(frames(sandbox)).toMatchObject([{ tokens: 40_000, window: 200_000 }]);
  expect(existsSync(path.join(sandbox.projectDir, 'a', 'b', '.plimsoll'))).toBe(false);
  // Which folder holds the state of a project is the user's to know, and nothing else is written in the home folder.
  expect(readdirSync(sandbox.home)).toEqual([...home, '.local'].sort());
  expect(readdirSync(path.join(sandbox.home, '.local', 'state'))).toEqual(['plimsoll']);
});
