// Tests that state files as people have them are read without complaint, and for what they say.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, type TestContext, test } from 'vitest';
import { changeText, parseOrchestration } from '../../src/addons/orchestration/orchestration-file.io.ts';
import { buildOrchestration, buildOrchestrationFrom } from '../../src/addons/orchestration/resumption.ts';
import { checkSection } from '../../src/addons/orchestration/state/check-section.ts';
import { changePhase, stampSection } from '../../src/addons/orchestration/state/recovery.ts';
import { buildStateView } from '../../src/addons/orchestration/state/view.ts';
import { readOutline } from '../../src/addons/orchestration/yaml-lite.ts';
import type { Orchestration } from '../../src/compaction/workflow/workflow.ts';
import { notRun } from '../kit/not-run.ts';

const SAMPLES = fileURLToPath(new URL('../../../shared/state-samples/', import.meta.url));

function sample(ctx: TestContext, name: string): string {
  if (!existsSync(SAMPLES)) {
    notRun('state samples', `no folder ${SAMPLES}`);
    ctx.skip();
  }
  return readFileSync(join(SAMPLES, name), 'utf8');
}
const read = (ctx: TestContext, name: string): Orchestration => {
  const found = buildOrchestration(sample(ctx, name), 'ORCHESTRATION.yaml');
  if (found === null) throw new Error(`Nothing found in ${name}`);
  return found;
};

describe('orchestrationOf() on state samples', () => {
  test('reads phase, activity, next step, decisions and summaries of a full section', (ctx) => {
    const { state, accumulated, files } = read(ctx, 'orchestration-v2-full.yaml');
    expect(state).toMatchObject({
      workflow_id: 'rule001-mode-00000000-001',
      workflow_status: 'COMPLETE',
      current_phase: 5,
      current_phase_name: 'Design Collection (COMPLETE)',
      current_activity: 'workflow-complete',
      last_completed_checkpoint: null,
      current_gate: null,
      current_gate_score: null,
      updated_at: '2026-01-06T21:00:00Z',
    });
    expect(state.next_step).toMatch(/^Variable COMPLETE\. Add 6 system done, .* State old source\.$/);
    expect(accumulated.decisions_since_last_checkpoint.map((each) => each.summary)).toEqual([
      'Run STATE-003 pattern module Batch 5',
      'AS-3 statement 1 REVISE: the 5 VARIABLE + 3 INFORMATION service',
    ]);
    expect(Object.keys(accumulated.agent_summaries)).toHaveLength(11);
    expect(accumulated.agent_summaries['it-002-mode']).toMatch(/^LINK\. BE-006 -> AT-406a-a statement/);
    expect(accumulated.defect_patterns).toHaveLength(3);
    expect(files.map((each) => each.priority)).toEqual([1, 2, 3]);
    expect(files[0]?.path).toMatch(/ORCHESTRATION\.type$/);
  });

  test.each([['derived-crlf-bom.yaml'], ['derived-two-documents.yaml']])(
    'reads %s as the file that it was made from',
    (name) => {
      if (!existsSync(SAMPLES)) return;
      const text = (file: string): string => readFileSync(join(SAMPLES, file), 'utf8');
      expect(buildOrchestration(text(name), 'a')).toEqual(
        buildOrchestration(text('orchestration-v2-full.yaml'), 'a'),
      );
    },
  );

  test('reads a file with a partial section, whose phase is text', (ctx) => {
    const { state } = read(ctx, 'orchestration-v2-partial.yaml');
    expect(typeof state.current_phase).toBe('string');
    expect(state.next_step).not.toBeNull();
  });

  test('reads files of version 1', (ctx) => {
    for (const name of ['orchestration-v1-minimal.yaml', 'orchestration-v1-duplicate-key.yaml']) {
      const { state, files } = read(ctx, name);
      expect(state.next_step, name).not.toBeNull();
      expect(state.current_activity, name).not.toBeNull();
      expect(files.length, name).toBeGreaterThan(0);
    }
  });

  test('finds nothing in a file without a workflow and a resumption section', (ctx) => {
    expect(buildOrchestration(sample(ctx, 'orchestration-no-resumption.yaml'), 'a')).toBeNull();
  });

  test('reads a file of 110 KB in a few milliseconds', (ctx) => {
    const source = sample(ctx, 'orchestration-huge-110k.yaml');
    buildOrchestration(source, 'a');
    const start = performance.now();
    expect(buildOrchestration(source, 'a')).not.toBeNull();
    expect(performance.now() - start).toBeLessThan(200);
  });

  test('throws on no file, also cut anywhere', (ctx) => {
    sample(ctx, 'INDEX.json');
    for (const name of readdirSync(SAMPLES)) {
      const source = readFileSync(join(SAMPLES, name), 'utf8');
      for (const length of [source.length, source.length / 2, source.length / 3, 100].map(Math.floor)) {
        const part = source.slice(0, length);
        expect(() => buildOrchestration(part, 'a'), name).not.toThrow();
        expect(() => readOutline(part, ['resumption', 'workflow', 'phases']), name).not.toThrow();
      }
    }
  });
});

describe('the full reader on state samples', () => {
  const REAL = /^orchestration-(?:v|huge).*\.yaml$|^derived-crlf/;

  test('reads the same as a hook does, where a hook understands a file', (ctx) => {
    sample(ctx, 'INDEX.json');
    for (const name of readdirSync(SAMPLES).filter((each) => REAL.test(each))) {
      const source = sample(ctx, name);
      expect(buildOrchestrationFrom(parseOrchestration(source).top, 'a'), name).toEqual(
        buildOrchestration(source, 'a'),
      );
    }
  });

  test('reads a file with tabs, and one with anchors, as the file that it was made from', (ctx) => {
    const original = parseOrchestration(sample(ctx, 'orchestration-v2-full.yaml')).top;
    const tabs = parseOrchestration(sample(ctx, 'derived-tabs.yaml'));
    expect(tabs.top).toEqual(original);
    expect(tabs.faults[0]).toMatchObject({ line: 33, found: expect.stringMatching(/Tabs/) });
    const { x_common: _, ...anchors } = parseOrchestration(sample(ctx, 'derived-anchors.yaml')).top;
    expect(anchors.resumption).toMatchObject({ recovery_state: { workflow_status: 'COMPLETE' } });
  });

  test('says in which line a key or a document is too many', (ctx) => {
    const lines = (name: string): number[] =>
      parseOrchestration(sample(ctx, name)).faults.map(({ line }) => line);
    expect(lines('derived-duplicate-resumption.yaml')).toEqual([339]);
    expect(lines('derived-two-documents.yaml')).toEqual([339]);
    expect(lines('derived-torn.yaml').length).toBeGreaterThan(0);
    expect(lines('orchestration-v2-full.yaml')).toEqual([]);
  });

  test('throws on no file, also cut anywhere, and always shows and checks something', (ctx) => {
    sample(ctx, 'INDEX.json');
    for (const name of readdirSync(SAMPLES)) {
      const source = readFileSync(join(SAMPLES, name), 'utf8');
      for (const length of [source.length, source.length / 2, source.length / 3, 100].map(Math.floor)) {
        const { top } = parseOrchestration(source.slice(0, length));
        expect(() => buildStateView(top, name), name).not.toThrow();
        expect(checkSection(top).length, name).toBeGreaterThan(0);
      }
    }
  });

  test('changes no byte where nothing changes', (ctx) => {
    sample(ctx, 'INDEX.json');
    for (const name of readdirSync(SAMPLES).filter(
      (each) => /\.yaml$/.test(each) && !/tabs|torn/.test(each),
    )) {
      const source = readFileSync(join(SAMPLES, name), 'utf8');
      expect(
        changeText(source, (top) => ({ data: structuredClone(top) })),
        name,
      ).toBe(source);
    }
  });

  test('changes the phase of a file of 110 KB in the lines of the phase alone', (ctx) => {
    const before = sample(ctx, 'orchestration-huge-110k.yaml');
    const after = changeText(before, (top) => ({
      data: stampSection(changePhase(top, { phase: 3, name: 'Review' }), '2026-02-17T12:00:00Z', 0.642),
    }));
    const old = before.split('\n');
    const now = after.split('\n');
    const added = [
      '  current_phase: 3',
      '  current_phase_name: "Review"',
      '  context_fill_at_update: 0.642',
      '  updated_at: "2026-02-17T12:00:00Z"',
    ];
    expect(now.filter((line) => !added.includes(line))).toEqual(old);
    expect(now.indexOf(added[0] ?? '')).toBe(
      old.findIndex((line) => line.startsWith('  last_checkpoint: "2025')) + 1,
    );
    const again = changeText(after, (top) => ({
      data: stampSection(changePhase(top, { phase: 4, name: 'Release' }), '2026-02-17T13:00:00Z', 0.7),
    }));
    expect(again.split('\n').filter((line, index) => line !== now[index])).toEqual([
      '  current_phase: 4',
      '  current_phase_name: "Release"',
      '  context_fill_at_update: 0.7',
      '  updated_at: "2026-02-17T13:00:00Z"',
    ]);
  });
});
