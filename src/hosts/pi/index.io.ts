// pi, whole: the one object through which the rest of the code knows it, and where its sessions lie.

import { basename, join, resolve } from 'node:path';
import { listNames, readStamp, resolveRealPath } from '../../platform/look.ts';
import { type Env, findHome } from '../../platform/project/paths.ts';
import { isObject } from '../../text/json.ts';
import type { Host, RunReader } from '../host.ts';
import type { FoundTranscript, HostEntry } from '../host-entry.ts';
import { INSIDE } from '../host-entry.ts';
import type { ToolRun } from '../read-only-commands.ts';
import { attachPi, type PiApi } from './extension.ts';
import { piEntries, piFacts, readPiSession } from './lines.ts';

const isCall = (value: unknown): value is ToolRun => isObject(value) && typeof value.tool === 'string';
const callsOf = (payload: unknown): ToolRun[] =>
  isObject(payload) && Array.isArray(payload.calls) ? payload.calls.filter(isCall) : [];

const runs: RunReader = { readToolRuns: callsOf, readAgentName: () => null };

export const pi: Host = {
  ...INSIDE,
  name: 'pi',
  facts: piFacts,
  entries: piEntries,
  sessions: {
    readSession: readPiSession,
    readAgentCall: () => null,
    readAgentEnd: () => null,
    listAgentTranscripts: () => [],
  },
  // Window and threshold are told at every event.
  limits: {
    windowOf: () => null,
    allowsLarge: () => true,
    readCompaction: () => ({ enabled: true, window: null, percent: null }),
  },
  readToolCalls: (payload) => callsOf(payload).map(({ tool, input }) => ({ tool, input: { ...input } })),
  readWindowMark: () => null,
  agentSigns: (type, id) => `${type} ${id.slice(0, 8)}`.trim(),
  // The extension is told of every call, failed or not.
  failures: {
    tellsOf: () => true,
    marker: '"isError":true',
    offsetAfter: (_, __, { from }) => from,
    skip: () => null,
    find: () => [],
  },
  loadRuns: async () => runs,
  load: async () => pi,
};

/** The user's folder of pi. */
const findAgentFolder = (env: Env): string => env.PI_CODING_AGENT_DIR || join(findHome(env), '.pi', 'agent');

const sessionsFolder = (env: Env): string => join(findAgentFolder(env), 'sessions');

/** pi's name for a working folder. */
const slugOf = (folder: string): string =>
  `--${physical(folder)
    .replace(/^[/\\]/, '')
    .replace(/[/\\:]/g, '-')}--`;

function physical(folder: string): string {
  try {
    return resolveRealPath(folder);
  } catch {
    return resolve(folder);
  }
}

/** A session's file is named after the time of its begin and its id. */
const transcriptsIn = (folder: string): FoundTranscript[] =>
  listNames(folder).flatMap((name) => {
    const id = /^[\dTZ.:-]+_(.+)\.jsonl$/.exec(name)?.[1];
    return id === undefined ? [] : [{ id, ...readStamp(join(folder, name)) }];
  });

const listAll = (env: Env): FoundTranscript[] =>
  listNames(sessionsFolder(env)).flatMap((name) => transcriptsIn(join(sessionsFolder(env), name)));

export const piEntry: HostEntry = {
  title: 'pi',
  host: pi,
  transcripts: {
    list: (folder, env) =>
      (folder === null ? listAll(env) : transcriptsIn(join(sessionsFolder(env), slugOf(folder)))).sort(
        (a, b) => b.mtimeMs - a.mtimeMs,
      ),
    locate: (id, env) => listAll(env).find((each) => each.id === id) ?? null,
    ranBelow: (transcript, folder) =>
      basename(resolve(transcript, '..')).startsWith(slugOf(folder).replace(/--$/, '-')),
    isBegunBy: (line) => isObject(line) && line.type === 'session' && typeof line.version === 'number',
  },
  readShell: (env) => (env.PI_SESSION_ID ? { HOST_SESSION: env.PI_SESSION_ID, HOST_AGENT: 'pi' } : {}),
  inside: {
    attach: (api, ask) => attachPi(api as PiApi, ask),
    // pi loads what lies there: for all projects of the user, or for this one once its folder is trusted.
    findExtension: (scope, root, env) =>
      join(scope === 'user' ? findAgentFolder(env) : join(root, '.pi'), 'extensions', 'plimsoll.js'),
    extension: "export default (pi) => void begin('pi', pi);",
  },
};
