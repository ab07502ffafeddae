// Tests that the words of a host's wire stand in src/hosts/ alone; each message says where the line should go instead.
import { describe, expect, test } from 'vitest';
import { findWireWords, readWireWords } from '../../scripts/house/wire-words.mjs';

const found = readWireWords();

test('no file outside hosts/ holds a word of a wire', () => {
  expect([...found.values()].flat()).toEqual([]);
});

describe('findWireWords()', () => {
  test.each([
    [
      'const { tool_name: tool } = payload;',
      /^src\/a\.ts:1 "tool_name" is a field of hook JSON: .*events\.ts/,
    ],
    ["if (name === 'PreToolUse') return;", /"PreToolUse" is a hook event: use the Event's kind/],
    ["['Stop', 5]", /"Stop" is a hook event/],
    ['line.isSidechain !== true', /"isSidechain" is a field of a transcript line: read it in transcript\//],
    ["tool === 'Bash'", /"Bash" is a tool of a host: ask the kind/],
    ["tool === 'TodoWrite'", /"TodoWrite" is a tool of a host/],
    ['env.CLAUDE_PID', /"CLAUDE_PID" is a variable of a host's environment: read it in environment\.ts/],
    ["model: 'claude-sonnet-5'", /"claude-sonnet" is a model of a host: ask host\.limits/],
    ["join(root, '.claude', 'rules')", /"'\.claude'" is a file of a host's own: name it in files\.ts/],
  ])('finds the word in %s', (line, message) => {
    const words = findWireWords('src/a.ts', `${line}\n`);
    expect(words).toHaveLength(1);
    expect(words[0]).toMatch(message);
  });

  test.each([
    "import { hookCommand } from '../hosts/claude-code/install/hooks.ts';",
    '// Reads what was written, and stops.',
    "const name = 'claude-code';",
    "type: 'SessionStarted',",
  ])('finds none in %s', (line) => {
    expect(findWireWords('src/a.ts', line)).toEqual([]);
  });
});
