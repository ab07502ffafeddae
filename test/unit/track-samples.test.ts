// Tests that real files of tracks, of this layout and of others, are read without a fault.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type TestContext, test } from 'vitest';
import { evaluate } from '../../src/addons/tracks/checks/evaluate.ts';
import { countProgress, findTrackStatus, listPlanTasks } from '../../src/addons/tracks/summary.ts';
import { notRun } from '../kit/not-run.ts';

const SAMPLES = fileURLToPath(new URL('../../../shared/state-samples/', import.meta.url));

function samples(ctx: TestContext): string[] {
  if (!existsSync(SAMPLES)) {
    notRun('track samples', `no folder ${SAMPLES}`);
    ctx.skip();
  }
  return readdirSync(SAMPLES).filter((name) => name.endsWith('.md'));
}
const text = (name: string): string => readFileSync(join(SAMPLES, name), 'utf8');

test('the boxes of a plan with a BOM count', (ctx) => {
  samples(ctx);
  const plan = text('conductor-plan-bom.md');
  const progress = countProgress(listPlanTasks(plan));
  expect(progress.done).toBe(plan.match(/^- \[x\]/gm)?.length);
  expect(progress.total).toBe(plan.match(/^- \[.\]/gm)?.length);
  expect(findTrackStatus(progress, false)).toBe('under way');
});

test('every sample can be evaluated in any place of a track, with findings that name a line of it', (ctx) => {
  for (const name of samples(ctx)) {
    const own = text(name);
    const lines = own.split('\n').length;
    const findings = evaluate('x', { 'SPEC.md': own, 'PLAN.md': own, 'RISKS.md': own, 'DECISIONS.md': own });
    for (const { line, message, next } of findings) {
      if (line !== null) expect(line >= 1 && line <= lines).toBe(true);
      expect(message === '' || next === '').toBe(false);
    }
  }
});
