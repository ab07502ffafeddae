// The words of a host's wire, which may stand only in src/hosts/: `npm run house` and test/unit/wire-words.test.ts read this list.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listSources } from './measure.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A word of ordinary English counts only where it is quoted, or stands in an alternative of a pattern. */
const quoted = (words) => new RegExp(`(?<=['"\`|(])(?:${words})(?=['"\`|)])`);

/** What each kind of word is, and where a line with one belongs instead. */
const KINDS = [
  {
    kind: 'a field of hook JSON',
    words:
      /\b(?:hook_event_name|tool_name|tool_input|tool_use_id|tool_response|transcript_path|agent_transcript_path|stop_hook_active|last_assistant_message|hookSpecificOutput|hookEventName|additionalContext|permissionDecision\w*|systemMessage)\b/,
    instead: 'parse and format it in events.ts, rare-events.ts or guard.ts of the host, and use the Event',
  },
  {
    kind: 'a hook event',
    words:
      /\b(?:UserPromptSubmit|PreToolUse|PostToolUse\w*|PostToolBatch|PreCompact|PostCompact|SessionStart|SessionEnd|SubagentStop|SubagentStart)\b/,
    instead: "use the Event's kind (src/hosts/host.ts), or pass on the name that the host gave",
  },
  {
    kind: 'a hook event',
    words: quoted('Stop|Notification'),
    instead: "use the Event's kind (src/hosts/host.ts), or pass on the name that the host gave",
  },
  {
    kind: 'a field of a transcript line',
    words:
      /\b(?:isSidechain|parentUuid|compact_boundary|compactMetadata|isCompactSummary|isApiErrorMessage|toolUseResult|hook_additional_context|hook_success|tool_result|tool_use|cache_read_input_tokens|cache_creation_input_tokens)\b/,
    instead: 'read it in transcript/ of the host, and use the TranscriptEntry or the fact',
  },
  {
    kind: 'a tool of a host',
    words:
      /\b(?:TodoWrite|ExitPlanMode|AskUserQuestion|MultiEdit|NotebookEdit|NotebookRead|WebFetch|WebSearch|TaskCreate|TaskUpdate|TaskOutput|TaskStop|BashOutput|KillShell)\b|mcp__/,
    instead: 'ask the kind of the tool of host.tools, or the action of the TranscriptEntry',
  },
  {
    kind: 'a tool of a host',
    words: quoted('(?:Bash|PowerShell|Edit|Write|Read|Grep)(?:\\|\\w+)*'),
    instead: 'ask the kind of the tool of host.tools, or the action of the TranscriptEntry',
  },
  {
    kind: "a variable of a host's environment",
    words: /\b(?:CLAUDE_[A-Z0-9_]+|CLAUDECODE|ANTHROPIC_[A-Z_]+|DISABLE_(?:AUTO_)?COMPACT|AI_AGENT)\b/,
    instead: 'read it in environment.ts of the host, and use its neutral name',
  },
  {
    kind: 'a model of a host',
    words: /\bclaude-(?:opus|sonnet|haiku|fable|[0-9])|(?:opus|sonnet|haiku)\||'(?:opus|sonnet|haiku|fable)'/,
    instead: 'ask host.limits, which knows models and their windows',
  },
  {
    kind: "a file of a host's own",
    words: /\.claude(?:\.json|\/|-plugin)|['"]\.claude['"]|\bClaudeCode\b|\bmanaged-settings\b/,
    instead: 'name it in files.ts of the host',
  },
];

const isImport = (line) => /^(?:import|export) .*from '|^} from '|import\('/.test(line.trim());

/** Every wire word of a file that lies outside hosts/, as `path:line the word, what it is, where the line should go`. */
export function findWireWords(path, source) {
  return source.split('\n').flatMap((line, index) => {
    if (isImport(line)) return [];
    return KINDS.flatMap(({ kind, words, instead }) => {
      const found = words.exec(line);
      return found === null ? [] : [`${path}:${index + 1} "${found[0]}" is ${kind}: ${instead}`];
    });
  });
}

/** All wire words of src outside hosts/, by file; tests may hold some. */
export const readWireWords = () =>
  new Map(
    listSources(ROOT).flatMap((path) => {
      if (path.startsWith('src/hosts/')) return [];
      const found = findWireWords(path, readFileSync(join(ROOT, path), 'utf8'));
      return found.length === 0 ? [] : [[path, found]];
    }),
  );
