// Tests the gates of the probe: how much of what was needed after public compactions hooks tell, and the cost.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { FactKind } from '../../src/replay/probe-fact.ts';
import { probeFiles } from '../../src/replay/probe-files.io.ts';
import { findTranscripts } from '../../src/replay/read-transcripts.io.ts';
import { summarizeScores } from '../../src/replay/summarize-scores.ts';
import { notRun } from '../kit/not-run.ts';
import { DIST } from '../kit/plimsoll.ts';

const UNITS = fileURLToPath(new URL('../../../shared/compactions/', import.meta.url));

/** Points of needed facts told, at the least. */
const GATES: Partial<Record<FactKind, number>> = {
  'check commands': 78,
  'files read': 88,
  corrections: 95,
  'standing rules': 95,
  'accepted plan': 95,
  'last request': 100,
  'open tasks': 100,
};

test('what was needed after the public compactions is told, in few tokens', async (ctx) => {
  if (!existsSync(UNITS)) {
    notRun('gates on the public compactions', `no folder ${UNITS}`);
    ctx.skip();
  }
  const units = await probeFiles(findTranscripts(UNITS), { hook: join(DIST, 'hook.cjs'), checks: 5 });
  const found = summarizeScores(units);
  const pointsOf = (kind: FactKind): number => {
    const { needed, told } = found.kinds[kind];
    return needed === 0 ? 100 : (told.with / needed) * 100;
  };
  for (const [kind, least] of Object.entries(GATES))
    expect(pointsOf(kind as FactKind), kind).toBeGreaterThanOrEqual(least);
  expect((found.retention.with ?? 0) * 100, 'all kinds').toBeGreaterThanOrEqual(93);
  expect((found.meanOfKinds.with ?? 0) * 100, 'mean of kinds').toBeGreaterThanOrEqual(92);
  expect((found.precision ?? 0) * 100, 'precision').toBeGreaterThanOrEqual(49.5);
  expect(found.pointsPer100Tokens, 'points per 100 tokens').toBeGreaterThanOrEqual(2.25);
  expect(found.tokens.median, 'median of tokens').toBeLessThanOrEqual(500);
  expect(found.tokens.most, 'most tokens').toBeLessThanOrEqual(900);
});
