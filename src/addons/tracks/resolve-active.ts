// Resolves the active track: environment, session and pointer file are asked in this order, the first name counts.
import { ACTIVE_TRACK, isTrackId, trackFolder } from './layout.ts';

export type ActiveTrack =
  | { track: string; from: 'env' | 'session' | 'pointer' }
  /** `fault`: what is named and cannot be taken, with the next step; null where nothing is named. */
  | { track: null; fault: string | null };

/** Texts that may name a track, as they were found; null or empty where there is none. */
export interface Named {
  /** `PLIMSOLL_TRACK`. */
  env: string | null;
  /** What is pinned to the session. */
  pinned: string | null;
  /** Text of ACTIVE_TRACK. */
  pointer: string | null;
}

const WORDS = {
  env: 'PLIMSOLL_TRACK',
  session: 'The track that is pinned to this session',
  pointer: ACTIVE_TRACK,
} as const;

/** A text from outside, short enough for a sentence and without what could end its line. */
const quoted = (text: string): string =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text).replace(/[<>]/g, '?');

/** The first line, without the blanks around it; a file may begin with a byte order mark. */
const firstLine = (text: string): string => (text.replace(/^\uFEFF/, '').split(/\r?\n/, 1)[0] ?? '').trim();

/**
 * The one that is named first counts, also where it is of no use: another track than the one that is meant is never taken.
 *
 * @param hasFolder whether a track of that id has a folder
 */
export function resolveActiveTrack(named: Named, hasFolder: (track: string) => boolean): ActiveTrack {
  const given = [
    ['env', named.env],
    ['session', named.pinned],
    ['pointer', named.pointer],
  ] as const;
  for (const [from, text] of given) {
    const track = firstLine(text ?? '');
    if (track === '') continue;
    if (!isTrackId(track))
      return {
        track: null,
        fault: `${WORDS[from]} holds ${quoted(track)}, which is no id of a track: run plimsoll track activate ID`,
      };
    if (!hasFolder(track))
      return {
        track: null,
        fault: `${WORDS[from]} names the track ${track}, but there is no folder ${trackFolder(track)}: run plimsoll track new ${track}, or plimsoll track activate ID`,
      };
    return { track, from };
  }
  return { track: null, fault: null };
}
