// Applies one effect of a hook: writes what it asks to save to the disk.

import { applyInAddon, WORKFLOW } from '../addons/addon.ts';
import { learnThreshold } from '../context/learned-thresholds.io.ts';
import type { Env, ProjectPaths } from '../platform/project/paths.ts';
import { ensureStateFolder } from '../platform/project/state-folder.ts';
import { replaceFile } from '../platform/write.ts';
import { patchSessionState } from '../sessions/session-states.io.ts';
import type { Effect, EffectResults } from './action.ts';

/** The most checkpoints that a hook examines when it prunes. */
const MOST_IN_A_HOOK = 200;

/**
 * Applies one effect; the result is for the effects and messages after it.
 * Checkpoint code (hashing, canonical JSON) is loaded only when one is written.
 * @throws what the file system throws; the caller decides what still goes on
 */
export async function apply(
  keep: Effect,
  place: { paths: ProjectPaths; env: Env; now: number },
): Promise<Partial<EffectResults> | null> {
  const { paths, env, now } = place;
  switch (keep.do) {
    case 'patch-conversation':
      patchSessionState(paths, keep.conversation, keep.patch);
      return null;
    case 'save-ledger':
      ensureStateFolder(paths);
      replaceFile(paths.session(keep.conversation).ledger, keep.text);
      return null;
    case 'learn-point':
      learnThreshold(env, keep.key, keep.tokens);
      return null;
    case 'save-settings':
      ensureStateFolder(paths);
      replaceFile(paths.snapshot, keep.text);
      return null;
    case 'write-checkpoint': {
      const { writeCheckpoint } = await import('../compaction/checkpoint/checkpoint-store.io.ts');
      const { id, at } = writeCheckpoint(paths, keep.draft, now);
      return { checkpoint: { id, at } };
    }
    case 'merge-checkpoint': {
      const merged = await WORKFLOW?.merge(paths, keep.checkpoint);
      return merged == null ? null : { merged };
    }
    case 'prune': {
      const { prune } = await import('../sessions/retention/remove-old.io.ts');
      const { failed } = prune({ paths, now, cwd: keep.cwd, orchestration: keep.orchestration }, keep.keep, {
        most: MOST_IN_A_HOOK,
      });
      if (failed[0]) throw new Error(`Cannot remove "${failed[0].name}": ${failed[0].error}`);
      return null;
    }
    case 'note-rise':
    case 'note-violations':
      return null;
    case 'apply-in-addon':
      await applyInAddon(keep, paths);
      return null;
    case 'append-events':
      (await import('../sessions/record.io.ts')).recordEvents(paths, keep, now);
      return null;
    case 'acknowledge': {
      const { acknowledge } = await import('../compaction/checkpoint/checkpoint-files.io.ts');
      acknowledge(paths, keep.conversation, keep.checkpoint, keep.evidence, now);
      return null;
    }
  }
}
