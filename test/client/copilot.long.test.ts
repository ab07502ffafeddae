// Tests the real Copilot CLI, offline, by the scenario of all hosts, and that nothing is said twice where Claude Code is served too.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { installDriver, installProgram } from '../hosts/drivers.ts';
import { describeHost } from '../hosts/scenario.ts';
import { failures, plimsoll, sessionStates } from '../kit/plimsoll.ts';
import { textOf } from '../kit/requests.ts';

describeHost('copilot', () => installDriver('copilot'));

test('with hooks of Claude Code in the project, which Copilot runs as well, all is said and kept once', async () => {
  const driver = await installDriver('copilot');
  const program = await installProgram('copilot');
  const at = (share: number): number => Math.round(driver.limit * share);
  const sandbox = await driver.open({
    script: {
      main: [
        { tools: [driver.run('echo begun')], fill: at(0.73) },
        { tools: [driver.run('echo leather')], fill: at(0.75) },
        { text: 'done', fill: at(0.76) },
      ],
    },
  });
  onTestFinished(() => sandbox.close());
  expect(plimsoll(sandbox, 'init', '--yes', '--client-version', '2.1.332').code).toBe(0);
  const args = ['--allow-all-tools', '--trust-folder', '-p', 'Bind the atlas'];
  await promisify(execFile)(program, args, { cwd: sandbox.projectDir, env: sandbox.env, timeout: 60_000 });
  const said = sandbox.model.requests.map(textOf).at(-1) ?? '';
  expect(said.match(/CONTEXT STATUS: WARNING/g)).toHaveLength(1);
  expect(sessionStates(sandbox)).toMatchObject([{ host: 'copilot' }]);
  expect(failures(sandbox)).toEqual([]);
});
