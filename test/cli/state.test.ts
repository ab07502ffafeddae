// Tests that commands keep the state of the work, in the right file, with every other byte as it was.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { answer, request } from '../unit/lines.ts';
import { converse } from './saved.ts';
import {
  changedLines,
  FILE,
  fixture,
  host,
  json,
  section,
  state,
  stateIn,
  textOf,
  withFile,
  withoutStamp,
} from './state.ts';

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

  test('note how full the context is, as a fraction of the window; an ended or unknown session leaves it alone', () => {
    const at = withFile();
    converse(at, [request('x'), answer(128_400)], 'session-1');
    const result = state(at, 'next', 'a');
    expect(result.stdout).toContain('context 64.2%');
    expect(section(at).context_fill_at_update).toBe(0.642);
    expect(textOf(at)).toContain('context_fill_at_update: 0.642                 # Fill %');
    converse(at, [request('x'), answer(100_000)], 'session-1');
    state(at, 'next', 'b');
    expect(section(at).context_fill_at_update).toBe(0.5);
    converse(at, [request('x')], 'session-1');
    state(at, 'next', 'c');
    expect(section(at).context_fill_at_update).toBe(0.5);
  });

  test.each([
    ['an empty text', ['next', '  '], 2, /next step is empty/],
    ['a status that is none', ['status', 'soon'], 2, /one of ACTIVE, PAUSED, COMPLETE, FAILED/],
    ['a missing argument', ['phase'], 2, /missing required argument/],
    [
      'a text that looks like options',
      ['next', '- this'],
      2,
      /unknown option '- this'\n {2}Next: a text that begins with "-" goes behind "--"/,
    ],
    [
      'half an iteration',
      ['gate', 'score', 'qg-3', '0.9', '--iteration', '1.5'],
      2,
      /whole number from 1 on/,
    ],
    ['half an iteration of a decision', ['decision', 'add', 'a', '--iteration', '1.5'], 2, /whole number/],
    ['a number that only machines write', ['gate', 'score', 'qg-3', '0x1'], 2, /"0x1" is no score/],
    ['an empty project', ['init', '--file', 'new.yaml', '--project', ' '], 2, /project is empty/],
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
    expect(result.taken).toEqual(['compaction_events', 'context_fill_at_update']);
    expect(section(at)).toMatchObject({
      last_checkpoint: 'CP-002',
      compaction_events: {
        count: 1,
        events: [
          {
            id: 'CX-001',
            trigger: 'auto',
            estimated_fill_before: 0.75,
            active_phase: 3,
            checkpoint_file: 'cx-001-checkpoint.json',
            acknowledged: true,
          },
        ],
      },
    });
    expect(textOf(at)).toContain('    # Example populated entry:\n');
    // The file is committed: it must not tell of the folder whose name nobody may guess.
    expect(textOf(at)).not.toMatch(/state-[0-9a-f]{24}/);
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
    writeFileSync(path.join(at.project, 'W.md'), '# Epics\n');
    expect(state(at, 'link', '--worktracker', 'W.md').stderr).toMatch(/W\.md: There is no heading "Summary"/);
    expect(existsSync(path.join(at.project, 'W.md.lock'))).toBe(false);
  });
});
test('help of a command needs no file', () => {
  const { stdout, code } = state(host(), 'decision', 'add', '--help');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/Examples?:\n {2}plimsoll state decision add/)]);
});

test.each([['show'], ['init'], ['next', 'a']])('state %s says so where the file is a folder', (...args) => {
  const at = host();
  mkdirSync(path.join(at.project, FILE));
  const result = state(at, ...args);
  expect(result.code).toBe(1);
  expect(result.stderr).toMatch(
    /^Cannot use ORCHESTRATION\.yaml: it is a folder\. Nothing was changed\n {2}Next: /,
  );
});
