// The ledger of a session on disk: read, brought up to date, and begun from what the session was handed.
import type { EntryReader } from '../../hosts/entry.ts';
import { visitLinesFrom } from '../../hosts/transcript.io.ts';
import { exists } from '../../platform/look.ts';
import { listSessionFolders, type ProjectPaths } from '../../platform/project/paths.ts';
import { tryOrNull } from '../../platform/project/try-step.ts';
import { readTextOrNull, STATE_FILE } from '../../platform/read.ts';
import { moveFile } from '../../platform/write.ts';
import { listSessions, readSessionState } from '../../sessions/session-states.io.ts';
import { isObject, isText, mayBe, withFields } from '../../text/json.ts';
import { buildNewerFile } from '../../text/plimsoll-error.ts';
import { redactDeep } from '../../text/redact.ts';
import { isNewer } from '../../text/version-order.ts';
import { buildExcerpt } from './excerpt.ts';
import { WORDS } from './fold-ledger.ts';
import { createLedger, LEDGER_VERSION, type Ledger, type LedgerNote, type LedgerSession } from './ledger.ts';
import { isLedger } from './ledger-shape.ts';
import { readOn } from './read-ledger.io.ts';

/** What is kept of a session: its ledger, and what its thread held before it, for a rewind. */
export interface Thread {
  session_id: string;
  /** Key of the session whose work was handed to it, or null. */
  from: string | null;
  base: Ledger;
  ledger: Ledger;
  /** The time of the last thing whose work was dropped: a rewind does not bring it back, nor does a fork that copied it. */
  dropped_until?: string | null;
  /** What is written instead of the ledger, where its middle was not read yet: the next hook continues with it. */
  unfinished?: Ledger | null;
}

/** A session's id as others know it: what one session was handed names no other, so that a purge takes it whole. */
export function hashSessionId(session_id: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const sign of session_id) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(sign.codePointAt(0) ?? 0)) * 0x100000001b3n);
  }
  return hash.toString(36);
}

/** Sessions that are followed back where none of them has a ledger yet. */
export const LONGEST_CHAIN = 8;

/** Threads as they were read from their files. */
const stored = new WeakSet<Thread>();

/** Whether the file of a thread holds all of it. */
export const isStored = (thread: Thread): boolean => stored.has(thread);

const isThread = withFields({
  ...{ session_id: isText, from: mayBe(isText), base: isLedger, ledger: isLedger },
  dropped_until: mayBe(isText),
}) as (value: unknown) => value is Thread;

/**
 * The stored thread of a session; null when there is none. A file that cannot be read, or is no thread by the types of its
 * fields, is set aside: the transcript still tells all but the notes.
 * @throws when the file is from a newer version
 */
function readThread(path: string): Thread | null {
  const text = readTextOrNull(path, STATE_FILE);
  if (text === null) return null;
  const thread: unknown = tryOrNull(() => JSON.parse(text));
  if (isThread(thread)) {
    stored.add(thread);
    return thread;
  }
  if (isObject(thread) && isObject(thread.ledger) && isNewer(thread.ledger.schema_version, LEDGER_VERSION))
    throw buildNewerFile(path);
  moveFile(path, `${path}.unreadable`);
  return null;
}

/** The ledger of a session as it is written: without secrets, whole. */
export function formatThread({ unfinished, ...thread }: Thread): string {
  return `${JSON.stringify(redactDeep({ ...thread, ledger: unfinished ?? thread.ledger }))}\n`;
}

/** A thread that begins a new session, after what another one left. */
function beginThread(session_id: string, from: string | null, before: Ledger | null): Thread {
  const known = before ?? createLedger(hashSessionId(session_id));
  const earlier = known.sessions.map((each) => ({ ...each, session_id: null, transcript: null }));
  const sessions = [...earlier, { session_id, transcript: null, first: null }];
  // Calls of the other session have their results there, or nowhere.
  const base: Ledger = { ...known, sessions, position: null, openCalls: [] };
  return { session_id, from, base, ledger: base };
}

/** The session that handed its work to this one; `isPointer` where it was only told that there is one. */
export function predecessorOf(
  paths: ProjectPaths,
  session_id: string,
): { id: string; isPointer: boolean } | null {
  try {
    const state = readSessionState(paths, session_id);
    const { received_handoff: resumption, pointed_to: pointed } = state ?? {};
    if (resumption != null && resumption.status !== 'undelivered')
      return { id: resumption.from, isPointer: false };
    const id =
      pointed == null ? undefined : listSessions(paths).find((each) => hashSessionId(each) === pointed);
    return id === undefined ? null : { id, isPointer: true };
  } catch {
    return null;
  }
}

const transcriptOf = (paths: ProjectPaths, session_id: string): string | null => {
  try {
    return readSessionState(paths, session_id)?.transcript ?? null;
  } catch {
    return null;
  }
};

/** A fork begins with the very lines of its parent: what that one was handed is the fork's as well, and what was dropped is not. */
function baseOfFork(paths: ProjectPaths, thread: Thread, transcript: string | null): Thread | null {
  const first = thread.ledger.sessions.at(-1)?.first;
  if (first == null) return null;
  const found = listSessionFolders(paths).flatMap(({ ledger }) => {
    const other = readThread(ledger);
    if (other === null || other.session_id === thread.session_id) return [];
    const isParted = other.from !== null || other.dropped_until != null;
    return isParted && other.ledger.sessions.at(-1)?.first === first ? other : [];
  });
  // Forks of forks begin alike: the parent is the one whose dropped lines are all in here, of several the last.
  const until = (each: Thread): string => each.dropped_until ?? '';
  return (
    found
      .filter(({ dropped_until: at }) => at == null || transcript === null || holdsMoment(transcript, at))
      .sort((a, b) => (until(a) < until(b) ? 1 : -1))[0] ?? null
  );
}

/** Whether a transcript holds what was said at a moment: a fork that was split off before does not. */
function holdsMoment(transcript: string, at: string): boolean {
  let isThere = false;
  visitLinesFrom(transcript, 0, (line) => {
    isThere = line.includes(at);
    return !isThere;
  });
  return isThere;
}

const readWith = (source: ThreadSource, thread: Thread, transcript: string | null): Thread => {
  if (transcript === null || !exists(transcript)) return thread;
  const session = thread.ledger.sessions.length - 1;
  const { readerOf, longest } = source;
  const { base, dropped_until: until = null } = thread;
  const { ledger, unfinished } = readOn(
    readerOf(thread.session_id),
    thread.ledger,
    base,
    session,
    transcript,
    longest,
    until,
  );
  return ledger === thread.ledger ? thread : { ...thread, ledger, unfinished };
};

/** Where threads are read from. */
export interface ThreadSource {
  /** Of the host that wrote the transcript of a session. */
  readerOf: (session_id: string) => EntryReader;
  paths: ProjectPaths;
  /** Milliseconds for reading far back in this session's transcript; a command reads all. */
  longest?: number;
}

/** A thread whose transcript is not read from its first line on, which it is known by all the same. */
function keepFirst(thread: Thread, { sessions: known }: Ledger): Thread {
  const sessions = [...thread.base.sessions.slice(0, -1), ...known.slice(-1)];
  const base = { ...thread.base, sessions };
  return { ...thread, base, ledger: base };
}

/** A ledger of this session alone, or of the thread that it was split off from. */
function ownThread(
  source: ThreadSource,
  known: Thread | null,
  session_id: string,
  transcript: string | null,
): Thread {
  if (known?.from === null) return readWith(source, known, transcript);
  const own = readWith(source, beginThread(session_id, null, null), transcript);
  const other = baseOfFork(source.paths, own, transcript);
  if (other === null) return own;
  const before = { ...other.base, sessions: other.base.sessions.slice(0, -1) };
  const begun = beginThread(session_id, other.from, before);
  const { dropped_until: until } = other;
  if (until == null) return readWith(source, begun, transcript);
  return readWith(source, { ...keepFirst(begun, own.ledger), dropped_until: until }, transcript);
}

/**
 * The ledger of a session, with everything that its transcript says by now.
 *
 * @param seen sessions that were asked for on the way: a chain that bites its tail ends there
 */
export function readCurrentThread(
  source: ThreadSource,
  session_id: string,
  transcript: string | null,
  seen: readonly string[] = [],
): Thread {
  const { paths } = source;
  const found = readThread(paths.session(session_id).ledger);
  const own = found?.session_id === session_id ? found : null;
  const told = predecessorOf(paths, session_id);
  const isChain =
    told !== null && told.id !== session_id && !seen.includes(told.id) && seen.length < LONGEST_CHAIN;
  // What a session was handed stays its own, also once the state forgets from whom.
  if (own !== null && own.from !== null && (!isChain || hashSessionId(told.id) === own.from)) {
    return readWith(source, own, transcript);
  }
  if (!isChain) return ownThread(source, own, session_id, transcript);
  if (told.isPointer) {
    const alone = ownThread(source, own, session_id, transcript);
    // "Go on" as the first words means the work that it was pointed to; anything else is work of its own.
    if (alone.ledger.requests.find(({ kind }) => kind !== 'courtesy')?.kind !== 'push') return alone;
  }
  // What was handed over is the base of all that follows, and is read whole.
  const whole = { readerOf: source.readerOf, paths };
  const before = readCurrentThread(whole, told.id, transcriptOf(paths, told.id), [...seen, session_id]);
  return readWith(source, beginThread(session_id, hashSessionId(told.id), before.ledger), transcript);
}

/** The sessions of a thread with their ids, as far as their states are there: a ledger itself names none but its own. */
export function nameSessions(paths: ProjectPaths, { sessions }: Ledger): LedgerSession[] {
  const named = [...sessions];
  for (let at = named.length - 1; at > 0; at--) {
    const [earlier, later] = [named[at - 1], named[at]];
    const before = later?.session_id == null ? null : predecessorOf(paths, later.session_id);
    if (earlier === undefined || before === null) break;
    named[at - 1] = { ...earlier, session_id: before.id, transcript: transcriptOf(paths, before.id) };
  }
  return named;
}

/** How many tasks a session has left open, as its ledger was written last; null without one. */
export function readOpenTasks(paths: ProjectPaths, session_id: string): number | null {
  const thread = readThread(paths.session(session_id).ledger);
  return thread?.ledger.tasks.filter(({ status }) => status !== 'completed').length ?? null;
}

/** The thread of a session whose work up to here was dropped: what stands behind in its transcript is all that it holds. */
export function dropWork({ session_id, ledger, dropped_until: before }: Thread): Thread {
  const { base, ...begun } = keepFirst(beginThread(session_id, null, null), ledger);
  // Without its last lines no branch is followed back to what was dropped.
  const position = ledger.position && { ...ledger.position, session: 0, tail: [], lastCall: -1 };
  const dropped_until = position?.time ?? before ?? null;
  return { ...begun, base, ledger: { ...base, segment: ledger.segment, position }, dropped_until };
}

/** Key of the session that the stored thread of this one was begun from; null where there is none. */
export const readOrigin = (paths: ProjectPaths, session_id: string): string | null =>
  readThread(paths.session(session_id).ledger)?.from ?? null;

/**
 * A session's thread, begun anew from what is left of the work that it was handed, or from nothing: its own transcript,
 * and what was noted past it.
 */
export function dropHandedWork(
  source: ThreadSource,
  thread: Thread,
  transcript: string | null,
  left: Ledger | null,
): Thread {
  const { session_id, from, ledger } = thread;
  if (from === null) return thread;
  const last = ledger.sessions.length - 1;
  const before = left ?? createLedger(hashSessionId(session_id));
  const notes = ledger.notes
    .filter(({ session, entry }) => session === last && entry === null)
    .map((note) => ({ ...note, session: before.sessions.length }));
  const base = { ...before, notes: [...before.notes, ...notes] };
  return readWith(source, beginThread(session_id, left === null ? null : from, base), transcript);
}

/** A thread with a note that was written past the transcript; a rewind does not take it back. */
export function withNote(thread: Thread, note: Pick<LedgerNote, 'text' | 'kind' | 'by'>, at: string): Thread {
  const { ledger } = thread;
  const place = {
    session: ledger.sessions.length - 1,
    segment: ledger.segment,
    entry: null,
    offset: ledger.position?.offset ?? 0,
    at,
  };
  const kept: LedgerNote = { ...buildExcerpt(note.text, WORDS), kind: note.kind, by: note.by, ...place };
  const add = (to: Ledger): Ledger =>
    to.notes.some(({ text }) => text === kept.text) ? to : { ...to, notes: [...to.notes, kept] };
  return { ...thread, base: add(thread.base), ledger: add(ledger) };
}
