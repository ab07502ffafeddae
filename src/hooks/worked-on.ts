// Is a track worked on, of which it is kept what a conversation does?
import { activeTrack, pinnedTrack } from '../store/tracks.ts';
import type { Call } from './look.ts';

/** The track whose work is noted; null where none is active, or nothing is to be noted. */
export function trackWorkedOn({
  paths,
  event,
  env,
  resolved,
}: Pick<Call, 'paths' | 'event' | 'env' | 'resolved'>): string | null {
  if (paths.root === null || !resolved.settings['tracks.capture']) return null;
  return activeTrack(paths.root, env, pinnedTrack(paths, event.conversation)).track;
}
