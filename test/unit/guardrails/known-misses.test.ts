// Tests that every listed way around the guardrails is still open; a closed one belongs in the table of attempts.
import { afterAll, describe, expect, test } from 'vitest';
import { SETUPS } from './attempt.ts';
import { KNOWN_MISSES } from './known-misses.ts';
import { world } from './world.ts';

const here = world();
afterAll(() => here.remove());

describe('known misses', () => {
  test.each(KNOWN_MISSES)('$what', ({ tool, input, setup, why }) => {
    expect(here.verdict(here.call(tool, input), SETUPS[setup]).decision).toBe('abstain');
    expect(why).toMatch(/\.$/);
  });

  test('of tools are closed by naming the field', () => {
    const call = here.call('mcp__files__write_file', { path: 'src/model/tier.ts' });
    const paths = { ...SETUPS.sources.paths, fields: { 'mcp__files__*': 'path' } };
    expect(here.verdict(call, { ...SETUPS.sources, paths }).decision).toBe('deny');
  });
});
