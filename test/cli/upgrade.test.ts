// Tests that init updates the hooks of an earlier version, says what it changes, and can still restore every byte.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { listRegistrations, type Registration } from '../../src/hosts/claude-code/install/hooks.ts';
import { readInstalled, withHooks, withoutHooks } from '../../src/install/settings-text.ts';
import { type Host, newHost } from '../hooks/host.ts';
import { some } from '../kit/effort.ts';
import { DIST } from '../kit/plimsoll.ts';
import { data, init, local, run } from './healthy.ts';

const sha = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

const wanted = (host: Host, clientVersion: string | null = '2.1.332'): Registration[] =>
  listRegistrations({
    clientVersion,
    bundle: path.join(data(host), 'current', 'hook.cjs'),
    node: process.execPath,
    windows: false,
    isShared: false,
  });

type Form = (hooks: Registration[]) => Registration[];
const but =
  (event: string, more: Partial<Registration>): Form =>
  (hooks) =>
    hooks.map((each) => (each.event === event ? { ...each, ...more } : each));

/** How earlier versions registered their hooks, and what init has to say about each. */
const forms: [string, Form, string[]][] = [
  [
    'SessionStart for compactions alone, no Stop and no SessionEnd',
    (hooks) =>
      but('SessionStart', { matcher: 'compact' })(
        hooks.filter((each) => !['Stop', 'SessionEnd'].includes(each.event)),
      ),
    ['~ SessionStart, matcher "compact" → every', '+ Stop, at most 5 s', '+ SessionEnd, at most 1 s'],
  ],
  ['another timeout', but('PreCompact', { timeout: 600 }), ['~ PreCompact, at most 600 s → 10 s']],
  [
    'PostToolUse where PostToolBatch is right',
    (hooks) =>
      hooks.map((each) =>
        each.event === 'PostToolBatch'
          ? {
              ...each,
              event: 'PostToolUse',
              command: each.command.replace('PostToolBatch', 'PostToolUse'),
            }
          : each,
      ),
    ['+ PostToolBatch, at most 5 s', '- PostToolUse, not asked for any more'],
  ],
  [
    'another Node',
    (hooks) =>
      hooks.map((each) => ({
        ...each,
        command: each.command.replace(`n='${process.execPath}'`, "n='/opt/old node/bin/node'"),
      })),
    [
      `~ UserPromptSubmit, node /opt/old node/bin/node → ${process.execPath}`,
      `~ Stop, node /opt/old node/bin/node → ${process.execPath}`,
    ],
  ],
  [
    'another form of the command',
    (hooks) => hooks.map((each) => ({ ...each, command: `node /x/plimsoll/current/hook.cjs ${each.event}` })),
    ['~ PreCompact, another form of the command'],
  ],
  [
    'every hook twice',
    (hooks) => [...hooks, ...hooks],
    ['- UserPromptSubmit, a second copy', '- SessionEnd, a second copy'],
  ],
];

const other = (command: string) => ({ hooks: [{ type: 'command', command }] });
const originals: [string, string | null][] = [
  ['no file', null],
  ['an empty object', '{}\n'],
  [
    "others' hooks, CRLF",
    JSON.stringify({ hooks: { Stop: [other('x')] } }, null, 2).replaceAll('\n', '\r\n'),
  ],
  ['odd spacing', '{ "hooks" : { "Stop":[ ]\n\n } ,\n "z": [1,\n2] }\n'],
  // Taking the new entries out would take the list as well, which that of the earlier ones did not.
  ['an empty list that a later version fills', '{\n  "hooks": {\n    "Stop": []\n  }\n}\n'],
  ['a BOM', '\uFEFF{\n\t"model": "opus"\n}\n'],
];

/** A project in which an earlier version was installed, with its record of what gives the file back. */
function installedEarlier(original: string | null, form: Form): { host: Host; text: string } {
  const host = newHost();
  const bom = original?.startsWith('\uFEFF') ? '\uFEFF' : '';
  const clean = original?.slice(bom.length) ?? null;
  const text = withHooks(clean ?? '', form(wanted(host)));
  mkdirSync(path.dirname(local(host)), { recursive: true });
  writeFileSync(local(host), `${bom}${text}`);
  const records = path.join(host.env.XDG_STATE_HOME ?? '', 'plimsoll');
  mkdirSync(records, { recursive: true });
  // What taking the entries out gives back is not kept beside them.
  const before = clean !== null && withoutHooks(text) !== clean ? clean : null;
  const install = { path: local(host), created: original === null, before, after: sha(text) };
  writeFileSync(
    path.join(records, 'installs.json'),
    JSON.stringify({ schema_version: '1.0.0', installs: [install] }),
  );
  return { host, text };
}

describe.each(forms)('hooks of an earlier form: %s', (_name, form, said) => {
  test.each(some(originals, 1))(
    '%s: brought up to date, said, and given back by uninstall',
    (_of, original) => {
      const { host, text } = installedEarlier(original, form);
      const dry = run(host, 'init', '--dry-run', '--client-version', '2.1.332');
      expect(dry.stdout).toContain('Would change in .claude/settings.local.json (Claude Code 2.1.332):\n');
      for (const line of said) expect(dry.stdout).toContain(`\n  ${line}\n`);
      expect(readFileSync(local(host), 'utf8').replace('\uFEFF', '')).toBe(text);
      const upgrade = init(host);
      expect(upgrade).toMatchObject({ code: 0, stderr: '' });
      for (const line of said) expect(upgrade.stdout).toContain(`\n  ${line}\n`);
      expect(upgrade.stdout).toContain('the hooks of this project are up to date');
      const after = readFileSync(local(host), 'utf8').replace('\uFEFF', '');
      const byEvent = (a: Registration, b: Registration): number => a.event.localeCompare(b.event);
      expect(readInstalled(after).sort(byEvent)).toEqual(wanted(host).sort(byEvent));
      const again = init(host);
      expect(again.stdout).toContain('Already installed');
      expect(readFileSync(local(host), 'utf8').replace('\uFEFF', '')).toBe(after);
      expect(run(host, 'uninstall', '--yes').code).toBe(0);
      if (original === null) expect(existsSync(local(host))).toBe(false);
      else expect(readFileSync(local(host), 'utf8')).toBe(original);
    },
  );
});

test('the changes are data too', () => {
  const { host } = installedEarlier('{}\n', but('PreCompact', { timeout: 7 }));
  expect(JSON.parse(init(host, '--json').stdout)).toMatchObject({
    changed: true,
    changes: [{ kind: 'change', event: 'PreCompact', detail: 'at most 7 s → 10 s' }],
  });
});

test('a first install says what it adds', () => {
  const { stdout } = init(newHost());
  expect(stdout).toContain('Hooks to add to .claude/settings.local.json (Claude Code 2.1.332):\n');
  expect(stdout).toContain('\n  + PreCompact, at most 10 s\n');
  expect(stdout).not.toMatch(/^ {2}[~-] /m);
});

test('without --yes and without a terminal an upgrade changes nothing, neither settings nor bundle', () => {
  const { host, text } = installedEarlier('{}\n', but('PreCompact', { timeout: 7 }));
  const result = run(host, 'init', '--client-version', '2.1.332');
  expect(result.code).toBe(2);
  expect(readFileSync(local(host), 'utf8')).toBe(text);
  expect(existsSync(data(host))).toBe(false);
});

test('where no client is found, the hook that was right for it stays', () => {
  const host = newHost();
  init(host);
  host.env.PATH = path.dirname(process.execPath);
  const result = run(host, 'init', '--yes');
  expect(result.stdout).toContain('Already installed');
  expect(readInstalled(readFileSync(local(host), 'utf8')).map((each) => each.event)).toContain(
    'PostToolBatch',
  );
});

describe('the bundle', () => {
  const current = (host: Host): string => realpathSync(path.join(data(host), 'current'));

  test('is exchanged for that of this version, and the one that running hooks use stays', () => {
    const host = newHost();
    init(host);
    const now = current(host);
    const earlier = path.join(data(host), 'versions', '0.0.9-0123456789ab');
    mkdirSync(earlier);
    writeFileSync(path.join(earlier, 'hook.cjs'), '');
    rmSync(path.join(data(host), 'current'));
    rmSync(now, { recursive: true });
    symlinkSync(earlier, path.join(data(host), 'current'));
    const result = init(host);
    expect(result.stdout).toMatch(/bundle .*hook\.cjs, exchanged\n/);
    expect(current(host)).toBe(now);
    expect(readdirSync(path.join(data(host), 'versions')).sort()).toEqual(
      [path.basename(earlier), path.basename(now)].sort(),
    );
    expect(init(host).stdout).not.toContain('exchanged');
  });

  test('is made whole again when files of it were lost or changed', () => {
    const host = newHost();
    init(host);
    rmSync(path.join(current(host), 'full.cjs'));
    writeFileSync(path.join(current(host), 'hook.cjs'), 'broken');
    expect(init(host).stdout).toContain('exchanged');
    for (const name of ['full.cjs', 'hook.cjs']) {
      expect(readFileSync(path.join(current(host), name))).toEqual(readFileSync(path.join(DIST, name)));
    }
  });
});

test('records of installs from a newer version: nothing is changed, and the next step is named', () => {
  const host = newHost();
  const records = path.join(host.env.XDG_STATE_HOME ?? '', 'plimsoll', 'installs.json');
  mkdirSync(path.dirname(records), { recursive: true });
  writeFileSync(records, '{"schema_version": "2.0.0"}');
  const result = init(host);
  expect(result.code).toBe(1);
  expect(result.stderr).toMatch(/newer version.*\n {2}Next: .*npm install --global plimsoll/);
  expect(existsSync(local(host))).toBe(false);
  expect(existsSync(data(host))).toBe(false);
  expect(readFileSync(records, 'utf8')).toBe('{"schema_version": "2.0.0"}');
});
