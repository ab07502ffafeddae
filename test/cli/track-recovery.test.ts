// Tests that `plimsoll track show --full` and the gates for recovery and guardrails tell the truth, and fail where they must.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runGuardrailsGate, runRecoveryGate } from '../../src/addons/tracks/commands/gates.io.ts';
import { readProjectContext } from '../../src/cli/project.io.ts';
import { readEnvironment } from '../../src/hosts/claude-code/environment.io.ts';
import { type Host, newHost } from '../hooks/host.ts';
import { DIST } from '../kit/plimsoll.ts';
import { run } from './healthy.ts';

const LOG = 'artifacts/sessions/s1/work_log.md';
const PLAN = 'docs/tracks/cache/PLAN.md';
const FILES = {
  'docs/tracks/ACTIVE_TRACK': 'cache\n',
  [PLAN]: '# Plan\n\n- [ ] Task: By hand\n',
  'docs/tracks/other/PLAN.md': '- [ ] Task: OTHER-TRACK\n',
  [LOG]:
    '<!-- plimsoll work log; track: cache -->\n- 2026-11-28T10:00:00Z Edit a: ok\n- Decision: One file\n  - Reason: r\n  - Impact: i\n- [ ] Task: Write the reader\n',
};

function compacted(files: Record<string, string> = {}): Host {
  const host = newHost({ files: { ...FILES, ...files } });
  expect(run(host, 'track', 'sync').code).toBe(0);
  return host;
}
const at = (host: Host, name: string): string => path.join(host.project, name);
const entryOf = (host: Host): string =>
  at(
    host,
    `docs/tracks/cache/entries/${readdirSync(at(host, 'docs/tracks/cache/entries')).find((name) => name.startsWith('task-'))}`,
  );

/** Texts of all files of the project, by path. */
const filesIn = (host: Host): Record<string, string> =>
  Object.fromEntries(
    readdirSync(host.project, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [file, readFileSync(file, 'utf8')]),
  );

const placeIn = (host: Host): ReturnType<typeof readProjectContext> =>
  readProjectContext(host.project, readEnvironment(host.env, host.project), Date.now());

describe('track show --full', () => {
  test('prints the five steps with hashes, the state, and every file once; nothing of another track', () => {
    const { stdout, code } = run(compacted(), 'track', 'show', '--full');
    expect(code).toBe(0);
    expect(stdout.match(/^Step \d: .*/gm)).toEqual([
      'Step 1: core files',
      'Step 2: files of the track',
      'Step 3: the checkpoint',
      'Step 4: transient files of the last session',
      'Step 5: what the state is made of',
    ]);
    expect(stdout).toMatch(/whole {3}docs\/tracks\/cache\/PLAN\.md \(\d+ bytes, SHA-256 [0-9a-f]{64}\)/);
    expect(stdout).toMatch(
      /Tasks: 0 of 2 done\n {2}todo {4}By hand\n {2}todo {4}T-[0-9a-f]{10} Write the reader\n/,
    );
    expect(stdout).toMatch(/2026-11-28T10:00:00Z D-[0-9a-f]{10} One file/);
    expect(stdout.match(/^===== docs\/tracks\/cache\/PLAN\.md =====$/gm)).toHaveLength(1);
    expect(stdout).not.toContain('OTHER-TRACK');
  });

  test('gives all of it as JSON', () => {
    const host = compacted();
    const { stdout } = run(host, 'track', 'show', '--full', '--json');
    const found = JSON.parse(stdout);
    expect(found).toMatchObject({ track: 'cache', faults: [], drift: [], latest: { track: 'cache' } });
    expect(found.files[PLAN]).toBe(readFileSync(at(host, PLAN), 'utf8'));
  });

  test.each<[string, (host: Host) => void, RegExp]>([
    [
      'there is no checkpoint',
      (host) => rmSync(at(host, 'artifacts/checkpoints'), { recursive: true }),
      /no checkpoint of this track yet .*: run plimsoll track sync/,
    ],
    [
      'the checkpoint is damaged',
      (host) => writeFileSync(at(host, 'artifacts/checkpoints/cache/latest.json'), '{"a"'),
      /latest\.json is of no use: it is damaged/,
    ],
    ['the plan is gone', (host) => rmSync(at(host, PLAN)), /PLAN\.md is missing: take it from git; /],
  ])('says so with code 1 where %s', (_, damage, words) => {
    const host = compacted();
    damage(host);
    const { stderr, code } = run(host, 'track', 'show', '--full');
    expect(code).toBe(1);
    expect(stderr).toMatch(words);
  });

  test('says that a plan was changed after the checkpoint', () => {
    const host = compacted();
    appendFileSync(at(host, PLAN), '\nby hand\n');
    const { stdout, code } = run(host, 'track', 'show', '--full');
    expect(code).toBe(0);
    expect(stdout).toContain('PLAN.md was changed after the checkpoint.');
  });

  test('reads nothing that a link leads to outside of the project', () => {
    const host = compacted();
    writeFileSync(path.join(host.root, 'secret.md'), 'SECRET\n');
    execFileSync('ln', ['-s', path.join(host.root, 'secret.md'), at(host, 'CLAUDE.md')]);
    const { stdout } = run(host, 'track', 'show', '--full');
    expect(stdout).toContain('missing CLAUDE.md');
    expect(stdout).not.toContain('SECRET');
  });

  test('knows no track where none is active', () => {
    const { stderr, code } = run(newHost(), 'track', 'show', '--full');
    expect(code).toBe(1);
    expect(stderr).toMatch(/No track is active here\n {2}Next: /);
  });
});

describe('the gate "recovery"', () => {
  const gate = (host: Host) => runRecoveryGate(placeIn(host), 'cache');

  test('holds after a compaction, and changes nothing', async () => {
    const host = compacted();
    const before = filesIn(host);
    const { state, checks } = gate(host);
    expect(state).toBe('held');
    expect(checks.map((each) => each.says)).toEqual([
      'docs/tracks/cache/PLAN.md is rebuilt from docs/tracks/cache/entries/, to the SHA-256 of the checkpoint',
      'recovery from it finds nothing missing',
      'the plan that a session is told has the SHA-256 of the file',
      'an edit of the plan after the checkpoint is reported',
      'a clone has the checkpoint',
    ]);
    expect(filesIn(host)).toEqual(before);
  });

  test('holds where the plan was changed since, and says that', async () => {
    const host = compacted();
    appendFileSync(at(host, PLAN), '\nby hand\n');
    expect(gate(host)).toMatchObject({
      state: 'held',
      notes: ['PLAN.md was changed after the checkpoint: plimsoll track sync makes a new one.'],
    });
  });

  test.each<[string, (host: Host) => void, RegExp]>([
    ['an entry is gone', (host) => rmSync(entryOf(host)), /is rebuilt from.*instead of [0-9a-f]{64}/],
    [
      'an entry was changed since',
      (host) => writeFileSync(entryOf(host), readFileSync(entryOf(host), 'utf8').replace('todo', 'done')),
      /is rebuilt from.*run plimsoll track sync/,
    ],
    [
      'there is no checkpoint',
      (host) => rmSync(at(host, 'artifacts/checkpoints'), { recursive: true }),
      /there is a checkpoint with a plan: There is no checkpoint/,
    ],
    [
      'git ignores the checkpoint',
      (host) => {
        rmSync(at(host, '.git'), { recursive: true });
        execFileSync('git', ['init', '-q'], { cwd: host.project, env: host.env });
        writeFileSync(at(host, '.gitignore'), 'artifacts/\n');
      },
      /git ignores artifacts\/checkpoints\/cache\/latest\.json.*no line of \.gitignore may match artifacts/,
    ],
  ])('fails where %s', async (_, damage, words) => {
    const host = compacted();
    damage(host);
    const { state, checks } = gate(host);
    expect(state).toBe('failed');
    const failed = checks.filter((each) => !each.holds);
    expect(failed.map(({ says, found }) => `${says}: ${found}`).join('\n')).toMatch(words);
  });

  test('holds in a fresh clone, where recovery finds everything', async () => {
    const host = newHost({ files: { ...FILES, '.gitignore': 'artifacts/sessions/\n' } });
    rmSync(at(host, '.git'), { recursive: true });
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e', ...args], {
        cwd: host.project,
        env: host.env,
      });
    git('init', '-q');
    expect(run(host, 'track', 'sync').code).toBe(0);
    git('add', '-A');
    git('commit', '-qm', 'all');
    git('clone', '-q', '.', path.join(host.root, 'clone'));
    const clone = {
      ...host,
      project: path.join(host.root, 'clone'),
      env: { ...host.env, CLAUDE_PROJECT_DIR: path.join(host.root, 'clone') },
    };
    expect(existsSync(at(clone, LOG))).toBe(false);
    expect(gate(clone).state).toBe('held');
    const found = JSON.parse(run(clone, 'track', 'show', '--full', '--json').stdout);
    expect(found).toMatchObject({ faults: [], drift: [] });
    writeFileSync(at(clone, PLAN), '# Plan\n\n- [ ] Task: By hand\n');
    expect(run(clone, 'track', 'sync').code).toBe(0);
    expect(JSON.parse(run(clone, 'track', 'show', '--full', '--json').stdout)).toMatchObject({
      faults: [],
      drift: [],
    });
  });
});

describe('the gate "guardrails"', () => {
  const project = (config: string): Host => newHost({ files: { '.plimsoll/config.toml': config } });
  const gate = (host: Host) => runGuardrailsGate(placeIn(host), DIST);

  test.each([
    [
      'the preset of tracks',
      '[guardrails]\nmode = "enforce"\npreset = "tracks"\n',
      'writing plimsoll-gate.txt is denied by the hook',
    ],
    [
      "the project's own globs",
      '[guardrails]\nmode = "enforce"\npreset = "none"\n[guardrails.paths]\nprotected = ["dist/**/*.js"]\n',
      'writing dist/gate/gate.js is denied by the hook',
    ],
  ])('holds with %s: the real hook denies the write, and notes it', async (_, config, says) => {
    const host = project(config);
    const { state, checks } = await gate(host);
    expect(state).toBe('held');
    expect(checks).toEqual([
      expect.objectContaining({ says, holds: true }),
      expect.objectContaining({ says: 'the violation stands among the events of the session', holds: true }),
    ]);
    // Nothing of it in the project.
    expect(readdirSync(host.shared())).toEqual(['config.toml']);
  });

  test('fails where the installed hook does not deny it', async () => {
    const host = project('[guardrails]\nmode = "enforce"\npreset = "tracks"\n');
    const current = path.join(host.env.XDG_DATA_HOME ?? '', 'plimsoll/current');
    mkdirSync(current, { recursive: true });
    writeFileSync(path.join(current, 'hook.cjs'), '');
    const { state, checks } = await gate(host);
    expect(state).toBe('failed');
    expect(checks[0]).toMatchObject({ holds: false, found: 'it answered nothing: run plimsoll doctor' });
  });

  test.each([
    ['off', 'nothing is judged'],
    ['warn', 'the agent is warned only'],
  ])('is not run with mode = "%s", and says what would happen', async (mode, words) => {
    const { state, notes } = await gate(project(`[guardrails]\nmode = "${mode}"\npreset = "tracks"\n`));
    expect(state).toBe('not run');
    expect(notes).toEqual([
      `guardrails.mode is "${mode}": ${words}. With "enforce" writing plimsoll-gate.txt would be denied.`,
    ]);
  });

  test('is not run where nothing is forbidden', async () => {
    const { state, notes } = await gate(project('[guardrails]\nmode = "enforce"\npreset = "none"\n'));
    expect(state).toBe('not run');
    expect(notes[0]).toMatch(/^No file is forbidden/);
  });
});
