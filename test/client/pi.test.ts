// Tests the real pi, offline, by the scenario of all hosts, with the file of `init`; with our package and with both: `pi.long.test.ts`.
import { expect, onTestFinished, test } from 'vitest';
import { installPi } from '../hosts/drivers.ts';
import type { PiSession } from '../hosts/pi-driver.ts';
import { describeHost } from '../hosts/scenario.ts';
import { plimsoll } from '../kit/plimsoll.ts';

describeHost('pi', () => installPi());

test('the line below the prompt of pi shows usage and tier; off takes it away', async () => {
  const driver = await installPi();
  const at = (share: number): number => Math.round(driver.limit * share);
  const main = [
    { tools: [driver.run('echo begun')], fill: at(0.2) },
    { tools: [driver.run('echo leather')], fill: at(0.745) },
    { text: 'done', fill: at(0.75) },
    { text: 'and done', fill: at(0.76) },
  ];
  const sandbox = await driver.open({ script: { main } });
  onTestFinished(() => sandbox.close());
  const session = (await driver.start(sandbox)) as PiSession;
  await session.say('Bind the atlas');
  expect(session.statuses.slice(-2)).toEqual(['Plimsoll 20% NOMINAL', 'Plimsoll 74% WARNING']);
  plimsoll(sandbox, 'off');
  await session.say('And the corners?');
  await session.end();
  expect(session.statuses.at(-1)).toBeUndefined();
});
