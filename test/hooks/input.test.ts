// Tests which events hooks ignore, and who may read what is kept.
import { existsSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { answer } from '../unit/lines.ts';
import { call, expectAllowed, failuresOf, MOMENTS, measured } from './calls.ts';
import { SESSION } from './host.ts';

test.each(MOMENTS)('$name of a subagent is silence and leaves nothing', (moment) => {
  const host = measured();
  host.append(answer(160_000, { id: 'msg_2' }));
  const result = call(host, moment, { fields: { agent_id: 'a123', agent_type: 'claude' } });
  expectAllowed(moment, result);
  expect(result.stdout).toBe('');
  expect(existsSync(host.state())).toBe(false);
  expect(failuresOf(host)).toEqual([]);
});

test.each(MOMENTS)('PLIMSOLL=off and enabled = false are silence at $name', (moment) => {
  const host = measured();
  host.append(answer(160_000, { id: 'msg_2' }));
  for (const env of [{ PLIMSOLL: 'off' }, { PLIMSOLL_ENABLED: 'false' }]) {
    const result = call(host, moment, { env });
    expectAllowed(moment, result);
    expect(result.stdout).toBe('');
    expect(existsSync(host.state())).toBe(false);
  }
});

test('what holds session content is readable for its owner only', () => {
  const host = measured();
  host.append(answer(160_000, { id: 'msg_2' }));
  host.fire('PreCompact', { trigger: 'auto', custom_instructions: null });
  for (const file of ['checkpoints/cx-001-checkpoint.json', `sessions/${SESSION}/state.json`]) {
    expect(statSync(host.state(file)).mode & 0o777).toBe(0o600);
  }
});
