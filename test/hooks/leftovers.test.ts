// Tests that leftovers are removed at a start even if no session ever ends, and only when there are many.
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newHost, SESSION } from './host.ts';

const DAY = 24 * 3_600_000;

test.each([
  ['400 old claims stay at a start', 400, 400],
  ['401 old claims go at a start', 401, 0],
])('%s', (_, count, left) => {
  const host = newHost();
  const claims = host.state('sessions', SESSION, 'claims');
  mkdirSync(claims, { recursive: true });
  const old = new Date(Date.now() - 2 * DAY);
  for (let n = 0; n < count; n++) {
    writeFileSync(path.join(claims, `c-${n}`), '1 2026-01-01T00:00:00.000Z\n');
    utimesSync(path.join(claims, `c-${n}`), old, old);
  }
  expect(host.fire('SessionStart', { source: 'startup' })).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(claims).filter((name) => name.startsWith('c-'))).toHaveLength(left);
});
