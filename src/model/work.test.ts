import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answer, type Line, request, toolResult, toolUse } from '../../test/unit/lines.ts';
import { run, task, work } from '../../test/unit/work.ts';
import { EMPTY_WORK, type Work, workOf } from './work.ts';

describe('workOf() on files', () => {
  const filesOf = (...lines: Line[]): string[] => workOf(lines).files_written;

  test('keeps what was written or edited, the latest last, each once', () => {
    expect(
      filesOf(
        toolUse('t1', 'Write', { file_path: '/a.ts', content: 'x' }),
        toolResult('t1'),
        toolUse('t2', 'Edit', { file_path: '/b.ts' }),
        toolResult('t2'),
        toolUse('t3', 'MultiEdit', { file_path: '/c.ts' }),
        toolUse('t4', 'NotebookEdit', { notebook_path: '/d.ipynb' }),
        toolUse('t5', 'Edit', { file_path: '/a.ts' }),
        toolUse('t6', 'Read', { file_path: '/e.ts' }),
      ),
    ).toEqual(['/b.ts', '/c.ts', '/d.ipynb', '/a.ts']);
  });

  test.each([
    ['a denied write', "The user doesn't want to proceed with this tool use."],
    ['a failed write', 'File has not been read yet.'],
  ])('leaves out %s', (_, message) => {
    expect(
      filesOf(toolUse('t1', 'Write', { file_path: '/a.ts' }), toolResult('t1', message, { isError: true })),
    ).toEqual([]);
  });

  test('keeps a file that was written before a write of it failed', () => {
    expect(
      filesOf(
        toolUse('t1', 'Write', { file_path: '/a.ts' }),
        toolResult('t1'),
        toolUse('t2', 'Edit', { file_path: '/a.ts' }),
        toolResult('t2', 'String to replace not found', { isError: true }),
      ),
    ).toEqual(['/a.ts']);
  });

  test('keeps the last 500', () => {
    const lines = Array.from({ length: 510 }, (_, index) =>
      toolUse(`t${index}`, 'Write', { file_path: `/${index}.ts` }),
    );
    const files = filesOf(...lines);
    expect(files).toHaveLength(500);
    expect([files[0], files.at(-1)]).toEqual(['/10.ts', '/509.ts']);
  });
});

describe('workOf() on commands', () => {
  const failingOf = (...lines: Line[]): Work['failing_commands'] => workOf(lines).failing_commands;

  test('keeps a command that failed, with its output', () => {
    expect(failingOf(...run('t1', 'npm test', 'Exit code 1\n3 failed', true))).toEqual([
      { command: 'npm test', output: 'Exit code 1\n3 failed' },
    ]);
    expect(failingOf(...run('t1', 'npm test', [{ type: 'text', text: '3 failed' }], true))).toEqual([
      { command: 'npm test', output: '3 failed' },
    ]);
  });

  test('forgets a command that succeeded since', () => {
    expect(failingOf(...run('t1', 'npm test', 'bad', true), ...run('t2', 'npm test', 'ok', false))).toEqual(
      [],
    );
  });

  test('forgets a long command that succeeded since', () => {
    const long = `node -e "${'console.log(1);'.repeat(40)}"`;
    expect(failingOf(...run('t1', long, 'bad', true), ...run('t2', long, 'ok', false))).toEqual([]);
  });

  test('keeps one entry of a command that failed twice, with the last output', () => {
    const lines = [...run('t1', 'npm test', 'first', true), ...run('t2', 'npm run lint', 'x', true)];
    expect(failingOf(...lines, ...run('t3', 'npm test', 'second', true))).toEqual([
      { command: 'npm run lint', output: 'x' },
      { command: 'npm test', output: 'second' },
    ]);
  });

  test('keeps the last five, and cuts long ones', () => {
    const lines = Array.from({ length: 8 }, (_, index) =>
      run(`t${index}`, `make ${index}`, 'x'.repeat(999), true),
    );
    const failing = failingOf(...lines.flat());
    expect(failing.map((each) => each.command)).toEqual(['make 3', 'make 4', 'make 5', 'make 6', 'make 7']);
    expect(failing.every((each) => each.output.length <= 400)).toBe(true);
  });

  test('counts PowerShell, and no other tool', () => {
    const lines = [
      toolUse('t1', 'PowerShell', { command: 'dir' }),
      toolResult('t1', 'bad', { isError: true }),
      toolUse('t2', 'Grep', { command: 'x' }),
      toolResult('t2', 'bad', { isError: true }),
    ];
    expect(failingOf(...lines).map((each) => each.command)).toEqual(['dir']);
  });
});

describe('workOf() on the last answer', () => {
  test('keeps the first six lines of the last words', () => {
    const text = Array.from({ length: 9 }, (_, index) => `line ${index}`).join('\n');
    const found = workOf([
      answer(5, { content: [{ type: 'text', text: 'Earlier.' }] }),
      answer(6, { content: [{ type: 'text', text }] }),
    ]);
    expect(found.last_answer).toBe('line 0\nline 1\nline 2\nline 3\nline 4\nline 5');
  });

  test('does not count blanks, thoughts, tools and what the client made up as an answer', () => {
    const lines = [
      answer(5, { content: [{ type: 'text', text: 'The answer.' }] }),
      answer(6, { content: [{ type: 'text', text: ' \n' }] }),
      answer(7, { content: [{ type: 'thinking', thinking: 'Hm.' }] }),
      toolUse('t1', 'Read', { file_path: '/a' }),
      answer(0, { model: '<synthetic>', content: [{ type: 'text', text: 'No response requested.' }] }),
      answer(8, { content: [{ type: 'text', text: 'Of a subagent.' }] }, { isSidechain: true }),
    ];
    expect(workOf(lines).last_answer).toBe('The answer.');
  });

  test('is null where there was none', () => {
    expect(workOf([request('Hi')]).last_answer).toBeNull();
  });
});

describe('workOf() carrying over', () => {
  const start = work({
    requests: ['Old request'],
    tasks: [task('Open', { id: '1' }), task('Done', { id: '2', status: 'completed' })],
    files_written: ['/old.ts', '/both.ts'],
    failing_commands: [{ command: 'npm test', output: 'bad' }],
    last_answer: 'Old answer',
    truncated: true,
  });

  test('keeps what an earlier stretch left open, and drops what was done', () => {
    expect(workOf([], start)).toEqual({ ...start, tasks: [task('Open', { id: '1' })] });
  });

  test('lets new requests and answers replace the old ones', () => {
    const found = workOf([request('New'), answer(5, { content: [{ type: 'text', text: 'Newer' }] })], start);
    expect(found).toMatchObject({ requests: ['New'], last_answer: 'Newer' });
  });

  test('goes on with the open tasks', () => {
    const found = workOf([toolUse('t1', 'TaskUpdate', { taskId: '1', status: 'completed' })], start);
    expect(found.tasks).toEqual([task('Open', { id: '1', status: 'completed' })]);
  });

  test('puts new files after the old ones', () => {
    const lines = [
      toolUse('t1', 'Write', { file_path: '/both.ts' }),
      toolUse('t2', 'Write', { file_path: '/new.ts' }),
    ];
    expect(workOf(lines, start).files_written).toEqual(['/old.ts', '/both.ts', '/new.ts']);
  });

  test('forgets a carried failure that succeeded since', () => {
    const lines = [toolUse('t1', 'Bash', { command: 'npm test' }), toolResult('t1')];
    expect(workOf(lines, start).failing_commands).toEqual([]);
  });

  test('does not change what it starts from', () => {
    const before = structuredClone(start);
    workOf([toolUse('t1', 'TaskUpdate', { taskId: '1', status: 'completed' }), request('New')], start);
    expect(start).toEqual(before);
    expect(EMPTY_WORK).toEqual({
      requests: [],
      tasks: [],
      files_written: [],
      failing_commands: [],
      last_answer: null,
      truncated: false,
      turn_open: false,
    });
  });
});
test('workOf() never throws, whatever the lines hold', () => {
  const odd = fc.anything({ maxDepth: 2 });
  const block = fc.record(
    {
      type: fc.constantFrom('text', 'tool_use', 'tool_result', 'image'),
      id: odd,
      name: fc.oneof(fc.constantFrom('TodoWrite', 'TaskCreate', 'TaskUpdate', 'Bash', 'Write'), odd),
      input: odd,
      content: odd,
      tool_use_id: odd,
      text: odd,
    },
    { requiredKeys: [] },
  );
  const line = fc.record(
    {
      type: fc.constantFrom('assistant', 'user', 'attachment'),
      message: fc.oneof(odd, fc.record({ content: fc.oneof(fc.array(block), odd) })),
      attachment: fc.oneof(
        odd,
        fc.record({ type: fc.constantFrom('task_reminder', 'queued_command'), content: odd, prompt: odd }),
      ),
      toolUseResult: odd,
    },
    { requiredKeys: ['type'] },
  );
  fc.assert(fc.property(fc.array(fc.oneof(line, odd)), (lines) => void workOf(lines)));
});
