// Tests that the hook and its matcher mean the same tools, and after which calls files are looked at.
import { expect, test } from 'vitest';
import { listRegistrations } from '../../../src/hosts/claude-code/install/hooks.ts';
import { CHANGING, isWritingTool, mayChangeFiles } from '../../../src/hosts/claude-code/tools/kinds.ts';

test('the hook is asked for with the very tools that it judges', () => {
  const { matcher } =
    listRegistrations({
      clientVersion: null,
      bundle: 'b',
      node: 'n',
      windows: false,
      isShared: false,
      guarded: 'changes',
    }).find(({ event }) => event === 'PreToolUse') ?? {};
  const tools = [
    ...CHANGING,
    'mcp__a__b',
    'Read',
    'Glob',
    'Grep',
    'WebFetch',
    'Agent',
    'Task',
    'TodoWrite',
    'BashOutput',
    'Skill',
  ];
  // As the client does with a matcher that is more than names.
  const expression = new RegExp(matcher ?? '');
  for (const tool of tools) expect([tool, expression.test(tool)]).toEqual([tool, isWritingTool(tool)]);
  expect(tools.filter(isWritingTool)).toEqual([...CHANGING, 'mcp__a__b']);
});

test.each<[boolean, string, Record<string, unknown>]>([
  [true, 'Bash', { command: 'make' }],
  [false, 'Bash', { command: 'ls' }],
  [true, 'PowerShell', { command: 'ls' }],
  [true, 'mcp__a__b', {}],
  [true, 'Agent', {}],
  [true, 'TaskOutput', {}],
  [false, 'Write', { file_path: 'a' }],
  [false, 'Read', { file_path: 'a' }],
  [false, 'TaskCreate', {}],
])('mayChangeFiles() is %s of %s %j', (expected, tool, input) => {
  expect(mayChangeFiles({ tool, input })).toBe(expected);
});
