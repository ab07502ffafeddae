// Finds the part of a transcript that may hold failed calls no hook was told of (old clients report only those that went well).

import type { HookContext } from '../../../hook/snapshot.io.ts';
import { holdsAll } from '../../../hosts/transcript.io.ts';
import { readHookRuns } from '../../../sessions/last-runs.io.ts';
import type { SessionState } from '../../../sessions/session-state.ts';

/** The most bytes of a transcript that are read, at the end of the turn. */
const MOST = 8 * 1024 * 1024;

/** The transcript of a session or of one of its subagents, as far as it is written. */
export interface Written {
  transcript: string;
  /** In bytes. */
  end: number;
  /** Offset at which the last turn that was checked ended, in bytes. */
  from: number;
  agent: { id: string; type: string } | null;
}

/** The stretch of the transcript that may hold missed calls. */
export interface UnreportedRange {
  /** Offset up to which calls have been recorded or checked, in bytes. */
  from: number;
  /** Offset at which reading has to begin: at `from` or after it. */
  begin: number;
  /** ISO time; only calls requested after it can be missed; '' for all. */
  since: string;
}

/**
 * When a hook that is told of failed calls last ran, as an ISO time; '' if none ever did. Calls requested before that
 * time were reported to it.
 */
const lastTold = ({ host, paths, event }: HookContext): string =>
  readHookRuns(paths, event.conversation).find(({ name }) => host.failures.tellsOf(name))?.at ?? '';

/** Offset up to which calls are recorded, in bytes. */
export const notedTo = (state: SessionState | null, agent: Written['agent']): number =>
  state?.logged_tool_call_offsets[agent?.id ?? 'main'] ?? 0;

/** The stretch that may hold missed calls; null when no call has failed, as in most turns, so that nothing is parsed. */
export function findUnreportedRange(
  hook: HookContext,
  state: SessionState | null,
  written: Written,
): UnreportedRange | null {
  const { transcript, agent, end } = written;
  const from = Math.max(written.from, notedTo(state, agent));
  // What happened before our first hook of the session belongs to another one (a fork), or to nobody.
  const since = [state?.started ?? '', lastTold(hook)].sort().at(-1) ?? '';
  const { marker, offsetAfter } = hook.host.failures;
  const after = offsetAfter(transcript, agent === null ? since : '', { from, to: end });
  const begin = Math.max(after, end - MOST);
  const isAny = holdsAll(transcript, [marker], end, Math.max(0, end - begin));
  return isAny ? { from, begin, since } : null;
}
