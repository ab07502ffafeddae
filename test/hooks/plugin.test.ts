// Tests that every client can run the plugin's hooks, and that they yield to hooks in settings and to nothing else.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DIST, plimsoll } from '../kit/plimsoll.ts';
import { answer, request } from '../unit/lines.ts';
import { type Host, newHost, SESSION, sessionOf } from './host.ts';

const PLUGIN = path.join(DIST, 'plugin');
const { hooks, modules } = JSON.parse(readFileSync(path.join(PLUGIN, 'hooks', 'hooks.json'), 'utf8')) as {
  hooks: Record<string, { hooks: { type: string; command: string; timeout: number; args?: unknown }[] }[]>;
  modules: string[];
};
/** As it is registered, or as the module starts it. */
const commandOf = (event: string): string =>
  hooks[event]?.[0]?.hooks[0]?.command ??
  `NODE_EXTRA_CA_CERTS= NODE_OPTIONS= exec node "$CLAUDE_PLUGIN_ROOT/lib/plugin.cjs" ${event}`;

/** A host with a fill to speak of. */
function filled(): Host {
  const host = newHost();
  host.append(request('go'), answer(130_000));
  return host;
}

/** Runs a hook of the plugin as the client does. */
function run(host: Host, event: string, env: Record<string, string> = {}) {
  const payload = {
    session_id: SESSION,
    transcript_path: host.transcript,
    cwd: host.project,
    hook_event_name: event,
    ...(event === 'PostToolBatch' ? { tool_calls: [] } : { prompt: 'x', source: 'startup' }),
  };
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', commandOf(event)], {
    cwd: host.project,
    env: { ...host.env, CLAUDE_PLUGIN_ROOT: PLUGIN, ...env },
    input: JSON.stringify(payload),
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}
const speaks = (host: Host, event = 'UserPromptSubmit', env: Record<string, string> = {}): boolean => {
  const { status, stdout, stderr } = run(host, event, env);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.includes('CONTEXT STATUS: WARNING');
};

/** The hooks that `init` writes, in a settings file. */
function install(host: Host, scope: string): void {
  const cli = { env: host.env, projectDir: host.project };
  const { code, stderr } = plimsoll(cli, 'init', '--yes', '--scope', scope, '--client-version', '2.1.332');
  expect(`${code} ${stderr}`).toBe('0 ');
}
const settingsOf = (host: Host): string => path.join(host.project, '.claude', 'settings.local.json');
/** Changes the hooks of the local settings. */
function change(host: Host, how: (hooks: Record<string, unknown>) => void): void {
  const settings = JSON.parse(readFileSync(settingsOf(host), 'utf8')) as { hooks: Record<string, unknown> };
  how(settings.hooks);
  writeFileSync(settingsOf(host), JSON.stringify(settings));
}

test('it names events that every client knows, and commands that every client runs', () => {
  const known =
    'PreToolUse PostToolUse Notification UserPromptSubmit SessionStart SessionEnd Stop SubagentStop PreCompact';
  expect(Object.keys(hooks).filter((event) => !known.split(' ').includes(event))).toEqual([]);
  // Prompts, tools and ends of turns and subagents are the module's.
  expect(Object.keys(hooks).sort()).toEqual(['PreCompact', 'SessionEnd', 'SessionStart']);
  for (const hook of Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.hooks))) {
    expect(hook).toMatchObject({
      type: 'command',
      command: expect.stringContaining('${CLAUDE_PLUGIN_ROOT}'),
    });
    expect(hook.args).toBeUndefined();
    expect(hook.timeout).toBeLessThanOrEqual(10);
  }
  expect(modules).toEqual(['./register.js']);
});

test('without settings it speaks, and no certificates of a company cost it time', () => {
  expect(speaks(filled(), 'UserPromptSubmit', { NODE_EXTRA_CA_CERTS: '/there/is/none.pem' })).toBe(true);
  expect(speaks(filled(), 'PostToolBatch')).toBe(true);
});

test.each(['local', 'project', 'user'])('hooks in %s settings speak in its place', (scope) => {
  const host = filled();
  install(host, scope);
  expect(speaks(host)).toBe(false);
  expect(speaks(host, 'PostToolBatch')).toBe(false);
});

test.each<[string, (host: Host) => void, boolean]>([
  ['in settings without the event', (host) => change(host, (all) => delete all.UserPromptSubmit), true],
  ['in settings without another event', (host) => change(host, (all) => delete all.Stop), false],
  ['in settings that are no JSON', (host) => writeFileSync(settingsOf(host), '{'), true],
  [
    'in settings that name a bundle which is gone',
    (host) =>
      change(host, (all) => {
        all.UserPromptSubmit = [
          { hooks: [{ type: 'command', command: "f='/x/plimsoll/current/hook.cjs'; node" }] },
        ];
      }),
    true,
  ],
  [
    'of others in the settings',
    (host) =>
      change(host, (all) => {
        all.UserPromptSubmit = [
          { hooks: [{ type: 'command', command: 'echo plimsoll' }] },
          null,
          { hooks: 1 },
        ];
      }),
    true,
  ],
])('hooks %s: the plugin speaks, or not', (_, how, isSpoken) => {
  const host = filled();
  install(host, 'local');
  how(host);
  expect(speaks(host)).toBe(isSpoken);
});

const NEW = { AI_AGENT: 'claude-code_2-1-211_harness' };
const OLD = { AI_AGENT: 'claude-code_2-1-210_harness' };
test.each<[string, string, Record<string, string>, boolean]>([
  ['below the root, by a client that reads them there', 'local', NEW, false],
  ['below the root, by an older client', 'local', OLD, true],
  ['below the root, by a client that does not say its version', 'local', {}, true],
  ['below the root, where the team has them', 'project', NEW, true],
])('started %s: the settings of the main checkout count or not', (_, scope, env, isSpoken) => {
  const host = filled();
  install(host, scope);
  const below = path.join(host.project, 'below');
  mkdirSync(below);
  expect(speaks(host, 'UserPromptSubmit', { ...env, CLAUDE_PROJECT_DIR: below })).toBe(isSpoken);
});

test.each([
  ['the client reads them there too', NEW, false],
  ['an older client does not', OLD, true],
])('in a worktree the local settings of the main checkout count, as far as %s', (_, env, isSpoken) => {
  const host = filled();
  install(host, 'local');
  const tree = path.join(host.root, 'tree');
  mkdirSync(tree);
  writeFileSync(path.join(tree, '.git'), `gitdir: ${path.join(host.project, '.git', 'worktrees', 'tree')}\n`);
  expect(speaks(host, 'UserPromptSubmit', { ...env, CLAUDE_PROJECT_DIR: tree })).toBe(isSpoken);
});

test.each<[string, Record<string, string>]>([
  ['Node is missing', { PATH: '/there/is/none' }],
  ['the bundle is missing', { CLAUDE_PLUGIN_ROOT: '/there/is/none' }],
  ['it is switched off', { PLIMSOLL: 'off' }],
])('it is silent where %s', (_, env) => {
  expect(run(filled(), 'SessionStart', env)).toEqual({ status: 0, stdout: '', stderr: '' });
});

test.each(['PreCompact', 'SessionStart'])(
  'its %s command is silent while the module serves a compaction',
  (event) => {
    const host = newHost();
    host.append(request('build the parser of the ledger'), answer(130_000));
    const data = path.join(host.root, 'data');
    const mark = path.join(data, 'compacting', '7-one');
    mkdirSync(path.dirname(mark), { recursive: true });
    const at = (session: string, text: string): boolean => {
      writeFileSync(mark, text);
      const env = { CLAUDE_PLUGIN_DATA: data, CLAUDE_PID: '7', CLAUDE_CODE_SESSION_ID: session };
      return run(host, event, env).stdout !== '';
    };
    expect([at('one', 'x'), at('another', 'x'), at('one', '')]).toEqual([false, true, true]);
  },
);

const ASIDE = { plimsoll: { isAside: true } };
test.each<[string, object, object, number, boolean]>([
  ['our module, which has begun with one', ASIDE, {}, 0, true],
  ['our module, in another session', ASIDE, { session_id: 'other' }, 0, false],
  ['our module, in a client that was killed long ago', ASIDE, {}, 60, false],
  ['our module, which waits for it', { plimsoll: {} }, {}, 0, false],
  ['the client itself', {}, {}, 0, false],
])('a process that %s started serves the compaction too: %o', (_, more, other, age_s, serves) => {
  const host = newHost();
  host.append(request('build the parser of the ledger'), answer(130_000));
  const common = { session_id: SESSION, transcript_path: host.transcript, cwd: host.project };
  const mark = path.join(host.root, 'data', 'compacting', '7-one');
  mkdirSync(path.dirname(mark), { recursive: true });
  writeFileSync(
    mark,
    JSON.stringify({ ...common, hook_event_name: 'PreCompact', trigger: 'auto', plimsoll: {}, ...other }),
  );
  const at = Date.now() / 1000 - age_s;
  utimesSync(mark, at, at);
  const { status, stdout } = spawnSync(
    process.execPath,
    [path.join(PLUGIN, 'lib', 'plugin.cjs'), 'PostToolBatch'],
    {
      cwd: host.project,
      env: {
        ...host.env,
        ...{
          CLAUDE_PLUGIN_DATA: path.join(host.root, 'data'),
          CLAUDE_PID: '7',
          CLAUDE_CODE_SESSION_ID: 'one',
        },
      },
      input: JSON.stringify({ ...common, hook_event_name: 'PostToolBatch', tool_calls: [], ...more }),
      encoding: 'utf8',
    },
  );
  const [said, served] = stdout.split('\n');
  expect([status, said]).toEqual([0, expect.stringContaining('CONTEXT STATUS: WARNING')]);
  if (serves)
    expect(JSON.parse(served ?? '')).toEqual({ facts: expect.stringContaining('build the parser') });
  else expect(served).toBeUndefined();
  expect(sessionOf(host).pending_compaction).toEqual(
    serves ? expect.objectContaining({ trigger: 'auto' }) : null,
  );
});

test.each<[string, Record<string, string>, RegExp]>([
  [
    'is too old for its module',
    { AI_AGENT: 'claude-code_2-1-286_harness' },
    /needs Claude Code 2\.1\.287 or later, and this is 2\.1\.286: .*\\"plimsoll init\\"/,
  ],
  ['does not say its version', {}, /needs Claude Code 2\.1\.287 or later: /],
  ['is new enough', { AI_AGENT: 'claude-code_2-1-287_harness' }, /^(?!.*needs Claude Code)/s],
])('the person at a client that %s is told at the start, or not', (_, env, said) => {
  expect(run(newHost(), 'SessionStart', env).stdout).toMatch(said);
});

test('hooks in settings, which work with every client, need nothing', () => {
  const host = newHost();
  install(host, 'local');
  expect(run(host, 'SessionStart', OLD).stdout).toBe('');
});
