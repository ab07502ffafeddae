// Records tool calls that failed without a hook being told of them (old clients report only those that went well).
import type { Action, Effect, EffectResults } from '../../../hook/action.ts';
import type { HookContext } from '../../../hook/snapshot.io.ts';
import { holdsAll, readLines } from '../../../hosts/transcript.io.ts';
import { readHookRuns } from '../../../sessions/last-runs.io.ts';
import type { SessionState } from '../../../sessions/session-state.ts';
import { formatUtc } from '../entries/entry.ts';
import { buildToolRunEffects } from './tool-run-effects.io.ts';

/** The most bytes of a transcript that are read, at the end of the turn. */
const MOST_BYTES = 8 * 1024 * 1024;

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
interface UnreportedRange {
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
  readHookRuns(paths, event.session).find(({ name }) => host.failures.tellsOf(name))?.at ?? '';

/** Offset up to which calls are recorded, in bytes. */
const notedTo = (state: SessionState | null, agent: Written['agent']): number =>
  state?.logged_tool_call_offsets[agent?.id ?? 'main'] ?? 0;

/** The stretch that may hold missed calls; null when no call has failed, as in most turns, so that nothing is parsed. */
function findUnreportedRange(
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
  const begin = Math.max(after, end - MOST_BYTES);
  const isAny = holdsAll(transcript, [marker], end, Math.max(0, end - begin));
  return isAny ? { from, begin, since } : null;
}

/** Bytes read before the stretch, to find the requests of the calls whose results stand in it. */
const BEFORE = 1024 * 1024;

/**
 * Records failed calls as `capture` would have, with their own times, each once: the state notes how far that was done.
 * Where no call has failed, as in most turns, nothing is parsed.
 */
export function findUnreportedFailures(
  hook: HookContext,
  state: SessionState | null,
  written: Written,
  track: string,
): Action[] {
  const range = findUnreportedRange(hook, state, written);
  if (range === null) return [];
  const { from, begin, since } = range;
  const { session } = hook.event;
  const { root } = hook.paths;
  const { transcript, agent, end } = written;
  const who = agent?.id ?? 'main';
  const { lines } = readLines(transcript, { from: begin, to: end });
  const before = readLines(transcript, { from: 0, to: begin, cap: BEFORE }).lines;
  const endedAt = agent === null ? (state?.last_stop?.at ?? '') : '';
  const made = hook.host.failures
    .find(lines, { before, endedAt, isAgents: agent !== null })
    .filter(({ calledAt }) => since === '' || calledAt > since)
    .map(({ run, at }) => ({ run, at: formatUtc(Date.parse(at) || hook.now) }));
  if (root === null || made.length === 0) return [];
  const signs = agent === null ? null : hook.host.agentSigns(agent.type, agent.id);
  const keeps = buildToolRunEffects(hook, { root, session, track, agent: signs, isLate: true }, made);
  const patch: Effect = {
    do: 'patch-session',
    session,
    patch: { logged_tool_call_offsets: { [who]: end } },
  };
  return [
    {
      name: 'missed calls',
      claim: {
        name: `missed-${who}-${from}`,
        isLeased: (newest) => notedTo(newest, agent) > from,
      },
      // Recorded rather not at all than twice: the state is patched first.
      effects: [
        patch,
        ...keeps.map(
          (keep) => (kept: EffectResults) => (kept.done.some(({ effect }) => effect === patch) ? keep : null),
        ),
      ],
    },
  ];
}
