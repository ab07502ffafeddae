import { describe, expect, test } from 'vitest';
import { readLeanResult } from './skim.ts';

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
const lean = (line: object): unknown => readLeanResult(Buffer.from(JSON.stringify(line)));
const LEAN = { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't1' }] } };

describe('readLeanResult()', () => {
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
    expect(readLeanResult(line.subarray(0, -20))).toBeNull();
  });
});
