import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { draft } from '../../../test/unit/drafts.ts';
import { temporaryProject } from '../../../test/unit/temporary.ts';
import type { ProjectPaths } from '../../platform/project/paths.ts';
import {
  acknowledge,
  findNextNumber,
  isAcknowledged,
  joinCheckpointPath,
  listCheckpoints,
  readAcknowledgement,
} from './checkpoint-files.io.ts';
import { readCheckpoint, writeCheckpoint } from './checkpoint-store.io.ts';

const NOW = Date.parse('2026-11-27T10:00:00.000Z');
const of = (session_id: string, epoch = 0) => draft({ conversation: { session_id, epoch } });

describe('acknowledge()', () => {
  const marked = (paths: ProjectPaths): string[] =>
    listCheckpoints(paths).filter((id) => isAcknowledged(paths, id));

  test('marks a checkpoint and the older ones of its session, and no other', () => {
    const paths = temporaryProject();
    for (const session of ['a', 'b', 'a', 'a']) writeCheckpoint(paths, of(session), NOW);
    acknowledge(paths, 'a', 'cx-003', 'delivered: hook attachment at byte 110', NOW);
    expect(marked(paths)).toEqual(['cx-001', 'cx-003']);
    const marker = JSON.parse(readFileSync(`${joinCheckpointPath(paths, 'cx-001')}.acknowledged`, 'utf8'));
    expect(marker).toEqual({
      acknowledged_at: '2026-11-27T10:00:00.000Z',
      evidence: 'delivered: hook attachment at byte 110',
      by: 'cx-003',
    });
  });

  test('changes no byte of a checkpoint', () => {
    const paths = temporaryProject();
    const { path } = writeCheckpoint(paths, of('a'), NOW);
    const before = readFileSync(path);
    acknowledge(paths, 'a', 'cx-001', 'e', NOW);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readCheckpoint(paths, 'cx-001').metadata.acknowledged).toBe(false);
  });

  test('keeps the first acknowledgement, and gives back what is new', () => {
    const paths = temporaryProject();
    writeCheckpoint(paths, of('a'), NOW);
    expect(acknowledge(paths, 'a', 'cx-001', 'first', NOW)).toEqual(['cx-001']);
    expect(acknowledge(paths, 'a', 'cx-001', 'second', NOW + 1_000)).toEqual([]);
    expect(readAcknowledgement(paths, 'cx-001')?.evidence).toBe('first');
    writeCheckpoint(paths, of('a'), NOW);
    writeCheckpoint(paths, of('a'), NOW);
    expect(acknowledge(paths, 'a', 'cx-003', 'third', NOW)).toEqual(['cx-002', 'cx-003']);
  });

  test('is read back, also from a marker that says nothing', () => {
    const paths = temporaryProject();
    expect(readAcknowledgement(paths, 'cx-001')).toBeNull();
    writeCheckpoint(paths, of('a'), NOW);
    writeFileSync(`${joinCheckpointPath(paths, 'cx-001')}.acknowledged`, '');
    expect(readAcknowledgement(paths, 'cx-001')).toEqual({ acknowledged_at: null, evidence: null, by: null });
  });

  test('marks the one named even where it is damaged, and leaves damaged older ones alone', () => {
    const paths = temporaryProject();
    const first = writeCheckpoint(paths, of('a'), NOW);
    const second = writeCheckpoint(paths, of('a'), NOW);
    writeFileSync(first.path, 'torn');
    writeFileSync(second.path, 'torn');
    acknowledge(paths, 'a', 'cx-002', 'e', NOW);
    expect(marked(paths)).toEqual(['cx-002']);
  });

  test('knows that cx-1000 is younger than cx-999', () => {
    const paths = temporaryProject();
    mkdirSync(paths.checkpoints, { recursive: true });
    writeFileSync(`${paths.checkpoints}/cx-998-checkpoint.json`, '{}');
    for (let count = 0; count < 3; count++) writeCheckpoint(paths, of('a'), NOW);
    acknowledge(paths, 'a', 'cx-1000', 'e', NOW);
    expect(marked(paths)).toEqual(['cx-999', 'cx-1000']);
  });
});

describe('findNextNumber()', () => {
  test.each<[string, string[], number]>([
    ['nothing', [], 1],
    ['the highest so far', ['cx-001', 'cx-041'], 42],
    ['a thousand', ['cx-999'], 1_000],
    ['a number that no counting goes beyond', ['cx-9007199254740992', 'cx-001'], 2],
    ['names that we do not give', ['cx-000', 'cx-0007', 'cx-1e3', 'cx-1000000', 'cx-99'], 1],
    ['the last number that there can be', ['cx-999999', 'cx-001', 'cx-003'], 2],
  ])('goes on from %s', (_, ids, expected) => {
    const paths = temporaryProject();
    mkdirSync(paths.checkpoints, { recursive: true });
    for (const id of ids) writeFileSync(joinCheckpointPath(paths, id), '{}');
    expect(findNextNumber(paths)).toBe(expected);
    expect(writeCheckpoint(paths, of('a'), NOW).id).toBe(`cx-${String(expected).padStart(3, '0')}`);
  });

  test('counts a folder and a link of such a name as taken', () => {
    const paths = temporaryProject();
    mkdirSync(joinCheckpointPath(paths, 'cx-001'), { recursive: true });
    symlinkSync('/nowhere', joinCheckpointPath(paths, 'cx-002'));
    expect(writeCheckpoint(paths, of('a'), NOW).id).toBe('cx-003');
  });
});
