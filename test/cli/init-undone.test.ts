// Tests that an init that cannot be finished leaves the client's settings as they were, and what is left of one that is taken back.
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

test.each(['local', 'project', 'user'])(
  'scope %s: the command that init names takes it back, and nothing is left',
  (scope) => {
    const host = newHost();
    const done = run(host, 'init', '--yes', '--client-version', '2.1.332', '--scope', scope).stdout;
    const removal = `plimsoll uninstall${scope === 'local' ? '' : ` --scope ${scope}`}`;
    expect(done).toContain(`"${removal}" removes it.\n`);
    const { code, stdout } = run(host, ...removal.split(' ').slice(1), '--yes');
    expect(code).toBe(0);
    const [, left = ''] =
      /\nWhat was kept stays in (.*); delete what you do not need\.\n$/.exec(stdout) ?? [];
    expect(left).toMatch(
      scope === 'user' ? /^\.plimsoll\/ of each project and in \S+plimsoll\/$/ : /^[^ .]\S+plimsoll\/$/,
    );
    expect(existsSync(path.join(host.project, '.plimsoll'))).toBe(false);
  },
);

test('what was kept of the work stays, and uninstall says where', () => {
  const host = newHost();
  run(host, 'init', '--yes', '--client-version', '2.1.332');
  run(host, 'config', 'set', 'checkpoint.keep', '5');
  const { stdout } = run(host, 'uninstall', '--yes');
  expect(stdout).toMatch(
    /\nWhat was kept stays in \.plimsoll\/state-\w+\/ and in \S*plimsoll\/; delete what you do not need\.\n$/,
  );
  expect(existsSync(host.state('config.local.toml'))).toBe(true);
});

test('settings whose hooks somebody has taken out are not named as a place where Plimsoll is', () => {
  const host = newHost();
  run(host, 'init', '--yes', '--client-version', '2.1.332');
  writeFileSync(path.join(host.project, '.claude', 'settings.local.json'), '{}\n');
  expect(run(host, 'uninstall', '--yes').stdout).toBe(
    'Nothing to remove: no hooks of plimsoll in .claude/settings.local.json.\n',
  );
});
