// Tests the real Codex CLI, offline, by the scenario of all hosts, and with nobody in front of it.
import { expect, onTestFinished, test } from 'vitest';
import { runCodexAlone } from '../hosts/codex-driver.ts';
import { installDriver, installProgram } from '../hosts/drivers.ts';
import { describeHost, type HostSession } from '../hosts/scenario.ts';
import { plimsoll, sessionStates } from '../kit/plimsoll.ts';
import { textOf } from '../kit/requests.ts';

describeHost('codex', () => installDriver('codex'));

test('a hook that nobody has allowed is not run, and doctor says so; a session alone gets the pointer', async () => {
  const driver = await installDriver('codex');
  const program = await installProgram('codex');
  const killed: { session: HostSession | null } = { session: null };
  const sandbox = await driver.open({
    script: {
      main: [
        { text: 'hello', fill: 1_000 },
        { tools: [driver.write('atlas/cover.txt', 'green\n')], fill: 1_000 },
        { text: 'never heard', onRequest: async () => killed.session?.kill() },
        { text: 'hello again', fill: 1_000 },
      ],
    },
  });
  onTestFinished(() => sandbox.close());
  await runCodexAlone(program, sandbox, 'hello');
  expect(sandbox.model.requests).toHaveLength(1);
  expect(sessionStates(sandbox)).toEqual([]);
  expect(plimsoll(sandbox, 'doctor').stdout).toContain(
    'does not trust, and so does not run: UserPromptSubmit,',
  );

  // As one starts it who allows them.
  killed.session = await driver.start(sandbox);
  await killed.session.say('Bind the atlas').catch(() => undefined);
  expect(plimsoll(sandbox, 'doctor').stdout).not.toContain('does not trust');
  expect(sessionStates(sandbox)).toMatchObject([{ host: 'codex', entrypoint: 'vscode' }]);

  await runCodexAlone(program, sandbox, 'go on');
  const said = sandbox.model.requests.map(textOf).at(-1) ?? '';
  expect(said).toMatch(/<resumption-context>.*Bind the atlas.*plimsoll handoff\)<\/resumption-context>/);
  expect(said).not.toContain('atlas/cover.txt');
});
