// Copilot CLI, whole: the one object through which the rest of the code knows it, and where its files lie.

import { basename, dirname, join } from 'node:path';
import { listEntries, readStamp } from '../../platform/look.ts';
import { type Env, findHome } from '../../platform/project/paths.ts';
import type { Event, Host, RareEvent } from '../host.ts';
import { type FoundTranscript, type HostEntry, INSIDE_HOST } from '../host-entry.ts';
import { createFirstLineFinder, findBackwards } from '../transcript.io.ts';
import { formatHookVerdict } from '../verdict.ts';
import {
  COPILOT_HOOKS,
  copilotRuns,
  formatCopilotReply,
  parseCopilotEvent,
  readCopilotCalls,
} from './hooks.ts';
import { copilotEntries, copilotFacts, readCopilotSession, readMaxPrompt } from './lines.ts';

const configFolder = (env: Env): string => env.COPILOT_HOME || join(findHome(env), '.copilot');
const sessionsFolder = (env: Env): string => join(configFolder(env), 'session-state');
const EVENTS = 'events.jsonl';

/** The transcript of a session; null for an id that is no plain name. */
const findTranscript = (session: string, env: Env): string | null =>
  /^[\w-]+$/.test(session) ? join(sessionsFolder(env), session, EVENTS) : null;

/** Copilot begins to compact at this share of the window. */
const COMPACTS_AT = 0.8;

/** The window of which Copilot tells with each answer, and the usage at which it compacts. */
function readTold({ transcript }: Event | RareEvent) {
  if (transcript === null) return null;
  const window = findBackwards(transcript, (line) => line.includes('"maxPromptTokens"'), readMaxPrompt);
  return window === null
    ? null
    : { tokens: null, window, model: null, compacts_at: Math.floor(window * COMPACTS_AT) };
}

const copilot: Host = {
  ...INSIDE_HOST,
  name: 'copilot',
  hooks: COPILOT_HOOKS,
  beforeTool: 'PreToolUse',
  atStart: 'SessionStart',
  parseEvent: (payload, name, env) => parseCopilotEvent(payload, name, (id) => findTranscript(id, env)),
  parseRareEvent: () => null,
  formatReply: formatCopilotReply,
  formatVerdict: (verdict) => formatHookVerdict(verdict, false),
  // The hook's shell gives its place to us: our parent is Copilot itself. It does not say whether anybody sits in front of it.
  readEnvironment: (env) => ({
    ...env,
    ...{ HOST_PROJECT: env.COPILOT_PROJECT_DIR, HOST_SESSION: undefined, HOST_PID: String(process.ppid) },
    ...{ HOST_ENTRYPOINT: 'cli', HOST_AGENT: undefined },
  }),
  facts: copilotFacts,
  entries: copilotEntries,
  readTold,
  readToolCalls: readCopilotCalls,
  sessions: { ...INSIDE_HOST.sessions, readSession: readCopilotSession },
  loadRuns: async () => copilotRuns,
  load: async () => copilot,
};

/** Each session has a folder that is named after it. */
const listAll = (env: Env): FoundTranscript[] =>
  listEntries(sessionsFolder(env))
    .filter(({ isFolder }) => isFolder)
    .map(({ name }) => ({ id: name, ...readStamp(join(sessionsFolder(env), name, EVENTS)) }))
    .filter(({ size }) => size > 0)
    .sort((a, b) => b.mtimeMs - a.mtimeMs);

/** Silent where the bundle or Node is gone: Copilot refuses a tool call whose hook fails. */
const commandOf = (event: string): string =>
  `f="\${XDG_DATA_HOME:-$HOME/.local/share}/plimsoll/current/hook.cjs"; [ -f "$f" ] && command -v node >/dev/null 2>&1 || exit 0; NODE_EXTRA_CA_CERTS= NODE_OPTIONS= exec node "$f" ${event} --host copilot`;

const HOOKS_FILE = {
  version: 1,
  hooks: Object.fromEntries(
    COPILOT_HOOKS.map((event) => [event, [{ type: 'command', command: commandOf(event), timeoutSec: 10 }]]),
  ),
};

export const copilotEntry: HostEntry = {
  title: 'Copilot CLI',
  host: copilot,
  transcripts: createFirstLineFinder(
    listAll,
    readCopilotSession,
    (path) => basename(path) === EVENTS && basename(dirname(dirname(path))) === 'session-state',
  ),
  readShell: ({ COPILOT_AGENT_SESSION_ID: session }) =>
    session ? { HOST_SESSION: session, HOST_AGENT: 'copilot' } : {},
  setup: {
    findFolder: configFolder,
    findFile: (scope, root, env) =>
      join(scope === 'user' ? configFolder(env) : join(root, '.github'), 'hooks', 'plimsoll.json'),
    text: `${JSON.stringify(HOOKS_FILE, null, 2)}\n`,
    isOurs: (text) => text.includes(' --host copilot"'),
    next: null,
  },
};
