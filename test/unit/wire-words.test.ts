// Tests that the words of a host's wire stand in src/hosts/ alone; each message says where the line should go instead.
import { describe, expect, test } from 'vitest';
import { findWireWords, readWireWords } from '../../scripts/house/wire-words.mjs';

/** Files that still hold some. This list may only become shorter. */
const REMAINING: readonly string[] = [
  'src/addons/tracks/commands/entry-points.ts',
  'src/addons/tracks/commands/gate-guardrails.io.ts',
  'src/addons/guardrails/commands/guard-commands.command.ts',
  'src/addons/guardrails/commands/guard-explain.command.ts',
  'src/addons/guardrails/commands/guard-registered.io.ts',
  'src/addons/guardrails/commands/guard-test.command.ts',
  'src/install/init-statusline.io.ts',
  'src/sessions/commands/inspect-commands.command.ts',
  'src/cli/run.io.ts',
  'src/settings/commands/trust-settings.command.ts',
  'src/settings/guardrail-schemas.ts',
  'src/settings/settings.ts',
  'src/addons/guardrails/hook/worktree-verdict.io.ts',
  'src/addons/guardrails/hook/guard-verdict.io.ts',
  'src/addons/guardrails/hook/guard.io.ts',
  'src/addons/guardrails/guardrail-findings.ts',
  'src/addons/guardrails/change.ts',
  'src/addons/guardrails/changed-file.ts',
  'src/addons/guardrails/find-changes.ts',
  'src/addons/guardrails/judge.ts',
  'src/addons/guardrails/options.ts',
  'src/addons/guardrails/rules/own-files.ts',
  'src/addons/guardrails/rules/path-rule.ts',
  'src/addons/guardrails/shell/file-programs.ts',
  'src/addons/guardrails/shell/shell-state.ts',
  'src/sessions/commands/anonymize.ts',
  'src/addons/tracks/work-log/tool-run.ts',
  'src/replay/probe-files.io.ts',
  'src/addons/guardrails/hook/parse-command.ts',
  'src/doctor/run-real-hook.io.ts',
  'src/addons/tracks/files/replay-compaction.io.ts',
  'src/addons/rules/rule-files.io.ts',
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
