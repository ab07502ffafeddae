// Finds who reads the transcripts of a thread of work: several hosts may have worked on it, one after the other.

import type { EntryReader } from '../../hosts/entry.ts';
import type { Host } from '../../hosts/host.ts';
import { loadHost } from '../../hosts/load-host.io.ts';
import type { ProjectPaths } from '../../platform/project/paths.ts';
import { readSessionState } from '../../sessions/session-states.io.ts';
import { LONGEST_CHAIN, predecessorOf, type ThreadSource } from './thread.io.ts';

/** Name of the host in which a session ran; null where that is not known. */
export function readHostName(paths: ProjectPaths, session_id: string): string | null {
  try {
    return readSessionState(paths, session_id)?.host ?? null;
  } catch {
    return null;
  }
}

/** Where the thread of a session is read from in a hook: of the sessions before it, another host may have written some. */
export async function openThread(host: Host, paths: ProjectPaths, session_id: string): Promise<ThreadSource> {
  const others = new Map<string, EntryReader>();
  const seen: string[] = [];
  for (let id: string | undefined = session_id; id !== undefined && !seen.includes(id); ) {
    seen.push(id);
    const by = await loadHost(host, readHostName(paths, id));
    if (by !== host) others.set(id, by.entries);
    id = seen.length > LONGEST_CHAIN ? undefined : predecessorOf(paths, id)?.id;
  }
  return { readerOf: (id) => others.get(id) ?? host.entries, paths };
}
