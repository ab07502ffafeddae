// Tests that a person can read the state of the work, and see what is wrong with its file.
import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { CLI } from '../kit/plimsoll.ts';
import { FILE, fixture, host, json, state, textOf, withFile } from './state.ts';

describe('state show and validate', () => {
  test('show tells what people ask for on one page', () => {
    const at = withFile();
    const { stdout, code } = state(at, 'show');
    expect(code).toBe(0);
    for (const words of [
      /^Workflow +feat015-licmig-20260217-001, ACTIVE$/m,
      /^Phase +3 \(Source File SPDX Header Notices\)$/m,
      /^Next step +Execute header-applicator agent for EN-932$/m,
      /^Gate +none in progress, next qg-3, 5 of 12 iterations used$/m,
      /^Defects +14 found, 14 resolved$/m,
      /^Updated +\d+ days ago, at 64.2% of the window$/m,
      /^ {2}RD-002 {2}Defer README MIT/m,
      /^ {2}qg-1 {2}passed {2}0.825 → 0.916 → 0.941$/m,
      /^ {2}notice-creator: DONE\. NOTICE file/m,
      /^ {2}1\. projects\/PROJ-001-oss-release\/ORCHESTRATION\.yaml \[resumption, /m,
    ])
      expect(stdout).toMatch(words);
    expect(json(state(at, 'show', '--json'))).toMatchObject({
      phase: 3,
      version: 2,
      problems: 0,
      source: 'updated_at',
      age_s: expect.any(Number),
    });
  });

  test('show reads what it can of a broken file, moves no cursor, and says that there is more to see', () => {
    const at = host({ [FILE]: 'resumption:\n  next_step: "go \\e[31m on"\n\tcurrent_phase: 2\n' });
    const { stdout, code } = state(at, 'show');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Next step +go {2}on$/m);
    expect(stdout).toMatch(/^Problems +\d+; plimsoll state validate lists them$/m);
  });

  test('validate names line, what was expected and the way out, and ends with 1', () => {
    const at = host({
      [FILE]: fixture('v2.yaml')
        .replace('"ACTIVE"                     #', '"SOON"                     #')
        .replace('count: 0\n', 'count: many\n')
        .replace('gates_remaining: ["qg-3",', 'gates_remaining: ["qg-1",'),
    });
    const lineOf = (words: string): number =>
      textOf(at)
        .split('\n')
        .findIndex((line) => line.includes(words)) + 1;
    const result = state(at, 'validate');
    expect(result.code).toBe(1);
    expect(result.stdout).toContain(
      `ORCHESTRATION.yaml:${lineOf('"SOON"')} problem at resumption.workflow_status: "SOON"\n  expected: ACTIVE | PAUSED | COMPLETE | FAILED\n  fix: plimsoll state status WORD\n`,
    );
    expect(result.stdout).toContain(
      `ORCHESTRATION.yaml:${lineOf('["qg-1", "qg-final"]')} problem at resumption.quality_trajectory.gates_remaining: qg-1`,
    );
    expect(result.stderr).toContain('3 problems');
    const report = json<{ valid: boolean; findings: { line: number; level: string }[]; error: unknown }>(
      state(at, 'validate', '--json'),
    );
    expect(report.valid).toBe(false);
    expect(report.findings.map((each) => each.line)).toEqual([
      lineOf('"SOON"'),
      lineOf('["qg-1", "qg-final"]'),
      lineOf('count: many'),
    ]);
    expect(json(state(withFile(), 'validate', '--json'))).toMatchObject({ valid: true, findings: [] });
  });

  test.each([
    ['a torn file', 'resumption:\n  next_step: "a', /no sound YAML/],
    ['tabs', 'resumption:\n\tnext_step: a\n', /no sound YAML: Tabs/],
    [
      'a section that stands twice',
      'resumption:\n  a: 1\nresumption:\n  b: 1\n',
      /stands twice \(lines 1 and 3\)/,
    ],
    ['an anchored section', 'resumption: &r\n  next_step: a\ncopy: *r\n', /altered something else/],
    ['no section', 'workflow: {}\n', /no "resumption" section[\s\S]*state init/],
  ])('a change of %s is refused with a word, and changes nothing', (_, text, message) => {
    const at = host({ [FILE]: text });
    const result = state(at, 'next', 'b');
    expect([result.code, result.stderr]).toEqual([1, expect.stringMatching(message)]);
    expect(textOf(at)).toBe(text);
    expect(json<{ error: { message: string } }>(state(at, 'next', 'b', '--json')).error.message).toMatch(
      /Nothing was changed/,
    );
  });
});

test('show says what a file says that uses names of JavaScript, and answers whoever reads only its first line', async () => {
  const at = withFile();
  for (const gate of ['constructor', 'toString']) {
    state(at, 'gate', 'enter', gate);
    state(at, 'gate', 'pass', gate);
  }
  const shown = state(at, 'show');
  expect([shown.code, shown.stderr]).toEqual([0, '']);
  expect(shown.stdout).toContain('constructor  passed');
  const child = spawn(process.execPath, [CLI, 'state', 'show'], { cwd: at.project, env: at.env });
  child.stdout.destroy();
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  expect(said).toBe('');
});
