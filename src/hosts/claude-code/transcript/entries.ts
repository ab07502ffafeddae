// Reads a line of a Claude Code transcript as neutral entries, with its link to the lines before it.

import { isObject, type JsonObject } from '../../../text/json.ts';
import type { EntryPlace, LineLink, Speaker, TranscriptEntry } from '../../entry.ts';
import { describeAction, readContentText, readResult, readTasks } from './tool-calls.ts';

/** What newer clients write in `origin.kind`. */
const ORIGINS: Record<string, Speaker> = {
  human: 'person',
  user: 'person',
  'task-notification': 'notice',
  system: 'notice',
  peer: 'peer',
  coordinator: 'peer',
  teammate: 'peer',
  channel: 'peer',
  hook: 'hook',
};

/** What newer clients write in `promptSource`; `sdk` is whoever runs the client, as the person does. */
const SOURCES: Record<string, Speaker> = {
  typed: 'person',
  sdk: 'person',
  queued: 'queued',
  suggestion: 'person',
  system: 'notice',
};

/** How texts begin that older clients put into user lines without saying whose they are. */
const MARKS: readonly (readonly [RegExp, Speaker])[] = [
  [
    /^<(?:task-notification|bash-(?:input|stdout|stderr)|local-command-|user-memory-input|background-)/,
    'notice',
  ],
  [/^(?:Caveat: |\[Request interrupted|\[SYSTEM NOTIFICATION|No response requested\.)/, 'notice'],
  [/^(?:\d+ background agents? (?:was|were) stopped|Background (?:agent|command) ")/, 'notice'],
  [/^<(?:teammate-message|cross-session-|agent-message|channel |slack-|fetched-web-content|github-)/, 'peer'],
  [/^<\\cross-session-message/, 'peer'],
  [/^(?:Another Claude session|A peer session|The coordinator|A teammate) sent a message/, 'peer'],
  [/^(?:<user-prompt-submit-hook>|Stop hook feedback|\w+ hook (?:feedback|additional context))/, 'hook'],
];
/** A tag of two words that nobody types: whatever put it there, it is not known to be the person. */
const UNKNOWN_TAG = /^<[a-z]+(?:[-_][a-z]+)+(?:>|\s)/;

/** Who speaks in a text, as its line says, or as its beginning tells; null where neither does. */
function findSpeaker(line: JsonObject, text: string): Speaker | null {
  const kind = isObject(line.origin) && typeof line.origin.kind === 'string' ? line.origin.kind : null;
  const source = typeof line.promptSource === 'string' ? line.promptSource : null;
  if (kind !== null) {
    const told = ORIGINS[kind] ?? 'unknown';
    return told === 'person' && source === 'queued' ? 'queued' : told;
  }
  const marked = MARKS.find(([mark]) => mark.test(text));
  if (marked !== undefined) return marked[1];
  if (source !== null) return SOURCES[source] ?? 'unknown';
  return UNKNOWN_TAG.test(text) ? 'unknown' : null;
}

/** Blocks that the client adds to what the person wrote. */
const ADDED = [
  'system-reminder',
  'ide_opened_file',
  'ide_selection',
  'ide_diagnostics',
  'new-diagnostics',
  'post-tool-use-hook',
  'user-prompt-submit-hook',
];
const PICTURE = /\[Image(?: #\d+|: [^\]\n]{0,300})\]/g;
const PASTED = 'pasted_content';

/** A text with every block of a tag replaced; a tag that nothing closes stays. */
function replaceBlocks(text: string, tag: string, replace: (inner: string) => string): string {
  const [open, close] = [`<${tag}`, `</${tag}`];
  let done = '';
  let rest = text;
  for (let at = rest.indexOf(open); at >= 0; at = rest.indexOf(open)) {
    const begin = rest.indexOf('>', at);
    const end = begin < 0 ? -1 : rest.indexOf(close, begin);
    const behind = end < 0 ? -1 : rest.indexOf('>', end);
    if (behind < 0) break;
    done += rest.slice(0, at) + replace(rest.slice(begin + 1, end));
    rest = rest.slice(behind + 1);
  }
  return done + rest;
}

/** The words of a person without what the client added; what was pasted beside own words stands in `quotes`. */
export function readPlainWords(text: string): { text: string; quotes: string[] } {
  let bare = text.includes('[Image') ? text.replace(PICTURE, '') : text;
  if (bare.includes('<')) for (const tag of ADDED) bare = replaceBlocks(bare, tag, () => '');
  if (!bare.includes(`<${PASTED}`)) return { text: bare.trim(), quotes: [] };
  const pasted: string[] = [];
  const whole = replaceBlocks(bare, PASTED, (inner) => {
    const own = inner.replace(/^\n/, '').replace(/\n$/, '');
    pasted.push(own);
    return own;
  });
  const hasOwn = replaceBlocks(bare, PASTED, () => '').trim() !== '';
  return { text: whole.trim(), quotes: hasOwn ? pasted : [] };
}

/** Commands of the client itself: they ask nothing of the agent. */
const LOCAL_COMMANDS = new Set(
  (
    'add-dir agents autocompact bashes branch btw bug clear color compact config context copy cost diff doctor effort exit ' +
    'export extra-usage fast feedback fork help hooks ide insights keybindings login logout mcp memory mobile model ' +
    'output-style passes permissions plan plugin plugins privacy-settings quit release-notes reload-plugins rename resume ' +
    'rewind sandbox skills stats status statusline tasks terminal-setup theme todos undo upgrade usage vim voice'
  )
    .split(' ')
    .map((name) => `/${name}`),
);

/** What stands in a tag, or null where it does not stand there. */
function textIn(text: string, tag: string): string | null {
  const from = text.indexOf(`<${tag}>`);
  const to = from < 0 ? -1 : text.indexOf(`</${tag}>`, from);
  return to < 0 ? null : text.slice(from + tag.length + 2, to).trim();
}

/** The slash command in a user line; `isLocal` when it is the client's own. Null where the text is none. */
export function readCommand(text: string): { name: string; args: string; isLocal: boolean } | null {
  if (!text.startsWith('<command-')) return null;
  const name = textIn(text, 'command-name');
  if (name === null || /\s/.test(name)) return null;
  const args = textIn(text, 'command-args') ?? '';
  const slashed = name === '' || name.startsWith('/') ? name : `/${name}`;
  return { name: slashed, args, isLocal: slashed === '' || LOCAL_COMMANDS.has(slashed) };
}

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
    const { text: words, quotes } = readPlainWords(command.args);
    return [{ ...place, kind: 'request', by: 'command', text: words, command: command.name, quotes }];
  }
  const { text: words, quotes } = readPlainWords(raw);
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
            // A line of the queue has no id: what waits there is handed over later.
            ...(words.startsWith('<task-notification>') && place.id !== null ? { isPrompt: true } : {}),
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
    if (block.type === 'text' && /\S/.test(text(block.text))) {
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
  if (!['', 'prompt', 'task-notification'].includes(mode)) return [];
  return requestEntries(place, attachment, readContentText(attachment.prompt), true);
}

/** What was typed while the agent worked: older clients keep it in these lines alone. */
function queueEntries(place: EntryPlace, line: JsonObject): TranscriptEntry[] {
  const words = text(line.content);
  if (words === '' || /^[/!]/.test(words.trimStart())) return [];
  if (line.operation === 'popAll')
    return [{ ...place, kind: 'withdrawal', text: readPlainWords(words).text }];
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
