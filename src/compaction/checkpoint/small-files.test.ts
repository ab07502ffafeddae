import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AT_THE_MOMENT, program, together } from '../../../test/unit/programs.ts';
import { temporaryFolder } from '../../../test/unit/temporary.ts';
import { learnPastSizes, learnTokens, readLearned } from '../../context/learned-thresholds.io.ts';
import { readInstalls, recordInstall } from '../../install/installs.io.ts';
import { exists, isUnchanged, readStamp } from '../../platform/look.ts';
import { listUserPaths } from '../../platform/project/paths.ts';
import { readJson, readUntrusted, SETTINGS_FILE } from '../../platform/read.ts';
import { appendLine } from '../../platform/write.ts';

const linesOf = (path: string): unknown[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('readJson(), stampOf() and exists()', () => {
  test('read a file without its BOM, and give null where there is none', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a'), '\uFEFF"text"');
    expect(readJson(join(folder, 'a'), SETTINGS_FILE)).toBe('text');
    expect(readJson(join(folder, 'b'), SETTINGS_FILE)).toBeUndefined();
    expect(readUntrusted(join(folder, 'a', 'b'), SETTINGS_FILE)).toBeNull();
    expect(exists(join(folder, 'a'))).toBe(true);
    expect(exists(join(folder, 'b'))).toBe(false);
  });

  test('notice that a file came, changed or went', () => {
    const path = join(temporaryFolder(), 'a');
    const none = readStamp(path);
    expect(none).toEqual({ path, size: -1, mtimeMs: -1 });
    expect(isUnchanged(none)).toBe(true);
    writeFileSync(path, 'one');
    expect(isUnchanged(none)).toBe(false);
    const stamp = readStamp(path);
    expect(isUnchanged(stamp)).toBe(true);
    writeFileSync(path, 'three');
    expect(isUnchanged(stamp)).toBe(false);
  });
});

describe('appendLine()', () => {
  test('makes the file and its folder, for the user alone', () => {
    const path = join(temporaryFolder(), 'a', 'b.jsonl');
    appendLine(path, { one: 1 });
    appendLine(path, { text: 'a\nb' });
    expect(linesOf(path)).toEqual([{ one: 1 }, { text: 'a\nb' }]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('mixes no lines of 8 processes', async () => {
    const path = join(temporaryFolder(), 'a.jsonl');
    const source = program(`
      import { appendLine } from './platform/write.ts';
      ${AT_THE_MOMENT}
      for (let index = 0; index < 100; index++) appendLine(args[0], { from: process.pid, text: 'x'.repeat(index * 50) });
    `);
    await together(source, 8, [path]);
    expect(linesOf(path)).toHaveLength(800);
  }, 30_000);
});

describe('learned points', () => {
  test('are kept by window, the last 25', () => {
    const env = { HOME: temporaryFolder() };
    expect(readLearned(env)).toEqual({ points: {}, sizes: {} });
    for (let index = 0; index < 30; index++) learnTokens(env, 'points', '200000', 160_000 + index);
    learnTokens(env, 'points', '1000000', 967_000);
    const found = readLearned(env).points;
    expect(found['200000']).toHaveLength(25);
    expect(found['200000']?.at(-1)).toBe(160_029);
    expect(found['1000000']).toEqual([967_000]);
  });

  test.each([
    ['torn', '{"points": {'],
    ['odd', '{"points": {"200000": "many"}}'],
    ['empty', ''],
    ['null', 'null'],
  ])('are none where the file is %s', (_, text) => {
    const env = { HOME: temporaryFolder() };
    const path = listUserPaths(env).learned;
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
    expect(Object.values(readLearned(env).points).flat()).toEqual([]);
    learnTokens(env, 'points', '200000', 167_000);
    expect(readLearned(env).points['200000']).toEqual([167_000]);
  });
});
describe('learned sizes', () => {
  test('stand beside the points, also in a file of before there were any', () => {
    const env = { HOME: temporaryFolder() };
    const path = listUserPaths(env).learned;
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, '{"schema_version": "1.0.0", "points": {"200000": [167000]}}');
    expect(readLearned(env)).toEqual({ points: { '200000': [167_000] }, sizes: {} });
    learnTokens(env, 'sizes', '200000', 34_765);
    expect(readLearned(env)).toEqual({ points: { '200000': [167_000] }, sizes: { '200000': [34_765] } });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ schema_version: '1.1.0' });
  });

  test('of past sessions come before those of hooks, each once, up to 25', () => {
    const env = { HOME: temporaryFolder() };
    for (const tokens of [30_000, 40_000]) learnTokens(env, 'sizes', '200000', tokens);
    const past = { '200000': [40_000, 50_000, 50_000], '1000000': [90_000] };
    expect(learnPastSizes(env, past)).toBe(3);
    const found = { '200000': [50_000, 50_000, 30_000, 40_000], '1000000': [90_000] };
    expect(readLearned(env).sizes).toEqual(found);
    expect(learnPastSizes(env, past)).toBe(0);
    expect(readLearned(env).sizes).toEqual(found);
    const many = Array.from({ length: 40 }, (_, index) => index);
    expect(learnPastSizes(env, { '200000': many })).toBe(21);
    expect(readLearned(env).sizes['200000']).toEqual([...many.slice(-21), ...found['200000']]);
    expect(learnPastSizes(env, { '200000': many })).toBe(0);
  });
});
test('learned points and records of installs that a newer version wrote are left alone', () => {
  const env = { HOME: temporaryFolder() };
  const { learned, installs } = listUserPaths(env);
  mkdirSync(join(learned, '..'), { recursive: true });
  for (const path of [learned, installs]) writeFileSync(path, '{"schema_version": "2.0.0"}');
  expect(() => learnTokens(env, 'points', '200000', 167_000)).toThrow(/newer version/);
  expect(() => recordInstall(env, '/a', null)).toThrow(/newer version/);
  expect(() => readInstalls(env)).toThrow(/newer version/);
  for (const path of [learned, installs])
    expect(readFileSync(path, 'utf8')).toBe('{"schema_version": "2.0.0"}');
});
