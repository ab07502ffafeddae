// Reads a message of opencode as the lines that we keep of it.

import { isObject, type JsonObject, readCount } from '../../text/json.ts';
import type { EntryTask, LineFact, ToolAction } from '../entry.ts';
import type { OwnEntry, OwnLine } from '../own-lines.ts';
import { listFilesInPatch, readPatchCalls } from '../patch.ts';
import type { Ending } from '../read-only-commands.ts';

/** A message as opencode hands it over: what it is, and its parts. */
export interface OpencodeMessage {
  info: JsonObject;
  parts: JsonObject[];
}

export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const listObjects = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
/** By which our parts of a message are known: nobody else begins an id so. */
export const OUR_PART = 'prt_plimsoll';

const timeOf = (info: JsonObject, name: 'created' | 'completed'): number =>
  isObject(info.time) ? readCount(info.time[name]) : 0;

/** Whether a message will not change any more. */
export const isWhole = ({ info }: OpencodeMessage): boolean =>
  info.role === 'user' || timeOf(info, 'completed') > 0 || info.error !== undefined;

/** Whether a message is the summary that a compaction has left. */
export const isSummary = ({ info }: OpencodeMessage): boolean =>
  info.role === 'assistant' && info.summary === true && info.error === undefined && Boolean(info.finish);

/** Tokens in the context, as opencode counts them against its limit; 0 where the message tells none. */
export function readTokens({ info }: OpencodeMessage): number {
  const { tokens } = info;
  if (info.role !== 'assistant' || info.summary === true || !isObject(tokens)) return 0;
  const cache = isObject(tokens.cache) ? tokens.cache : {};
  const sum =
    readCount(tokens.input) + readCount(tokens.output) + readCount(cache.read) + readCount(cache.write);
  return readCount(tokens.total) || sum;
}

function usageFact({ info }: OpencodeMessage, at: string): LineFact {
  const tokens = isObject(info.tokens) ? info.tokens : {};
  const cache = isObject(tokens.cache) ? tokens.cache : {};
  const [input, output] = [readCount(tokens.input), readCount(tokens.output)];
  const used = input + readCount(cache.read) + readCount(cache.write);
  if (used === 0) return { kind: 'unmeasured' };
  const model = stringOf(info.modelID);
  return { kind: 'usage', tokens: used, input, output, model, at, messageId: stringOf(info.id) };
}

const tasksIn = (list: unknown): EntryTask[] =>
  listObjects(list).flatMap(({ content, id, status }) =>
    stringOf(content) === '' || status === 'cancelled'
      ? []
      : [
          {
            id: stringOf(id) || null,
            subject: stringOf(content),
            status: status === 'completed' || status === 'in_progress' ? status : 'pending',
            active: null,
          },
        ],
  );

function describeCall(tool: string, input: JsonObject): ToolAction {
  const path = stringOf(input.filePath) || stringOf(input.path);
  switch (tool) {
    case 'read':
      return { type: 'read', path };
    case 'write':
      return { type: 'write', path, isWhole: true };
    case 'edit':
    case 'multiedit':
      return { type: 'write', path, isWhole: false };
    case 'patch':
    case 'apply_patch':
      return { type: 'write', path: listFilesInPatch(stringOf(input.patchText))[0] ?? '', isWhole: false };
    case 'bash':
      return {
        type: 'run',
        command: stringOf(input.command),
        description: stringOf(input.description) || null,
      };
    case 'grep':
    case 'glob':
      return { type: 'search', pattern: stringOf(input.pattern), path: path || null };
    case 'todowrite':
      return { type: 'set-tasks', tasks: tasksIn(input.todos) };
    case 'task':
      return { type: 'delegate', description: stringOf(input.description) || stringOf(input.prompt) };
    default:
      return {
        type: 'other',
        subject: stringOf(input.description) || stringOf(input.query) || path || null,
      };
  }
}

function partEntries(part: JsonObject, isFinal: boolean): OwnEntry[] {
  if (part.type === 'text')
    return stringOf(part.text).trim() === '' ? [] : [{ kind: 'answer', text: stringOf(part.text), isFinal }];
  if (part.type !== 'tool' || !isObject(part.state)) return [];
  const { state } = part;
  const call = stringOf(part.callID);
  const tool = stringOf(part.tool);
  const made: OwnEntry = {
    kind: 'call',
    call,
    tool,
    action: describeCall(tool, isObject(state.input) ? state.input : {}),
  };
  if (state.status !== 'completed' && state.status !== 'error') return [made];
  const output = stringOf(state.output) || stringOf(state.error);
  const exit = isObject(state.metadata) ? state.metadata.exit : 0;
  const isDenied = state.status === 'error' && output.includes('Plimsoll: ');
  const isFailed = state.status === 'error' || (typeof exit === 'number' && exit !== 0);
  const status = isDenied ? 'denied' : isFailed ? 'failed' : 'ok';
  const rest = { reason: null, answers: [], tasks: null, plan: null, isNewFile: false };
  return [made, { kind: 'result', call, status, output, ...rest }];
}

/** The words of a person in a message, without what others put beside them; '' where there are none. */
const wordsOf = ({ parts }: OpencodeMessage): string =>
  parts
    .flatMap((part) => (part.type === 'text' && part.synthetic !== true ? [stringOf(part.text)] : []))
    .join('\n')
    .trim();

/**
 * What is kept of a message; nothing while it may still change.
 * @param parent the message that it follows
 */
export function readOwnLines(message: OpencodeMessage, parent: string | null): OwnLine[] {
  const { info, parts } = message;
  if (!isWhole(message)) return [];
  const id = stringOf(info.id);
  const at = new Date(timeOf(info, 'completed') || timeOf(info, 'created')).toISOString();
  const place = { id, parent, at };
  if (info.role === 'user') {
    const text = wordsOf(message);
    const entries: OwnEntry[] =
      text === '' ? [] : [{ kind: 'request', by: 'person', text, command: null, quotes: [] }];
    const ours = parts.flatMap((part) =>
      stringOf(part.id).startsWith(OUR_PART) ? [stringOf(part.text)] : [],
    );
    const said: OwnLine[] =
      ours.length === 0
        ? []
        : [{ fact: { kind: 'injection', text: ours.join('\n\n') }, id: `${id}:said`, parent: id, at }];
    return [{ ...place, entries }, ...said];
  }
  if (isSummary(message)) {
    const text = parts.flatMap((part) => (part.type === 'text' ? [stringOf(part.text)] : [])).join('\n');
    const fact: LineFact = { kind: 'boundary', trigger: null, preTokens: null, at };
    return [
      {
        fact,
        ...place,
        entries: [
          { kind: 'boundary', trigger: null },
          { kind: 'summary', text },
        ],
      },
    ];
  }
  if (info.summary === true) return [];
  const isFinal = info.finish !== 'tool-calls';
  const entries = parts.flatMap((part) => partEntries(part, isFinal));
  if (info.error !== undefined)
    return [
      { ...place, entries: [...entries, { kind: 'notice', text: '', isInterruption: true, tasks: null }] },
    ];
  return [{ fact: usageFact(message, at), ...place, entries }];
}

/** The very array: what is put into it is in the request. */
const isParts = (value: unknown): value is JsonObject[] => Array.isArray(value) && value.every(isObject);
const byId = (a: OpencodeMessage, b: OpencodeMessage): number =>
  stringOf(a.info.id) < stringOf(b.info.id) ? -1 : 1;
export const asMessages = (value: unknown): OpencodeMessage[] =>
  listObjects(value)
    .flatMap(({ info, parts }) => (isObject(info) && isParts(parts) ? [{ info, parts }] : []))
    .sort(byId);

/** Puts a text behind a call's result, or behind what a person said, in the messages of one request. */
export function putBehind(messages: readonly OpencodeMessage[], behind: string, text: string): void {
  for (const { info, parts } of messages) {
    if (info.id === behind && info.role === 'user') {
      const { id: messageID, sessionID } = info;
      parts.push({ id: OUR_PART, sessionID, messageID, type: 'text', text, synthetic: true });
      return;
    }
    const state = parts.find(({ callID }) => callID === behind)?.state;
    if (!isObject(state)) continue;
    const field = state.status === 'error' ? 'error' : 'output';
    if (!stringOf(state[field]).includes(text)) state[field] = `${stringOf(state[field])}\n\n${text}`;
    return;
  }
}

/** The place at the end of a request: its last message, or the last call in it; null where there is none. */
export function findEnd(messages: readonly OpencodeMessage[]): string | null {
  const last = messages.at(-1);
  if (last?.info.role === 'user') return stringOf(last.info.id);
  return stringOf(last?.parts.findLast(({ type }) => type === 'tool')?.callID) || null;
}

/** A call as the guardrails know calls; a patch is a call for each of its files. */
export function readOpencodeCalls(tool: string, input: JsonObject): { tool: string; input: JsonObject }[] {
  const file_path = stringOf(input.filePath);
  switch (tool) {
    case 'bash':
      return [{ tool: 'Bash', input: { command: input.command } }];
    case 'write':
      return [{ tool: 'Write', input: { file_path, content: input.content } }];
    case 'edit': {
      const { oldString: old_string, newString: new_string, replaceAll: replace_all } = input;
      return [{ tool: 'Edit', input: { file_path, old_string, new_string, replace_all } }];
    }
    case 'patch':
    case 'apply_patch':
      return readPatchCalls(stringOf(input.patchText));
    case 'read':
      return [{ tool: 'Read', input: { file_path } }];
    default:
      return [{ tool, input }];
  }
}

/** How a call has ended, as what opencode notes of it says. */
export function readCallEnding(metadata: unknown): Ending {
  const exit = isObject(metadata) ? metadata.exit : 0;
  return typeof exit === 'number' && exit !== 0 ? { state: 'failed', code: exit } : { state: 'ok' };
}
