import { describe, expect, test } from 'vitest';
import { answer, attachment, type Line, toolResult, toolUse } from '../../test/unit/lines.ts';
import { task, work } from '../../test/unit/work.ts';
import { nextStepOf, openTasks, type Task, workOf } from './work.ts';

describe('workOf() on tasks', () => {
  const tasksOf = (...lines: Line[]): Task[] => workOf(lines).tasks;

  test('takes the list of the last TodoWrite as a whole', () => {
    const first = { todos: [{ content: 'Old', status: 'pending', activeForm: 'Doing old' }] };
    const second = {
      todos: [
        { content: 'Read', status: 'completed', activeForm: 'Reading' },
        { content: 'Write', status: 'in_progress', activeForm: 'Writing' },
        { content: 'Test', status: 'pending' },
      ],
    };
    expect(tasksOf(toolUse('t1', 'TodoWrite', first), toolUse('t2', 'TodoWrite', second))).toEqual([
      task('Read', { status: 'completed', active: 'Reading' }),
      task('Write', { status: 'in_progress', active: 'Writing' }),
      task('Test'),
    ]);
  });

  test('reads the TodoWrite of old clients', () => {
    const todos = [{ id: '1', content: 'Read', status: 'pending', priority: 'high' }];
    expect(tasksOf(toolUse('t1', 'TodoWrite', { todos }))).toEqual([task('Read', { id: '1' })]);
  });

  test.each([
    ['no list', { todos: 'none' }],
    ['odd items', { todos: [null, 5, 'x', { status: 'pending' }, { content: '' }] }],
    ['nothing', {}],
  ])('takes no task from a TodoWrite with %s', (_, input) => {
    expect(tasksOf(toolUse('t1', 'TodoWrite', input))).toEqual([]);
  });

  const create = (id: string, subject: string, result?: Line): Line[] => [
    toolUse(id, 'TaskCreate', { subject, description: 'd', activeForm: `At ${subject}` }),
    ...(result === undefined ? [] : [result]),
  ];

  test('gives a created task the id of its result', () => {
    const lines = [
      ...create(
        't1',
        'One',
        toolResult('t1', 'Task created', { detail: { task: { id: '4', subject: 'One' } } }),
      ),
      ...create('t2', 'Two', toolResult('t2', 'Task #5 created successfully: Two')),
      ...create('t4', 'Four', toolResult('t4', 'ok')),
      ...create('t5', 'Five'),
    ];
    expect(tasksOf(...lines)).toEqual([
      task('One', { id: '4', active: 'At One' }),
      task('Two', { id: '5', active: 'At Two' }),
      task('Four', { active: 'At Four' }),
      task('Five', { active: 'At Five' }),
    ]);
  });

  test('gives a created task an id that is a number in its result', () => {
    const result = toolResult('t1', 'ok', { detail: { task: { id: 6, subject: 'One' } } });
    expect(tasksOf(...create('t1', 'One', result))).toEqual([task('One', { id: '6', active: 'At One' })]);
  });

  test('does not double a task that was carried over and is created once more', () => {
    const start = work({ tasks: [task('One', { id: '1' })] });
    const lines = create('t1', 'One', toolResult('t1', 'ok', { detail: { task: { id: '1' } } }));
    expect(workOf(lines, start).tasks).toEqual([task('One', { id: '1', active: 'At One' })]);
  });

  test('keeps the list when a TodoWrite fails', () => {
    const todos = (content: string): object => ({ todos: [{ content, status: 'pending' }] });
    const lines = [
      toolUse('t1', 'TodoWrite', todos('Kept')),
      toolResult('t1'),
      toolUse('t2', 'TodoWrite', todos('Refused')),
      toolResult('t2', 'Denied', { isError: true }),
    ];
    expect(tasksOf(...lines)).toEqual([task('Kept')]);
  });

  test('takes no list from another tool whose result has tasks', () => {
    const lines = [
      ...create('t1', 'One', toolResult('t1', 'ok', { detail: { task: { id: '1' } } })),
      toolUse('t2', 'mcp__tracker__list', {}),
      toolResult('t2', '…', { detail: { tasks: [{ id: '9', subject: 'Not ours' }] } }),
    ];
    expect(tasksOf(...lines).map((each) => each.subject)).toEqual(['One']);
  });

  test('drops a task whose creation failed', () => {
    const lines = [
      ...create('t1', 'One', toolResult('t1', 'ok', { detail: { task: { id: '1' } } })),
      ...create('t2', 'Two', toolResult('t2', 'Denied', { isError: true })),
    ];
    expect(tasksOf(...lines).map((each) => each.subject)).toEqual(['One']);
  });

  test('gives tasks created in one answer their own ids', () => {
    const both = answer(5, {
      content: ['One', 'Two'].map((subject, index) => ({
        type: 'tool_use',
        id: `t${index}`,
        name: 'TaskCreate',
        input: { subject },
      })),
    });
    const results = [
      toolResult('t0', 'ok', { detail: { task: { id: '11' } } }),
      toolResult('t1', 'ok', { detail: { task: { id: '12' } } }),
    ];
    expect(tasksOf(both, ...results)).toEqual([task('One', { id: '11' }), task('Two', { id: '12' })]);
  });

  const one = create('t1', 'One', toolResult('t1', 'ok', { detail: { task: { id: '1' } } }));
  test.each<[string, object, Task[]]>([
    [
      'the status',
      { taskId: '1', status: 'in_progress' },
      [task('One', { id: '1', status: 'in_progress', active: 'At One' })],
    ],
    ['the subject', { taskId: '1', subject: 'Won' }, [task('Won', { id: '1', active: 'At One' })]],
    [
      'the active form',
      { taskId: '1', activeForm: 'Winning' },
      [task('One', { id: '1', active: 'Winning' })],
    ],
    [
      'an id that is a number',
      { taskId: 1, status: 'completed' },
      [task('One', { id: '1', status: 'completed', active: 'At One' })],
    ],
    ['a deletion', { taskId: '1', status: 'deleted' }, []],
    ['another task', { taskId: '2', status: 'completed' }, [task('One', { id: '1', active: 'At One' })]],
  ])('applies a TaskUpdate of %s', (_, input, expected) => {
    expect(tasksOf(...one, toolUse('t9', 'TaskUpdate', input))).toEqual(expected);
  });

  test('takes the list of a TaskList result', () => {
    const tasks = [
      { id: '1', subject: 'One', status: 'completed', blockedBy: [] },
      { id: '7', subject: 'Seven', status: 'in_progress' },
    ];
    const lines = [...one, toolUse('t8', 'TaskList', {}), toolResult('t8', '…', { detail: { tasks } })];
    expect(tasksOf(...lines)).toEqual([
      task('One', { id: '1', status: 'completed' }),
      task('Seven', { id: '7', status: 'in_progress' }),
    ]);
  });

  test('takes the list of a reminder, but no empty one', () => {
    const reminder = (content: unknown): Line => attachment({ type: 'task_reminder', content, itemCount: 1 });
    const listed = [
      { id: '8', subject: 'Eight', description: 'd', activeForm: 'At eight', status: 'in_progress' },
    ];
    expect(tasksOf(...one, reminder(listed))).toEqual([
      task('Eight', { id: '8', active: 'At eight', status: 'in_progress' }),
    ]);
    expect(tasksOf(...one, reminder([])).map((each) => each.subject)).toEqual(['One']);
    expect(tasksOf(...one, reminder('none')).map((each) => each.subject)).toEqual(['One']);
  });

  test('leaves the tasks of a subagent alone', () => {
    const line = toolUse('t9', 'TodoWrite', { todos: [{ content: 'Its own' }] }, { isSidechain: true });
    expect(tasksOf(...one, line).map((each) => each.subject)).toEqual(['One']);
  });
});

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
