import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EMPTY_WORK, workOf } from '../model/work.ts';
import { leanResult } from './lean-line.ts';

const LONG = 'x'.repeat(6_000);
const result = (more: object = {}, block: object = {}): object => ({
  type: 'user',
  isMeta: false,
  message: {
    role: 'user',
    content: [{ tool_use_id: 't1', type: 'tool_result', content: LONG, is_error: false, ...block }],
  },
  ...more,
});
const lean = (line: object): unknown => leanResult(Buffer.from(JSON.stringify(line)));
const LEAN = { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1' }] } };

describe('leanResult()', () => {
  test('leaves out the long output of a tool that did not fail', () => {
    expect(lean(result())).toEqual(LEAN);
  });

  test('is not led astray by an output that speaks of failures and tasks', () => {
    const output = `${LONG} {"is_error":true, "tasks":[], "task":{}, "isSidechain":true, "tool_use_id":"t9"}`;
    expect(lean(result({}, { content: output }))).toEqual(LEAN);
  });

  test.each<[string, object]>([
    ['a short one', result({}, { content: 'short' })],
    ['a failure', result({}, { is_error: true })],
    ['a created task', result({ toolUseResult: { task: { id: '1' } } })],
    ['a task list', result({ toolUseResult: { tasks: [] } })],
    ['a subagent', result({ isSidechain: true })],
    ['a line of an agent', result({ agentId: 'a1' })],
    ['a request', { type: 'user', message: { content: LONG } }],
    ['an answer', { type: 'assistant', message: { content: [{ type: 'text', text: LONG }] } }],
    [
      'two results',
      {
        type: 'user',
        message: {
          content: ['t1', 't2'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: LONG })),
        },
      },
    ],
  ])('is null for %s', (_, line) => {
    expect(lean(line)).toBeNull();
  });

  test('is null for a torn line', () => {
    const line = Buffer.from(JSON.stringify(result()));
    expect(leanResult(line.subarray(0, -20))).toBeNull();
  });

  test('never changes the work that is read', () => {
    const block = fc.record({
      content: fc.constantFrom(LONG, 'short', `${LONG}#7`, `${LONG}"is_error":true`),
      is_error: fc.constantFrom(undefined, true, false),
    });
    const call = fc.constantFrom(
      { name: 'Bash', input: { command: 'npm test' } },
      { name: 'Write', input: { file_path: 'a.ts' } },
      { name: 'TaskCreate', input: { subject: 'Parse' } },
      { name: 'TaskUpdate', input: { taskId: '7', status: 'completed' } },
      { name: 'TodoWrite', input: { todos: [{ content: 'Parse', status: 'pending' }] } },
      { name: 'TaskList', input: {} },
    );
    const detail = fc.constantFrom(
      undefined,
      { task: { id: '7' } },
      { tasks: [{ id: '8', subject: 'Print', status: 'pending' }] },
      { stdout: LONG },
    );
    const step = fc.tuple(call, block, detail, fc.constantFrom(undefined, true));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const lines = steps.flatMap(([tool, output, toolUseResult, isSidechain], index) => [
          { type: 'assistant', message: { content: [{ type: 'tool_use', id: `t${index}`, ...tool }] } },
          {
            type: 'user',
            isSidechain,
            toolUseResult,
            message: { content: [{ type: 'tool_result', tool_use_id: `t${index}`, ...output }] },
          },
        ]);
        // What a task is called in a long text alone is not looked for: the client keeps it in the structured result.
        const isNamedByTextOnly = steps.some(
          ([tool, output, given]) =>
            tool.name === 'TaskCreate' && output.content.length > 4_000 && !(given && 'task' in given),
        );
        if (isNamedByTextOnly) return;
        const plain = workOf(lines, EMPTY_WORK);
        expect(workOf(lines.map((line) => lean(line) ?? JSON.parse(JSON.stringify(line))))).toEqual(plain);
      }),
    );
  });
});
