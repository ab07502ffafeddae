// Tests that docs/hosts.md shows what the scenario of all hosts asserts.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { HOSTS } from '../../src/hosts/registry.io.ts';
import { HOLDS, withHolds } from './holds.ts';

const page = readFileSync(new URL('../../docs/hosts.md', import.meta.url), 'utf8');

test('the page shows what holds in which host', () => {
  expect(page).toContain('<!-- holds -->');
  expect(withHolds(page)).toBe(page);
});

test('every host that is registered runs through the scenario', () => {
  const doors = Object.keys(HOLDS).filter((each) => each !== 'claude-code-inside');
  expect(HOSTS.map(({ host }) => host.name).sort()).toEqual(doors.sort());
});
