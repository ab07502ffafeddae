import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pathsIn, temporaryFolder, temporaryProject } from '../../../test/unit/temporary.ts';
import { buildNewerFile } from '../../text/plimsoll-error.ts';
import { logFailures, readFailures } from './failures.ts';
import { listUserPaths } from './paths.ts';

const NOW = Date.parse('2026-11-27T10:00:00.000Z');
const linesOf = (path: string): unknown[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('logFailures()', () => {
  const report = (error: unknown) => ({
    hook: 'PreCompact',
    now: NOW,
    failures: [{ part: 'checkpoint', error }],
  });

  test('writes a line for each failure into the log of the project', () => {
    const paths = temporaryProject();
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    logFailures(
      paths,
      {},
      {
        hook: 'PreCompact',
        now: NOW,
        failures: [
          { part: 'a', error: full },
          { part: 'b', error: 'text' },
        ],
      },
    );
    expect(linesOf(paths.failures)).toEqual([
      {
        at: '2026-11-27T10:00:00.000Z',
        hook: 'PreCompact',
        part: 'a',
        error: 'ENOSPC: no space left on device',
      },
      { at: '2026-11-27T10:00:00.000Z', hook: 'PreCompact', part: 'b', error: 'text' },
    ]);
  });

  test('redacts and cuts what it writes', () => {
    const paths = temporaryProject();
    logFailures(paths, {}, report(new Error(`token=abcdef123456 ${'x '.repeat(400)}`)));
    const [line] = linesOf(paths.failures) as { error: string }[];
    expect(line?.error).not.toContain('abcdef123456');
    expect(line?.error.length).toBeLessThanOrEqual(300);
  });

  test('redacts before it cuts', () => {
    const paths = temporaryProject();
    for (let left = 0; left < 60; left++) {
      const text = `${'x'.repeat(299 - left)} https://me:aB3dE5gH7jK9mN2pQ4rS6tU8@example.com/`;
      logFailures(paths, {}, { ...report(new Error(text)), failures: [{ part: 'a', error: text }] });
    }
    expect(readFileSync(paths.failures, 'utf8')).not.toMatch(/aB3dE|7jK9m/);
  });

  test('goes to the log of the user where the project has none or cannot be written', () => {
    const home = temporaryFolder();
    const paths = temporaryProject();
    mkdirSync(paths.failures, { recursive: true });
    logFailures(null, { HOME: home }, report('one'));
    logFailures(paths, { HOME: home }, report('two'));
    expect(linesOf(listUserPaths({ HOME: home }).failures)).toMatchObject([
      { error: 'one' },
      { error: 'two' },
    ]);
  });

  test('logs a file of a newer version once an hour for each hook, anything else every time', () => {
    const paths = temporaryProject();
    const newer = buildNewerFile('a');
    const minutes = 60_000;
    for (const [after, hook, error] of [
      [0, 'Stop', newer],
      [1, 'Stop', newer],
      [1, 'PreCompact', newer],
      [59, 'Stop', newer],
      [61, 'Stop', newer],
      [61, 'Stop', new Error('other')],
      [61, 'Stop', new Error('other')],
    ] as const) {
      logFailures(
        paths,
        {},
        { hook, now: NOW + after * minutes, failures: [{ part: `at ${after}`, error }] },
      );
    }
    expect(readFailures(paths.failures).map((each) => `${each.hook} ${each.part}`)).toEqual([
      'Stop at 0',
      'PreCompact at 1',
      'Stop at 61',
      'Stop at 61',
      'Stop at 61',
    ]);
  });

  test('turns a large log over, the one of the user too, and both parts are read', () => {
    const env = { HOME: temporaryFolder() };
    const path = listUserPaths(env).failures;
    logFailures(null, env, report('one'));
    writeFileSync(path, `${'x'.repeat(600 * 1024)}\n`, { flag: 'a' });
    logFailures(null, env, report('two'));
    expect(existsSync(path.replace('.jsonl', '.old.jsonl'))).toBe(true);
    expect(statSync(path).size).toBeLessThan(1024);
    expect(readFailures(path).map((each) => each.error)).toEqual(['one', 'two']);
  });

  test('stays silent where nothing can be written', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    logFailures(pathsIn(file), { HOME: file }, report('one'));
  });
});
