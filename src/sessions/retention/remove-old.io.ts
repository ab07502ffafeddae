// Removes checkpoints, sessions and stale files that are no longer needed, and nothing else.
import { resolve } from 'node:path';
import { WORKFLOW } from '../../addons/addon.ts';
import {
  findCheckpointSession,
  isAcknowledged,
  joinCheckpointPath,
  listCheckpoints,
  removeCheckpoint,
  removeMarker,
} from '../../compaction/checkpoint/checkpoint-files.io.ts';
import { checkCheckpoint } from '../../compaction/checkpoint/checkpoint-store.io.ts';
import { withLock } from '../../platform/lock.ts';
import { exists, listFiles, readStamp, readStats } from '../../platform/look.ts';
import { isRunning } from '../../platform/process.ts';
import type { ProjectPaths } from '../../platform/project/paths.ts';
import { joinPath, listSessionFolders, listSessionPaths } from '../../platform/project/paths.ts';
import { tryOrNull } from '../../platform/project/try-step.ts';
import { removeOwn, removeWhole } from '../../platform/write.ts';
import { readSessionState, readStateIn } from '../session-states.io.ts';
import type { Liveness, RetentionDecision, StateInventory, StoredCheckpoint } from './retention.ts';
import { AGES, listOutsideNewest, planLeftovers, planRetention } from './retention.ts';
import { findLeftovers } from './session-files.io.ts';

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
function lifeOf({ paths, now }: Site, id: string, transcript: string | null): Liveness {
  const files = paths.session(id);
  const known = tryOrNull(() => readSessionState(paths, id));
  const path = known?.transcript ?? transcript;
  const times = [files.state, files.runs, ...(path === null ? [] : [path])].map(
    (each) => readStamp(each).mtimeMs,
  );
  const touched = known?.process != null && isRunning(known.process) ? now : Math.max(...times);
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
  const changed = readStamp(joinCheckpointPath(paths, id)).mtimeMs;
  if (found.state !== 'ok') {
    const checkpoint = { state: found.state, at: changed, isAcknowledged: told, life: null };
    return { checkpoint, owner: findCheckpointSession(paths, id), workflow: null };
  }
  const { timestamp, conversation: session, orchestration_state: workflow } = found.checkpoint;
  const at = Date.parse(timestamp);
  return {
    checkpoint: {
      state: 'ok',
      at: Number.isNaN(at) ? changed : at,
      isAcknowledged: told,
      life: lifeOf(site, session.session_id, session.transcript),
    },
    owner: session.session_id,
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
      const source = readStats(path)?.isFile() ? (WORKFLOW?.readText(path) ?? null) : '';
      return { path, source, status: source === null ? null : (WORKFLOW?.readStatus(source) ?? null) };
    } catch {
      return { path, source: null, status: null };
    }
  });
}

/** The last change of a file in a folder, in ms; -1 where there is none. Locks do not count: taking one is no work. */
const changedIn = (folder: string): number =>
  Math.max(
    -1,
    ...listFiles(folder)
      .filter((name) => !/\.(?:lock|tmp|take)$/.test(name))
      .map((name) => readStamp(joinPath(folder, name)).mtimeMs),
  );

/** Folders of sessions; what lies in those too young to be removed is not read. */
function sessionsIn(site: Site, most: number): StateInventory['sessions'] {
  const { paths, now } = site;
  return listSessionFolders(paths)
    .slice(0, most)
    .map((files) => {
      const { folder } = files;
      const written = readStamp(files.state).mtimeMs;
      if (now - written <= AGES.session) return { folder, isReadable: false, touched: written };
      const changed = changedIn(folder);
      const touched = changed < 0 ? readStamp(folder).mtimeMs : changed;
      const state = written < 0 ? null : tryOrNull(() => readStateIn(paths, files));
      const sign = state === null ? -1 : (lifeOf(site, state.session_id, null).touched ?? -1);
      return { folder, isReadable: written < 0 || state !== null, touched: Math.max(touched, sign) };
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
  const outside = listOutsideNewest(ids, keep).slice(0, most);
  const folderOf = (owner: string | null): string | null => owner && paths.session(owner).folder;
  for (const id of outside) {
    const found = lookAtCheckpoint(site, id);
    if (found === null) {
      gone.add(id);
      continue;
    }
    checkpoints[id] = found.checkpoint;
    owners[id] = folderOf(found.owner);
    if (found.workflow !== null) named.add(found.workflow);
  }
  const sessions = sessionsIn(site, most * NAMES_EACH);
  if (sessions.some(({ isReadable }) => isReadable) && ids.length <= most)
    for (const id of ids) owners[id] ??= folderOf(findCheckpointSession(paths, id));
  return {
    ids: ids.filter((id) => !gone.has(id)),
    checkpoints,
    owners,
    sessions,
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
    case 'session':
      // It may be continued at this very moment.
      withLock(listSessionPaths(name).state, () => {
        if (now - changedIn(name) > AGES.session) removeWhole(name);
      });
      return;
    case 'lock':
      // A dead process's lock is taken over and released, so that a living process's lock is never removed.
      withLock(name.slice(0, -'.lock'.length), () => undefined);
      return;
    case 'claim':
    case 'temporary':
      removeOwn(name);
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
  const gone = planLeftovers(leftovers, listCheckpoints(site.paths), site.now).filter((each) => each.goes);
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
