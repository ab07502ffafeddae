// Who spoke in a user line of Claude Code, and the words without what the client put around them.
import { isObject, type Json } from '../../model/json.ts';
import type { Speaker } from '../entry.ts';

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
export function speakerOf(line: Json, text: string): Speaker | null {
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
const ADDED =
  /<(system-reminder|ide_opened_file|ide_selection|ide_diagnostics|new-diagnostics|post-tool-use-hook|user-prompt-submit-hook)\b[^>]*>[\s\S]*?<\/\1>/g;
const PICTURE = /\[Image(?: #\d+|: [^\]\n]{0,300})\]/g;
const PASTED = /<pasted_content id="([^"\n]{0,40})"[^>]*>\n?([\s\S]*?)\n?<\/pasted_content(?: id="\1")?>/g;

/** The words of a person without what the client added; what was pasted beside own words stands in `quotes`. */
export function plainWords(text: string): { text: string; quotes: string[] } {
  const bare = text.includes('<') || text.includes('[') ? text.replace(ADDED, '').replace(PICTURE, '') : text;
  if (!bare.includes('<pasted_content')) return { text: bare.trim(), quotes: [] };
  const pasted = [...bare.matchAll(PASTED)].map((match) => match[2] ?? '');
  const hasOwn = bare.replace(PASTED, '').trim() !== '';
  return {
    text: bare.replace(PASTED, (_, __, inner: string) => inner).trim(),
    quotes: hasOwn ? pasted : [],
  };
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

/** The slash command in a user line; `isLocal` when it is the client's own. Null where the text is none. */
export function commandIn(text: string): { name: string; args: string; isLocal: boolean } | null {
  if (!text.startsWith('<command-')) return null;
  const name = /<command-name>\s*(\S*?)\s*<\/command-name>/.exec(text)?.[1];
  if (name === undefined) return null;
  const args = /<command-args>([\s\S]*?)<\/command-args>/.exec(text)?.[1]?.trim() ?? '';
  const slashed = name === '' || name.startsWith('/') ? name : `/${name}`;
  return { name: slashed, args, isLocal: slashed === '' || LOCAL_COMMANDS.has(slashed) };
}
