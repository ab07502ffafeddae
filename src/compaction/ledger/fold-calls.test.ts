import { describe, expect, test } from 'vitest';
import { fold } from '../../../test/unit/ledgers.ts';
import type { Line } from '../../../test/unit/lines.ts';
import { answer, boundary, request, summary, toolResult, toolUse } from '../../../test/unit/lines.ts';
import { composeSummariserFacts } from '../compose.ts';
import { buildWork, listFailingCommands } from '../work.ts';
import { type Ledger, pickChanged } from './ledger.ts';

const run = (id: string, command: string, output = 'ok', isError = false): Line[] => [
  toolUse(id, 'Bash', { command }),
  toolResult(id, output, { isError }),
];

describe('commands', () => {
  const FAIL = 'Exit code 1\n> p test\n FAIL  a.test.ts > parse > reads\nAssertionError: expected 1';

  test('a failing check is told by its tests until they pass, over compactions', () => {
    const failing = [...run('t', 'npm test 2>&1 | tail -50', FAIL, true), boundary(), summary()];
    expect(fold(failing).checks).toMatchObject([
      { command: 'npm test', result: 'failed', failingTests: ['a.test.ts > parse > reads'], runs: 1 },
    ]);
    expect(buildWork(fold(failing)).failing_commands[0]?.output).toContain(
      'failed: a.test.ts > parse > reads',
    );
    expect(fold([...failing, ...run('u', 'npm test')]).checks).toMatchObject([
      { result: 'passed', failingTests: [], runs: 2 },
    ]);
    expect(fold([...failing, ...run('u', 'npx vitest run', ' ✓ parse > reads 2ms')]).checks[0]).toMatchObject(
      {
        command: 'npm test',
        failingTests: [],
      },
    );
  });

  test('a failure behind a pipe is seen in the output', () => {
    expect(fold(run('t', 'npm test | tail -3', 'Tests  2 failed | 3 passed')).checks[0]?.result).toBe(
      'failed',
    );
    expect(fold(run('t', 'npm test | tail -3', 'Tests  5 passed')).checks[0]?.result).toBe('passed');
  });

  test('a grep without a hit, and a diff, are no failures', () => {
    const ledger = fold([
      ...run('t', 'npm run build', 'error: x', true),
      ...run('u', 'grep -r x src', '', true),
      ...run('v', 'diff a b', '< x', true),
    ]);
    expect(listFailingCommands(ledger).map(({ command }) => command)).toEqual(['npm run build']);
  });

  test('of several checks nobody says which failed', () => {
    const failing = run('t', 'npm run lint && npm test', 'Exit code 1\nerror', true);
    const ledger = fold(failing);
    expect(ledger.checks.map(({ command, result }) => [command, result])).toEqual([
      ['npm run lint', 'unknown'],
      ['npm test', 'unknown'],
    ]);
    expect(listFailingCommands(ledger)).toMatchObject([{ command: 'npm run lint && npm test' }]);
    const passing = [...run('u', 'npm run lint'), ...run('v', 'npm test')];
    expect(listFailingCommands(fold([...failing, ...passing]))).toEqual([]);
  });

  test('one that runs on in the background has no result', () => {
    const started = toolResult('t', 'Command running in background', { detail: { backgroundTaskId: 'b' } });
    expect(fold([toolUse('t', 'Bash', { command: 'npm test' }), started]).checks[0]?.result).toBe('unknown');
  });
});

describe('files', () => {
  test('by tools and by commands, read and changed', () => {
    const file = (id: string, name: string, path: string, isError = false): Line[] => [
      toolUse(id, name, { file_path: path }),
      toolResult(id, 'ok', { isError }),
    ];
    const ledger = fold([
      ...file('a', 'Read', '/p/src/a.ts'),
      ...file('b', 'Read', '/p/src/a.ts'),
      ...file('c', 'Edit', '/p/src/b.ts'),
      ...file('d', 'Write', '/p/src/no.ts', true),
      ...run('e', "sed -i 's/x/y/' src/a.ts"),
      ...run('f', 'rm src/b.ts'),
      ...run('g', 'rm src/c.ts', 'no such file', true),
    ]);
    expect(ledger.files.map(({ path, reads, writes, deleted }) => [path, reads, writes, deleted])).toEqual([
      ['/p/src/a.ts', 2, 1, false],
      ['/p/src/b.ts', 0, 1, true],
    ]);
    expect(buildWork(ledger).files_written).toEqual(['/p/src/a.ts']);
  });

  test('are told by their last change, whatever was read since', () => {
    const file = (id: string, name: string, path: string): Line[] => [
      toolUse(id, name, { file_path: path }),
      toolResult(id),
    ];
    const ledger = fold([
      ...file('a', 'Write', '/p/a.ts'),
      ...file('b', 'Edit', '/p/b.ts'),
      ...file('c', 'Edit', '/p/c.ts'),
      ...file('d', 'Read', '/p/a.ts'),
      ...file('e', 'Edit', '/p/b.ts'),
      ...file('f', 'Read', '/p/only-read.ts'),
    ]);
    expect(pickChanged(ledger).map(({ path }) => path)).toEqual(['/p/b.ts', '/p/c.ts', '/p/a.ts']);
    expect(buildWork(ledger).files_written).toEqual(['/p/a.ts', '/p/c.ts', '/p/b.ts']);
    expect(composeSummariserFacts(ledger, { root: '/p', checkpoint: null, bytes: 1_000 })).toContain(
      'FILES CHANGED (latest first): b.ts, c.ts, and 1 more',
    );
  });
});

test('what was under way is the last call with nothing but its result behind it', () => {
  const call = toolUse('t', 'Grep', { pattern: 'parse' });
  expect(fold([request('x y'), call, toolResult('t')]).underway).toMatchObject({
    tool: 'Grep',
    what: 'parse',
  });
  expect(fold([call, toolResult('t'), boundary(), summary()]).underway?.what).toBe('parse');
  expect(fold([call, toolResult('t'), answer(1)]).underway).toBeNull();
});

test('a failing run is told by its tests and by what went wrong, not by its banner', () => {
  const output = `Exit code 1
 ❯ test/parser.test.ts (31 tests | 1 failed) 12ms
   × reads a credit note 5ms
 FAIL  test/parser.test.ts > reads a credit note
AssertionError: expected 1 to be 2
      Tests  1 failed | 30 passed (31)`;
  const [fact] = fold([
    toolUse('t', 'Bash', { command: 'npm test' }),
    toolResult('t', output, { isError: true }),
  ]).checks;
  expect(fact).toMatchObject({
    failingTests: ['test/parser.test.ts > reads a credit note'],
    error: 'AssertionError: expected 1 to be 2',
  });
});

describe('tasks', () => {
  const todo = (id: string, ...todos: [string, string][]): Line[] => [
    toolUse(id, 'TodoWrite', { todos: todos.map(([content, status]) => ({ content, status })) }),
    toolResult(id),
  ];
  const shown = ({ tasks }: Ledger): string[] =>
    tasks.map(({ id, subject, status }) => `${id ?? '-'} ${subject} ${status}`);

  test('in their latest state, by list and one by one', () => {
    expect(
      shown(
        fold([
          ...todo('a', ['parse', 'pending']),
          ...todo('b', ['parse', 'completed'], ['print', 'in_progress']),
        ]),
      ),
    ).toEqual(['- parse completed', '- print in_progress']);
    const ledger = fold([
      toolUse('a', 'TaskCreate', { subject: 'parse' }),
      toolResult('a', 'Task #1 created', { detail: { task: { id: '1', subject: 'parse' } } }),
      toolUse('b', 'TaskCreate', { subject: 'print' }),
      toolResult('b', 'Task #2 created'),
      toolUse('c', 'TaskUpdate', { taskId: '1', status: 'completed' }),
      toolResult('c'),
      toolUse('d', 'TaskUpdate', { taskId: '2', status: 'deleted' }),
      toolResult('d', 'no', { isError: true }),
    ]);
    expect(shown(ledger)).toEqual(['1 parse completed', '2 print pending']);
  });

  test('of an earlier session stay open, and no id of another session changes them', () => {
    const first = fold([
      toolUse('a', 'TaskCreate', { subject: 'parse' }),
      toolResult('a', 'Task #1 created'),
    ]);
    const second: Ledger = {
      ...first,
      sessions: [...first.sessions, { session_id: 't', transcript: null, first: null }],
    };
    const other = fold(
      [toolUse('a', 'TaskUpdate', { taskId: '1', status: 'completed' }), toolResult('a')],
      second,
    );
    expect(shown(other)).toEqual(['1 parse pending']);
    expect(shown(fold(todo('b', ['print', 'pending']), second))).toEqual([
      '1 parse pending',
      '- print pending',
    ]);
    expect(shown(fold(todo('b', ['parse', 'completed']), second))).toEqual(['- parse completed']);
  });
});
