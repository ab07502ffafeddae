// Decides what a new session is told of the one before it: the whole handoff, one line that points to it, or nothing.

import type { CheckpointDraft } from '../compaction/checkpoint/checkpoint.ts';
import { openTasks } from '../compaction/work.ts';
import { isWorkedOn } from '../compaction/workflow/workflow.ts';
import type { SessionState } from '../sessions/session-state.ts';
import type { Settings } from '../settings/settings.ts';

// Picks the settings of the handoff to a new session.
export const readHandoffSettings = (settings: Settings): HandoffSettings => ({
  auto: settings['resume.auto'],
  headless: settings['resume.headless'],
  maxAgeHours: settings['resume.max_age_hours'],
});

/** Why the work of a session is not done. */
export type Unfinished = 'workflow' | 'tasks' | 'interrupted' | 'died';

export interface HandoffSettings {
  auto: 'unfinished' | 'always' | 'pointer' | 'off';
  /** Whether headless runs may take over. */
  headless: boolean;
  maxAgeHours: number;
}

export type HandoffStep = 'context' | 'pointer' | 'nothing';

/** A session that said nothing for so long, and of whose process nothing is known, is not alive. */
const SILENCE_MS = 30 * 60_000;

/** Whether a client runs without a person in front of it (`claude -p`, the SDK). */
export const isHeadless = (entrypoint: string | null | undefined): boolean => /^sdk/.test(entrypoint ?? '');

/**
 * Whether a session still goes on somewhere: its end has not come, and its process runs; where the client does
 * not name its process, the last sign of life is under 30 minutes old.
 *
 * @param at the last sign of life, in ms since the epoch
 * @param isRunning whether the noted process runs; null where none is noted
 */
export const isUnderWay = (
  state: Pick<SessionState, 'ended'>,
  { at, now, isRunning }: { at: number; now: number; isRunning: boolean | null },
): boolean => state.ended === null && (isRunning ?? now - at < SILENCE_MS);

/**
 * Why work is left in a session that is not under way; empty when it is finished. A workflow's section that is older
 * than a day, and than the session, is told as possibly outdated, and is no evidence of work.
 *
 * @param now in ms since the epoch
 */
export function findUnfinished(
  state: Pick<SessionState, 'ended'>,
  draft: Pick<CheckpointDraft, 'work' | 'orchestration_state'>,
  now: number,
): Unfinished[] {
  const { orchestration_state: workflow } = draft;
  const isPresent = workflow !== null && isWorkedOn(workflow, now);
  return [
    ...(isPresent ? (['workflow'] as const) : []),
    ...(openTasks(draft.work).length > 0 ? (['tasks'] as const) : []),
    ...(draft.work.turn_open ? (['interrupted'] as const) : []),
    ...(state.ended === null ? (['died'] as const) : []),
  ];
}

/**
 * What is due at the start of a session.
 *
 * @param because why the earlier session is unfinished
 */
export function decideHandoff(
  settings: HandoffSettings,
  start: { source: 'startup' | 'clear'; isHeadless: boolean },
  because: readonly Unfinished[],
): HandoffStep {
  if (settings.auto === 'off') return 'nothing';
  if (settings.auto === 'pointer' || (start.isHeadless && !settings.headless)) return 'pointer';
  if (settings.auto === 'always') return 'context';
  // After /clear somebody wanted a clean start: only a workflow that is under way is more than that.
  const counts = start.source === 'clear' ? because.includes('workflow') : because.length > 0;
  return counts ? 'context' : 'pointer';
}
