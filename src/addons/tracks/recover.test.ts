import { describe, expect, test } from 'vitest';
import type { Latest } from './last-compaction.ts';
import { type FileSeen, type LatestSeen, recover } from './recover.ts';

const PLAN = 'docs/tracks/cache/PLAN.md';
const hash = (letter: string): string => letter.repeat(64);
const file = (letter: string, text = '', isCut = false): FileSeen => ({
  text,
  sha256: hash(letter),
  bytes: text.length,
  isCut,
});
const LATEST: Latest = {
  schema_version: '1.0.0',
  track: 'cache',
  session: 's1',
  at: '2026-01-01T00:00:00Z',
  inputs: [],
  files: [{ path: PLAN, sha256: hash('a') }],
  plan: { path: PLAN, sha256: hash('a') },
  transient: ['artifacts/sessions/s1/work_log.md'],
  entries: { decisions: 0, risks: 0, tasks: 0, invariants: 0 },
};
const recovered = (files: Record<string, FileSeen>, seen: LatestSeen = LATEST) =>
  recover('cache', seen, new Map(Object.entries(files)));

test('the manifest names every step in order, with what was whole, cut and missing', () => {
  const { manifest } = recovered({
    'CLAUDE.md': file('c', 'abc'),
    [PLAN]: file('a', 'x'.repeat(10), true),
    'docs/tracks/other/PLAN.md': file('o'),
  });
  expect(manifest.map(({ step, path, loaded }) => `${step} ${loaded} ${path}`)).toEqual([
    '1 whole CLAUDE.md',
    '1 missing docs/context/CONTEXT_CORE.md',
    '1 missing docs/context/ROLES.md',
    '1 missing docs/context/GUARDRAILS.md',
    '1 missing docs/context/INVARIANTS.md',
    '2 missing docs/tracks/ACTIVE_TRACK',
    '2 missing docs/tracks/cache/SPEC.md',
    '2 cut docs/tracks/cache/PLAN.md',
    '2 missing docs/tracks/cache/RISKS.md',
    '2 missing docs/tracks/cache/DECISIONS.md',
    '3 missing artifacts/checkpoints/cache/latest.json',
    '4 missing artifacts/sessions/s1/work_log.md',
    '5 missing docs/tracks/cache/DECISIONS.md',
    '5 cut docs/tracks/cache/PLAN.md',
  ]);
  expect(manifest[0]).toEqual({ step: 1, path: 'CLAUDE.md', sha256: hash('c'), bytes: 3, loaded: 'whole' });
});

describe('what is wrong', () => {
  test.each<[string, Record<string, FileSeen>, LatestSeen, RegExp[]]>([
    ['nothing', { [PLAN]: file('a') }, LATEST, []],
    [
      'no checkpoint',
      { [PLAN]: file('a') },
      null,
      [/no checkpoint of this track yet .*run plimsoll track sync/],
    ],
    [
      'a damaged one',
      { [PLAN]: file('a') },
      'it is damaged',
      [/latest\.json is of no use: it is damaged; run/],
    ],
    [
      'no plan',
      {},
      LATEST,
      [/PLAN\.md is missing: take it from git; plimsoll track sync writes its entries/],
    ],
    ['neither', {}, { ...LATEST, plan: null }, [/PLAN\.md is missing: write it/]],
  ])('is said where there is %s', (_, files, seen, faults) => {
    const found = recovered(files, seen).faults;
    expect(found).toHaveLength(faults.length);
    for (const [at, fault] of faults.entries()) expect(found[at]).toMatch(fault);
  });
});

test('a file of the track that was changed or removed after the checkpoint is drift', () => {
  expect(recovered({ [PLAN]: file('a') }).drift).toEqual([]);
  expect(recovered({ [PLAN]: file('b') }).drift).toEqual(['PLAN.md']);
  expect(recovered({}).drift).toEqual(['PLAN.md']);
});
