import { expect, test } from 'vitest';
import { formatLatest, type Latest, readLatest } from './last-compaction.ts';

const SHA = 'a'.repeat(64);
const LATEST: Latest = {
  schema_version: '1.0.0',
  track: 'cache',
  session: 's-1',
  at: '2026-11-28T10:00:00Z',
  inputs: [{ path: 'artifacts/sessions/s-1/work_log.md', sha256: SHA, bytes: 12 }],
  files: [{ path: 'docs/tracks/cache/PLAN.md', sha256: SHA }],
  plan: { path: 'docs/tracks/cache/PLAN.md', sha256: SHA },
  transient: ['artifacts/sessions/s-1/work_log.md'],
  entries: { decisions: 1, risks: 0, tasks: 2, invariants: 0 },
};

test('latestText() is read back, and is the same whatever the order of keys', () => {
  expect(readLatest(formatLatest(LATEST))).toEqual(LATEST);
  const turned = Object.fromEntries(Object.entries(LATEST).reverse()) as unknown as Latest;
  expect(formatLatest(turned)).toBe(formatLatest(LATEST));
});

test.each([
  ['no JSON', 'torn{'],
  ['a list', '[]'],
  ['no version', { ...LATEST, schema_version: undefined }],
  ['no id of a track', { ...LATEST, track: '../x' }],
  ['a plan outside of the project', { ...LATEST, plan: { path: '../../etc/passwd', sha256: SHA } }],
  ['an absolute path', { ...LATEST, transient: ['/etc/passwd'] }],
  ['a path of Windows', { ...LATEST, files: [{ path: 'C:\\x', sha256: SHA }] }],
  ['a hash that is none', { ...LATEST, files: [{ path: 'a', sha256: 'x' }] }],
  ['counts that are none', { ...LATEST, entries: { decisions: 1 } }],
])('readLatest() takes nothing from %s', (_, value) => {
  expect(readLatest(typeof value === 'string' ? value : JSON.stringify(value))).toBe(null);
});

test('readLatest() leaves a file of a newer version alone', () => {
  expect(() => readLatest(JSON.stringify({ ...LATEST, schema_version: '2.0.0' }))).toThrow(
    /^Written by a newer/,
  );
  expect(readLatest(JSON.stringify({ ...LATEST, schema_version: '1.9.0' }))?.track).toBe('cache');
});
