// Which conversation of this project came before?
import type { Conversation } from '../model/conversation.ts';
import { isHeadless, isUnderWay } from '../model/resume.ts';
import { stampOf } from '../platform/look.ts';
import { isRunning } from '../platform/process.ts';
import { readConversation, readStates } from './conversations.ts';
import type { ProjectPaths } from './paths.ts';

export interface Previous {
  state: Conversation;
  /** The last sign of life, in ms since the epoch. */
  at: number;
}

/** So many conversations are looked at, among so many of the states written last: scripts leave many behind. */
const MOST = 30;
const FILES = 500;

/**
 * The last sign of life: a hook that ran, or a line that the client wrote. The state file's own time is none, because
 * later conversations write into it whom it was left to.
 */
export function lastSign(paths: ProjectPaths, state: Conversation): number | null {
  const path = state.transcript_path;
  const times = [
    stampOf(paths.beats(state.session_id)).mtimeMs,
    path === null ? -1 : stampOf(path).mtimeMs,
    Date.parse(state.ended?.at ?? ''),
  ].filter((time) => time > 0);
  return times.length === 0 ? null : Math.max(...times);
}

export const isGoingOn = ({ state, at }: Previous, now: number): boolean =>
  isUnderWay(state, { at, now, isRunning: state.process === null ? null : isRunning(state.process) });

/** Whether another conversation has taken this one over, or is about to: leased at a start that has not ended. */
function isTaken(paths: ProjectPaths, state: Conversation, now: number): boolean {
  const by = state.resumed_by;
  if (by === null || by.status === 'taken') return by !== null;
  try {
    const holder = readConversation(paths, by.session_id);
    if (holder === null) return false;
    return isGoingOn({ state: holder, at: lastSign(paths, holder) ?? Date.parse(by.at) }, now);
  } catch {
    // a holder whose state cannot be read holds nothing
    return false;
  }
}

/**
 * The conversation that a new one comes after: the last of this project that is not under way any more. Headless runs
 * that ended are no work left behind, unless they take part (`resume.headless`); starts that nothing followed, and
 * silenced conversations, are none at all.
 * Null when there is none. `obstacle`: why a new conversation is not told of it all the same.
 */
export function findPrevious(
  paths: ProjectPaths,
  options: { except: readonly string[]; now: number; maxAgeHours: number; headless: boolean },
): (Previous & { obstacle: 'too old' | 'taken over' | null }) | null {
  const { now } = options;
  const wanted = (state: Conversation): boolean => {
    if (options.except.includes(state.session_id) || state.off) return false;
    // States of earlier versions do not say whether anything came.
    if (!state.active && state.last_seen === null) return false;
    return state.ended === null || !isHeadless(state.entrypoint) || options.headless;
  };
  const found = readStates(paths, { most: MOST, files: FILES, wanted })
    .map(({ state, mtimeMs }) => ({ state, at: lastSign(paths, state) ?? mtimeMs }))
    .sort((a, b) => b.at - a.at)
    .find((each) => !isGoingOn(each, now));
  if (found === undefined) return null;
  const isOld = now - found.at > options.maxAgeHours * 3_600_000;
  const isGone = isTaken(paths, found.state, now);
  return { ...found, obstacle: isOld ? 'too old' : isGone ? 'taken over' : null };
}
