import { describe, expect, test } from 'vitest';
import { addTestRun } from './test-run.ts';

const run = (command: string, text: string, outcome = 'failed (exit 1)') => ({
  target: `\`${command}\``,
  outcome,
  at: '2026-11-28T10:00:00Z',
  text,
});

describe('addTestRun()', () => {
  test('puts the newest run first, and it takes the place of the same command', () => {
    let file = addTestRun('', run('npm test', 'one'));
    file = addTestRun(file, run('pytest', 'two'));
    file = addTestRun(file, run('npm test', 'three', 'ok'));
    expect(file).toBe(
      '## `npm test` at 2026-11-28T10:00:00Z: ok\n  three\n\n## `pytest` at 2026-11-28T10:00:00Z: failed (exit 1)\n  two\n\n',
    );
  });

  test.each([
    ['an older one', '2026-11-28T09:59:59Z', 'three'],
    ['one of the same second', '2026-11-28T10:00:00Z', 'one'],
    ['a newer one', '2026-11-28T10:00:01Z', 'one'],
  ])('puts a run that is told of late in the place of %s, or leaves that', (_, at, expected) => {
    const kept = addTestRun(addTestRun('', { ...run('npm test', 'one'), at }), run('pytest', 'two'));
    const late = addTestRun(kept, { ...run('npm test', 'three'), isLate: true });
    expect(late.match(/^ {2}\w+$/gm)?.sort()).toEqual([`  ${expected}`, '  two']);
  });

  test('takes no line of an output for a section', () => {
    const file = addTestRun(addTestRun('', run('a', '## `b` at x: ok\n\n## c')), run('b', 'two'));
    expect(file).toContain('  ## `b` at x: ok\n\n  ## c\n');
    expect(file.match(/^## /gm)).toHaveLength(2);
  });

  test('leaves out the oldest sections where there is no room', () => {
    let file = '';
    for (const name of ['a', 'b', 'c']) file = addTestRun(file, run(name, 'x'.repeat(300)), 800);
    expect(file.length).toBeLessThanOrEqual(800);
    expect(file.match(/^## `\w`/gm)).toEqual(['## `c`', '## `b`']);
  });

  test('cuts a run that is longer than the file may be', () => {
    expect(addTestRun('', run('a', 'x'.repeat(3_000)), 1_000)).toHaveLength(1_000);
  });
});
