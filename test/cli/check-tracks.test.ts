// Tests that `plimsoll check` holds tracks to the evaluator, and work to a plan that is ready.
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plimsoll } from '../kit/plimsoll.ts';
import { type Repository, repository } from '../unit/repository.ts';
import { temporaryFolder } from '../unit/temporary.ts';
import { READY, TRACK, UNREADY } from '../unit/tracks.ts';
import { found as allFound, check } from './checked.ts';

const config = (mode: string, more = ''): Record<string, string> => ({
  '.plimsoll/config.toml': `[guardrails]\nmode = "${mode}"\npreset = "none"\n${more}`,
});
const project = (files: Record<string, string>): Repository => repository({ 'src/a.ts': '', ...files });
/** Without what other checks say. */
function found(repo: Repository, ...args: string[]): [number, string[]] {
  const [code, findings] = allFound(repo, ...args);
  return [code, findings.filter((each) => each.includes(' tracks/'))];
}
const TODO = (level: string): string => `${TRACK}/PLAN.md:10 tracks/placeholders ${level}`;

test.each<[string, string, number, string[]]>([
  ['enforce', '', 1, [TODO('error')]],
  ['warn', '', 0, [TODO('warning')]],
  ['off', '', 0, [TODO('note')]],
  ['enforce', '[tracks]\ngate = false\n', 0, []],
  ['enforce', '[tracks]\nenabled = "off"\n', 0, []],
])('work while the plan is not ready, with mode "%s" %j', (mode, more, code, findings) => {
  const repo = project({ ...UNREADY, ...config(mode, more) });
  repo.write('src/a.ts', 'export const a = 1;\n');
  expect(found(repo)).toEqual([code, findings]);
});

test('work on a plan that is ready, and work on the plan alone, pass', () => {
  const ready = project({ ...READY, ...config('enforce') });
  ready.write('src/a.ts', 'export const a = 1;\n');
  expect(found(ready)).toEqual([0, []]);
  const drafted = project({ ...READY, ...config('enforce') });
  drafted.write(`${TRACK}/PLAN.md`, UNREADY[`${TRACK}/PLAN.md`] ?? '');
  expect(found(drafted)).toEqual([0, [TODO('note')]]);
});

test('an entry that is no entry is an error in any track, unless that is closed', () => {
  const repo = project({ ...READY, ...config('off'), 'docs/tracks/net/DECISIONS.md': '' });
  repo.write('docs/tracks/net/DECISIONS.md', '- Decision: x\n  - Reason: y\n');
  const [code, findings] = found(repo);
  expect(code).toBe(1);
  expect(findings).toContain('docs/tracks/net/DECISIONS.md:1 tracks/schema error');
  repo.write('docs/tracks/net/CLOSED', '');
  expect(found(repo)).toEqual([0, []]);
});

test('it is judged as it is staged', () => {
  const repo = project({ ...READY, ...config('enforce') });
  repo.write(`${TRACK}/PLAN.md`, UNREADY[`${TRACK}/PLAN.md`] ?? '');
  repo.write('src/a.ts', 'export const a = 1;\n');
  repo.git('add', '.');
  repo.write(`${TRACK}/PLAN.md`, READY[`${TRACK}/PLAN.md`] ?? '');
  expect(found(repo, '--staged')).toEqual([1, [TODO('error')]]);
  expect(found(repo)).toEqual([0, []]);
});

test('a file of a track that leads out of the project is an error, and not read', () => {
  const repo = project({ ...READY, ...config('enforce') });
  const outside = join(temporaryFolder(), 'outside.md');
  writeFileSync(outside, '- Task: words of somebody else\n');
  rmSync(join(repo.folder, TRACK, 'PLAN.md'));
  symlinkSync(outside, join(repo.folder, TRACK, 'PLAN.md'));
  const { code, stdout } = check(repo);
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/A link leads out of the project: docs\/tracks\/cache\/PLAN\.md is /),
  ]);
  expect(stdout).not.toContain('words of somebody else');
});

test('a pointer to nothing is an error where it is changed', () => {
  const repo = project({ ...READY, ...config('off') });
  repo.write('docs/tracks/ACTIVE_TRACK', '../gone\n');
  expect(found(repo)).toEqual([1, ['docs/tracks/ACTIVE_TRACK:1 tracks/pointer error']]);
});

test('an entry that the schema does not take is an error, for its track cannot be compacted; lint says it too', () => {
  const repo = project({ ...READY, ...config('off') });
  repo.write(
    `${TRACK}/entries/task-0123456789.md`,
    '---\nkind: task\nid: T-1\nstatus: later\n---\n\n- Task: x\n',
  );
  repo.write(`${TRACK}/entries/task-0123456780.md`, '---\nkind: task\nid: T-2\n---\n\n- Task: y\n');
  expect(found(repo)).toEqual([1, [`${TRACK}/entries/task-0123456789.md:4 tracks/schema error`]]);
  const { code, stdout } = plimsoll({ env: repo.env, projectDir: repo.folder }, 'track', 'lint');
  expect(code).toBe(1);
  expect(stdout).toMatch(/entries\/task-0123456789\.md:4: status "later" \(schema\)/);
});
