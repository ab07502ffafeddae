// Tests that none of the known ways around the guardrails gets through.
import { afterAll, describe, expect, test } from 'vitest';
import { SETUPS } from './attempt.ts';
import { ATTEMPTS } from './bypasses.ts';
import { world } from './world.ts';

const here = world();
afterAll(() => here.remove());

const placed = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('TOP/', `${here.top}/`) : value;

describe('ways around the guardrails', () => {
  test('there are many', () => expect(ATTEMPTS.length).toBeGreaterThan(200));

  test.each(
    ATTEMPTS.map((each) => [each.kind, each.setup, each.verdict, JSON.stringify(each.input), each] as const),
  )('%s, guarded as "%s", is answered with %s: %s', (_kind, setup, verdict, _input, attempt) => {
    const input = Object.fromEntries(
      Object.entries(attempt.input).map(([key, value]) => [key, placed(value)]),
    );
    const found = here.verdict(here.call(attempt.tool, input), SETUPS[setup]);
    expect(found.decision, JSON.stringify(found.trace, null, 1)).toBe(verdict);
    if (verdict !== 'abstain') expect(found.reason).toMatch(/[.)]$/);
  });
});
