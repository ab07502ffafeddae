// Tells who spoke in a user line of Claude Code, and strips what the client put around the words.
import { isObject, type JsonObject } from '../../../text/json.ts';
import type { Speaker } from '../../entry.ts';

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
export function findSpeaker(line: JsonObject, text: string): Speaker | null {
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
export function plainWords(text: string): { text: string; quotes: string[] } {
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
