// Tests that two branches' entries merge in git without a conflict, and that the rest is generated anew.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Host } from '../hooks/host.ts';
import { compact, FOLDER, filesIn, read, trackHost, write } from './tracks.ts';

const git = (host: Host, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e', ...args], {
    cwd: host.project,
    env: host.env,
    encoding: 'utf8',
  });

const log = (session: string, hour: number, ...lines: string[]): [string, string] => [
  `artifacts/sessions/${session}/work_log.md`,
  `<!-- plimsoll work log; track: cache -->\n- 2026-11-28T${hour}:00:00Z Edit a: ok\n${lines.join('\n')}\n`,
];
const decision = (text: string): string => `- Decision: ${text}\n  - Reason: r\n  - Impact: i`;

/** Compacts and commits what a session noted, as in a clone without the logs of others. */
function commitNotes(host: Host, branch: string, [file, text]: [string, string]): void {
  rmSync(path.join(host.project, 'artifacts/sessions'), { recursive: true, force: true });
  write(host, file, text);
  expect(compact(host).code).toBe(0);
  git(host, 'add', '--all');
  git(host, 'commit', '-qm', branch);
}

/** The same on a branch of its own. */
function noteOn(host: Host, branch: string, noted: [string, string]): void {
  git(host, 'checkout', '-q', '-B', branch, 'main');
  commitNotes(host, branch, noted);
}

/** The project with two branches: each adds entries, both change one that was there, and both note the same risk. */
function branched(): Host {
  const host = trackHost({ '.gitignore': 'artifacts/sessions/\n.plimsoll/\n' });
  rmSync(path.join(host.project, '.git'), { recursive: true, force: true });
  git(host, 'init', '-q', '-b', 'main');
  expect(compact(host).code).toBe(0);
  git(host, 'add', '--all');
  git(host, 'commit', '-qm', 'base');
  const risk = '- Risk: the disk is full\n  - Severity: critical';
  noteOn(
    host,
    'one',
    log('one', 11, decision('first'), '- [~] Task: write the reader', '- [ ] Task: test it'),
  );
  noteOn(
    host,
    'two',
    log('two', 12, decision('second'), '- [ ] Task: ship it', '- Invariant: one writer', risk),
  );
  rmSync(path.join(host.project, 'artifacts/sessions'), { recursive: true, force: true });
  return host;
}

/** Merges a branch into another one, compacts, and gives what conflicted and what came of it. */
function merged(
  host: Host,
  into: string,
  from: string,
): { conflicts: string[]; told: string; files: Record<string, string> } {
  git(host, 'checkout', '-q', into);
  spawnSync('git', ['-c', 'user.name=n', '-c', 'user.email=e', 'merge', '-q', from], {
    cwd: host.project,
    env: host.env,
  });
  const conflicts = git(host, 'diff', '--name-only', '--diff-filter=U').split('\n').filter(Boolean);
  const done = compact(host);
  expect(done.code).toBe(0);
  expect(compact(host).stdout).toContain('up to date');
  return {
    conflicts,
    told: done.stderr,
    files: Object.fromEntries(Object.entries(filesIn(host)).filter(([name]) => name.startsWith('docs/'))),
  };
}

test('entries of two branches merge without a conflict; either order of the merge gives the same bytes', () => {
  const host = branched();
  const copy = { ...host, project: `${host.project}-copy` };
  cpSync(host.project, copy.project, { recursive: true });
  copy.env = { ...host.env, CLAUDE_PROJECT_DIR: copy.project };
  const one = merged(host, 'one', 'two');
  const two = merged(copy, 'two', 'one');
  // What is generated meets in git, and nothing else does.
  for (const { conflicts, told } of [one, two]) {
    expect(told).toBe('');
    expect(conflicts.filter((name) => name.includes('/entries/'))).toEqual([]);
    expect(conflicts).toContain(`${FOLDER}/PLAN.md`);
  }
  expect(two.files).toEqual(one.files);
  const plan = read(host, `${FOLDER}/PLAN.md`);
  expect(plan.match(/\[.\] Task: \S+ (.*?)(?=\r)/g)?.map((line) => line.replace(/\[T-\w+\] /, ''))).toEqual([
    '[~] Task: write the reader',
    '[ ] Task: test it',
    '[ ] Task: ship it',
  ]);
  expect(plan).not.toMatch(/<<<|>>>|moved out/);
  expect(read(host, `${FOLDER}/RISKS.md`)).toContain('Severity: critical');
  expect(read(host, `${FOLDER}/DECISIONS.md`).match(/Decision: \S+ .*/g)).toHaveLength(3);
});

test('the same words noted on two branches are one entry, as it was first noted and last changed', () => {
  const host = branched();
  noteOn(host, 'three', log('three', 13, '- [ ] Task: the same'));
  noteOn(host, 'four', log('four', 14, '- [x] Task: the same'));
  rmSync(path.join(host.project, 'artifacts/sessions'), { recursive: true, force: true });
  const { conflicts, told, files } = merged(host, 'three', 'four');
  const [entry = ''] = conflicts.filter((name) => name.includes('/entries/'));
  expect(files[entry]).toMatch(
    /^date: 2026-11-28T13:00:00Z\nchanged: 2026-11-28T14:00:00Z\nstatus: done\nsession: three$/m,
  );
  expect(files[`${FOLDER}/PLAN.md`]).toMatch(/- \[x\] Task: \[T-\w+\] the same\r/);
  expect(told).toMatch(
    /^\S+: two branches set its status\. "done", which was said later, stands, and not "todo"\n$/,
  );
});

test("what two branches change of one entry's file stays of both, and so do both persons' words", () => {
  const host = branched();
  const [entry = ''] = Object.keys(filesIn(host)).filter((name) => name.includes('/entries/risk-'));
  for (const [branch, from, to, words] of [
    ['anna', /$/, '  - Mitigation: rotate it\n', 'Words of Anna'],
    ['bob', /status: open/, 'status: accepted', 'Words of Bob'],
  ] as const) {
    git(host, 'checkout', '-q', '-B', branch, 'main');
    write(host, entry, `${read(host, entry).replace(from, to)}\n${words}\n`);
    git(host, 'commit', '-qam', branch);
  }
  const { conflicts, told, files } = merged(host, 'anna', 'bob');
  expect(conflicts).toContain(entry);
  expect(told).toBe('');
  expect(files[entry]).toMatch(/\nstatus: accepted\n/);
  expect(files[entry]).toMatch(
    /\n {2}- Mitigation: rotate it\n\nWords of (Anna|Bob)\n\nWords of (?!\1)(Anna|Bob)\n$/,
  );
  expect(files[`${FOLDER}/RISKS.md`]).toMatch(/Mitigation: rotate it\s+- Status: accepted/);
});

/** A project whose tasks alpha, m1 to m4 and zeta two branches brought forward; the branch "one" is not merged yet. */
function withTwoStates(): Host {
  const host = branched();
  git(host, 'checkout', '-q', 'main');
  const commitNoted = (branch: string, from: string, session: string, ...noted: [number, string][]): void => {
    git(host, 'checkout', '-q', '-B', branch, from);
    const lines = noted.map(([hour, line]) => `- 2026-11-29T${hour}:00:00Z Edit a: ok\n${line}`);
    commitNotes(host, branch, log(session, 10, ...lines));
  };
  const names = ['alpha', 'm1', 'm2', 'm3', 'm4', 'zeta'];
  commitNoted(
    'main',
    'main',
    'base',
    ...names.map((name, at): [number, string] => [10 + at, `- [ ] Task: ${name}`]),
  );
  commitNoted('one', 'main', 'one', [20, '- [~] Task: alpha']);
  commitNoted('main', 'main', 'main', [21, '- [x] Task: alpha'], [22, '- [x] Task: zeta']);
  return host;
}

test('lines that git took from one branch into both sides of a block are no edit', () => {
  const host = withTwoStates();
  const { conflicts, told, files } = merged(host, 'main', 'one');
  expect(conflicts).toContain(`${FOLDER}/PLAN.md`);
  expect(told).not.toContain('was edited');
  const plan = files[`${FOLDER}/PLAN.md`] ?? '';
  expect(plan).not.toMatch(/moved out|~~~/);
  expect(
    plan.match(/\[.\] Task: \[T-\w+\] (?:alpha|m\d|zeta)/g)?.map((line) => line.replace(/\[T-\w+\] /, '')),
  ).toEqual([
    '[x] Task: alpha',
    '[ ] Task: m1',
    '[ ] Task: m2',
    '[ ] Task: m3',
    '[ ] Task: m4',
    '[x] Task: zeta',
  ]);
});

test('what a person wrote into a block that git could not merge stands below it, once', () => {
  const host = withTwoStates();
  git(host, 'checkout', '-q', 'one');
  const plan = read(host, `${FOLDER}/PLAN.md`);
  write(host, `${FOLDER}/PLAN.md`, plan.replace(/(Task: \S+ m2\r\n.*\r\n)/, '$1- [ ] Task: by hand\r\n'));
  git(host, 'commit', '-qam', 'by hand');
  const { told, files } = merged(host, 'main', 'one');
  expect(told).toContain('was edited');
  expect(files[`${FOLDER}/PLAN.md`]?.match(/by hand/g)).toHaveLength(1);
  expect(files[`${FOLDER}/PLAN.md`]).toMatch(/moved out [^\n]*\n~~~\r\n- \[ \] Task: by hand\r\n~~~\r\n/);
});
