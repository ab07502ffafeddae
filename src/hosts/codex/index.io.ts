// Codex CLI, whole: the one object through which the rest of the code knows it, and where its files lie.

import { basename, join } from 'node:path';
import { listEntries, readStamp } from '../../platform/look.ts';
import { type Env, findHome } from '../../platform/project/paths.ts';
import { readTextOrNull, SETTINGS_FILE } from '../../platform/read.ts';
import { isObject } from '../../text/json.ts';
import type { Event, Host, RareEvent, SessionInfo } from '../host.ts';
import { type FoundTranscript, type HostEntry, INSIDE_HOST } from '../host-entry.ts';
import type { ToolRun } from '../read-only-commands.ts';
import { parseLine, reading, visitLinesBackwards, visitLinesFrom } from '../transcript.io.ts';
import {
  CODEX_HOOKS,
  codexRuns,
  formatCodexReply,
  formatCodexVerdict,
  parseCodexEvent,
  readCodexCalls,
} from './hooks.ts';
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

/** So far back the newest figures stand. */
const TAIL = 512 * 1024;
/** Of the model's window Codex tells this share as its own; where nothing is set it compacts at nine tenths of the model's. */
const TOLD_SHARE = 0.95;
const USUAL_SHARE = 0.9;

/** What is found first in the last lines of a rollout. */
function findBackwards<T>(
  path: string,
  isMeant: (line: Buffer) => boolean,
  read: (line: unknown) => T | null,
): T | null {
  return reading<T | null>(path, null, (descriptor, size) => {
    let found: T | null = null;
    visitLinesBackwards(descriptor, Math.max(0, size - TAIL), size, (line) => {
      found = isMeant(line) ? read(parseLine(line)) : null;
      return found === null;
    });
    return found;
  });
}

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
  let session: SessionInfo | null = null;
  visitLinesFrom(transcript, 0, (line) => {
    session = readCodexSession(parseLine(line));
    return false;
  });
  const { entrypoint = null } = (session as SessionInfo | null) ?? {};
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
  formatVerdict: formatCodexVerdict,
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

/** The folder in which a session began. */
function readFolder(path: string): string | null {
  let folder: string | null = null;
  visitLinesFrom(path, 0, (line) => {
    folder = readCodexSession(parseLine(line))?.cwd ?? null;
    return false;
  });
  return folder;
}

/** The most rollouts that are looked into, the newest first, for those of a folder. */
const MOST = 50;

export const codexEntry: HostEntry = {
  title: 'Codex',
  host: codex,
  transcripts: {
    list: (folder, env) =>
      folder === null
        ? listAll(env)
        : listAll(env)
            .slice(0, MOST)
            .filter(({ path }) => readFolder(path) === folder),
    locate: (id, env) => listAll(env).find((each) => each.id === id) ?? null,
    ranBelow: (transcript, folder) => {
      const began = basename(transcript).startsWith('rollout-') ? readFolder(transcript) : null;
      return began !== null && (began === folder || began.startsWith(`${folder}/`));
    },
    isBegunBy: (line) => readCodexSession(line) !== null,
  },
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
