// Codex CLI, whole: the one object through which the rest of the code knows it, and where its files lie.

import { basename, join } from 'node:path';
import { listEntries, readStamp } from '../../platform/look.ts';
import { type Env, findHome } from '../../platform/project/paths.ts';
import { readTextOrNull, SETTINGS_FILE } from '../../platform/read.ts';
import { isObject } from '../../text/json.ts';
import type { Event, Host, RareEvent } from '../host.ts';
import { type FoundTranscript, type HostEntry, INSIDE_HOST } from '../host-entry.ts';
import type { ToolRun } from '../read-only-commands.ts';
import { createFirstLineFinder, findBackwards, readFirstLine } from '../transcript.io.ts';
import { formatHookVerdict } from '../verdict.ts';
import { CODEX_HOOKS, codexRuns, formatCodexReply, parseCodexEvent, readCodexCalls } from './hooks.ts';
import { CODEX_REGISTRATIONS, listUntrusted } from './registrations.ts';
import {
  codexEntries,
  codexFacts,
  readCodexSession,
  readEstimate,
  readExitCode,
  readToldWindow,
} from './rollout.ts';

const configFolder = (env: Env): string => env.CODEX_HOME || join(findHome(env), '.codex');

/** Of the model's window Codex tells this share as its own; where nothing is set it compacts at nine tenths of the model's. */
const TOLD_SHARE = 0.95;
const USUAL_SHARE = 0.9;

/** The number that a key of the settings has at their top. */
function readSetting(env: Env, key: string): number | null {
  const settings = readTextOrNull(join(configFolder(env), 'config.toml'), SETTINGS_FILE) ?? '';
  const top = settings.split(/^\s*\[/m)[0] ?? '';
  const found = new RegExp(`^\\s*${key}\\s*=\\s*([\\d_]+)`, 'm').exec(top)?.[1];
  return found === undefined ? null : Number(found.replaceAll('_', ''));
}

/** The window of which Codex tells in its rollout, and the usage above which it compacts; right after that, what it has left. */
function readTold({ transcript }: Event | RareEvent, env: Env) {
  if (transcript === null) return null;
  const window = findBackwards(transcript, (line) => line.includes('"model_context_window"'), readToldWindow);
  if (window === null) return null;
  // The newest of the two: an answer, whose usage stands in its own line, or an estimate.
  const tokens = findBackwards<number>(
    transcript,
    (line) => line.includes('"token_usage_record"') || line.includes('"token_count"'),
    (line) => readEstimate(line) ?? (codexFacts.readFact(line) === null ? null : 0),
  );
  const usual = Math.floor(Math.round(window / TOLD_SHARE) * USUAL_SHARE);
  const limit = readSetting(env, 'model_auto_compact_token_limit');
  return { tokens: tokens || null, window, model: null, compacts_at: Math.min(limit ?? usual, usual) };
}

/** How a session was started, as its first line tells. */
function readStart({ transcript }: Event | RareEvent, env: Env): Env {
  if (transcript === null) return env;
  const { entrypoint = null } = readFirstLine(transcript, readCodexSession) ?? {};
  return { ...env, HOST_ENTRYPOINT: entrypoint ?? env.HOST_ENTRYPOINT };
}

/** How a call has ended: Codex does not tell it to its hooks, but of commands it stands in the rollout by then. */
function readToolRuns(payload: unknown): ToolRun[] {
  const runs = codexRuns.readToolRuns(payload);
  const { transcript_path: path, tool_use_id: call } = isObject(payload) ? payload : {};
  if (typeof path !== 'string' || typeof call !== 'string' || runs[0]?.tool !== 'Bash') return runs;
  const code = findBackwards(
    path,
    (line) => line.includes('"CommandExecution"') && line.includes(call),
    (line) => readExitCode(line, call),
  );
  return code === null || code === 0
    ? runs
    : runs.map((run) => ({ ...run, ending: { state: 'failed', code } }));
}

const codex: Host = {
  ...INSIDE_HOST,
  name: 'codex',
  hooks: CODEX_HOOKS,
  beforeTool: 'PreToolUse',
  atStart: 'SessionStart',
  parseEvent: parseCodexEvent,
  parseRareEvent: () => null,
  formatReply: formatCodexReply,
  formatVerdict: (verdict) => formatHookVerdict(verdict, false),
  // The hook's shell gives its place to us: our parent is Codex itself.
  readEnvironment: (env) => ({
    ...env,
    ...{ HOST_PROJECT: undefined, HOST_SESSION: undefined, HOST_PID: String(process.ppid) },
    ...{ HOST_ENTRYPOINT: 'cli', HOST_AGENT: undefined },
  }),
  facts: codexFacts,
  entries: codexEntries,
  readTold,
  readToolCalls: readCodexCalls,
  sessions: { ...INSIDE_HOST.sessions, readSession: readCodexSession },
  readStart,
  loadRuns: async () => ({ ...codexRuns, readToolRuns }),
  load: async () => codex,
};

/** A rollout is named after the time of its begin and the session's id, in a folder for its day. */
function listAll(env: Env): FoundTranscript[] {
  const below = (folder: string, depth: number): FoundTranscript[] =>
    listEntries(folder).flatMap(({ name, isFolder }) => {
      if (isFolder) return depth > 0 ? below(join(folder, name), depth - 1) : [];
      const id = /^rollout-[\dT-]{19}-(.+)\.jsonl$/.exec(name)?.[1];
      return id === undefined ? [] : [{ id, ...readStamp(join(folder, name)) }];
    });
  return below(join(configFolder(env), 'sessions'), 3).sort((a, b) => b.mtimeMs - a.mtimeMs);
}

export const codexEntry: HostEntry = {
  title: 'Codex',
  host: codex,
  transcripts: createFirstLineFinder(listAll, readCodexSession, (path) =>
    basename(path).startsWith('rollout-'),
  ),
  readShell: ({ CODEX_SESSION_ID: id }) => (id ? { HOST_SESSION: id, HOST_AGENT: 'codex' } : {}),
  setup: {
    findFolder: configFolder,
    findFile: (scope, root, env) =>
      join(scope === 'user' ? configFolder(env) : join(root, '.codex'), 'hooks.json'),
    hooks: CODEX_REGISTRATIONS,
    listUntrusted: (file, places, env) =>
      listUntrusted(
        readTextOrNull(join(configFolder(env), 'config.toml'), SETTINGS_FILE) ?? '',
        file,
        places,
      ),
    isOurs: (text) => text.includes(' --host codex"'),
    next: 'In codex, review them once with /hooks: it runs no hook that is not trusted, and says nothing of it.',
  },
};
