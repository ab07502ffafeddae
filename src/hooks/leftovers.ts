// Has so much come together that something can go?
import type { Part } from '../model/outcome.ts';
import { namesIn } from '../platform/look.ts';
import { listCheckpoints } from '../store/checkpoint-files.ts';
import type { Call } from './look.ts';

/** Leftovers are looked for only where many have come together: the client waits for its starts and ends. */
const MOST_CLAIMS = 200;

/**
 * Removes what is kept for nothing, a bounded number at a time.
 * @param times how many times as much as is meant to stay may be there before anything is looked at
 */
export function retentionPart(call: Call, times: number): Part[] {
  const { paths, event, resolved } = call;
  const keep = resolved.settings['checkpoint.keep'];
  // This very moment may have written one more.
  const isDue =
    listCheckpoints(paths).length >= keep * times || namesIn(paths.claims).length > MOST_CLAIMS * times;
  const orchestration = resolved.settings['orchestration.path'];
  return isDue ? [{ name: 'retention', keep: [{ do: 'prune', keep, cwd: event.cwd, orchestration }] }] : [];
}
