import { describe, expect, test } from 'vitest';
import { task, work } from '../../test/unit/work.ts';
import { nextStepOf, openTasks, type Task } from './work.ts';

describe('openTasks() and nextStepOf()', () => {
  test.each<[string, Task[], string | null]>([
    ['no task', [], null],
    ['only finished ones', [task('Done', { status: 'completed' })], null],
    ['the first open one', [task('Done', { status: 'completed' }), task('Two'), task('Three')], 'Two'],
    ['the one in progress before all others', [task('One'), task('Two', { status: 'in_progress' })], 'Two'],
  ])('name the next step of %s', (_, tasks, expected) => {
    const given = work({ tasks });
    expect(nextStepOf(given)).toBe(expected);
    expect(openTasks(given)).toEqual(tasks.filter((each) => each.status !== 'completed'));
  });
});
