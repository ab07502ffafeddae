// Lists everything saved for each session, file by file, and tells whether the session is still running.

import { join } from 'node:path';
import { WORKFLOW } from '../../addons/addon.ts';
import type { WorkflowPlace } from '../../addons/workflow-port.ts';
import {
  checkpointPath,
  findCheckpointSession,
  listCheckpoints,
} from '../../compaction/checkpoint/checkpoint-files.io.ts';
import { isUnderWay } from '../../handoff/decide-handoff.ts';
import { findLastSign } from '../../handoff/previous-session.io.ts';
import { listFilesUnlinked, stampOf } from '../../platform/look.ts';
import { isRunning } from '../../platform/process.ts';
import { eventsFolder, type ProjectPaths, streamPath } from '../../platform/project/paths.ts';
import { tryOrNull } from '../../platform/project/try-step.ts';
import { readJson, STATE_FILE } from '../../platform/read.ts';
import { safeName } from '../../text/file-slug.ts';
import type { SessionState } from '../session-state.ts';
import { readSessionState } from '../session-states.io.ts';

export interface SessionFiles {
  /** The session's name in its file names. */
  name: string;
  /** Its id if the state tells it, else its name. */
  id: string;
  /** Ids of its checkpoints, oldest first. */
  checkpoints: string[];
  /** All other files in the order of their removal, the state last. One may belong to another session, too. */
  files: string[];
  /** Time of its last activity in ms, or of its files when nothing else is known. */
  touched: number;
  isUnderWay: boolean;
  /** The event stream that it belongs to, which may be named after another session; null for none. */
  stream: string | null;
}

/** Endings of the files that we keep for a session; no others are removed with it. */
const KEPT =
  /\.(?:json(?:\.unreadable)?|ledger|beats|(?:module|statusline)\.feed|looked|judged|track|told|refusal|jsonl)(?:\.lock)?(?:\.\d+\.(?:\d+\.tmp|take))?$/;

/** Names that we give hold no dot; the part from the first dot or `~` on tells the kind of file. */
const ownerOf = (name: string): string => name.split(/[.~]/)[0] ?? name;
const isState = (path: string): boolean => path.endsWith('.json');

function stateOf(paths: ProjectPaths, name: string): SessionState | null {
  try {
    const path = join(paths.conversations, `${name}.json`);
    const { session_id: id } = readJson(path, STATE_FILE) as { session_id: string };
    return safeName(id) === name ? readSessionState(paths, id) : null;
  } catch {
    return null;
  }
}

/** The part of a claim's name that follows its session. */
const CLAIM = /^-(?:e\d|o\d|cx-|learned|missed|resumed)/;

/** Whether a claim belongs to a session; the names of long ones are cut. */
function isClaimOf(claim: string, name: string, id: string): boolean {
  const plain = id.replace(/[^A-Za-z0-9_-]/g, '').slice(0, 40);
  return (
    [name, id].some((own) => claim.startsWith(own) && CLAIM.test(claim.slice(own.length))) ||
    claim.startsWith(`x-${plain}-`)
  );
}

function holdingOf(
  paths: ProjectPaths,
  name: string,
  found: { checkpoints: string[]; files: string[]; claims: string[] },
  now: number,
): SessionFiles {
  const state = stateOf(paths, name);
  const id = state?.session_id ?? name;
  const files = [
    ...found.claims.filter((claim) => isClaimOf(claim, name, id)).map((claim) => join(paths.claims, claim)),
    ...found.files.filter((path) => !isState(path)),
    ...found.files.filter(isState),
  ];
  const changed = Math.max(
    0,
    ...found.checkpoints.map((each) => stampOf(checkpointPath(paths, each)).mtimeMs),
    ...found.files.map((path) => stampOf(path).mtimeMs),
  );
  const at = (state === null ? null : findLastSign(paths, state)) ?? changed;
  const running = state?.process == null ? null : isRunning(state.process);
  // Unreadable state, or the record of a hook run, may belong to a running session; a file that was set aside does not.
  const mayGoOn = found.files.some((path) => isState(path) || path.endsWith('.beats'));
  return {
    name,
    id,
    checkpoints: found.checkpoints,
    files,
    touched: at,
    stream: state?.session ? streamPath(paths, state.session) : null,
    isUnderWay: mayGoOn && isUnderWay({ ended: state?.ended ?? null }, { at, now, isRunning: running }),
  };
}

/** Assigns a stream whose first session has no other files to the sessions that continued it. */
function withStreams(holdings: readonly SessionFiles[]): SessionFiles[] {
  const isBare = ({ checkpoints, files }: SessionFiles): boolean =>
    checkpoints.length === 0 && files.every((file) => file.endsWith('.jsonl'));
  const bare = new Set(holdings.filter(isBare).flatMap(({ files }) => files));
  const taken = holdings.flatMap(({ stream }) => (stream !== null && bare.has(stream) ? [stream] : []));
  return holdings.flatMap((each) => {
    const files = isBare(each)
      ? each.files.filter((file) => !taken.includes(file))
      : [...taken.filter((file) => file === each.stream), ...each.files];
    return files.length + each.checkpoints.length === 0 ? [] : [{ ...each, files }];
  });
}

/** Everything saved for sessions, the last active one first. */
export function listSessionFiles(paths: ProjectPaths, now: number): SessionFiles[] {
  const claims = listFilesUnlinked(paths.claims);
  const owned = new Map<string, { checkpoints: string[]; files: string[]; claims: string[] }>();
  const of = (name: string) => {
    const known = owned.get(name) ?? { checkpoints: [], files: [], claims };
    owned.set(name, known);
    return known;
  };
  for (const folder of [eventsFolder(paths), paths.conversations])
    for (const name of listFilesUnlinked(folder))
      if (KEPT.test(name)) of(ownerOf(name)).files.push(join(folder, name));
  for (const id of listCheckpoints(paths)) {
    const owner = findCheckpointSession(paths, id);
    if (owner !== null) of(safeName(owner)).checkpoints.push(id);
  }
  const holdings = [...owned].map(([name, found]) => holdingOf(paths, name, found, now));
  return withStreams(holdings).sort((a, b) => b.touched - a.touched);
}

/** Checkpoints that do not name their session. */
export const listOwnerless = (paths: ProjectPaths): string[] =>
  listCheckpoints(paths).filter((id) => findCheckpointSession(paths, id) === null);

/** Workflow files that name one of these checkpoints, with the ids that each names. */
export const findLinks = (place: WorkflowPlace, ids: readonly string[]): { path: string; ids: string[] }[] =>
  (WORKFLOW?.list(place) ?? []).flatMap((path) => {
    // A folder, or not for us: then it names none.
    const source = tryOrNull(() => WORKFLOW?.readText(path)) ?? '';
    const named = ids.filter((id) => new RegExp(`(?<![\\w-])${id}(?!\\d)`).test(source));
    return named.length === 0 ? [] : [{ path, ids: named }];
  });
