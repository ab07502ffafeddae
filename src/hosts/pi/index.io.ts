// pi, whole: the one object through which the rest of the code knows it, and where its sessions lie.

import { basename, join, resolve } from 'node:path';
import { listNames, readStamp, resolveRealPath } from '../../platform/look.ts';
import { type Env, findHome } from '../../platform/project/paths.ts';
import { tryOrNull } from '../../platform/project/try-step.ts';
import { readTextOrNull, SETTINGS_FILE } from '../../platform/read.ts';
import { isObject, type JsonObject } from '../../text/json.ts';
import type { Host } from '../host.ts';
import { type FoundTranscript, type HostEntry, INSIDE, INSIDE_HOST } from '../host-entry.ts';
import { createSetup } from '../inside.io.ts';
import { attachPi, type PiApi } from './extension.ts';
import { piEntries, piFacts, readPiSession } from './lines.ts';

const pi: Host = {
  ...INSIDE,
  ...INSIDE_HOST,
  name: 'pi',
  facts: piFacts,
  entries: piEntries,
  sessions: { ...INSIDE_HOST.sessions, readSession: readPiSession },
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

const readObject = (path: string): JsonObject => {
  const value = tryOrNull((): unknown => JSON.parse(readTextOrNull(path, SETTINGS_FILE) ?? ''));
  return isObject(value) ? value : {};
};

/** Whether a package of pi's is ours: from the registry, or a folder that holds it. */
function isOurPackage(entry: unknown, folder: string): boolean {
  const source = isObject(entry) ? entry.source : entry;
  if (typeof source !== 'string') return false;
  return source.startsWith('npm:')
    ? /^npm:plimsoll(@|$)/.test(source)
    : readObject(join(resolve(folder, source), 'package.json')).name === 'plimsoll';
}

/** Where pi keeps what is the user's, or a project's. */
const findFolder = (scope: 'user' | 'project', root: string, env: Env): string =>
  scope === 'user' ? findAgentFolder(env) : join(root, '.pi');

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
  attach: (api, ask, report) => attachPi(api as PiApi, ask, report),
  setup: createSetup(
    'pi',
    {
      findFolder: findAgentFolder,
      // pi loads what lies there: for all projects of the user, or for this one once its folder is trusted.
      findFile: (scope, root, env) => join(findFolder(scope, root, env), 'extensions', 'plimsoll.js'),
      findPackage: (scope, root, env) => {
        const folder = findFolder(scope, root, env);
        const file = join(folder, 'settings.json');
        const { packages } = readObject(file);
        return Array.isArray(packages) && packages.some((each) => isOurPackage(each, folder)) ? file : null;
      },
    },
    "export default (pi) => void begin('pi', pi);",
  ),
};
