// Saves what was seen of this machine's client in the user's state folder: usages at automatic compactions, and right after any.

import { withLock } from '../platform/lock.ts';
import { type Env, findLearnedPath } from '../platform/project/paths.ts';
import { readJson, STATE_FILE } from '../platform/read.ts';
import { replaceFile } from '../platform/write.ts';
import { buildNewerFile } from '../text/plimsoll-error.ts';
import { isNewer } from '../text/version-order.ts';
import { type Learned, listLearned } from './learned.ts';

const VERSION = '1.1.0';
const MOST = 25;

/** The version in a JSON file; undefined when it has none or cannot be read. */
export function readLearnedVersion(path: string): unknown {
  try {
    return (readJson(path, STATE_FILE) as { schema_version?: unknown } | null | undefined)?.schema_version;
  } catch {
    return undefined;
  }
}

/** What was learned so far; nothing when the file is unreadable. */
export function readLearned(env: Env): Learned {
  try {
    return listLearned(readJson(findLearnedPath(env), STATE_FILE));
  } catch {
    return listLearned(null);
  }
}

/** Changes what was learned. @throws when a newer version wrote the file: it is left alone */
function changeLearned(env: Env, change: (learned: Learned) => void): void {
  const path = findLearnedPath(env);
  withLock(path, () => {
    if (isNewer(readLearnedVersion(path), VERSION)) throw buildNewerFile(path);
    const learned = readLearned(env);
    change(learned);
    replaceFile(path, `${JSON.stringify({ schema_version: VERSION, ...learned })}\n`);
  });
}

/** Notes a usage that was seen. @throws when a newer version wrote the file */
export const learnTokens = (env: Env, kind: keyof Learned, key: string, tokens: number): void =>
  changeLearned(env, (learned) => {
    learned[kind][key] = [...(learned[kind][key] ?? []), tokens].slice(-MOST);
  });

/**
 * Adds sizes after past compactions to those that hooks have noted, before them and each once: doing it again changes nothing.
 * @returns how many were new
 */
export function learnPastSizes(env: Env, sizes: Learned['sizes']): number {
  let added = 0;
  changeLearned(env, (learned) => {
    for (const [window, past] of Object.entries(sizes)) {
      const known = learned.sizes[window] ?? [];
      const left = [...known];
      const fresh = past.filter((tokens) => {
        const at = left.indexOf(tokens);
        if (at >= 0) left.splice(at, 1);
        return at < 0;
      });
      const room = MOST - known.length;
      const taken = room > 0 ? fresh.slice(-room) : [];
      learned.sizes[window] = [...taken, ...known];
      added += taken.length;
    }
  });
  return added;
}
