// Tests a clone whose folders are repositories with settings that run a program: nothing of ours runs it.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Checkpoint } from '../../src/compaction/checkpoint/checkpoint.ts';
import { some } from '../kit/effort.ts';
import { CLI, plimsoll } from '../kit/plimsoll.ts';
import { answer, request } from '../unit/lines.ts';
import { type Host, newHost, SESSION } from './host.ts';

interface Clone {
  host: Host;
  /** The folder that looks like a repository. */
  nested: string;
  /** What is there once a program has run. */
  mark: string;
}

/** What the folder's config says: as a bare repository, or as one whose files lie around it. */
const SHAPES = {
  bare: 'bare = true',
  'one with a working tree': 'bare = false\n\tworktree = .',
  'one whose working tree is the clone': 'bare = false\n\tworktree = ..',
};
type Shape = keyof typeof SHAPES;

/** A host whose project was made by `git clone` of such a repository. */
function cloned(shape: Shape): Clone {
  const host = newHost();
  const upstream = path.join(host.root, 'upstream');
  const mark = path.join(host.root, 'ran');
  const git = (...args: string[]): void => {
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'init.defaultBranch=main'];
    const result = spawnSync('git', [...identity, ...args], { env: host.env, encoding: 'utf8' });
    if (result.status !== 0) throw new Error(result.stderr);
  };
  const program = path.join(upstream, 'nested', 'run.sh');
  for (const folder of ['objects', 'refs'].map((name) => path.join(upstream, 'nested', name))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'kept'), '');
  }
  writeFileSync(program, `#!/bin/sh\ntouch ${mark}\ncat\n`, { mode: 0o755 });
  writeFileSync(path.join(upstream, 'nested', 'HEAD'), 'ref: refs/heads/main\n');
  const run = path.join(host.project, 'nested', 'run.sh');
  writeFileSync(
    path.join(upstream, 'nested', 'config'),
    `[core]\n\trepositoryformatversion = 0\n\t${SHAPES[shape]}\n\tfsmonitor = ${run}\n\tpager = ${run}\n` +
      `[diff]\n\texternal = ${run}\n[filter "x"]\n\tclean = ${run}\n\tprocess = ${run}\n`,
  );
  writeFileSync(path.join(upstream, '.gitattributes'), '* filter=x\n');
  writeFileSync(path.join(upstream, 'file.txt'), 'one\n');
  git('init', '--quiet', upstream);
  git('-C', upstream, 'add', '--force', '.');
  git('-C', upstream, 'commit', '--quiet', '-m', 'all');
  rmSync(host.project, { recursive: true });
  git('clone', '--quiet', upstream, host.project);
  appendFileSync(path.join(host.project, 'file.txt'), 'changed here\n');
  const nested = path.join(host.project, 'nested');
  // The attack is one: git itself runs the program, where a person's settings let it.
  if (shape !== 'bare') {
    spawnSync('git', ['-c', 'safe.bareRepository=all', 'status'], { cwd: nested, env: host.env });
    expect(existsSync(mark)).toBe(true);
    rmSync(mark);
  }
  return { host, nested, mark };
}

const EVENTS: [string, object][] = [
  ['SessionStart', { source: 'startup' }],
  ['UserPromptSubmit', { prompt: 'Go on.' }],
  ['PostToolUse', { tool_name: 'Bash', tool_use_id: 't', tool_input: { command: 'touch x' } }],
  ['PreToolUse', { tool_name: 'Bash', tool_use_id: 't', tool_input: { command: 'rm -rf x' } }],
  ['PreCompact', { trigger: 'auto', custom_instructions: null }],
  ['SessionStart', { source: 'compact' }],
  ['Stop', { last_assistant_message: 'Done.' }],
  ['SessionEnd', { reason: 'other' }],
];
const COMMANDS = [
  ['status'],
  ['check'],
  ['check', '--all'],
  ['check', '--staged'],
  ['checkpoint', 'create'],
  ['doctor'],
  ['resume'],
  ['init', '--dry-run'],
];

test.each(some(Object.keys(SHAPES) as Shape[], 1))(
  'no hook and no command runs what a folder says that looks like %s',
  (shape) => {
    const { host, nested, mark } = cloned(shape);
    host.env.PLIMSOLL_GUARDRAILS_MODE = 'enforce';
    host.append(request('Build the parser.'), answer(150_000));
    for (const [event, fields] of EVENTS) {
      const { code, stderr } = host.fire(event, { cwd: nested, ...fields });
      expect([event, code, stderr, existsSync(mark)]).toEqual([event, 0, '', false]);
    }
    for (const args of COMMANDS)
      for (const more of [{}, { CLAUDE_PROJECT_DIR: nested }, { CLAUDE_PROJECT_DIR: '' }]) {
        const env = { ...host.env, ...more };
        const { stderr } = plimsoll({ projectDir: nested, env }, ...args);
        expect([args, existsSync(mark), stderr.includes('Internal')]).toEqual([args, false, false]);
      }
  },
);

test('what changed in the clone is told all the same, from inside of such a folder; a rise does not ask git', () => {
  const { host, nested } = cloned('one with a working tree');
  host.append(request('Build the parser.'), answer(150_000));
  const kept = (event: string, fields: object): unknown => {
    host.fire(event, { cwd: nested, ...fields });
    const at = { cwd: nested, env: host.env, encoding: 'utf8' } as const;
    const shown = spawnSync(process.execPath, [CLI, 'checkpoint', 'show', '--json'], at);
    return (JSON.parse(shown.stdout) as Checkpoint).conversation;
  };
  expect([
    kept('PostToolBatch', { tool_calls: [] }),
    kept('PreCompact', { trigger: 'auto', custom_instructions: null }),
  ]).toMatchObject([
    { session_id: SESSION, git: { branch: 'main', dirty_files: null } },
    { session_id: SESSION, git: { branch: 'main', dirty_files: ['file.txt'] } },
  ]);
});
