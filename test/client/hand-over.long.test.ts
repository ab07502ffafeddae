// Tests on the real clients that work begun in one host goes on in another, where one of them takes long to start.
import { test } from 'vitest';
import { installDriver } from '../hosts/drivers.ts';
import { expectHandedOver } from '../hosts/scenario.ts';

test.each([
  ['claude-code', 'opencode'],
  ['opencode', 'pi'],
  ['copilot', 'claude-code'],
  ['pi', 'copilot'],
] as const)('work begun in %s and killed goes on in %s', async (from, to) =>
  expectHandedOver(await installDriver(from), await installDriver(to)),
);
