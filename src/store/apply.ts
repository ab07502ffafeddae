// How does what a hook asked to keep get onto the disk?
import { dirname } from 'node:path';
import type { Keep } from '../model/outcome.ts';
import { ensureStateFolder, replaceFile } from './atomic.ts';
import { acknowledge } from './checkpoint-files.ts';
import { patchConversation } from './conversations.ts';
import { learnPoint } from './learned.ts';
import type { Env, ProjectPaths } from './paths.ts';

/**
 * Performs one effect; a written checkpoint's id and time come back.
 * Checkpoint code (hashing, canonical JSON) is loaded only when one is written.
 * @throws what the file system throws; the caller decides what still goes on
 */
export async function apply(
  keep: Keep,
  place: { paths: ProjectPaths; env: Env; now: number },
): Promise<{ id: string; at: string } | null> {
  const { paths, env, now } = place;
  switch (keep.do) {
    case 'patch-conversation':
      patchConversation(paths, keep.conversation, keep.patch);
      return null;
    case 'learn-point':
      learnPoint(env, keep.key, keep.tokens);
      return null;
    case 'save-settings':
      ensureStateFolder(dirname(paths.snapshot));
      replaceFile(paths.snapshot, keep.text);
      return null;
    case 'write-checkpoint': {
      const { writeCheckpoint } = await import('./checkpoints.ts');
      const { id, at } = writeCheckpoint(paths, keep.draft, now);
      return { id, at };
    }
    case 'acknowledge':
      acknowledge(paths, keep.conversation, keep.checkpoint, keep.evidence, now);
      return null;
  }
}
