// Tests that the scorer gives the known figures for the public compactions; those of the host's summary never change.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { splitUnits } from '../../src/hosts/claude-code/replay/read-talk.ts';
import { summarizeScores } from '../../src/replay/probe.command.ts';
import { FACT_KINDS } from '../../src/replay/probe-fact.ts';
import {
  findTranscripts,
  parseTranscriptLine,
  readTranscriptLines,
} from '../../src/replay/read-transcripts.io.ts';
import { scoreUnit } from '../../src/replay/score-unit.ts';
import { notRun } from '../kit/not-run.ts';

const UNITS = fileURLToPath(new URL('../../../shared/compactions/', import.meta.url));

test('of the facts that were needed, the summaries of the 52 public compactions hold 70.5%', (ctx) => {
  if (!existsSync(UNITS)) {
    notRun('figures of the public compactions', `no folder ${UNITS}`);
    ctx.skip();
  }
  const scores = findTranscripts(UNITS, 'probe').flatMap((path) =>
    splitUnits(readTranscriptLines(path).map(parseTranscriptLine)).map((unit) =>
      scoreUnit(unit, '', { name: path, session: unit.session ?? path, compaction: 0, checks: 5 }),
    ),
  );
  const { units, sessions, kinds, all, meanOfKinds } = summarizeScores(scores);
  expect([units, sessions, all.needed, all.told.summary]).toEqual([52, 35, 336, 237]);
  expect(meanOfKinds.summary).toBeCloseTo(0.583, 3);
  expect(
    Object.fromEntries(FACT_KINDS.map((kind) => [kind, [kinds[kind].told.summary, kinds[kind].needed]])),
  ).toEqual({
    'files written': [77, 80],
    'files read': [40, 54],
    'failing commands': [1, 4],
    'their errors': [0, 4],
    'check commands': [23, 64],
    'other commands': [0, 6],
    'ids, ports, URLs': [4, 4],
    'last request': [35, 43],
    'open tasks': [19, 25],
    'call under way': [18, 19],
    answers: [0, 0],
    'accepted plan': [2, 8],
    'standing rules': [9, 10],
    corrections: [9, 15],
  });
});
