// Can people and agents keep the state of the work with commands, and does nothing else in their files change?
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Host, newHost } from '../hooks/host.ts';
import { CLI, type CliResult, plimsoll } from '../kit/plimsoll.ts';
import { answer, jsonl, request } from '../unit/lines.ts';

const FIXTURES = new URL('../fixtures/state/', import.meta.url);
const fixture = (name: string): string => readFileSync(new URL(name, FIXTURES), 'utf8');
const FILE = 'ORCHESTRATION.yaml';

const host = (files: Record<string, string> = {}): Host => newHost({ files });
const withFile = (name = 'v2.yaml'): Host => host({ [FILE]: fixture(name) });
const stateIn = (at: Host, folder: string, ...args: string[]): CliResult =>
  plimsoll({ env: at.env, projectDir: folder }, 'state', ...args);
const state = (at: Host, ...args: string[]): CliResult => stateIn(at, at.project, ...args);
const textOf = (at: Host, name = FILE): string => readFileSync(path.join(at.project, name), 'utf8');
const json = <T = Record<string, unknown>>(result: CliResult): T => JSON.parse(result.stdout) as T;

interface Section {
  [key: string]: unknown;
}
const section = (at: Host, name = FILE): Section =>
  (parse(textOf(at, name)) as { resumption: Section }).resumption;

/** Lines of a file that are not as they were, as [before, after]; only where no line came or went. */
function changedLines(before: string, after: string): string[] {
  const old = before.split('\n');
  return after.split('\n').filter((line, index) => line !== old[index]);
}
const withoutStamp = (lines: string[]): string[] => lines.filter((line) => !/updated_at:/.test(line));

describe('state phase, activity, status, next', () => {
  test('change their lines and the stamp, keep comments, and say so', () => {
    const at = withFile();
    const before = textOf(at);
    const result = state(at, 'phase', '4', '--name', 'Verify', '--next', 'Run the verifier');
    expect([result.code, result.stderr]).toEqual([0, '']);
    expect(result.stdout).toMatch(
      /^Phase 4 \(Verify\)\n {2}ORCHESTRATION\.yaml, updated_at \d{4}-\d\d-\d\dT[\d:]+Z\n$/,
    );
    expect(withoutStamp(changedLines(before, textOf(at)))).toEqual([
      '  current_phase: 4                              # Numeric phase index (machine-readable)',
      '  current_phase_name: "Verify"  # Human-readable',
      '  current_activity: "phase-4-agent-execution"   # What was happening: phase-N-agent-execution |',
      '  next_step: "Run the verifier"',
    ]);
    expect(Date.parse(String(section(at).updated_at))).toBeGreaterThan(Date.now() - 60_000);
  });

  test('answer in JSON with what the file says then', () => {
    const at = withFile();
    expect(json(state(at, 'activity', 'compaction-recovery', '--json'))).toEqual({
      file: path.join(at.project, FILE),
      changed: true,
      updated_at: section(at).updated_at,
      context_fill_at_update: null,
      current_phase: 3,
      current_phase_name: 'Source File SPDX Header Notices',
      workflow_status: 'ACTIVE',
      current_activity: 'compaction-recovery',
      next_step: 'Execute header-applicator agent for EN-932',
    });
    expect(json(state(at, 'status', 'completed', '--json'))).toMatchObject({ workflow_status: 'COMPLETE' });
    expect(parse(textOf(at))).toMatchObject({ workflow: { status: 'COMPLETE' } });
    expect(json(state(at, 'next', ' "quoted": #1 ', '--json'))).toMatchObject({ next_step: '"quoted": #1' });
    expect(section(at).next_step).toBe('"quoted": #1');
  });

  test('note how full the context is, as a fraction of the window; an ended or unknown conversation leaves it alone', () => {
    const at = withFile();
    const slug = at.project.replace(/[^A-Za-z0-9]/g, '-');
    const transcripts = path.join(at.env.HOME ?? '', '.claude', 'projects', slug);
    mkdirSync(transcripts, { recursive: true });
    writeFileSync(path.join(transcripts, 'conversation-1.jsonl'), jsonl([request('x'), answer(128_400)]));
    const result = state(at, 'next', 'a');
    expect(result.stdout).toContain('context 64.2%');
    expect(section(at).context_fill_at_update).toBe(0.642);
    expect(textOf(at)).toContain('context_fill_at_update: 0.642                 # Fill %');
    writeFileSync(path.join(transcripts, 'conversation-1.jsonl'), jsonl([request('x'), answer(100_000)]));
    state(at, 'next', 'b');
    expect(section(at).context_fill_at_update).toBe(0.5);
    writeFileSync(path.join(transcripts, 'conversation-1.jsonl'), jsonl([request('x')]));
    state(at, 'next', 'c');
    expect(section(at).context_fill_at_update).toBe(0.5);
  });

  test.each([
    ['an empty text', ['next', '  '], 2, /next step is empty/],
    ['a status that is none', ['status', 'soon'], 2, /one of ACTIVE, PAUSED, COMPLETE, FAILED/],
    ['a missing argument', ['phase'], 2, /missing required argument/],
    [
      'a file that is not there',
      ['phase', '1', '--file', 'gone.yaml'],
      1,
      /no file "gone\.yaml"\n.*state init --file gone\.yaml/,
    ],
  ])('refuse %s', (_, args, code, message) => {
    const at = withFile();
    const before = textOf(at);
    const result = state(at, ...args);
    expect(result.code).toBe(code);
    expect(result.stderr).toMatch(message);
    expect(textOf(at)).toBe(before);
  });
});

describe('state decision', () => {
  test('adds with the next id, applies, and lists', () => {
    const at = withFile();
    const before = textOf(at);
    const added = json(
      state(
        at,
        'decision',
        'add',
        'Keep the old field',
        '--phase',
        '4',
        '--phase',
        'five',
        '--gate',
        'qg-3',
        '--rationale',
        'it is read',
        '--json',
      ),
    );
    expect(added).toMatchObject({ id: 'RD-003', is_new: true });
    expect((section(at).decisions as Section[])[2]).toEqual({
      id: 'RD-003',
      at: section(at).updated_at,
      gate: 'qg-3',
      decision: 'Keep the old field',
      rationale: 'it is read',
      affects_phases: [4, 'five'],
      applied: false,
    });
    const kept = textOf(at).split('\n');
    for (const line of withoutStamp(before.split('\n'))) expect(kept).toContain(line);
    const again = state(at, 'decision', 'add', 'Keep the old field');
    expect(again.stdout).toContain('RD-003 says this already');
    expect(textOf(at).split('\n')).toEqual(kept);
    expect(state(at, 'decision', 'apply', '2').stdout).toContain('Decision RD-002 is applied');
    const list = state(at, 'decision', 'list').stdout;
    expect(list).toMatch(
      /RD-002 {2}applied {2}Defer README.*\nRD-003 {2}pending {2}Keep the old field {2}\(qg-3; affects phase 4, five; .*\)\n3 decisions, 1 pending\./,
    );
    expect(
      json<{ decisions: Section[] }>(state(at, 'decision', 'list', '--json')).decisions.map(
        (each) => each.id,
      ),
    ).toEqual(['RD-001', 'RD-002', 'RD-003']);
    const unknown = state(at, 'decision', 'apply', 'RD-009');
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      expect.stringMatching(/no decision "RD-009"[\s\S]*Next: one of RD-001, RD-002, RD-003/),
    ]);
  });

  test('of 32 processes at once: every one is there, each with an id of its own', async () => {
    const at = withFile();
    const ended = await Promise.all(
      Array.from({ length: 32 }, (_, index) => {
        const child = spawn(
          process.execPath,
          [CLI, 'state', 'decision', 'add', `Decision number ${index}`, '--phase', '4', '--json'],
          { cwd: at.project, env: at.env },
        );
        let said = '';
        child.stdout.on('data', (text) => {
          said += text;
        });
        child.stderr.on('data', (text) => {
          said += text;
        });
        return new Promise<{ code: number | null; said: string }>((resolve) =>
          child.on('close', (code) => resolve({ code, said })),
        );
      }),
    );
    expect(ended.filter((each) => each.code !== 0)).toEqual([]);
    const decisions = section(at).decisions as { id: string; decision: string }[];
    expect(decisions).toHaveLength(34);
    expect(new Set(decisions.map((each) => each.id)).size).toBe(34);
    expect(new Set(decisions.map((each) => each.decision)).size).toBe(34);
    expect(new Set(ended.map((each) => (JSON.parse(each.said) as { id: string }).id)).size).toBe(32);
    expect(state(at, 'validate').code).toBe(0);
    expect(readdirSync(at.project).filter((name) => name.startsWith(FILE))).toEqual([FILE]);
  }, 120_000);
});

describe('state gate, defect, agent, file', () => {
  test('keep gates, scores and activity consistent through an iteration', () => {
    const at = withFile();
    state(at, 'gate', 'enter', 'QG-3');
    expect(section(at)).toMatchObject({
      current_activity: 'qg-3-iteration-1',
      quality_trajectory: { current_gate: 'qg-3', current_gate_iteration: 1 },
    });
    expect(
      json(state(at, 'gate', 'score', 'qg-3', '0.91', '--dimension', 'traceability', '--json')),
    ).toMatchObject({ gate: 'qg-3', iteration: 1, scores: [0.91] });
    expect(state(at, 'gate', 'fail', 'qg-3').stdout).toContain('did not pass: revision');
    state(at, 'gate', 'enter', 'qg-3');
    state(at, 'gate', 'score', 'qg-3', '0.94');
    expect(state(at, 'gate', 'enter', 'qg-final').stderr).toMatch(
      /ORCHESTRATION\.yaml:\d+: Gate qg-3 is in progress\. Nothing was changed/,
    );
    expect(state(at, 'gate', 'pass', 'qg-3').stdout).toContain('Gate qg-3 is passed with 0.94');
    expect(section(at).quality_trajectory).toEqual({
      gates_completed: ['qg-1', 'qg-2', 'qg-3'],
      gates_remaining: ['qg-final'],
      current_gate: null,
      current_gate_iteration: null,
      score_history: { 'qg-1': [0.825, 0.916, 0.941], 'qg-2': [0.96, 0.951], 'qg-3': [0.91, 0.94] },
      lowest_dimension: 'traceability',
      total_iterations_used: 7,
      total_iterations_budget: 12,
    });
    expect(textOf(at)).toContain(
      '      qg-1: [0.825, 0.916, 0.941]              # Array of scores per iteration\n      qg-2: [0.960, 0.951]\n      qg-3: [0.91, 0.94]\n',
    );
    expect(state(at, 'gate', 'score', 'qg-final', '93').stderr).toContain('a number from 0 to 1');
    expect(state(at, 'validate').code).toBe(0);
  });

  test('note defects, patterns, agents and files', () => {
    const at = withFile();
    state(at, 'defect', 'add', 'DA-009', 'counts differ');
    state(at, 'defect', 'add', 'DA-010');
    expect(state(at, 'defect', 'resolve', 'DA-009').stdout).toContain('1 is open: DA-010');
    expect(state(at, 'defect', 'resolve', 'DA-009').code).toBe(1);
    expect(state(at, 'defect', 'add', 'counts differ').stderr).toContain('the id first');
    state(at, 'defect', 'pattern', 'Counts differ', '--gate', 'qg-3', '--resolution', 'recounted');
    state(at, 'agent', 'done', 'header-applicator', 'DONE. 403 files.\nNone left.');
    state(
      at,
      'file',
      'add',
      'docs/NEW.md',
      '--section',
      'a',
      '--section',
      'b',
      '--priority',
      '2',
      '--purpose',
      'why',
    );
    expect(state(at, 'file', 'remove', 'projects/PROJ-001-oss-release/WORKTRACKER.md').code).toBe(0);
    const found = section(at);
    expect(found.defect_summary).toMatchObject({
      total_defects_found: 16,
      total_defects_resolved: 15,
      unresolved_defects: ['DA-010'],
      last_gate_primary_defect: 'DA-009: counts differ',
    });
    expect((found.defect_summary as { recurring_patterns: unknown[] }).recurring_patterns[2]).toEqual({
      pattern: 'Counts differ',
      gates_affected: ['qg-3'],
      resolution: 'recounted',
    });
    expect(found.agent_summaries).toMatchObject({ 'header-applicator': 'DONE. 403 files. None left.' });
    expect(found.files_to_read).toMatchObject([
      { priority: 1 },
      { priority: 2 },
      { path: 'docs/NEW.md', priority: 2, purpose: 'why', sections: ['a', 'b'] },
    ]);
    expect(textOf(at)).toContain('    # Agents not yet executed are omitted, not listed as null\n');
  });
});

describe('state init and upgrade', () => {
  test('init creates a file that explains itself, has no fault, and is created once', () => {
    const at = host();
    const result = state(at, 'init', '--name', 'Licence change', '--project', 'PROJ-7');
    expect([result.code, result.stderr]).toEqual([0, '']);
    expect(result.stdout).toContain('ORCHESTRATION.yaml is created');
    expect(textOf(at)).toContain('# UPDATE PROTOCOL');
    expect(parse(textOf(at))).toMatchObject({
      workflow: {
        id: expect.stringMatching(/^licence-change-\d{8}-001$/),
        project_id: 'PROJ-7',
        status: 'ACTIVE',
      },
      resumption: { workflow_status: 'ACTIVE', decisions: [] },
    });
    expect(state(at, 'validate').stdout).toBe('ORCHESTRATION.yaml: 0 problems.\n');
    const before = textOf(at);
    expect(json(state(at, 'init', '--json'))).toMatchObject({ changed: false });
    expect(textOf(at)).toBe(before);
  });

  test('init adds a section to a file that has none, in its style, and keeps every line', () => {
    const text = "workflow:\n    id: 'w'   # mine\n    status: PAUSED\nitems:\n    - a\n";
    const at = host({ [FILE]: text, 'ORCHESTRATION_PLAN.md': '# Plan\n' });
    expect(state(at, 'init').stdout).toContain('nothing else in it changed');
    expect(textOf(at).startsWith(text)).toBe(true);
    expect(textOf(at)).toContain('    current_activity: null');
    expect(section(at)).toMatchObject({
      workflow_status: 'PAUSED',
      files_to_read: [{ path: FILE }, { path: 'ORCHESTRATION_PLAN.md' }],
    });
    expect(state(at, 'validate').code).toBe(0);
  });

  test.each([
    ['that says nothing', '# mine\n', []],
    ['without a head, when one is asked for', 'items:\n  - a\n', ['--name', 'Licence change']],
  ])('init gives a head to a file %s', (_, text, args) => {
    const at = host({ [FILE]: text });
    expect(state(at, 'init', ...args).code).toBe(0);
    expect(textOf(at).startsWith(text)).toBe(true);
    expect(parse(textOf(at))).toMatchObject({
      workflow: { ...(args.length > 0 ? { name: 'Licence change' } : {}), status: 'ACTIVE' },
    });
    expect(state(at, 'validate').stdout).toBe('ORCHESTRATION.yaml: 0 problems.\n');
  });

  test('upgrade makes version 2 of version 1 and loses nothing; init points to it', () => {
    const at = withFile('v1.yaml');
    const before = textOf(at);
    expect(state(at, 'validate').code).toBe(1);
    expect(state(at, 'init').stderr).toContain('Next: plimsoll state upgrade');
    expect(textOf(at)).toBe(before);
    const result = json<{ changed: boolean; added: string[] }>(state(at, 'upgrade', '--json'));
    expect(result.changed).toBe(true);
    expect(result.added).toContain('quality_trajectory');
    expect(section(at)).toMatchObject({
      last_checkpoint: 'CP-003',
      current_state: 'Phase 2 is under way.',
      current_phase: 2,
      current_phase_name: 'Core changes',
      next_step: 'Run the verifier.',
      files_to_read: [
        { path: 'ORCHESTRATION_PLAN.md', priority: 1 },
        { path: 'WORKTRACKER.md', priority: 2 },
      ],
      quality_trajectory: { gates_completed: ['qg-1'] },
      cross_session_portable: true,
    });
    const after = textOf(at).split('\n');
    for (const line of before.split('\n').filter((each) => !/^ {4}- "/.test(each)))
      expect(after).toContain(line);
    expect(textOf(at)).toContain(
      '    - path: "ORCHESTRATION_PLAN.md"   # Strategic context\n      priority: 1\n',
    );
    expect(state(at, 'validate').code).toBe(0);
    expect(json(state(at, 'upgrade', '--json'))).toMatchObject({ changed: false });
    expect(textOf(at).split('\n')).toEqual(after);
  });
});

describe('state show and validate', () => {
  test('show tells what people ask for on one page', () => {
    const at = withFile();
    const { stdout, code } = state(at, 'show');
    expect(code).toBe(0);
    for (const words of [
      /^Workflow +feat015-licmig-20260217-001, ACTIVE$/m,
      /^Phase +3 \(Source File SPDX Header Notices\)$/m,
      /^Next step +Execute header-applicator agent for EN-932$/m,
      /^Gate +none in progress, next qg-3$/m,
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

describe('which file', () => {
  const workflow = (status: string): string =>
    `workflow:\n  id: w\n  status: ${status}\nresumption:\n  next_step: a\n`;

  test('the nearest from here up to the root, the one named, or the one that the setting names', () => {
    const at = host({
      [FILE]: workflow('ACTIVE'),
      'a/ORCHESTRATION.yaml': workflow('ACTIVE'),
      'a/b/x': '',
      'c/STATE.yaml': workflow('ACTIVE'),
    });
    const file = (...args: string[]): unknown =>
      json(stateIn(at, path.join(at.project, 'a/b'), 'show', '--json', ...args)).file;
    expect(file()).toBe(path.join(at.project, 'a', FILE));
    expect(file('--file', '../../c/STATE.yaml')).toBe(path.join(at.project, 'c/STATE.yaml'));
    expect(file('--file', '../..')).toBe(path.join(at.project, FILE));
    at.env.PLIMSOLL_ORCHESTRATION__PATH = 'c/STATE.yaml';
    expect(file()).toBe(path.join(at.project, 'c/STATE.yaml'));
    at.env.PLIMSOLL_ORCHESTRATION__PATH = 'c/GONE.yaml';
    expect(state(at, 'show').stderr).toMatch(/no file "c\/GONE\.yaml", which orchestration\.path names/);
  });

  test('the only active one in projects/; several are listed, none is guessed', () => {
    const at = host({
      'projects/PROJ-1/ORCHESTRATION.yaml': workflow('COMPLETE'),
      'projects/PROJ-2/ORCHESTRATION.yaml': workflow('ACTIVE'),
    });
    expect(json(state(at, 'show', '--json')).file).toBe(path.join(at.project, 'projects/PROJ-2', FILE));
    writeFileSync(path.join(at.project, 'projects/PROJ-1', FILE), workflow('ACTIVE'));
    const several = state(at, 'next', 'b');
    expect(several.code).toBe(1);
    expect(several.stderr).toMatch(
      /2 workflows are active:\n {2}projects\/PROJ-1\/ORCHESTRATION\.yaml {2}ACTIVE\n {2}projects\/PROJ-2\/ORCHESTRATION\.yaml {2}ACTIVE\n {2}Next: name one: --file projects\/PROJ-1\/ORCHESTRATION\.yaml, or .*orchestration\.path/,
    );
    expect(json<{ files: unknown[] }>(state(at, 'show', '--json')).files).toHaveLength(2);
    for (const name of ['PROJ-1', 'PROJ-2'])
      writeFileSync(path.join(at.project, 'projects', name, FILE), workflow('PAUSED'));
    expect(state(at, 'show').stderr).toMatch(/Several workflows, none of them active/);
    expect(state(host(), 'show').stderr).toMatch(/No ORCHESTRATION\.yaml here[\s\S]*state init creates one/);
  });
});

describe('state merge', () => {
  test('takes over a compaction from its checkpoint, once', () => {
    const at = host({ [FILE]: fixture('v2.yaml') });
    at.append(request('go'), answer(150_000));
    at.fire('PreCompact', { trigger: 'auto' });
    const result = json<{ taken: string[] }>(state(at, 'merge', '1', '--json'));
    expect(result.taken).toEqual(['compaction_events', 'last_checkpoint', 'context_fill_at_update']);
    expect(section(at)).toMatchObject({
      last_checkpoint: 'cx-001',
      compaction_events: {
        count: 1,
        events: [
          {
            id: 'CX-001',
            trigger: 'auto',
            estimated_fill_before: 0.75,
            active_phase: 3,
            checkpoint_file: '.plimsoll/checkpoints/cx-001-checkpoint.json',
            acknowledged: true,
          },
        ],
      },
    });
    expect(textOf(at)).toContain('    # Example populated entry:\n');
    const once = textOf(at);
    expect(state(at, 'merge', 'cx-001').stdout).toContain('holds nothing that is newer');
    expect(textOf(at)).toBe(once);
    writeFileSync(path.join(at.project, FILE), once.replace('feat015-licmig', 'another'));
    expect(state(at, 'merge', '1').stderr).toMatch(
      /is about workflow feat015-licmig-20260217-001, ORCHESTRATION\.yaml is about another/,
    );
    expect(state(at, 'merge', '7').stderr).toMatch(/No checkpoint "7"/);
  });
});

describe('state link', () => {
  test('writes the row of WORKTRACKER.md that points to the file, and keeps the rest', () => {
    const tracker =
      '# PROJ-1\r\n\r\n## Summary\r\n\r\n| Field | Value |\r\n|-------|-------|\r\n| Status | in progress |\r\n\r\n## History\r\n';
    const at = host({
      'projects/PROJ-1/ORCHESTRATION.yaml': fixture('v2.yaml'),
      'projects/PROJ-1/WORKTRACKER.md': tracker,
    });
    const name = 'projects/PROJ-1/WORKTRACKER.md';
    expect(state(at, 'link').stdout).toBe(`${name}: Last Orchestration is ORCHESTRATION.yaml\n`);
    const row = '| Last Orchestration | [ORCHESTRATION.yaml](ORCHESTRATION.yaml) |\r\n';
    expect(textOf(at, name)).toBe(tracker.replace('| in progress |\r\n', `| in progress |\r\n${row}`));
    expect(json(state(at, 'link', '--json'))).toMatchObject({ changed: false, link: 'ORCHESTRATION.yaml' });
    writeFileSync(path.join(at.project, 'W.md'), '# no summary\n');
    expect(state(at, 'link', '--worktracker', 'W.md').stderr).toMatch(/W\.md: There is no heading "Summary"/);
    expect(existsSync(path.join(at.project, 'W.md.lock'))).toBe(false);
  });
});

test('every command of state has help with examples', () => {
  const at = host();
  const commands = [
    'init',
    'upgrade',
    'show',
    'validate',
    'phase',
    'activity',
    'status',
    'next',
    'merge',
    'link',
    'decision add',
    'decision apply',
    'decision list',
    'gate enter',
    'gate score',
    'gate pass',
    'gate fail',
    'defect add',
    'defect resolve',
    'defect pattern',
    'agent done',
    'file add',
    'file remove',
  ];
  for (const name of commands) {
    const { stdout, code } = state(at, ...name.split(' '), '--help');
    expect(code, name).toBe(0);
    expect(stdout, name).toMatch(new RegExp(`Examples?:\\n {2}plimsoll state ${name}`));
    expect(stdout, name).toContain('--json');
    expect(stdout, name).toContain('--file');
  }
}, 60_000);
