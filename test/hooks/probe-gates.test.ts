// Tests the gates of the probe: how much of what was needed after public compactions hooks tell, and the cost.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { summarizeScores } from '../../src/replay/probe.command.ts';
import type { FactKind } from '../../src/replay/probe-fact.ts';
import { findTranscripts, probeFiles } from '../../src/replay/read-transcripts.io.ts';
import { isLong } from '../kit/effort.ts';
import { notRun } from '../kit/not-run.ts';
import { DIST } from '../kit/plimsoll.ts';

const UNITS = fileURLToPath(new URL('../../../shared/compactions/', import.meta.url));

/** Points of needed facts told, at the least, of each kind. */
const KINDS: Partial<Record<FactKind, number>> = {
  'check commands': 78,
  'files read': 88,
  corrections: 95,
  'standing rules': 95,
  'accepted plan': 95,
  'last request': 100,
  'open tasks': 100,
};
/** What holds of all of them, and of every third one, which have few facts of some kinds: each counts for more there. */
const ALL = { every: 1, kinds: 93, mean: 92, precision: 49.5, median: 500 };
const PART = { every: 3, kinds: 93, mean: 89, precision: 45, median: 540 };
const gates = isLong ? ALL : PART;

test('what was needed after the public compactions is told, in few tokens', async (ctx) => {
  if (!existsSync(UNITS)) {
    notRun('gates on the public compactions', `no folder ${UNITS}`);
    ctx.skip();
  }
  const files = findTranscripts(UNITS, 'probe').filter((_, index) => index % gates.every === 0);
  const units = await probeFiles(files, { hook: join(DIST, 'hook.cjs'), checks: 5 });
  const found = summarizeScores(units);
  const pointsOf = (kind: FactKind): number => {
    const { needed, told } = found.kinds[kind];
    return needed === 0 ? 100 : (told.with / needed) * 100;
  };
  for (const [kind, least] of Object.entries(KINDS))
    expect(pointsOf(kind as FactKind), kind).toBeGreaterThanOrEqual(least);
  expect((found.retention.with ?? 0) * 100, 'all kinds').toBeGreaterThanOrEqual(gates.kinds);
  expect((found.meanOfKinds.with ?? 0) * 100, 'mean of kinds').toBeGreaterThanOrEqual(gates.mean);
  expect((found.precision ?? 0) * 100, 'precision').toBeGreaterThanOrEqual(gates.precision);
  expect(found.pointsPer100Tokens, 'points per 100 tokens').toBeGreaterThanOrEqual(2.25);
  expect(found.tokens.median, 'median of tokens').toBeLessThanOrEqual(gates.median);
  expect(found.tokens.most, 'most tokens').toBeLessThanOrEqual(900);
});
