// Tests that the client takes the skill, and that the skill teaches commands that exist.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { runHeadless } from '../kit/client.ts';
import { plimsoll } from '../kit/plimsoll.ts';
import { textOf } from '../kit/requests.ts';
import { createSandbox } from '../kit/sandbox.ts';
import { main, standard } from './said.ts';

const plugin = fileURLToPath(new URL('../../dist/plugin', import.meta.url));
const skill = readFileSync(`${plugin}/skills/workflow-state/SKILL.md`, 'utf8');

test('the client offers the skill to the model, and its plugin is valid', async () => {
  const sandbox = await createSandbox({ script: { main: [{ text: 'OK' }] } });
  onTestFinished(() => sandbox.close());
  const checked = await runHeadless(sandbox, ['plugin', 'validate', plugin]);
  expect(`${checked.stdout}${checked.stderr}`).toContain('Validation passed');
  await runHeadless(sandbox, ['-p', 'hello', ...standard, '--plugin-dir', plugin]);
  const [request] = main(sandbox);
  expect(request && textOf(request)).toContain('workflow-state');
});

test('every command of the skill works', async () => {
  const sandbox = await createSandbox({
    script: { main: [] },
    files: { 'ORCHESTRATION.yaml': 'workflow:\n  id: w\n  status: ACTIVE\n' },
  });
  onTestFinished(() => sandbox.close());
  const commands = [...skill.matchAll(/`plimsoll (state [^`]+)`/g)].map((match) => match[1] ?? '');
  expect(commands.length).toBeGreaterThanOrEqual(14);
  expect(plimsoll(sandbox, 'state', 'init').code).toBe(0);
  for (const command of commands.filter((each) => !/ (?:init|merge|upgrade)\b/.test(each))) {
    const args = (command.match(/"[^"]*"|\S+/g) ?? []).map((each) => each.replace(/^"|"$/g, ''));
    const { code, stderr } = plimsoll(sandbox, ...args);
    expect(`${code} ${stderr}`, command).toBe('0 ');
  }
});
