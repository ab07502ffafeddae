import { describe, expect, test } from 'vitest';
import { task, work } from '../../test/unit/work.ts';
import { openTasks, type WorkTask } from './work.ts';

describe('openTasks()', () => {
  test.each<[string, WorkTask[]]>([
    ['no task', []],
    ['only finished ones', [task('Done', { status: 'completed' })]],
    ['the first open one', [task('Done', { status: 'completed' }), task('Two'), task('Three')]],
    ['the one in progress before all others', [task('One'), task('Two', { status: 'in_progress' })]],
  ])('are those not completed of %s', (_, tasks) => {
    const given = work({ tasks });
    expect(openTasks(given)).toEqual(tasks.filter((each) => each.status !== 'completed'));
  });
});
