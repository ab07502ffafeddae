// Tests that doctor finds what silences hooks: entries that the client drops, a plugin that it does not load.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type Host, SESSION, STATE } from '../hooks/host.ts';
import { answer, request } from '../unit/lines.ts';
import { append, data, fire, healthy, local, now, run } from './healthy.ts';

interface Told {
  findings: { level: string; finding: string; fix: string | null }[];
}

/** What is not in order, as `level: finding → fix`. */
const amiss = (host: Host): string[] =>
  (JSON.parse(run(host, 'doctor', '--json').stdout) as Told).findings
    .filter((each) => each.level !== 'ok')
    .map(({ level, finding, fix }) => `${level}: ${finding} → ${fix}`);

/** A session in which hooks have run. */
function used(): Host {
  const host = healthy();
  fire(host, 'SessionStart', { source: 'startup' });
  append(host, request('go'), answer(30_000));
  fire(host, 'UserPromptSubmit', { prompt: 'x' });
  return host;
}

type Settings = { hooks: Record<string, { hooks: Record<string, unknown>[] }[]>; statusLine?: object };
function edit(host: Host, fields: Record<string, unknown>, change?: (settings: Settings) => void): void {
  const settings = JSON.parse(readFileSync(local(host), 'utf8')) as Settings;
  Object.assign(settings.hooks.Stop?.[0]?.hooks[0] ?? {}, fields);
  change?.(settings);
  writeFileSync(local(host), JSON.stringify(settings, null, 2));
}

// What the client does with each was seen on 2.1.332.
test.each<[string, Record<string, unknown>, string]>([
  ['a timeout in quotes', { timeout: '5' }, 'does not run: its timeout is "5", not a number of seconds'],
  ['no time at all', { timeout: 0 }, 'does not run: its timeout is 0, not a number of seconds'],
  ['another type', { type: 'prompt' }, 'does not run: its type is "prompt"'],
  ['a condition', { if: 'Bash(git *)' }, 'does not run when it should: "if" is set'],
  ['no waiting', { async: true }, 'is heard too late: "async" is set'],
])('a hook with %s is found, and fixed', (_, fields, says) => {
  const host = used();
  expect(amiss(host)).toEqual([]);
  edit(host, fields);
  expect(amiss(host)).toEqual([`error: Stop in .claude/settings.local.json ${says} → plimsoll init`]);
  expect(run(host, 'init', '--dry-run').stdout).toContain(`~ Stop, which ${says}`);
  expect(run(host, 'doctor', '--fix').code).toBe(0);
  expect(amiss(host)).toEqual([]);
});

test('further keys of a hook that do it no harm are nobody’s business', () => {
  const host = used();
  edit(host, { statusMessage: 'saving' });
  expect(amiss(host)).toEqual([]);
});

test.each(['checkpoints', 'sessions'])('a file in place of the folder %s is found', (name) => {
  const host = used();
  rmSync(host.state(name), { recursive: true, force: true });
  writeFileSync(host.state(name), '');
  expect(amiss(host)).toContain(
    `error: no folder, or cannot be written: ${STATE}/${name}; nothing is kept there → check the path and its permissions`,
  );
});

test('a status line of a package that lies elsewhere by now is found', () => {
  const host = used();
  expect(run(host, 'init', '--yes', '--statusline').code).toBe(0);
  expect(amiss(host)).toEqual([]);
  writeFileSync(local(host), readFileSync(local(host), 'utf8').replaceAll(data(host), '/old/plimsoll'));
  expect(amiss(host)).toContain(
    'error: .claude/settings.local.json asks for it, and there is none at /old/plimsoll/current/statusline.cjs → plimsoll init --statusline',
  );
});

/** The plugin as the client keeps it after `plugin marketplace add FOLDER` and `plugin install`; no hooks in settings. */
function withPlugin(): { host: Host; folder: string } {
  const host = healthy();
  run(host, 'uninstall', '--yes');
  const claude = path.join(host.env.HOME ?? '', '.claude');
  const folder = path.join(host.root, 'package', 'dist', 'plugin');
  const write = (file: string, value: object): void => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(value));
  };
  mkdirSync(folder, { recursive: true });
  write(path.join(host.root, 'package', '.claude-plugin', 'marketplace.json'), {
    plugins: [{ name: 'plimsoll', source: './dist/plugin' }],
  });
  write(path.join(claude, 'plugins', 'known_marketplaces.json'), {
    plimsoll: { source: { source: 'directory', path: path.join(host.root, 'package') } },
  });
  write(path.join(claude, 'plugins', 'installed_plugins.json'), { version: 2 });
  mkdirSync(path.join(claude, 'plugins', 'cache', 'plimsoll', 'plimsoll', '0.1.0'), { recursive: true });
  write(path.join(claude, 'settings.json'), { enabledPlugins: { 'plimsoll@plimsoll': true } });
  return { host, folder };
}

test.each([
  ['its marketplace', (folder: string) => path.join(folder, '..', '..')],
  ['what was built there', (folder: string) => folder],
])('a plugin is found that the client cannot load, because %s is gone', (_, goneOf) => {
  const { host, folder } = withPlugin();
  expect(amiss(host)).toEqual([]);
  rmSync(goneOf(folder), { recursive: true });
  const [only, ...others] = amiss(host);
  expect(only).toMatch(
    /^error: the plugin plimsoll@plimsoll is enabled, but the client reads it from .*which is gone: nothing of it runs → put the folder back/,
  );
  expect(others).toEqual([]);
});

test('the hooks of a plugin are asked whether they ran, as those of settings are', () => {
  const { host } = withPlugin();
  const later = new Date(Date.now() + 2_000);
  const line = (lines: object[]): void =>
    writeFileSync(
      host.transcript,
      lines.map((each) => `${JSON.stringify({ ...each, ...now() })}\n`).join(''),
    );
  line([request('go'), { ...answer(30_000), timestamp: later.toISOString() }]);
  writeFileSync(
    host.transcript,
    readFileSync(host.transcript, 'utf8').replace(
      /"timestamp":"[^"]*"/g,
      `"timestamp":"${later.toISOString()}"`,
    ),
  );
  expect(amiss(host)).toEqual([
    expect.stringMatching(
      /^error: no hook has run in this session, though they were registered before it began/,
    ),
  ]);
  fire(host, 'UserPromptSubmit', { prompt: 'x' });
  expect(amiss(host).filter((each) => each.startsWith('error'))).toEqual([]);
});

test('a plugin that claude was started with is in no settings, and is no fault', () => {
  const host = used();
  run(host, 'uninstall', '--yes');
  expect(amiss(host)).toContainEqual(expect.stringMatching(/^error: not registered/));
  const at = Date.now();
  const frame = { v: 1, session: SESSION, from: 'module', at, tokens: 30_000, window: 200_000 };
  writeFileSync(
    host.state('sessions', SESSION, 'module.feed'),
    JSON.stringify({ ...frame, model: 'claude-sonnet-4-5' }),
  );
  expect(amiss(host)).toEqual([expect.stringMatching(/^info: of the plugin that claude was started with/)]);
  fire(host, 'SessionEnd', { reason: 'other' });
  expect(amiss(host)).toContainEqual(expect.stringMatching(/^error: not registered/));
});

test('the plugin starts the node on PATH, which has to be there', () => {
  const { host } = withPlugin();
  host.env.PATH = path.join(host.root, 'bin');
  expect(amiss(host)).toContain(
    'error: the hooks run the node on PATH, and there is none → put node on PATH',
  );
});

test('what stands in the settings of others is told without what looks like a secret', () => {
  const host = used();
  const secret = `ghp_${'aB3'.repeat(12)}`;
  edit(host, {}, (settings) => {
    settings.statusLine = { type: 'command', command: `my-line --token ${secret}` };
    settings.hooks.SessionStart?.push({
      hooks: [{ type: 'command', command: `claude-mem context ${secret}` }],
    });
  });
  expect(run(host, 'init', '--yes', '--statusline').code).toBe(0);
  for (const form of ['--all', '--json']) {
    const { stdout } = run(host, 'doctor', form);
    expect(stdout).toContain('my-line --token');
    expect(stdout).toContain('claude-mem context');
    expect(stdout).not.toContain(secret);
  }
});
