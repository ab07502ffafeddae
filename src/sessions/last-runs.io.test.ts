import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { temporaryProject } from '../../test/unit/temporary.ts';
import { readHookRuns, recordHookRun } from './last-runs.io.ts';

const AT = Date.parse('2026-11-28T08:00:00.000Z');
const LINES = ['UserPromptSubmit', 'Stop', 'SessionEnd'];
const ran = (name: string, more: object = {}) => ({
  name,
  line: LINES.indexOf(name),
  now: AT,
  ms: 26.6,
  create: true,
  ...more,
});

function project() {
  const paths = temporaryProject();
  mkdirSync(paths.session('c').folder, { recursive: true });
  return paths;
}

describe('recordHookRun()', () => {
  test('keeps the last run of each hook, for the user alone, the latest first', () => {
    const paths = project();
    recordHookRun(paths, 'c', ran('UserPromptSubmit'));
    recordHookRun(paths, 'c', ran('SessionEnd', { now: AT + 2_000, ms: 40 }));
    recordHookRun(paths, 'c', ran('UserPromptSubmit', { now: AT + 1_000, ms: 30 }));
    expect(readHookRuns(paths, 'c')).toEqual([
      { name: 'SessionEnd', at: '2026-11-28T08:00:02.000Z', ms: 40 },
      { name: 'UserPromptSubmit', at: '2026-11-28T08:00:01.000Z', ms: 30 },
    ]);
    expect(statSync(paths.session('c').runs).mode & 0o777).toBe(0o600);
  });

  test('makes no file unless asked to', () => {
    const paths = project();
    recordHookRun(paths, 'c', ran('Stop', { create: false }));
    expect(existsSync(paths.session('c').runs)).toBe(false);
  });

  test('gives up in silence where there is no folder, and on a hook that it does not know', () => {
    const paths = temporaryProject();
    recordHookRun(paths, 'c', ran('Stop'));
    expect(existsSync(paths.session('c').runs)).toBe(false);
    const other = project();
    recordHookRun(other, 'c', ran('Notification'));
    expect(existsSync(other.session('c').runs)).toBe(false);
  });

  test('never grows', () => {
    const paths = project();
    for (let time = 0; time < 50; time++)
      recordHookRun(paths, 'c', ran('SessionEnd', { ms: time * 1_000_000 }));
    expect(readFileSync(paths.session('c').runs).length).toBe(3 * 64);
  });
});

describe('readHookRuns()', () => {
  test('takes out of a damaged file what can be read', () => {
    const paths = project();
    writeFileSync(
      paths.session('c').runs,
      '\0\0garbage\nStop 2026-11-28T08:00:00.000Z 31 ms   \nStop later\n',
    );
    expect(readHookRuns(paths, 'c')).toEqual([{ name: 'Stop', at: '2026-11-28T08:00:00.000Z', ms: 31 }]);
    expect(readHookRuns(paths, 'nobody')).toEqual([]);
  });
});
