// Removes files that are no longer needed, each under its lock, and nothing else.
import { join, resolve } from 'node:path';
import { WORKFLOW } from '../../addons/addon.ts';
import {
  checkpointPath,
  findCheckpointSession,
  isAcknowledged,
  listCheckpoints,
  removeCheckpoint,
  removeMarker,
} from '../../compaction/checkpoint/checkpoint-files.io.ts';
import { checkCheckpoint } from '../../compaction/checkpoint/checkpoint-store.io.ts';
import { withLock } from '../../platform/lock.ts';
import { exists, namesIn, stampOf, statsOf } from '../../platform/look.ts';
import { isRunning } from '../../platform/process.ts';
import { type ProjectPaths, streamPath } from '../../platform/project/paths.ts';
import { readJson, STATE_FILE } from '../../platform/read.ts';
import { remove } from '../../platform/write.ts';
import { FROM_NEWER } from '../log-event.ts';
import { listStreams, readEvents } from '../read-events.io.ts';
import type { SessionState } from '../session-state.ts';
import { readSessionState } from '../session-states.io.ts';
import { buildSession } from '../work-session.ts';
import {
  AGES,
  type Liveness,
  outsideNewest,
  planRetention,
  type RetentionDecision,
  type StateInventory,
  type StoredCheckpoint,
  type StoredSession,
} from './retention.ts';
import { findLeftovers, listCompanions } from './stale-files.io.ts';

interface Site {
  paths: ProjectPaths;
  /** The folder from which a workflow is searched for. */
  cwd: string;
  /** The configured ORCHESTRATION.yaml, or null. */
  orchestration: string | null;
  /** Milliseconds since the epoch. */
  now: number;
}

/** The number of names examined in a folder for each checkpoint that may be examined. */
const NAMES_EACH = 10;

/** Whether a session has ended and when it was last active; with unreadable state it counts as not ended. */
function lifeOf({ paths, now }: Site, conversation: string, transcript: string | null): Liveness {
  const state = stampOf(paths.conversation(conversation)).mtimeMs;
  const hooks = stampOf(paths.beats(conversation)).mtimeMs;
  let known: SessionState | null = null;
  try {
    known = readSessionState(paths, conversation);
  } catch {
    // judged by its age alone
  }
  const path = known?.transcript ?? transcript;
  const file = path === null ? -1 : stampOf(path).mtimeMs;
  const touched = known?.process != null && isRunning(known.process) ? now : Math.max(state, hooks, file);
  return { ended: known !== null && known.ended !== null, touched: touched < 0 ? null : touched };
}

interface Looked {
  checkpoint: StoredCheckpoint;
  owner: string | null;
  workflow: string | null;
}

function lookAtCheckpoint(site: Site, id: string): Looked | null {
  const { paths } = site;
  const found = checkCheckpoint(paths, id);
  if (found.state === 'missing') return null;
  const told = isAcknowledged(paths, id);
  const changed = stampOf(checkpointPath(paths, id)).mtimeMs;
  if (found.state !== 'ok') {
    const checkpoint = { state: found.state, at: changed, isAcknowledged: told, life: null };
    return { checkpoint, owner: findCheckpointSession(paths, id), workflow: null };
  }
  const { timestamp, conversation, orchestration_state: workflow } = found.checkpoint;
  const at = Date.parse(timestamp);
  return {
    checkpoint: {
      state: 'ok',
      at: Number.isNaN(at) ? changed : at,
      isAcknowledged: told,
      life: lifeOf(site, conversation.session_id, conversation.transcript),
    },
    owner: conversation.session_id,
    workflow: workflow?.path ?? null,
  };
}

/** All files that may be a workflow of these checkpoints: those found now, and those that the checkpoints name. */
function workflowsFor(site: Site, named: Iterable<string>): StateInventory['workflows'] {
  const { root } = site.paths;
  const place = { root, cwd: site.cwd, configured: site.orchestration };
  const paths = new Set(WORKFLOW?.list(place) ?? []);
  for (const path of named) if (root !== null) paths.add(resolve(root, path));
  return [...paths].filter(exists).map((path) => {
    try {
      const source = statsOf(path)?.isFile() ? (WORKFLOW?.readText(path) ?? null) : '';
      return { path, source, status: source === null ? null : (WORKFLOW?.readStatus(source) ?? null) };
    } catch {
      return { path, source: null, status: null };
    }
  });
}

/** State files of sessions; those too young to be removed are not read. */
function conversationsIn(site: Site, most: number): StateInventory['conversations'] {
  const { paths, now } = site;
  return namesIn(paths.conversations)
    .filter((name) => name.endsWith('.json'))
    .slice(0, most)
    .map((name) => {
      const path = join(paths.conversations, name);
      const written = stampOf(path).mtimeMs;
      if (now - written <= AGES.conversation) return { name: path, id: null, touched: written };
      try {
        const { session_id: id } = readJson(path, STATE_FILE) as { session_id: string };
        if (paths.conversation(id) === path && readSessionState(paths, id) !== null)
          return { name: path, id, touched: lifeOf(site, id, null).touched ?? written };
      } catch {
        // of a newer version, damaged, or not ours
      }
      return { name: path, id: null, touched: written };
    });
}

/** The session of a stream that is old enough to be removed; null when this version cannot judge all of it. */
function sessionIn(site: Site, stream: string): StoredSession | null {
  try {
    const { events, problems } = readEvents(site.paths, stream);
    const session = buildSession(events);
    const isForeign = session === null && problems.length > 0;
    if (isForeign || problems.some(({ problem }) => problem === FROM_NEWER)) return null;
    const conversations = session?.conversations ?? [];
    const mayGoOn = (id: string): boolean => {
      const { ended, touched } = lifeOf(site, id, null);
      return !ended && touched !== null && site.now - touched <= AGES.checkpoint;
    };
    return { isOver: session?.status !== 'active' || !conversations.some(mayGoOn), conversations };
  } catch {
    return null;
  }
}

/** Event streams; those too young to be removed are not read. */
function streamsIn(site: Site, most: number): StateInventory['streams'] {
  return listStreams(site.paths)
    .slice(-most)
    .map((stream) => {
      const name = streamPath(site.paths, stream);
      const touched = stampOf(name).mtimeMs;
      const isOld = site.now - touched > AGES.stream;
      return { name, touched, session: isOld ? sessionIn(site, stream) : null };
    });
}

/**
 * Takes the inventory of the state folder. Of the removable checkpoints the oldest are examined first, because in the
 * end age releases them.
 * @param keep number of the newest checkpoints that are kept in any case
 * @param most number of checkpoints to examine in this run
 */
function takeStock(site: Site, keep: number, most: number): StateInventory {
  const { paths, now } = site;
  const gone = new Set<string>();
  const checkpoints: Record<string, StoredCheckpoint> = {};
  const owners: Record<string, string | null> = {};
  const named = new Set<string>();
  const ids = listCheckpoints(paths);
  const outside = outsideNewest(ids, keep).slice(0, most);
  for (const id of outside) {
    const found = lookAtCheckpoint(site, id);
    if (found === null) {
      gone.add(id);
      continue;
    }
    checkpoints[id] = found.checkpoint;
    owners[id] = found.owner;
    if (found.workflow !== null) named.add(found.workflow);
  }
  const conversations = conversationsIn(site, most * NAMES_EACH);
  const streams = streamsIn(site, most * NAMES_EACH);
  const isAsked =
    conversations.some((each) => each.id !== null) || streams.some((each) => each.session !== null);
  if (isAsked && ids.length <= most) for (const id of ids) owners[id] ??= findCheckpointSession(paths, id);
  return {
    ids: ids.filter((id) => !gone.has(id)),
    checkpoints,
    owners,
    conversations,
    streams,
    workflows: outside.length === 0 ? [] : workflowsFor(site, named),
    leftovers: findLeftovers(paths, now, most * NAMES_EACH),
  };
}

export interface Pruned {
  /** Everything that was examined, with the decision. */
  verdicts: RetentionDecision[];
  /** Removals that failed. */
  failed: { name: string; error: string }[];
}

function removeOne({ paths, now }: Site, { kind, name }: RetentionDecision): void {
  switch (kind) {
    case 'checkpoint':
      removeCheckpoint(paths, name);
      return;
    case 'marker':
      removeMarker(paths, name);
      return;
    case 'conversation':
      // The session may be continued at this very moment.
      withLock(name, () => {
        if (now - stampOf(name).mtimeMs <= AGES.conversation) return;
        for (const other of listCompanions(name)) remove(other);
        remove(name);
      });
      return;
    case 'stream':
      withLock(name, () => {
        if (now - stampOf(name).mtimeMs > AGES.stream) remove(name);
      });
      return;
    case 'lock':
      // A dead process's lock is taken over and released, so that a living process's lock is never removed.
      withLock(name.slice(0, -'.lock'.length), () => undefined);
      return;
    case 'claim':
    case 'companion':
    case 'temporary':
      remove(name);
  }
}

/** Removes everything that is to go, one by one. */
function removeAll(site: Site, verdicts: readonly RetentionDecision[]): Pruned['failed'] {
  const failed: Pruned['failed'] = [];
  for (const each of verdicts.filter((verdict) => verdict.goes)) {
    try {
      removeOne(site, each);
    } catch (error) {
      failed.push({ name: each.name, error: error instanceof Error ? error.message : String(error) });
    }
  }
  return failed;
}

/** The most names to examine. */
const MOST_NAMES = 100_000;

/** Removes what dead processes left, and nothing that was saved on purpose. */
export function sweep(site: Site): { gone: RetentionDecision[]; failed: Pruned['failed'] } {
  const leftovers = findLeftovers(site.paths, site.now, MOST_NAMES);
  const ids = listCheckpoints(site.paths);
  const stock = {
    ids,
    checkpoints: {},
    owners: {},
    conversations: [],
    streams: [],
    workflows: [],
    leftovers,
  };
  const gone = planRetention(stock, ids.length, site.now).filter((each) => each.goes);
  return { gone, failed: removeAll(site, gone) };
}

/**
 * Removes files that are no longer needed. One that cannot be removed does not stop the others.
 * @param keep number of the newest checkpoints that stay
 * @param options.most number of checkpoints to examine, by default all
 * @param options.isDry decides without removing anything
 */
export function prune(site: Site, keep: number, options: { most?: number; isDry?: boolean } = {}): Pruned {
  const verdicts = planRetention(
    takeStock(site, keep, options.most ?? Number.POSITIVE_INFINITY),
    keep,
    site.now,
  );
  return { verdicts, failed: options.isDry ? [] : removeAll(site, verdicts) };
}
