// Reads a line of a Codex rollout as facts and neutral entries.

import { isObject, type JsonObject, readCount } from '../../text/json.ts';
import type { EntryPlace, EntryReader, EntryTask, LineFact, ToolAction, TranscriptEntry } from '../entry.ts';
import type { FactReader, SessionInfo } from '../host.ts';
import { PARSED_LINES } from '../own-lines.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const items = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const textOf = (content: unknown): string =>
  items(content)
    .map((block) => text(block.text))
    .join('\n');

/** The payload of a line of a type, or null. */
const payloadOf = (line: unknown, type: string): JsonObject | null =>
  isObject(line) && line.type === type && isObject(line.payload) ? line.payload : null;

/** What the summariser wrote is no answer to anybody. */
const isOfCompaction = (line: unknown): boolean =>
  isObject(line) && isObject(line.metadata) && line.metadata.compaction_output === true;

/** How what Plimsoll says begins. */
const OURS =
  /^<(?:context-monitor|compaction-alert|resumption-context|project-context|quality-|track-context)/;

function readFact(line: unknown): LineFact | null {
  if (!isObject(line)) return null;
  const at = text(line.timestamp) || null;
  const compacted = payloadOf(line, 'compacted');
  if (compacted !== null) {
    const summary = text(compacted.compaction_response_id) || null;
    return { kind: 'boundary', trigger: null, preTokens: null, summary, at };
  }
  const record = payloadOf(line, 'token_usage_record');
  if (record !== null) {
    const usage = isObject(record.usage) ? record.usage : {};
    const tokens = readCount(usage.input_tokens);
    if (tokens === 0) return { kind: 'unmeasured' };
    const input = Math.max(tokens - readCount(usage.cached_input_tokens), 0);
    const messageId = text(record.response_id) || null;
    return { kind: 'usage', tokens, input, output: readCount(usage.output_tokens), model: '', at, messageId };
  }
  // What hooks say stands in messages of the developer, which no tool can write.
  const message = payloadOf(line, 'response_item');
  if (message?.role !== 'developer') return null;
  const said = textOf(message.content);
  return OURS.test(said) ? { kind: 'injection', text: said } : null;
}

export const codexFacts: FactReader = {
  markers: ['"type":"compacted"', '"role":"developer"'],
  usageMarkers: ['"token_usage_record"'],
  readFact,
  countCharacters: (line) => textOf(payloadOf(line, 'response_item')?.content).length,
};

/** What a line tells of the window, in tokens: a turn's begin, and the count that follows each request; null for any other. */
export function readToldWindow(line: unknown): number | null {
  const payload = payloadOf(line, 'event_msg');
  if (payload?.type !== 'token_count' && payload?.type !== 'task_started') return null;
  const info = payload.type === 'task_started' ? payload : payload.info;
  return (isObject(info) && readCount(info.model_context_window)) || null;
}

/** Codex's own estimate of what a compaction has left, in tokens: it counts no input. Null for any other line. */
export function readEstimate(line: unknown): number | null {
  const payload = payloadOf(line, 'event_msg');
  const info = payload?.type === 'token_count' && isObject(payload.info) ? payload.info : {};
  const last = isObject(info.last_token_usage) ? info.last_token_usage : {};
  return (last.input_tokens === 0 && readCount(last.total_tokens)) || null;
}

/** The exit code of a command that has ended, as its own line tells; null for any other line or call. */
export function readExitCode(line: unknown, call: string): number | null {
  const item = payloadOf(line, 'event_msg')?.item;
  if (!isObject(item) || item.type !== 'CommandExecution' || item.id !== call) return null;
  return typeof item.exit_code === 'number' ? item.exit_code : null;
}

/** The files that a patch writes; none where a text holds no patch. */
export const listPatched = (patch: string): string[] =>
  patch.includes('*** Begin Patch')
    ? [...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$/gm)].map(
        ([, file, target]) => (file ?? target ?? '').trim(),
      )
    : [];

function argumentsOf(payload: JsonObject): JsonObject {
  if (typeof payload.input === 'string') return { patch: payload.input };
  try {
    const value: unknown = JSON.parse(text(payload.arguments));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

const tasksOf = (plan: unknown): EntryTask[] =>
  items(plan)
    .filter(({ step }) => text(step) !== '')
    .map(({ step, status }) => ({
      ...{ id: null, subject: text(step), active: null },
      status: status === 'completed' || status === 'in_progress' ? status : 'pending',
    }));

/** What Codex itself says of a call that it could not carry out; it names no code then. */
const NOT_DONE = /^(?:apply_patch verification failed|unsupported call): /;

function describeCall(tool: string, input: JsonObject): ToolAction {
  const command = Array.isArray(input.command)
    ? input.command.map(text).join(' ')
    : text(input.cmd) || text(input.command);
  const [patched] = listPatched(text(input.patch) || text(input.input) || command);
  if (patched !== undefined) return { type: 'write', path: patched, isWhole: false };
  if (command !== '') return { type: 'run', command, description: null };
  if (tool === 'update_plan') return { type: 'set-tasks', tasks: tasksOf(input.plan) };
  return { type: 'other', subject: text(input.path) || text(input.query) || null };
}

/** What Codex itself writes on the user's side, where it does not say whose each part is. */
const NOT_A_PERSON =
  /^(?:<environment_context>|<user_instructions>|<turn_aborted>|<hook_prompt|# AGENTS\.md instructions)/;

/** Codex's own word for what each part of a message is: `user.text` is the person's. */
function kindsOf({ internal_chat_message_metadata_passthrough: told }: JsonObject): string[] {
  const kinds = isObject(told) ? told.content_item_kinds : null;
  return Array.isArray(kinds) ? kinds.map(text) : [];
}

/** The person's own words of a message on the user's side; '' where it holds none. */
function personsWords(payload: JsonObject): string {
  const kinds = kindsOf(payload);
  if (kinds.length > 0)
    return textOf(items(payload.content).filter((_, at) => kinds[at]?.startsWith('user.'))).trim();
  const said = textOf(payload.content).trim();
  return NOT_A_PERSON.test(said) ? '' : said;
}

/** What a patch has changed, as its result lists it: the call itself tells only of its first file. */
function patchedEntries(place: EntryPlace, of: string, output: string): TranscriptEntry[] {
  const [, list] = output.split('Success. Updated the following files:\n');
  return [...(list ?? '').matchAll(/^([AM]) (.+)$/gm)].flatMap(
    ([, act, path = ''], at): TranscriptEntry[] => {
      const call = `${of}#${at}`;
      const isNewFile = act === 'A';
      const action: ToolAction = { type: 'write', path, isWhole: isNewFile };
      const rest = { output: '', reason: null, answers: [], tasks: null, plan: null, isNewFile };
      return [
        { ...place, kind: 'call', call, tool: 'apply_patch', action },
        { ...place, kind: 'result', call, status: 'ok', ...rest },
      ];
    },
  );
}

function itemEntries(place: EntryPlace, payload: JsonObject): TranscriptEntry[] {
  const call = text(payload.call_id);
  switch (payload.type) {
    case 'message': {
      const said = textOf(payload.content).trim();
      if (said === '') return [];
      if (payload.role === 'assistant') return [{ ...place, kind: 'answer', text: said, isFinal: true }];
      const words = payload.role === 'user' ? personsWords(payload) : '';
      if (words === '') return [];
      return [{ ...place, kind: 'request', by: 'person', text: words, command: null, quotes: [] }];
    }
    case 'function_call':
    case 'custom_tool_call': {
      const tool = text(payload.name);
      return [{ ...place, kind: 'call', call, tool, action: describeCall(tool, argumentsOf(payload)) }];
    }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const output = text(payload.output) || textOf(payload.output);
      const code = /(?:exited with code|Exit code:) (\d{1,6})/.exec(output)?.[1];
      const isDenied = output.includes('Plimsoll: ') && code === undefined;
      const isDone = code === undefined ? !NOT_DONE.test(output) : code === '0';
      const status = isDenied ? 'denied' : isDone ? 'ok' : 'failed';
      const rest = { reason: null, answers: [], tasks: null, plan: null, isNewFile: false };
      const patched = payload.type === 'custom_tool_call_output' ? patchedEntries(place, call, output) : [];
      return [...patched, { ...place, kind: 'result', call, status, output, ...rest }];
    }
    default:
      return [];
  }
}

export const codexEntries: EntryReader = {
  ...PARSED_LINES,
  readEntries(line, offset) {
    if (!isObject(line) || isOfCompaction(line)) return [];
    const payload = isObject(line.payload) ? line.payload : {};
    const place: EntryPlace = { id: text(payload.id) || null, offset, time: text(line.timestamp) || null };
    if (line.type === 'response_item') return itemEntries(place, payload);
    if (line.type === 'event_msg' && payload.type === 'turn_aborted')
      return [{ ...place, kind: 'notice', text: '', isInterruption: true, tasks: null }];
    if (line.type !== 'compacted') return [];
    return [
      { ...place, kind: 'boundary', trigger: null },
      { ...place, kind: 'summary', text: text(payload.message) },
    ];
  },
  readLink: () => null,
};

/** The first line names the session. */
export function readCodexSession(line: unknown): SessionInfo | null {
  const meta = payloadOf(line, 'session_meta');
  if (meta === null) return null;
  const { id, cli_version: client, cwd, source } = meta;
  return {
    ...{ id: text(id) || null, client: text(client) || null, cwd: text(cwd) || null },
    // In `codex exec` nobody sits in front of it.
    ...{ entrypoint: source === 'exec' ? 'sdk-exec' : text(source) || null, title: null },
  };
}
