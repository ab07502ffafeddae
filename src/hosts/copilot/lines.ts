// Reads a line of Copilot's events.jsonl as facts and neutral entries.

import { isObject, type JsonObject, readCount } from '../../text/json.ts';
import type { EntryPlace, EntryReader, LineFact, ToolAction, TranscriptEntry } from '../entry.ts';
import type { FactReader, SessionInfo } from '../host.ts';
import { PARSED_LINES } from '../own-lines.ts';
import { findPatchTarget } from '../patch.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** The data of a line of a type, of the main session alone, or null. */
function dataOf(line: unknown, type: string): JsonObject | null {
  if (!isObject(line) || line.type !== type || line.agentId !== undefined) return null;
  return isObject(line.data) ? line.data : null;
}

/** A compaction that was applied: Copilot summarises beside the turn, and notes this when the summary takes its place. */
const readCompaction = (line: unknown): JsonObject | null => {
  const data = dataOf(line, 'session.compaction_complete');
  return data?.success === true ? data : null;
};

const timeOf = (line: unknown): string | null => text(objectOf(line).timestamp) || null;

function readFact(line: unknown): LineFact | null {
  const at = timeOf(line);
  const compacted = readCompaction(line);
  if (compacted !== null) {
    const trigger = compacted.trigger === 'manual' ? 'manual' : 'auto';
    return { kind: 'boundary', trigger, preTokens: null, at };
  }
  const record = dataOf(line, 'session.usage_record');
  if (record !== null) {
    const usage = objectOf(record.usage);
    const tokens = readCount(usage.inputTokens);
    if (tokens === 0) return { kind: 'unmeasured' };
    const input = Math.max(tokens - readCount(usage.cacheReadTokens) - readCount(usage.cacheWriteTokens), 0);
    const messageId = text(usage.apiCallId) || null;
    return {
      ...{ kind: 'usage', tokens, input, output: readCount(usage.outputTokens) },
      ...{ model: text(usage.model), at, messageId },
    };
  }
  // Copilot notes what a hook has said; no tool can write such a line.
  const said = text(objectOf(dataOf(line, 'hook.end')?.output).additionalContext);
  return said.startsWith('<') ? { kind: 'injection', text: said } : null;
}

export const copilotFacts: FactReader = {
  markers: ['"session.compaction_complete"', '"hook.end"'],
  usageMarkers: ['"session.usage_record"'],
  readFact,
  countCharacters: (line) =>
    text(dataOf(line, 'user.message')?.transformedContent).length +
    text(dataOf(line, 'assistant.message')?.content).length +
    text(objectOf(dataOf(line, 'tool.execution_complete')?.result).content).length,
};

/** The window of which a line tells, in tokens; null for any other. */
export function readMaxPrompt(line: unknown): number | null {
  const usage = objectOf(dataOf(line, 'session.usage_record')?.usage);
  return readCount(usage.maxPromptTokens) || null;
}

function describeCall(tool: string, { path, ...input }: JsonObject): ToolAction {
  const patched = findPatchTarget(Object.values(input).map(text).join('\n'));
  if (tool !== 'bash' && patched !== null) return { type: 'write', ...patched };
  switch (tool) {
    case 'bash':
      return { type: 'run', command: text(input.command), description: text(input.description) || null };
    case 'create':
    case 'edit':
      return { type: 'write', path: text(path), isWhole: tool === 'create' };
    case 'view':
      return { type: 'read', path: text(path) };
    case 'grep':
    case 'glob':
      return { type: 'search', pattern: text(input.pattern), path: text(input.paths) || null };
    case 'task':
      return { type: 'delegate', description: text(input.description) };
    default:
      return { type: 'other', subject: text(path) || text(input.description) || null };
  }
}

function resultEntry(place: EntryPlace, data: JsonObject): TranscriptEntry {
  const error = objectOf(data.error);
  const code = readCount(objectOf(data.shellExecution).exitCode);
  const isOk = data.success === true && code === 0;
  const isNewFile =
    Array.isArray(data.fileEdits) && data.fileEdits.some((each) => isObject(each) && each.kind === 'create');
  return {
    ...{ ...place, kind: 'result', call: text(data.toolCallId) },
    status: isOk ? 'ok' : error.code === 'denied' ? 'denied' : 'failed',
    output: text(objectOf(data.result).content) || text(error.message),
    ...{ reason: null, answers: [], tasks: null, plan: null, isNewFile },
  };
}

function readEntries(line: unknown, offset: number): TranscriptEntry[] {
  const place: EntryPlace = { id: text(objectOf(line).id) || null, offset, time: timeOf(line) };
  const read = (type: string): JsonObject | null => dataOf(line, type);
  const asked = read('user.message');
  if (asked !== null) {
    const words = text(asked.content).trim();
    // What Copilot itself, a skill or an agent asks for says so.
    const isOwn = asked.source === undefined && asked.isAutopilotContinuation !== true;
    return words === '' || !isOwn
      ? []
      : [{ ...place, kind: 'request', by: 'person', text: words, command: null, quotes: [] }];
  }
  const answered = read('assistant.message');
  if (answered !== null) {
    const isFinal = !Array.isArray(answered.toolRequests) || answered.toolRequests.length === 0;
    const said = text(answered.content).trim();
    return said === '' ? [] : [{ ...place, kind: 'answer', text: said, isFinal }];
  }
  const called = read('tool.execution_start');
  if (called !== null) {
    const tool = text(called.toolName);
    const input = isObject(called.arguments) ? called.arguments : { patch: called.arguments };
    return [
      { ...place, kind: 'call', call: text(called.toolCallId), tool, action: describeCall(tool, input) },
    ];
  }
  const ended = read('tool.execution_complete');
  if (ended !== null) return [resultEntry(place, ended)];
  if (read('abort') !== null)
    return [{ ...place, kind: 'notice', text: '', isInterruption: true, tasks: null }];
  const compacted = readCompaction(line);
  if (compacted === null) return [];
  return [
    { ...place, kind: 'boundary', trigger: compacted.trigger === 'manual' ? 'manual' : 'auto' },
    { ...place, kind: 'summary', text: text(compacted.summaryContent) },
  ];
}

export const copilotEntries: EntryReader = {
  ...PARSED_LINES,
  readEntries,
  readLink: () => null,
};

/** The first line names the session. */
export function readCopilotSession(line: unknown): SessionInfo | null {
  const start = dataOf(line, 'session.start');
  if (start?.producer !== 'copilot-agent') return null;
  return {
    ...{ id: text(start.sessionId) || null, client: text(start.copilotVersion) || null },
    ...{ cwd: text(objectOf(start.context).cwd) || null, entrypoint: null, title: null },
  };
}
