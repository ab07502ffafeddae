import { expect, test } from 'vitest';
import { readToolCalls } from './kinds.ts';

const bash = { tool_name: 'Bash', tool_input: { command: 'ls' } };

test.each<[string, Record<string, unknown>, unknown]>([
  ['a tool', bash, [{ tool: 'Bash', input: { command: 'ls' } }]],
  [
    'a batch',
    { tool_calls: [bash, { tool_name: 'Read' }] },
    [
      { tool: 'Bash', input: { command: 'ls' } },
      { tool: 'Read', input: {} },
    ],
  ],
  ['odd shapes', { tool_calls: [null, 1, {}, { tool_name: 2 }] }, []],
  ['an input that is none', { tool_name: 'Bash', tool_input: 'ls' }, [{ tool: 'Bash', input: {} }]],
  ['nothing', {}, []],
])('readToolCalls() reads %s', (_, payload, calls) => {
  expect(readToolCalls(payload)).toEqual(calls);
});
