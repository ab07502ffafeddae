// Reads a line of a pi session as facts and neutral entries; pi writes one JSON object a line.

import { isObject, type JsonObject } from '../../text/json.ts';
import type { EntryPlace, EntryReader, LineFact, ToolAction, TranscriptEntry } from '../entry.ts';
import type { FactReader, SessionInfo } from '../host.ts';

/** By which pi knows our messages. */
export const OUR_TYPE = 'plimsoll';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const items = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const count = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;

/** The text of a message's content. */
export const readMessageText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : items(content)
        .flatMap((block) => (block.type === 'text' ? [text(block.text)] : []))
        .join('\n');

/** The message of a line, or null for a line that is none. */
const messageOf = (line: unknown): JsonObject | null =>
  isObject(line) && line.type === 'message' && isObject(line.message) ? line.message : null;

/** Answers that failed or were cut off say nothing of the context. */
const isCutOff = ({ stopReason }: JsonObject): boolean => stopReason === 'error' || stopReason === 'aborted';

function readFact(line: unknown): LineFact | null {
  if (!isObject(line)) return null;
  const at = text(line.timestamp) || null;
  if (line.type === 'compaction')
    return { kind: 'boundary', trigger: null, preTokens: count(line.tokensBefore) || null, at };
  if (line.type === 'custom_message')
    return line.customType === OUR_TYPE ? { kind: 'injection', text: readMessageText(line.content) } : null;
  const message = messageOf(line);
  if (message?.role !== 'assistant' || isCutOff(message)) return null;
  const usage = isObject(message.usage) ? message.usage : {};
  const tokens = count(usage.input) + count(usage.cacheRead) + count(usage.cacheWrite);
  if (tokens === 0) return { kind: 'unmeasured' };
  const model = text(message.model);
  const [input, output] = [count(usage.input), count(usage.output)];
  return { kind: 'usage', tokens, input, output, model, at, messageId: text(line.id) || null };
}

export const piFacts: FactReader = {
  markers: ['"type":"compaction"', '"type":"custom_message"'],
  usageMarkers: ['"type":"message"', '"usage"'],
  readFact,
  countCharacters: (line) => {
    if (isObject(line) && line.type === 'custom_message') return readMessageText(line.content).length;
    const message = messageOf(line);
    return message === null ? 0 : readMessageText(message.content).length;
  },
};

/** What a call does; paths as the agent wrote them. */
function describeCall(tool: string, input: JsonObject): ToolAction {
  const path = text(input.path);
  switch (tool) {
    case 'read':
      return { type: 'read', path };
    case 'write':
      return { type: 'write', path, isWhole: true };
    case 'edit':
      return { type: 'write', path, isWhole: false };
    case 'bash':
    case 'powershell':
      return { type: 'run', command: text(input.command), description: null };
    case 'grep':
    case 'find':
      return { type: 'search', pattern: text(input.pattern), path: path || null };
    default:
      return { type: 'other', subject: text(input.description) || text(input.query) || path || null };
  }
}

function answerEntries(place: EntryPlace, message: JsonObject): TranscriptEntry[] {
  const isFinal = message.stopReason !== 'toolUse';
  const entries = items(message.content).flatMap((block): TranscriptEntry[] => {
    if (block.type === 'text' && text(block.text).trim() !== '')
      return [{ ...place, kind: 'answer', text: text(block.text), isFinal }];
    if (block.type !== 'toolCall') return [];
    const tool = text(block.name);
    const action = describeCall(tool, isObject(block.arguments) ? block.arguments : {});
    return [{ ...place, kind: 'call', call: text(block.id), tool, action }];
  });
  if (message.stopReason !== 'aborted') return entries;
  return [...entries, { ...place, kind: 'notice', text: '', isInterruption: true, tasks: null }];
}

function messageEntries(place: EntryPlace, message: JsonObject): TranscriptEntry[] {
  switch (message.role) {
    case 'user': {
      const words = readMessageText(message.content).trim();
      return words === ''
        ? []
        : [{ ...place, kind: 'request', by: 'person', text: words, command: null, quotes: [] }];
    }
    case 'assistant':
      return message.stopReason === 'error' ? [] : answerEntries(place, message);
    case 'toolResult': {
      const output = readMessageText(message.content);
      // A call that was kept back has the words of who did it as its result.
      const isDenied = message.isError === true && output.startsWith('Plimsoll: ');
      const status = isDenied ? 'denied' : message.isError === true ? 'failed' : 'ok';
      const rest = { reason: null, answers: [], tasks: null, plan: null, isNewFile: false };
      return [{ ...place, kind: 'result', call: text(message.toolCallId), status, output, ...rest }];
    }
    default:
      return [];
  }
}

/** The first line names the session. */
export const readPiSession = (line: unknown): SessionInfo | null =>
  isObject(line) && line.type === 'session'
    ? { id: text(line.id) || null, client: null, cwd: text(line.cwd) || null, entrypoint: null, title: null }
    : null;

export const piEntries: EntryReader = {
  readEntries(line, offset) {
    if (!isObject(line)) return [];
    const place: EntryPlace = { id: text(line.id) || null, offset, time: text(line.timestamp) || null };
    if (line.type === 'compaction')
      return [
        { ...place, kind: 'boundary', trigger: null },
        { ...place, kind: 'summary', text: text(line.summary) },
      ];
    const message = messageOf(line);
    return message === null ? [] : messageEntries(place, message);
  },
  saysNothing: () => false,
  // The first line names the session and has no place in the chain.
  readLink: (line) =>
    isObject(line) && line.type !== 'session' && text(line.id) !== ''
      ? { id: text(line.id), parent: text(line.parentId) || null }
      : null,
  skimEntry: () => 'parse',
  isLasting: () => true,
};
