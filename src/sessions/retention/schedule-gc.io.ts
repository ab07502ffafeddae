// Starts the retention run when enough checkpoints, sessions or claims have collected.

import { listCheckpoints } from '../../compaction/checkpoint/checkpoint-files.io.ts';
import type { Action } from '../../hook/action.ts';
import type { HookContext } from '../../hook/snapshot.io.ts';
import { listNames } from '../../platform/look.ts';

/** Retention runs only above these numbers, because the client waits for the hooks of a start and an end. */
const MOST_CLAIMS = 200;
const MOST_SESSIONS = 200;
/** Many sessions may all be young: a run is due again when so many more have come. */
const MORE_SESSIONS = 20;

/**
 * Removes files that are no longer needed, a bounded number at a time.
 * @param times how many times the intended number may exist before the run is due
 */
export function buildRetentionAction(hook: HookContext, times: number): Action[] {
  const { paths, event, resolved } = hook;
  const keep = resolved.settings['checkpoint.keep'];
  const sessions = listNames(paths.sessions).length;
  // This very event may have written one more.
  const isDue =
    listCheckpoints(paths).length >= keep * times ||
    (sessions > MOST_SESSIONS * times && sessions % MORE_SESSIONS === 0) ||
    listNames(paths.session(event.session).claims).length > MOST_CLAIMS * times;
  const orchestration = resolved.settings['orchestration.path'];
  return isDue
    ? [{ name: 'retention', effects: [{ do: 'prune', keep, cwd: event.cwd, orchestration }] }]
    : [];
}
