// Makes our data fit to be shared: without what people wrote, without secrets, without the user's name and home folder.
import { HOOK_NAMES } from '../../hosts/claude-code/names.ts';
import { isObject, type JsonObject } from '../../text/json.ts';
import { redactDeep } from '../../text/redact.ts';

/** One word of ours, of the client or of the system, as all of these have it. */
const MARK = /^[\w.+-]{1,40}$/;
/** A sentence of ours, with the names of files that it is about. */
const SENTENCE = /^/;
/** The name of a file, on one line. */
const PATH = /^[^\n\r]{1,4096}$/;
const TIME = /^\d{4}-\d\d-\d\d[T ][\d:.,]{5,15}(?:Z|[+-]\d\d:?\d\d)?$/;
/** Ids of sessions, checkpoints and events: people give none of these. */
const ID =
  /^(?:[a-z]{1,20}:)?(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|cx-\d{1,15})(?::[A-Za-z0-9]{1,20}){0,4}$/;
const HASH = /^[0-9a-f]{7,64}$/;
/** Why a session ended, where the client or we say so: what people give as a reason is theirs. */
const REASON =
  /^(?:[a-z]+(?:-[a-z]+){1,3}|off|subagent|unchanged|estimate|claimed|failed|clear|resume|logout|prompt_input_exit|other|died without an end|bypass_permissions_disabled)$/;

const named = (form: RegExp, ...keys: string[]): [string, RegExp][] => keys.map((key) => [key, form]);

/** Keys whose strings may be told, and the form that they have then. */
const SHOWN: ReadonlyMap<string, RegExp> = new Map([
  ...named(MARK, 'algorithm', 'arch', 'by', 'cause', 'channel', 'client', 'confidence', 'entrypoint'),
  ...named(
    MARK,
    'event',
    'event_type',
    'freshness',
    'hook',
    'kind',
    'level',
    'mode',
    'node',
    'off',
    'origin',
  ),
  ...named(
    MARK,
    'platform',
    'plimsoll_export',
    'result',
    'rule',
    'schema_version',
    'status',
    'tier',
    'highest_tier',
    'type',
  ),
  ...named(MARK, 'verdict', 'version', 'window_source', 'not_followed', 'key', 'handoff_due', 'name'),
  ...named(/^[\w.:@/[\]-]{1,100}$/, 'model'),
  ...named(/^[\w. ()-]{1,60}$/, 'about', 'canonicalization', 'part', 'source', 'trigger', 'written_by'),
  ...named(SENTENCE, 'error', 'evidence', 'fault', 'finding', 'fix', 'message', 'missing', 'problems'),
  ...named(SENTENCE, 'unreadable', 'value', 'where'),
  ...named(PATH, 'cwd', 'dirty_files', 'file', 'files_written', 'folder', 'outside', 'path', 'plan_path'),
  ...named(PATH, 'transcript', 'undecided_workflows'),
  ...named(TIME, 'acknowledged_at', 'at', 'began', 'critical_at', 'file_changed_at', 'phase_since'),
  ...named(TIME, 'session_since', 'since', 'started', 'time', 'times', 'timestamp', 'updated_at'),
  ...named(TIME, ...HOOK_NAMES),
  ...named(ID, 'checkpoint', 'event_id', 'id', 'pointed_to', 'session'),
  ...named(ID, 'session_id'),
  ...named(/^(?:module|statusline|[A-Z]{3,9}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/, 'from'),
  ...named(HASH, 'digest', 'entry', 'first', 'head', 'tail'),
  ...named(/^[a-z0-9]{1,16}$/, 'thread'),
  ...named(REASON, 'reason'),
  ...named(/^(?:full|line)$/, 'said'),
  // The client's own: those of servers are named by people.
  ...named(/^[A-Z][A-Za-z]{2,30}$/, 'tool'),
]);

/** Keys of objects and lists whose fields are ours; what is in another one is not even looked at. */
const PARTS: ReadonlySet<string> = new Set([
  ...['accumulated_context', 'action', 'alert', 'announcement', 'answers', 'arrived', 'auto_compact'],
  ...['by_tag', 'checkpoints', 'checks', 'client_settings', 'commands', 'compaction_history'],
  ...['compaction_not_in_transcript', 'compactions', 'context_state', 'conversation', 'decisions'],
  ...['dirty_files', 'doctor', 'dropped', 'ended', 'events', 'failing_commands', 'failures', 'feeds'],
  ...[
    'files',
    'files_written',
    'fills',
    'git',
    'guardrails',
    'history',
    'hook_runs',
    'injected',
    'integrity',
  ],
  ...['large_window_by_model', 'last_announced', 'last_checkpoint', 'last_seen', 'last_stop', 'lastAnswer'],
  ...['lastFailure', 'ledger', 'left_out', 'logged_tool_call_offsets', 'max_tokens_by_compact_setting'],
  ...['max_tokens_by_model', 'metadata', 'not_followed', 'not_understood', 'noted', 'notes', 'openCalls'],
  ...['orchestration_state', 'pending_compaction', 'plan', 'position', 'problems', 'process'],
  ...['received_handoff', 'recovery_instructions', 'refusals', 'requests', 'requirements', 'resumed_by'],
  ...[
    'rules',
    'section',
    'session',
    'sessions',
    'settings_problems',
    'since_checkpoint',
    'since_compaction',
    'state',
  ],
  ...['status', 'system', 'tail', 'tasks', 'tier_checkpoint', 'times', 'track', 'transcript_position'],
  ...[
    'trigger',
    'troubles',
    'unanswered_boundary',
    'undecided_workflows',
    'underway',
    'usage',
    'value',
    'window',
    'work',
  ],
  ...['workflow', 'workflow_file'],
]);

/** The same, by names that are ours: each entry is a part. */
const TABLES: ReadonlySet<string> = new Set(['by_tag', 'modelSettings', 'said', 'settings']);

const hiddenText = (text: string): string => `[text left out: ${text.length} characters]`;

/** What the engine says of a text that is no JSON quotes the text. */
const QUOTED = /Unexpected token [\s\S]{1,8}, (?:\.\.\.)?"[\s\S]{0,200}"(?:\.\.\.)? is not valid JSON/g;
const withoutQuotes = (text: string): string => text.replace(QUOTED, 'the text is not valid JSON');

/** Text that is shown has the form that its key promises. */
function toldText(key: string, text: string): string {
  if (text === '') return text;
  const form = SHOWN.get(key);
  return form?.test(text) ? withoutQuotes(text) : hiddenText(text);
}

const countOf = (entries: number): string => `[left out: ${entries} ${entries === 1 ? 'entry' : 'entries'}]`;

function toldFields(key: string, value: JsonObject): JsonObject {
  const isTable = TABLES.has(key);
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      isTable && isObject(each) ? toldFields(name, each) : toldUnder(name, each),
    ]),
  );
}

/** What is told of a value by its key: figures and marks, the parts that are named, and how much there was of the rest. */
function toldUnder(key: string, value: unknown): unknown {
  if (typeof value === 'string') return toldText(key, value);
  const isPart = PARTS.has(key) || TABLES.has(key);
  if (Array.isArray(value))
    return isPart || value.length === 0 ? value.map((each) => toldUnder(key, each)) : countOf(value.length);
  if (!isObject(value)) return value;
  const { length } = Object.keys(value);
  return isPart || length === 0 ? toldFields(key, value) : countOf(length);
}

/** A plain value without what people wrote: their words are counted, not told, and so is all that nobody named. */
export const withoutText = (value: JsonObject): JsonObject => toldFields('', value);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Names that are everybody's tell nothing, and are words of their own. */
const COMMON = /^(?:root|user|home|admin|node|dev|me|ubuntu|runner)?$/i;

/** The client's name for a folder, as it stands in the paths of transcripts. */
const slugOf = (folder: string): string => folder.replace(/[^A-Za-z0-9]/g, '-');

/**
 * Replaces home folders, also as the client writes them into names, and the name of the user by `~`, in every string.
 * @param homes all paths of the home folder: as it is named, and as it is
 */
export function anonymize(value: unknown, homes: readonly string[], user: string | null): unknown {
  const paths = homes.filter((home) => home.length > 1).sort((a, b) => b.length - a.length);
  const patterns = [
    ...paths.map((home) => new RegExp(`${escaped(home)}(?![\\w-]|\\.\\w)`, 'g')),
    ...paths.map((home) => new RegExp(`${escaped(slugOf(home))}(?![A-Za-z0-9])`, 'g')),
    ...(user === null || COMMON.test(user)
      ? []
      : [new RegExp(`(?<![A-Za-z0-9])${escaped(user)}(?![A-Za-z0-9])`, 'gi')]),
  ];
  const clean = (text: string): string => patterns.reduce((result, each) => result.replace(each, '~'), text);
  const walk = (each: unknown): unknown => {
    if (typeof each === 'string') return clean(each);
    if (Array.isArray(each)) return each.map(walk);
    return isObject(each)
      ? Object.fromEntries(Object.entries(each).map(([key, inner]) => [clean(key), walk(inner)]))
      : each;
  };
  return walk(value);
}

/** All of that at once, secrets first: what stands beside a secret's name must still stand there. */
export function shareable(
  value: object,
  options: { homes: readonly string[]; user: string | null; withText: boolean },
): unknown {
  const plain = JSON.parse(JSON.stringify(value)) as JsonObject;
  const safe = redactDeep(options.withText ? plain : withoutText(plain));
  return anonymize(safe, options.homes, options.user);
}
