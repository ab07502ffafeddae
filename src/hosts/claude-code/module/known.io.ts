// Reads what the hooks have kept of settings and session, through `$`, each file again only when it has changed.

import { type Learned, listLearned } from '../../../context/learned.ts';
import { parseCurrentState } from '../../../sessions/parse-state.ts';
import type { SessionState } from '../../../sessions/session-state.ts';
import { parseSettingsSnapshot, type Resolved, type Stamp } from '../../../settings/resolved.ts';
import type { Client } from './client.ts';
import type { Place } from './place.io.ts';

/** A file as it was read last, and what it says. */
interface Kept {
  stamp: Stamp;
  value: unknown;
}
export type Cache = Map<string, Kept>;

/** The client counts the same nanoseconds, and may round them otherwise. */
const isSame = (a: Stamp, b: Stamp): boolean => a.size === b.size && Math.abs(a.mtimeMs - b.mtimeMs) < 0.01;

export async function stampOf($: Client, path: string): Promise<Stamp> {
  try {
    const { size, mtimeMs } = await $.fs.stat(path);
    return { path, size, mtimeMs };
  } catch {
    return { path, size: -1, mtimeMs: -1 };
  }
}

/** What a file says, by a function that throws where it says nothing; null then, and where there is no file. */
async function readKept<T>(
  $: Client,
  cache: Cache,
  path: string,
  parse: (text: string) => T,
): Promise<T | null> {
  const stamp = await stampOf($, path);
  const kept = cache.get(path);
  if (kept !== undefined && isSame(kept.stamp, stamp)) return kept.value as T | null;
  let value: T | null = null;
  try {
    if (stamp.size >= 0) value = parse(await $.fs.read(path));
  } catch {
    // The process that is asked then says what is wrong with it.
  }
  cache.set(path, { stamp, value });
  return value;
}

/** The settings that hold; null where a process has to read them anew. */
async function readKnownSettings($: Client, cache: Cache, place: Place): Promise<Resolved | null> {
  const path = `${place.state}/config.snapshot.json`;
  const before = cache.get(path)?.value as Resolved | null | undefined;
  const look = (resolved: Resolved | null | undefined) =>
    Promise.all((resolved?.stamps ?? []).map(async (each) => isSame(each, await stampOf($, each.path))));
  // Those that were read last are nearly always those that hold: both are looked at in one go.
  const [resolved, seen] = await Promise.all([
    readKept($, cache, path, (text) => parseSettingsSnapshot(text) ?? null),
    look(before),
  ]);
  if (resolved === null) return null;
  const named = new Set(resolved.stamps.map((each) => each.path));
  const isCurrent = (resolved === before ? seen : await look(resolved)).every(Boolean);
  return isCurrent && place.sources.every((each) => named.has(each)) ? resolved : null;
}

/** What the hooks have kept of a session, and how long its transcript is. */
export interface KnownSession {
  folder: string;
  state: SessionState | null;
  transcript: Stamp;
  isWorkflowSame: boolean;
}

export async function readKnownSession(
  $: Client,
  cache: Cache,
  { folder, session, transcript }: { folder: string; session: string; transcript: string },
): Promise<KnownSession> {
  const [state, stamp] = await Promise.all([
    readKept($, cache, `${folder}/state.json`, (text) => parseCurrentState(text, session)),
    stampOf($, transcript),
  ]);
  const workflow = state?.workflow_file ?? null;
  const isWorkflowSame = workflow === null || (await stampOf($, workflow.path)).mtimeMs === workflow.mtimeMs;
  return { folder, state, transcript: stamp, isWorkflowSame };
}

/** What decisions go by beside the session: settings, and what was seen of the client on this machine. */
export interface Known {
  resolved: Resolved;
  learned: Learned;
  /** The variables that decide limits. */
  limits: Record<string, string | undefined>;
}

/** Null where a process has to find out. */
export async function readKnown(
  $: Client,
  cache: Cache,
  place: Place,
): Promise<Omit<Known, 'limits'> | null> {
  const [resolved, learned] = await Promise.all([
    readKnownSettings($, cache, place),
    readKept($, cache, place.learned, (text) => listLearned(JSON.parse(text))),
  ]);
  return resolved && { resolved, learned: learned ?? listLearned(null) };
}

/** Those that the client was started with. Each is named, because the client shows people what a module reads. */
export async function readLimitVariables($: Client): Promise<Known['limits']> {
  const [base, percent, window, no1m, bedrock, foundry, vertex, noAuto, noCompact] = await Promise.all([
    $.env.get('ANTHROPIC_BASE_URL'),
    $.env.get('CLAUDE_AUTOCOMPACT_PCT_OVERRIDE'),
    $.env.get('CLAUDE_CODE_AUTO_COMPACT_WINDOW'),
    $.env.get('CLAUDE_CODE_DISABLE_1M_CONTEXT'),
    $.env.get('CLAUDE_CODE_USE_BEDROCK'),
    $.env.get('CLAUDE_CODE_USE_FOUNDRY'),
    $.env.get('CLAUDE_CODE_USE_VERTEX'),
    $.env.get('DISABLE_AUTO_COMPACT'),
    $.env.get('DISABLE_COMPACT'),
  ]);
  return {
    ANTHROPIC_BASE_URL: base,
    CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: percent,
    CLAUDE_CODE_AUTO_COMPACT_WINDOW: window,
    CLAUDE_CODE_DISABLE_1M_CONTEXT: no1m,
    CLAUDE_CODE_USE_BEDROCK: bedrock,
    CLAUDE_CODE_USE_FOUNDRY: foundry,
    CLAUDE_CODE_USE_VERTEX: vertex,
    DISABLE_AUTO_COMPACT: noAuto,
    DISABLE_COMPACT: noCompact,
  };
}
