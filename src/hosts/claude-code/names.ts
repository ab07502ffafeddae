// Names of Claude Code that other parts go by: its hook events, variables, and files in a project.

/** Hooks of ours; the times of their last runs are saved in this order. */
export const HOOK_NAMES = [
  'UserPromptSubmit',
  'PostToolUse',
  'PostToolBatch',
  'PreCompact',
  'SessionStart',
  'Stop',
  'SessionEnd',
  'SubagentStop',
  'PreToolUse',
  'PostToolUseFailure',
];
/** Some of them, by what happens. */
export const HOOKS = {
  beforeCompaction: 'PreCompact',
  beforeTool: 'PreToolUse',
  afterTool: 'PostToolUse',
  atStart: 'SessionStart',
} as const;

/** The variables that name the project, and the folder of its settings. */
export const PROJECT_VARIABLE = 'CLAUDE_PROJECT_DIR';
export const FOLDER_VARIABLE = 'CLAUDE_CONFIG_DIR';

/** In a project, from its root. */
export const CLIENT_SETTINGS_FILE = '.claude/settings.json';
export const RULES_FOLDER = '.claude/rules';
export const MEMORY_FILE = 'CLAUDE.md';

/** Globs of what decides over the agent: its settings and hooks, in a project and at home. */
export const GOVERNING = [
  '.claude/settings{,.local}.json',
  '~/.claude/settings{,.local}.json',
  '.claude/hooks/**',
];
/** Where it lets a plan be written before the work begins: outside of every project, and nobody's but its own. */
export const PLANS = ['~/.claude/plans/*.md'];

/** A tool call as it sends it. */
export const CALL_EXAMPLE =
  '{"tool_name": "Write", "tool_input": {"file_path": "a.ts", "content": "import ..."}}';
