// Tests that each way to write a guarded file is seen before the call, or looked at after it; none is neither.
import { afterAll, describe, expect, test } from 'vitest';
import { findGuardedName, shouldParse } from '../../../src/addons/guardrails/should-parse.ts';
import { mayChangeFiles } from '../../../src/hosts/claude-code/tools/kinds.ts';
import { buildOptions } from '../../../src/settings/guardrail-options.ts';
import { SETUPS } from './attempt.ts';
import { FURTHER, FURTHER_TOLD_AFTER } from './further-ways.ts';
import { DIRECT, OF_SECRETS, TOLD_AFTER, WRAPPED } from './ways-to-write.ts';
import { world } from './world.ts';

const here = world();
afterAll(() => here.remove());

const ALL = [
  ...[...WRAPPED, ...DIRECT, ...FURTHER].map((command) => [command, 'sources'] as const),
  ...OF_SECRETS.map((command) => [command, 'standard'] as const),
];

test('there are more than 150 ways, half of the first 150 through a wrapper, and few are told of only afterwards', () => {
  expect(new Set(ALL.map(([command]) => command)).size).toBeGreaterThanOrEqual(150);
  expect(WRAPPED.length).toBeGreaterThanOrEqual(75);
  expect([...TOLD_AFTER, ...FURTHER_TOLD_AFTER].length).toBeLessThan(20);
});

describe('seen before', () => {
  test.each(ALL.filter(([command]) => !TOLD_AFTER.includes(command)))('%s (%s)', (command, setup) => {
    const { paths, governance } = buildOptions(SETUPS[setup]);
    const guarded = [...paths.secrets, ...paths.protected, ...governance.c4, ...governance.c3];
    // Else the hook would not even load the parser.
    expect(shouldParse(command) || findGuardedName(guarded, command)).toBe(true);
    const { decision, trace } = here.verdict(here.call('Bash', { command }), SETUPS[setup]);
    expect(['ask', 'deny'], JSON.stringify(trace, null, 1)).toContain(decision);
  });
});

test.each([...TOLD_AFTER, ...FURTHER_TOLD_AFTER])('looked at after the call: %s', (command) => {
  const call = here.call('Bash', { command });
  expect(here.verdict(call, SETUPS.sources).decision).toBe('abstain');
  expect(mayChangeFiles(call)).toBe(true);
});
