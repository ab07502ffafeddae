// Lists the keys that an export may show, with the form of their values; all else is counted, not shown.

/** One word of ours, of the client or of the system, as all of these have it. */
const MARK = /^[\w.+-]{1,40}$/;
/** A sentence of ours, with the names of files that it is about. */
const SENTENCE = /^/;
/** The name of a file, on one line. */
const PATH = /^[^\n\r]{1,4096}$/;
const TIME = /^\d{4}-\d\d-\d\d[T ][\d:.,]{5,15}(?:Z|[+-]\d\d:?\d\d)?$/;
/** Ids of conversations, checkpoints and events: people give none of these. */
const ID =
  /^(?:[a-z]{1,20}:)?(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|cx-\d{1,15})(?::[A-Za-z0-9]{1,20}){0,4}$/;
const HASH = /^[0-9a-f]{7,64}$/;
/** Why a session ended, where the client or we say so: what people give as a reason is theirs. */
const REASON =
  /^(?:clear|resume|logout|prompt_input_exit|other|died without an end|bypass_permissions_disabled)$/;

const named = (form: RegExp, ...keys: string[]): [string, RegExp][] => keys.map((key) => [key, form]);

/** Keys whose strings may be told, and the form that they have then. */
export const SHOWN: ReadonlyMap<string, RegExp> = new Map([
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
    'top',
    'type',
  ),
  ...named(MARK, 'verdict', 'version', 'window_source', 'not_followed', 'key', 'handoff_due', 'name'),
  ...named(/^[\w.:@/[\]-]{1,100}$/, 'model'),
  ...named(/^[\w. ()-]{1,60}$/, 'about', 'canonicalization', 'part', 'source', 'trigger', 'written_by'),
  ...named(SENTENCE, 'error', 'evidence', 'fault', 'finding', 'fix', 'message', 'missing', 'problems'),
  ...named(SENTENCE, 'unreadable', 'value', 'where'),
  ...named(PATH, 'cwd', 'dirty_files', 'file', 'files_written', 'folder', 'outside', 'path', 'plan_path'),
  ...named(PATH, 'transcript_path', 'undecided_workflows'),
  ...named(TIME, 'acknowledged_at', 'at', 'began', 'critical_at', 'file_changed_at', 'phase_since'),
  ...named(TIME, 'session_since', 'started', 'time', 'times', 'timestamp', 'updated_at'),
  ...named(TIME, 'SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PostToolBatch', 'PreToolUse'),
  ...named(ID, 'checkpoint', 'conversation', 'event_id', 'id', 'pointed_to', 'previous', 'session'),
  ...named(ID, 'session_id', 'stream'),
  ...named(/^(?:module|statusline|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/, 'from'),
  ...named(HASH, 'digest', 'entry', 'first', 'head', 'tail'),
  ...named(/^[a-z0-9]{1,16}$/, 'thread'),
  ...named(REASON, 'reason'),
  // The client's own: those of servers are named by people.
  ...named(/^[A-Z][A-Za-z]{2,30}$/, 'tool'),
]);

/** Keys of objects and lists whose fields are ours; what is in another one is not even looked at. */
export const PARTS: ReadonlySet<string> = new Set([
  ...[
    'accumulated_context',
    'alert',
    'answers',
    'arrived',
    'beats',
    'by_tag',
    'calls_noted',
    'checkpoints',
    'checks',
  ],
  ...['client_settings', 'commands', 'compaction_point', 'compactions', 'context_state', 'conversation'],
  ...[
    'dirty_files',
    'doctor',
    'dropped',
    'ended',
    'epochs',
    'events',
    'failing_commands',
    'failures',
    'feeds',
  ],
  ...[
    'files',
    'files_written',
    'fills',
    'git',
    'guardrails',
    'highs',
    'history',
    'integrity',
    'last_checkpoint',
  ],
  ...['last_seen', 'lastAnswer', 'ledger', 'left_out', 'marks', 'metadata', 'noted', 'not_followed', 'notes'],
  ...['not_understood', 'openCalls', 'action', 'orchestration_state', 'peaks', 'pending', 'plan', 'position'],
  ...['problems', 'process', 'reading', 'recovery_instructions', 'refusals', 'requests', 'requirements'],
  ...['resumed_by', 'resumption', 'rules', 'said', 'section', 'seen', 'sessions', 'settings_problems'],
  ...[
    'since_checkpoint',
    'since_compaction',
    'state',
    'status',
    'stopped',
    'system',
    'tail',
    'tasks',
    'times',
  ],
  ...['tier_checkpoint', 'track', 'trigger', 'troubles', 'undecided_workflows', 'underway', 'unflushed'],
  ...['value', 'window', 'work', 'workflow', 'workflow_file', 'lastFailure'],
]);

/** The same, by names that are ours: each entry is a part. */
export const TABLES: ReadonlySet<string> = new Set(['by_tag', 'modelSettings', 'said', 'settings']);
