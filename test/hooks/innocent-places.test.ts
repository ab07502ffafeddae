// Tests that defences against hostile projects leave every usual workplace alone, with all that is told there.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { notRun } from '../kit/not-run.ts';
import { plimsoll } from '../kit/plimsoll.ts';
import { answer, request } from '../unit/lines.ts';
import { cloneOf, git, pathsOf, publish } from './cloned.ts';
import { type Host, newHost, SESSION, userState, writeMine } from './host.ts';

/** Where somebody works. */
interface Place {
  /** What the client names as the project. */
  project: string;
  /** Where the agent stands. */
  cwd: string;
  /** The folder in which the state lies, in its real path; null where it lies with the person. */
  root: string | null;
}

const FILES = {
  'packages/one/src/a.ts': 'export const a = 1;\n',
  '.plimsoll/config.toml': '[guardrails.paths]\nwritable = ["src/**", "packages/**"]\noutside = "deny"\n',
};

/** A person with guardrails of his own, and a clone of a project. */
function person(): Host {
  const origin = newHost({ files: FILES });
  publish(origin);
  const host = cloneOf(origin);
  writeMine(host, '[guardrails]\nmode = "enforce"\n');
  return host;
}

const here = (host: Host, cwd = host.project): Place => ({ project: host.project, cwd, root: host.project });
const only = (folder: string): Place => ({ project: folder, cwd: folder, root: folder });

/** Puts a link where a folder was that lies elsewhere now. */
function linked(host: Host, folder: string, name: string): void {
  const real = path.join(host.root, name);
  if (existsSync(folder)) renameSync(folder, real);
  else mkdirSync(real, { recursive: true });
  symlinkSync(real, folder);
}

const isRoot = process.getuid?.() === 0;

const PLACES: Record<string, (host: Host) => Place> = {
  'a clone': (host) => here(host),
  'a worktree': (host) => {
    const tree = path.join(host.root, 'tree');
    git(host, host.project, 'worktree', 'add', '--quiet', tree);
    return only(tree);
  },
  'a submodule': (host) => {
    const other = path.join(host.root, 'other');
    mkdirSync(other);
    for (const [name, text] of Object.entries(FILES)) {
      mkdirSync(path.dirname(path.join(other, name)), { recursive: true });
      writeFileSync(path.join(other, name), text);
    }
    git(host, other, 'init', '--quiet');
    git(host, other, 'add', '--all');
    git(host, other, 'commit', '--quiet', '--message', 'all');
    git(host, host.project, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'sub');
    return only(path.join(host.project, 'sub'));
  },
  'a folder of a monorepo, where the agent has gone': (host) =>
    here(host, path.join(host.project, 'packages/one/src')),
  'a folder of a monorepo, where the session began': (host) => ({
    ...here(host, path.join(host.project, 'packages/one/src')),
    project: path.join(host.project, 'packages/one'),
  }),
  'a home folder behind a link': (host) => {
    linked(host, host.env.HOME ?? '', 'disk');
    return here(host);
  },
  'a home folder behind a link, with the project in it and no XDG folders': (host) => {
    const home = host.env.HOME ?? '';
    for (const [name, usual] of [
      ['state', '.local/state'],
      ['config', '.config'],
    ] as const) {
      mkdirSync(path.dirname(path.join(home, usual)), { recursive: true });
      renameSync(path.join(home, name), path.join(home, usual));
    }
    for (const name of ['STATE', 'CONFIG', 'DATA']) delete host.env[`XDG_${name}_HOME`];
    const moved = path.join(host.root, 'disk', 'project');
    renameSync(host.project, path.join(home, 'project'));
    symlinkSync(moved, host.project);
    linked(host, home, 'disk');
    const project = path.join(home, 'project');
    return { project, cwd: project, root: path.join(host.root, 'disk', 'project') };
  },
  'XDG folders behind links': (host) => {
    for (const name of ['STATE', 'CONFIG', 'DATA'])
      linked(host, host.env[`XDG_${name}_HOME`] ?? '', `disk-${name}`);
    return here(host);
  },
  'a project folder behind a link': (host) => {
    const link = path.join(host.root, 'link');
    symlinkSync(host.project, link);
    return { project: link, cwd: path.join(link, 'packages'), root: host.project };
  },
};

const run = (host: Host, at: Place, ...args: string[]) =>
  plimsoll({ env: host.env, projectDir: at.cwd }, ...args);
const decided = (host: Host, at: Place, file: string): string =>
  host.fire('PreToolUse', {
    cwd: at.cwd,
    tool_name: 'Write',
    tool_input: { file_path: path.join(at.root ?? at.project, file), content: 'x' },
    tool_use_id: 't',
  }).stdout;

/** A session with its compaction: all that is told and kept in any place. */
function expectWork(host: Host, at: Place): void {
  host.env.CLAUDE_PROJECT_DIR = at.project;
  const { cwd } = at;
  host.append(request('Port the compiler'), answer(150_000));
  expect(host.fire('SessionStart', { cwd, source: 'startup' }).person).toBe('');
  expect(host.fire('UserPromptSubmit', { cwd, prompt: 'go' }).context).toContain('<context-monitor>');
  expect(decided(host, at, 'dist/a.js'), 'where the team lets nobody write').toContain(
    '"permissionDecision":"deny"',
  );
  expect(decided(host, at, 'src/a.js')).toBe('');
  host.fire('PreCompact', { cwd, trigger: 'auto', custom_instructions: null });
  expect(host.fire('SessionStart', { cwd, source: 'compact' }).context).toContain('cx-002-checkpoint.json');
  const { state, failures } = pathsOf(host, at.root ?? at.project);
  expect(existsSync(path.join(state, 'sessions', SESSION, 'state.json'))).toBe(true);
  expect(existsSync(failures) ? readFileSync(failures, 'utf8') : '').toBe('');
  expect(existsSync(path.join(userState(host), 'failures.jsonl'))).toBe(false);
  expect(run(host, at, 'checkpoint', 'list').stdout).toContain('cx-002');
  const status = run(host, at, 'status', '--transcript', host.transcript).stdout;
  expect(/^State +/m.test(status), 'said only where the state is not in the project').toBe(at.root === null);
}

test.each(Object.entries(PLACES))('all works in %s, and the state lies in its project', (_, make) => {
  const host = person();
  const at = make(host);
  expectWork(host, at);
  const folder = path.join(at.root ?? '', '.plimsoll');
  expect(readdirSync(folder).filter((name) => name.startsWith('state-'))).toHaveLength(1);
  if (at.root !== null) expect(git(host, at.root, 'status', '--porcelain', '-uall')).not.toContain('state-');
});

test('all works in a container whose project has another owner, and it is said, with the way out', () => {
  if (!isRoot) return notRun('a project of another owner', 'only root may give files away');
  const host = person();
  expect(spawnSync('chown', ['-R', '4711:4711', host.project]).status).toBe(0);
  const at = { ...here(host), root: null };
  expectWork(host, at);
  expect(readdirSync(host.shared())).toEqual(['config.toml']);
  const { stdout } = run(host, at, 'doctor');
  expect(stdout).toMatch(
    /belongs to another user\n +Next: nothing needs to be done; .*make \.plimsoll your own \(chown\)/,
  );
  expect(stdout).toContain('git config --global --add safe.directory');
});

test('hooks that a team commits with --scope project run in the clone of a teammate', () => {
  const origin = newHost({ files: FILES });
  const init = ['init', '--yes', '--scope', 'project', '--client-version', '2.1.332'];
  expect(plimsoll({ env: origin.env, projectDir: origin.project }, ...init).code).toBe(0);
  publish(origin);
  const host = cloneOf(origin);
  const at = here(host);
  // The teammate has the bundle, and the project nothing that is his own.
  expect(run(host, at, 'init', '--yes', '--client-version', '2.1.332').code).toBe(0);
  expect(git(host, host.project, 'status', '--porcelain')).toBe('');
  host.append(request('go'), answer(150_000));
  const { hooks } = JSON.parse(readFileSync(path.join(host.project, '.claude/settings.json'), 'utf8'));
  const fire = (event: string, fields: object): string =>
    spawnSync('sh', ['-c', hooks[event][0].hooks[0].command], {
      cwd: host.project,
      env: host.env,
      input: JSON.stringify({
        session_id: SESSION,
        transcript_path: host.transcript,
        cwd: host.project,
        hook_event_name: event,
        ...fields,
      }),
      encoding: 'utf8',
    }).stdout;
  expect(fire('UserPromptSubmit', { prompt: 'go' })).toContain('<context-monitor>');
  fire('PreCompact', { trigger: 'auto', custom_instructions: null });
  expect(fire('SessionStart', { source: 'compact' })).toContain('<compaction-alert>');
  expect(git(host, host.project, 'status', '--porcelain')).toBe('');
});
