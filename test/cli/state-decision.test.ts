// Tests that decisions get ids of their own, even when several are added at once.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runs } from '../kit/effort.ts';
import { CLI } from '../kit/plimsoll.ts';
import { FILE, json, type Section, section, state, textOf, withFile, withoutStamp } from './state.ts';

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

  test('of many processes at once: every one is there, each with an id of its own', async () => {
    const processes = runs(32);
    const at = withFile();
    const ended = await Promise.all(
      Array.from({ length: processes }, (_, index) => {
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
    expect(decisions).toHaveLength(2 + processes);
    expect(new Set(decisions.map((each) => each.id)).size).toBe(2 + processes);
    expect(new Set(decisions.map((each) => each.decision)).size).toBe(2 + processes);
    expect(new Set(ended.map((each) => (JSON.parse(each.said) as { id: string }).id)).size).toBe(processes);
    expect(state(at, 'validate').code).toBe(0);
    expect(readdirSync(at.project).filter((name) => name.startsWith(FILE))).toEqual([FILE]);
  });
});
