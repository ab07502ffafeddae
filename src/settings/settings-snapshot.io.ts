// Reads the saved snapshot of the resolved settings, and checks that it is current.

import { isUnchanged } from '../platform/look.ts';
import { readUntrusted, STATE_FILE } from '../platform/read.ts';
import { isMadeFrom, parseSettingsSnapshot, type Resolved } from './resolved.ts';

/**
 * The saved settings, if every file that they came from is unchanged; else null. Undefined means that a newer version
 * of ours wrote the snapshot, which is left alone. Never throws.
 * @param sources the files that settings come from here: a snapshot made from others, or naming none, is not used
 */
export function readSettingsSnapshot(path: string, sources: readonly string[]): Resolved | null | undefined {
  try {
    const resolved = parseSettingsSnapshot(readUntrusted(path, STATE_FILE));
    return resolved != null && !(isMadeFrom(resolved, sources) && resolved.stamps.every(isUnchanged))
      ? null
      : resolved;
  } catch {
    return null;
  }
}
