// Finds the session that a command means, and reads its context usage and state.

import { basename, resolve } from 'node:path';
import { displayPath, type ProjectContext } from '../../cli/project.io.ts';
import { readHostName } from '../../compaction/ledger/open-thread.io.ts';
import type { ThreadSource } from '../../compaction/ledger/thread.io.ts';
import { buildContextStatus, type ContextStatus } from '../../context/context-status.ts';
import { readLearned } from '../../context/learned-thresholds.io.ts';
import type { TranscriptScan } from '../../context/usage.ts';
import { findUnansweredBoundary, foldFacts } from '../../context/usage.ts';
import { readFeed } from '../../context/usage-samples.io.ts';
import type { HostEntry } from '../../hosts/host-entry.ts';
import {
  findHost,
  findNewestTranscript,
  findWriter,
  HOSTS,
  locateTranscript,
} from '../../hosts/registry.io.ts';
import { scanWhole } from '../../hosts/scan-facts.io.ts';
import { exists } from '../../platform/look.ts';
import { tryOrNull } from '../../platform/project/try-step.ts';
import { isError, PlimsollError, UPGRADE } from '../../text/plimsoll-error.ts';
import type { SessionPatch, SessionState } from '../session-state.ts';
import { readSessionState } from '../session-states.io.ts';

export interface SessionReport extends ContextStatus {
  id: string;
  /** The host that ran it. */
  by: HostEntry;
  /** The transcript's path; '' where there is none yet. */
  transcript: string;
  scan: TranscriptScan;
  state: SessionState | null;
  /** What is wrong with our state of the session, or null. */
  fault: string | null;
}

/** A session, its transcript ('' where there is none yet), and the host that ran it. */
export interface FoundSession {
  id: string;
  path: string;
  by: HostEntry;
}

/** Finds the newest session that ran in this folder, else the newest at the root of its project. */
export function findNewestHere(place: ProjectContext): FoundSession | null {
  const found = findNewestTranscript(place.cwd, place.env);
  if (found !== null || place.root === null || place.root === place.cwd) return found;
  return findNewestTranscript(place.root, place.env);
}

export const isOfThisProject = (place: ProjectContext, id: string, transcript: string): boolean =>
  exists(place.paths.session(id).state) ||
  HOSTS.some(({ transcripts }) => transcripts.ranBelow(transcript, place.root ?? place.cwd));

/** The host of a session, as our hooks have seen it; the first where they have not. */
export const findHostOf = ({ paths }: Pick<ProjectContext, 'paths'>, id: string): HostEntry =>
  findHost(readHostName(paths, id)) ?? HOSTS[0];

/** Where commands read the threads of a project from, whichever hosts wrote them. */
export const openThreads = (place: Pick<ProjectContext, 'paths'>): ThreadSource => ({
  readerOf: (id) => findHostOf(place, id).host.entries,
  paths: place.paths,
});

/** The id of the session that this command runs in, where it is one of this project. */
export function findOwnSession(place: ProjectContext): string | undefined {
  const id = place.env.HOST_SESSION;
  const found = id ? locateTranscript(id, place.env) : null;
  return found !== null && isOfThisProject(place, found.id, found.path) ? found.id : undefined;
}

interface Named {
  transcript?: string;
  session?: string;
  /** Whether the session that the command runs in may be taken, even before its first answer. */
  mayBeOwn?: boolean;
}

/** Finds the session that this command runs in, where our hooks know it already. */
function ownFound(place: ProjectContext): FoundSession | null {
  const id = place.env.HOST_SESSION;
  if (!id || !exists(place.paths.session(id).state)) return null;
  return locateTranscript(id, place.env) ?? { id, path: '', by: findHostOf(place, id) };
}

export function findSession(place: ProjectContext, options: Named): FoundSession {
  if (options.transcript !== undefined) {
    const path = resolve(place.cwd, options.transcript);
    return {
      id: basename(path).replace(/\.jsonl$/, ''),
      path,
      by: tryOrNull(() => findWriter(path)) ?? HOSTS[0],
    };
  }
  if (options.session !== undefined) {
    const found = locateTranscript(options.session, place.env);
    if (found) return found;
    throw new PlimsollError('not-found', `No transcript of session "${options.session}"`, {
      hint: 'give the whole id, as plimsoll session list shows it, or leave it out for the newest session here',
    });
  }
  const found = (options.mayBeOwn ? ownFound(place) : null) ?? findNewestHere(place);
  if (found) return found;
  throw new PlimsollError('not-found', `No session was found for "${place.cwd}"`, {
    hint: 'run this in a folder where an agent has run, or name a session: --session ID',
  });
}

function scanOf({ path, by }: FoundSession, name: string): TranscriptScan {
  if (path === '') return { facts: foldFacts([]), end: 0, from: 0 };
  let reason = 'no such file';
  try {
    const scan = scanWhole(path, by.host.facts);
    if (scan !== null) return scan;
  } catch (error) {
    reason = error instanceof Error ? error.message : String(error);
  }
  throw new PlimsollError('invalid', `Cannot read the transcript "${name}": ${reason}`, {
    hint: 'name an existing .jsonl file of one of the hosts that docs/hosts.md lists',
  });
}

/**
 * The fields of a state after its transcript was read as a whole, so that no hook reports its compactions as new.
 * A compaction that no answer has followed yet is still reported.
 */
export function buildSeenState({ facts, end }: TranscriptScan): SessionPatch {
  const { boundary, boundaries, usage, first } = facts;
  return {
    epoch: boundaries.length - (findUnansweredBoundary(facts) === null ? 0 : 1),
    transcript_position: { offset: end, boundaries: boundaries.length, last: boundary?.offset ?? null },
    unanswered_boundary: findUnansweredBoundary(facts)?.offset ?? null,
    last_seen: usage === null ? null : { tokens: usage.tokens, at: usage.at },
    first_answer_tokens: first?.tokens ?? null,
  };
}

/** Computes the context status of a session, in the same way as the hooks. */
export const readContextStatus = (
  place: ProjectContext,
  seen: Pick<Parameters<typeof buildContextStatus>[0], 'state' | 'facts' | 'head' | 'feed' | 'isWhole'>,
  { host }: HostEntry = HOSTS[0],
): ContextStatus =>
  buildContextStatus({
    ...seen,
    now: place.now,
    env: place.env,
    limits: host.limits,
    client: place.resolved.client,
    learned: readLearned(place.env),
    settings: place.resolved.assessment,
  });

/**
 * Reads a whole session: its transcript from the first line, and our state of it.
 * @throws PlimsollError when there is none
 */
export function readSessionReport(place: ProjectContext, options: Named): SessionReport {
  const found = findSession(place, options);
  const { id, path, by } = found;
  const scan = scanOf(found, displayPath(path, place));
  let state: SessionState | null = null;
  let fault: string | null = null;
  try {
    state = readSessionState(place.paths, id);
  } catch (error) {
    fault = error instanceof Error ? error.message : String(error);
    if (isError(error, 'newer-file')) fault += `; it is left alone, ${UPGRADE}`;
  }
  const feed = readFeed(place.paths, id);
  const situation = readContextStatus(
    place,
    { state, facts: scan.facts, head: null, feed, isWhole: true },
    by,
  );
  return { ...situation, id, by, transcript: path, scan, state, fault };
}
