// Tests that the words of a host's wire stand in src/hosts/ alone; each message says where the line should go instead.
import { describe, expect, test } from 'vitest';
import { findWireWords, readWireWords } from '../../scripts/house/wire-words.mjs';

/** Files that still hold some. This list may only become shorter. */
const REMAINING: readonly string[] = [
  'src/cli/entry-points.ts',
  'src/cli/gate-guardrails.ts',
  'src/cli/guard-commands.ts',
  'src/cli/guard-explain.ts',
  'src/cli/guard-hook.ts',
  'src/cli/guard-test.ts',
  'src/cli/init-statusline.ts',
  'src/cli/inspect-commands.ts',
  'src/cli/run.ts',
  'src/cli/trust.ts',
  'src/config/guardrail-schemas.ts',
  'src/config/settings.ts',
  'src/hooks/changed-verdict.ts',
  'src/hooks/guard-verdict.ts',
  'src/hooks/guard.ts',
  'src/model/check/guardrails.ts',
  'src/model/guardrails/change.ts',
  'src/model/guardrails/changed-file.ts',
  'src/model/guardrails/changes.ts',
  'src/model/guardrails/index.ts',
  'src/model/guardrails/options.ts',
  'src/model/guardrails/own.ts',
  'src/model/guardrails/paths.ts',
  'src/model/guardrails/shell/files.ts',
  'src/model/guardrails/shell/state.ts',
  'src/model/share.ts',
  'src/model/tracks/tool-run.ts',
  'src/replay/probe-files.io.ts',
  'src/store/command-changes.ts',
  'src/store/hook-run.ts',
  'src/store/replay-compaction.ts',
  'src/store/rule-files.ts',
];

const found = readWireWords();

test('no file outside hosts/ holds a word of a wire, but for those that remain', () => {
  const others = [...found].filter(([path]) => !REMAINING.includes(path)).flatMap(([, lines]) => lines);
  expect(others).toEqual([]);
});

test('a file that holds none any more is not listed as one that remains', () => {
  expect(REMAINING.filter((path) => !found.has(path))).toEqual([]);
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
