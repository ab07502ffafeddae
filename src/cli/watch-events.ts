// Reads the events since the last look for `plimsoll watch`; streams that have not changed are not read again.
import type { LoggedEvent } from '../model/log-event.ts';
import { stampOf } from '../platform/look.ts';
import { listStreams, readEvents } from '../store/events.ts';
import { streamPath } from '../store/paths.ts';
import type { Place } from './place.ts';

/** How far each stream was read: its last version, and size and time of its file then. */
export type Seen = ReadonlyMap<string, { version: number; stamp: string }>;

export interface Happened {
  events: LoggedEvent[];
  seen: Seen;
}

const stampFor = (path: string): string => {
  const { size, mtimeMs } = stampOf(path);
  return `${size}@${mtimeMs}`;
};

/** Returns the events after those seen, in order of time. A stream that cannot be read is tried again next time. */
export function eventsSince(place: Place, seen: Seen): Happened {
  const now = new Map(seen);
  const events: LoggedEvent[] = [];
  for (const stream of listStreams(place.paths)) {
    const known = seen.get(stream);
    const stamp = stampFor(streamPath(place.paths, stream));
    if (known?.stamp === stamp) continue;
    const read = readEvents(place.paths, stream);
    if (read.problems.some(({ line }) => line === null)) continue;
    const version = known?.version ?? 0;
    // A lower version means that the stream was removed and began anew.
    const isNew = read.version < version;
    events.push(...read.events.filter((event) => isNew || event.version > version));
    now.set(stream, { version: read.version, stamp });
  }
  return { events: events.sort((a, b) => a.at.localeCompare(b.at)), seen: now };
}
