// Tests that git sees only what a team shares, after every kind of hook in a fresh repository.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { plimsoll } from '../kit/plimsoll.ts';
import { answer, boundary, request, summary } from '../unit/lines.ts';
import { type Host, newHost } from './host.ts';

function git(host: Host, ...args: string[]): string {
  const result = spawnSync('git', args, {
    cwd: host.project,
    env: { PATH: host.env.PATH, HOME: host.env.HOME, GIT_CONFIG_NOSYSTEM: '1' },
    encoding: 'utf8',
  });
  if (result.status !== 0) throw new Error(result.stderr);
  return result.stdout;
}

/** What git would add, or would show as changed. */
const seen = (host: Host): string[] =>
  git(host, 'status', '--porcelain', '--untracked-files=all').trimEnd().split('\n').filter(Boolean);

function repository(): Host {
  const host = newHost();
  rmSync(path.join(host.project, '.git'), { recursive: true });
  git(host, 'init', '--quiet');
  return host;
}

const moments: [string, (host: Host) => void][] = [
  ['SessionStart(startup)', (host) => host.fire('SessionStart', { source: 'startup' })],
  [
    'the first prompt',
    (host) => {
      host.append(request('go'), answer(30_000));
      host.fire('UserPromptSubmit', { prompt: 'go' });
    },
  ],
  [
    'a rise in the middle of a turn',
    (host) => {
      host.append(answer(140_000, { id: 'msg_2' }));
      host.fire('PostToolBatch', { tool_calls: [] });
    },
  ],
  ['PostToolUse', (host) => host.fire('PostToolUse', { tool_use_id: 't' })],
  ['Stop', (host) => host.fire('Stop', { last_assistant_message: 'Done.' })],
  ['PreCompact', (host) => host.fire('PreCompact', { trigger: 'auto', custom_instructions: null })],
  ['SessionStart(compact)', (host) => host.fire('SessionStart', { source: 'compact' })],
  [
    'the prompt after it',
    (host) => {
      host.append(boundary(), summary(), answer(40_000, { id: 'msg_3' }));
      host.fire('UserPromptSubmit', { prompt: 'go on' });
    },
  ],
  [
    'unreadable state',
    (host) => {
      mkdirSync(host.state('sessions', 'x'), { recursive: true });
      writeFileSync(host.state('sessions', 'x', 'state.json'), '{"torn');
      host.fire('UserPromptSubmit', { prompt: 'x', session_id: 'x' });
    },
  ],
  ['an event that is not understood', (host) => host.fire('Stop', {}, '{"broken')],
  [
    'broken settings',
    (host) => {
      writeFileSync(host.state('config.local.toml'), 'nonsense');
      host.fire('UserPromptSubmit', { prompt: 'x' });
    },
  ],
  ['SessionEnd', (host) => host.fire('SessionEnd', { reason: 'other' })],
  ['silence', (host) => plimsoll({ env: host.env, projectDir: host.project }, 'off')],
];

test('git status stays clean after every kind of hook', () => {
  const host = repository();
  for (const [name, happen] of moments) {
    happen(host);
    expect([name, seen(host)]).toEqual([name, []]);
  }
  // It was not clean because nothing was written.
  expect(readdirSync(host.state()).sort()).toEqual([
    '.gitignore',
    'checkpoints',
    'config.local.toml',
    'config.snapshot.json',
    'failures.jsonl',
    'off',
    'sessions',
  ]);
});

test.each(moments)('%s as the first thing that happens: git sees nothing of ours', (_name, happen) => {
  const host = repository();
  mkdirSync(host.state('sessions'), { recursive: true });
  happen(host);
  rmSync(host.state('sessions'), { recursive: true });
  expect(seen(host)).toEqual([]);
});

test('a fresh clone of a project whose team shares settings, rules and quality: those are seen, the rest is not', () => {
  const host = repository();
  mkdirSync(host.shared('rules'), { recursive: true });
  const shared = ['config.toml', 'quality.md', 'rules/one.md'];
  writeFileSync(host.shared('config.toml'), 'enabled = true\n');
  writeFileSync(host.shared('quality.md'), '# Quality\n');
  writeFileSync(host.shared('rules', 'one.md'), 'One.\n');
  for (const [, happen] of moments.slice(0, 8)) happen(host);
  expect(existsSync(host.state('checkpoints'))).toBe(true);
  expect(seen(host)).toEqual(shared.map((name) => `?? .plimsoll/${name}`));
});
