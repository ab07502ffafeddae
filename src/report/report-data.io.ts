// Reads what a report shows: finds the transcripts that are meant, replays them, and adds what was kept of their sessions.

import { basename, join, resolve } from 'node:path';
import { displayPath, type ProjectContext } from '../cli/project.io.ts';
import { findHookBundle } from '../hosts/claude-code/replay/replay-hooks.io.ts';
import { listHostTranscripts } from '../hosts/registry.io.ts';
import { exists, isFolder, listNames, readStamp } from '../platform/look.ts';
import { hashSha256 } from '../platform/sha256.ts';
import { findTranscripts, keepReadable, type LeaveOut } from '../replay/read-transcripts.io.ts';
import { buildReplaySettings, type ReplayedFile, replayFiles } from '../replay/replay-files.io.ts';
import { findNewestHere } from '../sessions/commands/find-session.io.ts';
import { readEvents } from '../sessions/event-log.io.ts';
import { PlimsollError } from '../text/plimsoll-error.ts';
import { redactDeep } from '../text/redact.ts';
import { collectEvidence } from './evidence.io.ts';
import type { ReportedSession, ReportInput, SessionReplay } from './report-data.ts';

/** Compactions of a session that the hooks are run at, and sessions of an overview. */
const MOST_COMPACTIONS = 12;
const MOST_SESSIONS = 200;

export interface ReportSources {
  paths: string[];
  /** Whether several sessions are meant, also where only one is there. */
  isOverview: boolean;
}

/** The transcripts of a folder: those in it, else those of the sessions that ran in it. */
function listOf(folder: string, place: ProjectContext, leaveOut: LeaveOut): string[] {
  const isIn = listNames(folder).some((name) => name.endsWith('.jsonl'));
  const ran = isIn ? [] : listHostTranscripts(folder, place.env).map(({ path }) => path);
  return ran.length > 0 ? keepReadable(ran, leaveOut) : findTranscripts(folder, 'report', leaveOut);
}

/** The transcript of a session by its id, or the beginning of it. */
function findById(id: string, place: ProjectContext): string {
  const found = listHostTranscripts(null, place.env).filter((each) => each.id.startsWith(id));
  const [first] = found;
  if (first !== undefined && (found.length === 1 || first.id === id)) return first.path;
  throw new PlimsollError(
    'not-found',
    found.length === 0
      ? `Neither a file nor a session: "${id}"`
      : `${found.length} sessions begin with "${id}"`,
    {
      hint: 'name a transcript (.jsonl), a folder of them, or a session: plimsoll session list shows those of this project',
    },
  );
}

/** Finds what is meant: files, folders, sessions; without any the newest session here, or with `all` those of all projects. */
export function findSources(
  place: ProjectContext,
  named: readonly string[],
  isAll: boolean,
  leaveOut: LeaveOut = () => {},
): ReportSources {
  if (named.length > 0) {
    const paths = named.flatMap((each) => {
      const path = resolve(place.cwd, each);
      if (!exists(path) && !/[\\/]|\.jsonl$/.test(each)) return [findById(each, place)];
      return isFolder(path) ? listOf(path, place, leaveOut) : findTranscripts(path, 'report');
    });
    return { paths: [...new Set(paths)], isOverview: paths.length > 1 };
  }
  if (isAll) {
    const paths = listHostTranscripts(null, place.env).map(({ path }) => path);
    return { paths: keepReadable(paths, leaveOut), isOverview: true };
  }
  const newest = findNewestHere(place);
  if (newest !== null) return { paths: [newest.path], isOverview: false };
  throw new PlimsollError('not-found', `No session was found for "${place.cwd}"`, {
    hint: 'name a transcript, a folder of them or a session: plimsoll report PATH; or take all projects: plimsoll report --all',
  });
}

/** The events of the session's own log, placed among its calls by time; null where there is no log of it here. */
function readOwnEvents(place: ProjectContext, replay: SessionReplay): SessionReplay['events'] | null {
  const { id } = replay.session;
  if (id === null) return null;
  const { events } = readEvents(place.paths, id);
  if (events.length === 0) return null;
  const times = replay.calls.map(({ at }) => Date.parse(at ?? ''));
  return events.map((event) => {
    const time = Date.parse(event.at);
    return { ...event, call: times.filter((each) => each <= time).length };
  });
}

/** A replayed file as it is shown. The replay has redacted title and messages. */
function showReplay({ detail, events, ...file }: ReplayedFile): SessionReplay {
  const { calls = [], messages = [], agents = [] } = detail ?? {};
  return { ...file, ...{ calls, messages, agents }, events: redactDeep(events) };
}

export interface Reading {
  /** Whether the hooks are run at each compaction. */
  withEvidence: boolean;
  /** Folder of the bundles. */
  dist: string;
  /** What was read before, by path: used again while the file stays the same. */
  known?: Map<string, { stamp: string; session: ReportedSession }>;
  /** Hears of bytes that were replayed. */
  onProgress?: (bytes: number) => void;
}

async function readOne(
  place: ProjectContext,
  file: ReplayedFile,
  key: string,
  { withEvidence, dist }: Reading,
): Promise<ReportedSession> {
  const { path } = file;
  const replay = showReplay(file);
  const own = readOwnEvents(place, replay);
  const evidence = withEvidence
    ? await collectEvidence({
        ...{ path, cwd: file.session.cwd, compactions: replay.compactions.length, most: MOST_COMPACTIONS },
        hook: findHookBundle({}, dist).path,
      })
    : replay.compactions.map(() => null);
  const { session, events } = replay;
  const cwd = session.cwd === null ? null : displayPath(session.cwd, place);
  return {
    key,
    path: displayPath(path, place),
    replay: { ...replay, events: own ?? events, session: { ...session, cwd } },
    evidence,
    eventsFrom: own === null ? 'replay' : 'log',
  };
}

/** Changes when a transcript does, or the log of its session's events. */
export const stampSource = (place: ProjectContext, path: string): string =>
  JSON.stringify([path, place.paths.session(basename(path, '.jsonl')).events].map(readStamp));

/** The file that was changed last first. */
function sortByChange(paths: readonly string[]): string[] {
  const times = new Map(paths.map((path) => [path, readStamp(path).mtimeMs]));
  return [...paths].sort((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0));
}

/**
 * Reads all that a report shows.
 * @throws PlimsollError `not-found` where nothing in the transcripts is a call or a compaction
 */
export async function readReport(
  place: ProjectContext,
  { paths, isOverview }: ReportSources,
  reading: Reading,
): Promise<ReportInput> {
  const newest = paths.length > MOST_SESSIONS ? sortByChange(paths).slice(0, MOST_SESSIONS) : paths;
  const before = new Map(newest.map((path) => [path, stampSource(place, path)]));
  const { known = new Map() } = reading;
  const changed = newest.filter((path) => known.get(path)?.stamp !== before.get(path));
  const files = await replayFiles(changed, buildReplaySettings(place.resolved, place.env, true), {
    ...{ bundle: join(reading.dist, 'commands.cjs'), threads: null },
    onProgress: reading.onProgress ?? (() => {}),
  });
  for (const file of files) {
    const session = await readOne(place, file, `s-${hashSha256(file.path).slice(0, 12)}`, reading);
    known.set(file.path, { stamp: before.get(file.path) ?? '', session });
  }
  const sessions = newest
    .flatMap((path) => known.get(path)?.session ?? [])
    .filter(({ replay: { calls, compactions } }) => calls.length > 0 || compactions.length > 0);
  const began = ({ replay }: ReportedSession): string => replay.session.started ?? '';
  sessions.sort((a, b) => began(b).localeCompare(began(a)));
  if (sessions.length === 0 && reading.known === undefined)
    throw new PlimsollError('not-found', 'Nothing in it is a call of a model, or a compaction', {
      hint: 'name transcripts of sessions: plimsoll report PATH',
    });
  const name = isOverview ? `${sessions.length} sessions` : basename(paths[0] ?? '').replace(/\.jsonl$/, '');
  const [first] = sessions;
  return {
    title: `Plimsoll report: ${isOverview ? name : (first?.replay.session.title ?? name)}`,
    made: new Date(place.now).toISOString(),
    sessions,
    leftOut: paths.length - newest.length,
    isOverview,
    assessment: place.resolved.assessment,
  };
}
