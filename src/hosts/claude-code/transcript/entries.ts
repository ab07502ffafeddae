// Reads a line of a Claude Code transcript as neutral entries, with its link to the lines before it.
import { isObject, type JsonObject } from '../../../text/json.ts';
import type { EntryPlace, LineLink, TranscriptEntry } from '../../entry.ts';
import { findSpeaker, plainWords, readCommand } from './speakers.ts';
import { describeAction, readContentText, readResult, readTasks } from './tool-calls.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const items = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Whether a line is of a subagent: it is not part of the main session. */
const isAside = (line: JsonObject): boolean => line.isSidechain === true || line.agentId !== undefined;

function requestEntries(
  place: EntryPlace,
  line: JsonObject,
  raw: string,
  isQueued: boolean,
): TranscriptEntry[] {
  const command = readCommand(raw.trimStart());
  if (command !== null) {
    if (command.isLocal) return [];
    const { text: words, quotes } = plainWords(command.args);
    return [{ ...place, kind: 'request', by: 'command', text: words, command: command.name, quotes }];
  }
  const { text: words, quotes } = plainWords(raw);
  const speaker = findSpeaker(line, words);
  if (words === '' || speaker === 'notice') {
    return words === ''
      ? []
      : [
          {
            ...place,
            kind: 'notice',
            text: words,
            isInterruption: words.startsWith('[Request interrupted'),
            tasks: null,
          },
        ];
  }
  const by = isQueued && (speaker === null || speaker === 'person') ? 'queued' : (speaker ?? 'person');
  return [{ ...place, kind: 'request', by, text: words, command: null, quotes }];
}

function userEntries(place: EntryPlace, line: JsonObject): TranscriptEntry[] {
  const { id, offset, time } = place;
  const content = isObject(line.message) ? line.message.content : null;
  if (line.isCompactSummary === true) {
    const summary: TranscriptEntry = { ...place, kind: 'summary', text: readContentText(content) };
    // Clients up to 1.0.x write no boundary; their summary starts a new chain.
    return line.parentUuid === null ? [{ ...place, kind: 'boundary', trigger: null }, summary] : [summary];
  }
  const blocks = items(content);
  const results = blocks.filter((block) => block.type === 'tool_result');
  const entries = results.map(
    (block): TranscriptEntry => ({ ...readResult(line, block), kind: 'result', id, offset, time }),
  );
  if (line.isVisibleInTranscriptOnly === true) return entries;
  const words =
    typeof content === 'string' ? content : readContentText(blocks.filter((block) => block.type === 'text'));
  // What the client itself writes as meta is nobody's; a peer's message is meta too, and says so.
  if (line.isMeta === true && !isObject(line.origin)) return entries;
  return words.trim() === ''
    ? entries
    : [...entries, ...requestEntries(place, line, words, results.length > 0)];
}

function assistantEntries(place: EntryPlace, line: JsonObject): TranscriptEntry[] {
  const message = isObject(line.message) ? line.message : {};
  if (line.isApiErrorMessage === true || message.model === '<synthetic>') return [];
  const entries: TranscriptEntry[] = [];
  for (const block of items(message.content)) {
    // An answer's last line says why it ended; older clients leave that out where text stands alone.
    if (block.type === 'text' && text(block.text).trim() !== '') {
      entries.push({
        ...place,
        kind: 'answer',
        text: text(block.text),
        isFinal: message.stop_reason !== 'tool_use',
      });
    }
    if (block.type === 'tool_use') {
      const input = isObject(block.input) ? block.input : {};
      const tool = text(block.name);
      entries.push({
        ...place,
        kind: 'call',
        call: text(block.id),
        tool,
        action: describeAction(tool, input),
      });
    }
  }
  return entries;
}

function attachmentEntries(place: EntryPlace, attachment: JsonObject): TranscriptEntry[] {
  if (attachment.type === 'task_reminder') {
    const tasks = readTasks(attachment.content);
    return tasks.length === 0 ? [] : [{ ...place, kind: 'notice', text: '', isInterruption: false, tasks }];
  }
  if (attachment.type !== 'queued_command') return [];
  const mode = text(attachment.commandMode);
  if (mode !== '' && mode !== 'prompt') return [];
  return requestEntries(place, attachment, readContentText(attachment.prompt), true);
}

/** What was typed while the agent worked: older clients keep it in these lines alone. */
function queueEntries(place: EntryPlace, line: JsonObject): TranscriptEntry[] {
  const words = text(line.content);
  if (words === '' || /^[/!]/.test(words.trimStart())) return [];
  if (line.operation === 'popAll') return [{ ...place, kind: 'withdrawal', text: plainWords(words).text }];
  return line.operation === 'enqueue' ? requestEntries(place, line, words, true) : [];
}

/** What a parsed line says of the main session, in order; nothing for the many lines that say nothing. */
export function readEntries(line: unknown, offset: number): TranscriptEntry[] {
  if (!isObject(line) || isAside(line)) return [];
  const place: EntryPlace = { id: text(line.uuid) || null, offset, time: text(line.timestamp) || null };
  switch (line.type) {
    case 'user':
      return userEntries(place, line);
    case 'assistant':
      return assistantEntries(place, line);
    case 'attachment':
      return isObject(line.attachment) ? attachmentEntries(place, line.attachment) : [];
    case 'queue-operation':
      return queueEntries(place, line);
    case 'system': {
      if (line.subtype !== 'compact_boundary') return [];
      const trigger = isObject(line.compactMetadata) ? line.compactMetadata.trigger : null;
      return [
        { ...place, kind: 'boundary', trigger: trigger === 'auto' || trigger === 'manual' ? trigger : null },
      ];
    }
    default:
      return [];
  }
}

/** The place of a line in the chain of the main session; null where it has none. */
export function readLink(line: unknown): LineLink | null {
  if (!isObject(line) || isAside(line) || text(line.uuid) === '') return null;
  return { id: text(line.uuid), parent: text(line.parentUuid) || null };
}
