// Tests that the hook and its matcher mean the same tools, and after which calls files are looked at.
import { describe, expect, test } from 'vitest';
import { registrationsFor } from '../../../src/hosts/claude-code/install/hooks.ts';
import { CHANGING, leavesTraces, mayChange, onlyLooks } from '../../../src/model/guardrails/tool-kinds.ts';

test('the hook is asked for with the very tools that it judges', () => {
  const { matcher } =
    registrationsFor({
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
  for (const tool of tools) expect([tool, expression.test(tool)]).toEqual([tool, mayChange(tool)]);
  expect(tools.filter(mayChange)).toEqual([...CHANGING, 'mcp__a__b']);
});

describe('onlyLooks()', () => {
  test.each([
    'ls -la',
    'git status && git log --oneline | head -5',
    'cat a.txt; wc -l a.txt\ngrep -n "two words" a.txt',
    'cd src && pwd',
    'sleep 1',
    'ls src/*.ts 2>/dev/null',
    'grep -rn "$NAME" src 2>&1 | tail -3',
    'cat ~/.config/x\\ y',
    'rg "ü [a-z]{2}"',
    '',
  ])('is true of %j', (command) => expect(onlyLooks(command)).toBe(true));

  test.each([
    'make',
    'npm run build',
    'npm test',
    'ls && make',
    'ls\nmake',
    'ls & make',
    'git checkout .',
    'git commit -m x',
    'gitx status',
    'cat-file x',
    './ls',
    'echo x > a',
    'cat $(make)',
    'python3 a.py',
    'find . -delete',
    'X=1 make',
    'ls$X',
    'ls"x"',
    'ls{,x} a',
    'git diff --output=a',
    'rg --pre ./x a',
    'git grep -O./x a',
    'cat <(make)',
    'ls `make`',
    'ls > /dev/nullx',
    'ls >& a',
    'ls 2>/dev/null > a',
    'ls\rmake',
    '(make)',
    '{ make; }',
    '! make',
    'ls "a; make"',
  ])('is false of %j', (command) => expect(onlyLooks(command)).toBe(false));
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
])('leavesTraces() is %s of %s %j', (expected, tool, input) => {
  expect(leavesTraces({ tool, input })).toBe(expected);
});
