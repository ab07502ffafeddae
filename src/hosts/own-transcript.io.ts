// Keeps the lines of a session in the session's own folder, where its host stores it in no file that we read, and finds them.

import { exists, listNames, readStamp } from '../platform/look.ts';
import {
  type Env,
  joinPath,
  listSessionFolders,
  listUserPaths,
  type ProjectPaths,
} from '../platform/project/paths.ts';
import { findProject } from '../platform/project/root.ts';
import { parseRootEntry } from '../platform/project/root-entry.ts';
import { ensureStateFolder } from '../platform/project/state-folder.ts';
import { readTextOrNull, STATE_FILE } from '../platform/read.ts';
import { appendText } from '../platform/write.ts';
import { isObject } from '../text/json.ts';
import { redactDeep } from '../text/redact.ts';
import type { FoundTranscript, TranscriptFinder } from './host-entry.ts';
import type { OwnLine } from './own-lines.ts';
import { parseLine, visitLinesFrom } from './transcript.io.ts';

/** The ids of the lines of each file, as far as this process has looked. */
const known = new Map<string, Set<string>>();

function readIds(path: string): Set<string> {
  const ids = new Set<string>();
  visitLinesFrom(path, 0, (bytes) => {
    const line = parseLine(bytes);
    if (isObject(line) && typeof line.id === 'string') ids.add(line.id);
  });
  return ids;
}

/**
 * Appends the lines that are not there yet, without secrets.
 * @returns the path of the file
 */
export function keepOwnLines(
  paths: ProjectPaths,
  session: string,
  host: string,
  lines: readonly OwnLine[],
): string {
  const { lines: path } = paths.session(session);
  const ids = (exists(path) ? known.get(path) : undefined) ?? readIds(path);
  known.set(path, ids);
  const fresh = lines.filter(
    ({ id }, at) => !ids.has(id) && lines.findIndex((each) => each.id === id) === at,
  );
  if (fresh.length === 0) return path;
  ensureStateFolder(paths);
  const head = ids.size === 0 ? [{ host, session }] : [];
  appendText(path, [...head, ...redactDeep(fresh)].map((each) => `${JSON.stringify(each)}\n`).join(''));
  for (const { id } of fresh) ids.add(id);
  return path;
}

/** The first line of a file names the host, and the session as that knows it. */
function readHead(path: string): { host: string; session: string } | null {
  let head: unknown = null;
  visitLinesFrom(path, 0, (line) => {
    head = parseLine(line);
    return false;
  });
  return isObject(head) && typeof head.host === 'string' && typeof head.session === 'string'
    ? { host: head.host, session: head.session }
    : null;
}

/** The sessions of all hosts in a project that have lines of ours. */
const listIn = (paths: ProjectPaths): (FoundTranscript & { host: string })[] =>
  listSessionFolders(paths).flatMap(({ lines }) => {
    const head = exists(lines) ? readHead(lines) : null;
    return head === null
      ? []
      : [{ id: head.session, host: head.host, path: lines, mtimeMs: readStamp(lines).mtimeMs }];
  });

/** The roots of all projects that the person's own notes know. */
function listRoots(env: Env): string[] {
  const folder = joinPath(listUserPaths(env).state, 'roots');
  return listNames(folder).flatMap(
    (name) => parseRootEntry(readTextOrNull(joinPath(folder, name), STATE_FILE) ?? '')?.root ?? [],
  );
}

/** Finds the sessions of a host whose lines we keep ourselves. */
export function createOwnFinder(host: string): TranscriptFinder {
  const list: TranscriptFinder['list'] = (folder, env) =>
    (folder === null ? listRoots(env) : [folder])
      .flatMap((each) => listIn(findProject(each, { ...env, HOST_PROJECT: undefined })))
      .filter((each) => each.host === host)
      .sort((a, b) => b.mtimeMs - a.mtimeMs);
  return {
    list,
    locate: (id, env) => list(null, env).find((each) => each.id === id) ?? null,
    // They lie in the state folder of the project itself.
    ranBelow: (transcript, folder) => transcript.startsWith(`${folder}/`),
    isBegunBy: (line) => isObject(line) && line.host === host,
  };
}
