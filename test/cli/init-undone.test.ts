// Tests that an init that cannot be finished leaves the client's settings as they were.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newHost } from '../hooks/host.ts';
import { local, run } from './healthy.ts';

test.each([
  ['none', null],
  ['some, with a byte order mark', '\uFEFF{ "model": "x" }\n'],
])('where the user’s state folder cannot be made: %s before, the same after', (_, before) => {
  const host = newHost();
  rmSync(host.env.XDG_STATE_HOME ?? '', { recursive: true });
  writeFileSync(host.env.XDG_STATE_HOME ?? '', '');
  if (before !== null) {
    mkdirSync(path.dirname(local(host)), { recursive: true });
    writeFileSync(local(host), before);
  }
  const { code, stderr } = run(host, 'init', '--yes', '--client-version', '2.1.332');
  expect(code).toBe(1);
  expect(stderr).toContain(`${host.env.XDG_STATE_HOME}/plimsoll`);
  expect(existsSync(local(host)) ? readFileSync(local(host), 'utf8') : null).toBe(before);
  rmSync(host.env.XDG_STATE_HOME ?? '');
  expect(run(host, 'init', '--yes', '--client-version', '2.1.332').code).toBe(0);
});
