// Tests that nothing of ours appears by accident in the home folder or at the top of the file system.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { some } from '../kit/effort.ts';
import { CLI, DIST, plimsoll } from '../kit/plimsoll.ts';

interface Place {
  home: string;
  cwd: string;
  env: Record<string, string>;
}

/** A home folder with a client in it, and where a process of ours is started. */
function newPlace(kind: (home: string) => { cwd: string; env?: Record<string, string> }): Place {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'plm-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const home = path.join(root, 'home');
  mkdirSync(path.join(home, '.claude'), { recursive: true });
  mkdirSync(path.join(root, 'project'));
  symlinkSync(home, path.join(root, 'link'));
  const { cwd, env = {} } = kind(home);
  const base: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_STATE_HOME: path.join(root, 'state'),
    XDG_CONFIG_HOME: path.join(root, 'config'),
    XDG_DATA_HOME: path.join(root, 'data'),
  };
  return { home, cwd, env: { ...base, ...env } };
}

const places: [string, (home: string) => { cwd: string; env?: Record<string, string> }][] = [
  ['cwd is the home folder', (home) => ({ cwd: home })],
  ['cwd is a link to the home folder', (home) => ({ cwd: path.join(path.dirname(home), 'link') })],
  ['cwd is /', () => ({ cwd: '/' })],
  ['the client names the home folder', (home) => ({ cwd: tmpdir(), env: { CLAUDE_PROJECT_DIR: home } })],
  ['the client names it with a slash', (home) => ({ cwd: home, env: { CLAUDE_PROJECT_DIR: `${home}/` } })],
  ['the client names /', (home) => ({ cwd: home, env: { CLAUDE_PROJECT_DIR: '/' } })],
  [
    'the home folder is given through a link',
    (home) => ({ cwd: home, env: { HOME: path.join(path.dirname(home), 'link') } }),
  ],
  [
    'the state folder is set to the home folder',
    (home) => ({ cwd: path.join(path.dirname(home), 'project'), env: { PLIMSOLL_STATE_DIR: home } }),
  ],
];

const EVENTS: [string, object][] = [
  ['SessionStart', { source: 'startup' }],
  ['UserPromptSubmit', { prompt: 'x' }],
  ['PostToolBatch', { tool_calls: [] }],
  ['PostToolUse', { tool_use_id: 't' }],
  ['PreCompact', { trigger: 'auto', custom_instructions: null }],
  ['SessionStart', { source: 'compact' }],
  ['Stop', { last_assistant_message: 'Done.' }],
  ['SessionEnd', { reason: 'other' }],
];

const COMMANDS: string[][] = [
  ['init', '--yes', '--client-version', '2.1.332'],
  ['init', '--yes', '--scope', 'local', '--client-version', '2.1.332'],
  ['init', '--yes', '--scope', 'project', '--client-version', '2.1.332'],
  ['init', '--yes', '--statusline', '--client-version', '2.1.332'],
  ['statusline'],
  ['off'],
  ['off', '--session', 's'],
  ['on'],
  ['status'],
  ['checkpoint', 'list'],
  ['checkpoint', 'create'],
  ['resume'],
  ['gc'],
  ['doctor'],
  ['uninstall', '--yes'],
];

const listing = (folder: string): string[] => readdirSync(folder).sort();
/** Names that are ours; others may come and go there. */
const oursAtTheTop = (): string[] =>
  listing('/').filter((name) =>
    /^(?:\.plimsoll|\.claude|\.local|\.config|\.gitignore|c\w+s|failures.*|off)$/.test(name),
  );

describe.each(some(places, 2))('%s', (_name, kind) => {
  test('no hook and no command leaves anything in the home folder or at the top', () => {
    const { home, cwd, env } = newPlace(kind);
    const top = oursAtTheTop();
    for (const [event, fields] of EVENTS) {
      const payload = {
        session_id: 's',
        transcript_path: path.join(home, 'none.jsonl'),
        cwd: realpathSync(cwd),
        hook_event_name: event,
        ...fields,
      };
      const result = spawnSync(process.execPath, [path.join(DIST, 'hook.cjs'), event], {
        cwd,
        env,
        input: JSON.stringify(payload),
        encoding: 'utf8',
      });
      expect([event, result.status, result.stderr]).toEqual([event, 0, '']);
      expect([event, listing(home)]).toEqual([event, ['.claude']]);
    }
    for (const args of COMMANDS) {
      const { code } = plimsoll({ projectDir: cwd, env }, ...args);
      expect([args, code === 0 || code === 1]).toEqual([args, true]);
      expect([args, listing(home)]).toEqual([args, ['.claude']]);
    }
    expect(listing(path.join(home, '.claude'))).toEqual([]);
    expect(oursAtTheTop()).toEqual(top);
  });
});

test('--scope user writes the settings of the user, and nothing else there', () => {
  const { home, cwd, env } = newPlace((folder) => ({ cwd: folder }));
  const init = ['init', '--yes', '--scope', 'user', '--client-version', '2.1.332'];
  expect(spawnSync(process.execPath, [CLI, ...init], { cwd, env }).status).toBe(0);
  expect(listing(home)).toEqual(['.claude']);
  expect(listing(path.join(home, '.claude'))).toEqual(['settings.json']);
});

test('without a HOME in the environment / is no home folder', () => {
  const { cwd, env } = newPlace(() => ({ cwd: '/' }));
  delete env.HOME;
  const top = oursAtTheTop();
  for (const [event, fields] of EVENTS) {
    const payload = { session_id: 's', transcript_path: null, cwd, hook_event_name: event, ...fields };
    const options = { cwd, env, input: JSON.stringify(payload) };
    expect(spawnSync(process.execPath, [path.join(DIST, 'hook.cjs'), event], options).status).toBe(0);
  }
  expect(oursAtTheTop()).toEqual(top);
});

test('an empty HOME does not make the working folder the home folder', () => {
  const { home } = newPlace((folder) => ({ cwd: folder }));
  const { stdout } = spawnSync(process.execPath, [CLI, 'config', 'path'], {
    cwd: path.join(home, '..', 'project'),
    env: { PATH: process.env.PATH ?? '', HOME: '' },
    encoding: 'utf8',
  });
  expect(stdout).toMatch(/^local +\.plimsoll\/state-[0-9a-f]{24}\/config\.local\.toml {2}\(not there\)\n/);
  expect(stdout).toMatch(/\nuser +\/.*\.config\/plimsoll\/config\.toml/);
});
