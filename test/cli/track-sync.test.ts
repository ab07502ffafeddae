// Tests what `plimsoll track sync` says, what it changes and what it leaves alone.
import { expect, test } from 'vitest';
import { MINE } from '../hooks/host.ts';
import {
  compact,
  FOLDER,
  filesIn,
  LOG,
  NOTES,
  outputsIn,
  read,
  trackHost,
  VIOLATION,
  write,
} from './tracks.ts';

const LATEST = 'artifacts/checkpoints/cache/latest.json';

test('--dry-run shows a unified diff of the documents, and changes nothing', () => {
  const host = trackHost();
  const before = filesIn(host);
  const { code, stdout } = compact(host, '--dry-run');
  expect(code).toBe(0);
  expect(stdout).toContain(
    '--- /dev/null\n+++ b/docs/context/INVARIANTS.md\n@@ -0,0 +1,6 @@\n+# Invariants\n',
  );
  expect(stdout).toContain(`--- a/${FOLDER}/PLAN.md\n+++ b/${FOLDER}/PLAN.md\n@@ `);
  expect(stdout).toMatch(/\n\+- \[ \] Task: \[T-[0-9a-f]{10}\] write the reader\n/);
  expect(stdout).toMatch(/\n\+\+\+ b\/docs\/tracks\/cache\/entries\/task-[0-9a-f]{10}\.md\n/);
  expect(stdout).not.toMatch(/^-(?!-- )/m);
  expect(stdout).toMatch(
    /\nTo be changed: .*RISKS\.md, 4 files in docs\/tracks\/cache\/entries\. Nothing was changed\.\n$/,
  );
  expect(filesIn(host)).toEqual(before);
});

test('it says what the track holds and what was changed; the next time that nothing was said', () => {
  const host = trackHost();
  expect(compact(host)).toEqual({
    code: 0,
    stderr: '',
    stdout: `Track cache compacted: 1 task, 1 risk, 1 decision, 1 invariant.\nChanged: docs/context/INVARIANTS.md, ${FOLDER}/DECISIONS.md, ${FOLDER}/PLAN.md, ${FOLDER}/RISKS.md, 4 files in ${FOLDER}/entries; ${LATEST} says what it was made of.\n`,
  });
  const after = filesIn(host);
  expect(compact(host).stdout).toBe(
    'Track cache is up to date: nothing was said since its last compaction.\n',
  );
  expect(filesIn(host)).toEqual(after);
});

test('a merge conflict around what somebody wrote is named as one, and nothing is changed', () => {
  const host = trackHost();
  compact(host);
  const plan = read(host, `${FOLDER}/PLAN.md`);
  const twice = '<<<<<<< HEAD\nour words\n=======\ntheir words\n>>>>>>> other\n';
  write(host, `${FOLDER}/PLAN.md`, `${plan}${twice}`);
  const before = filesIn(host);
  const { code, stdout, stderr } = compact(host);
  expect(code).toBe(1);
  const line = plan.split('\n').length;
  expect(`${stdout}${stderr}`).toContain(`${FOLDER}/PLAN.md:${line}: found a merge conflict`);
  expect(filesIn(host)).toEqual(before);
});

test('what was written into the generated block is told, and stands below it', () => {
  const host = trackHost();
  compact(host);
  const plan = read(host, `${FOLDER}/PLAN.md`);
  write(host, `${FOLDER}/PLAN.md`, plan.replace('- [ ] Task', '- [x] Task'));
  const { code, stderr } = compact(host);
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(
      /^docs\/tracks\/cache\/PLAN\.md: its block is generated, and was edited\. .*"plimsoll note"/,
    ),
  ]);
  expect(read(host, `${FOLDER}/PLAN.md`)).toMatch(
    /- \[ \] Task: [\s\S]*<!-- \/plimsoll:entries -->\r\n\r\n<!-- plimsoll: moved out .*\r\n~~~\r\n- \[x\] Task: /,
  );
});

test('--json: the files and what latest.json holds', () => {
  const host = trackHost();
  const { files, latest, ...rest } = JSON.parse(compact(host, '--json', '--session', 'mine').stdout) as {
    files: unknown[];
    latest: unknown;
  };
  expect(rest).toEqual({ track: 'cache', dry_run: false, compacted: true, notes: [] });
  expect(files).toContainEqual({ path: `${FOLDER}/PLAN.md`, change: 'changed' });
  expect(files).toContainEqual({ path: `${FOLDER}/DECISIONS.md`, change: 'new' });
  expect(latest).toEqual(JSON.parse(read(host, LATEST)));
  expect(latest).toMatchObject({ track: 'cache', session: 'mine', transient: [] });
});

test('violations: every one with file and line, what was found, what is expected; exit code 1, nothing is changed', () => {
  const host = trackHost();
  write(host, LOG, `${NOTES}${VIOLATION}`);
  write(host, `${FOLDER}/PLAN.md`, '# Plan\n\n- [?] Task: x\n');
  const before = outputsIn(host);
  for (const more of [[], ['--dry-run']]) {
    expect(compact(host, ...more)).toEqual({
      code: 1,
      stdout: `${LOG}:10: found no Severity\n  expected: "  - Severity: low | medium | high | critical" below it\n${FOLDER}/PLAN.md:3: found box [?]\n  expected: [ ], [~], [x] or [!]\n`,
      stderr: `Track cache was not compacted: 2 violations. Nothing was changed\n  Next: put ${LOG} right at line 10, and run it again\n`,
    });
  }
  const { violations, error } = JSON.parse(compact(host, '--json').stdout) as {
    violations: { file: string; line: number }[];
    error: { next: string };
  };
  expect(violations.map(({ file, line }) => `${file}:${line}`)).toEqual([`${LOG}:10`, `${FOLDER}/PLAN.md:3`]);
  expect(error.next).toContain('line 10');
  expect(outputsIn(host)).toEqual(before);
});

test.each([
  ['no track is active', '', [], 1, /No track is active here\n {2}Next: /],
  ['there is no such track', 'cache\n', ['other'], 1, /There is no track "other"\n {2}Next: /],
  ['what is no id', 'cache\n', ['../x'], 2, /"\.\.\/x" is no id of a track\n {2}Next: /],
])('%s: said with the next step', (_, pointer, args, code, said) => {
  const host = trackHost({ 'docs/tracks/ACTIVE_TRACK': pointer });
  const before = filesIn(host);
  expect(compact(host, ...args)).toMatchObject({ code, stderr: expect.stringMatching(said) });
  expect(filesIn(host)).toEqual(before);
});

test('CONTEXT_CORE.md is written only where tracks.core_writes says so', () => {
  const core = { 'docs/context/CONTEXT_CORE.md': '# Core\n' };
  const proposed = trackHost(core);
  compact(proposed);
  expect(read(proposed, 'docs/context/CONTEXT_CORE.md')).toBe('# Core\n');
  const applied = trackHost({ ...core, [MINE]: '[tracks]\ncore_writes = "apply"\n' });
  compact(applied);
  expect(read(applied, 'docs/context/CONTEXT_CORE.md')).toMatch(
    /^# Core\n\n<!-- plimsoll:entries [^>]*-->\n- Invariant: \[I-[0-9a-f]{10}\] hooks never block\n/,
  );
});

test('what looks like an entry in the work log and is none is told of, also where nothing else was said', () => {
  const host = trackHost();
  compact(host);
  write(host, LOG, `${read(host, LOG)}- **Decision:** in bold\n`);
  compact(host);
  const { code, stdout, stderr } = compact(host);
  expect([code, stdout]).toEqual([
    0,
    'Track cache is up to date: nothing was said since its last compaction.\n',
  ]);
  expect(stderr).toMatch(/work_log\.md:\d+ looks like a decision and is not taken up: an entry begins with/);
});
