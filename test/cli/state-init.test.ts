// Tests that a project gets a state file, or a newer form of the one it has, and loses nothing.
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { FILE, host, json, section, state, textOf, withFile } from './state.ts';

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
      '    # Strategic context\n    - path: "ORCHESTRATION_PLAN.md"\n      priority: 1\n',
    );
    expect(state(at, 'validate').code).toBe(0);
    expect(json(state(at, 'upgrade', '--json'))).toMatchObject({ changed: false });
    expect(textOf(at).split('\n')).toEqual(after);
  });
});
