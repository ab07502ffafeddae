// Saves at which usages this machine's client compacted automatically, by window, in the user's state folder.

import { withLock } from '../platform/lock.ts';
import { type Env, findLearnedPath } from '../platform/project/paths.ts';
import { readJson, STATE_FILE } from '../platform/read.ts';
import { replaceFile } from '../platform/write.ts';
import { buildNewerFile } from '../text/plimsoll-error.ts';
import { isNewer } from '../text/version-order.ts';

const VERSION = '1.0.0';
const MOST = 25;

/** The version in a JSON file; undefined when it has none or cannot be read. */
export function readLearnedVersion(path: string): unknown {
  try {
    return (readJson(path, STATE_FILE) as { schema_version?: unknown } | null | undefined)?.schema_version;
  } catch {
    return undefined;
  }
}

/** Usages at automatic compactions, in tokens, by window; none when the file is unreadable. */
export function readLearned(env: Env): Record<string, number[]> {
  try {
    const value = (readJson(findLearnedPath(env), STATE_FILE) ?? {}) as {
      points?: Record<string, unknown>;
    };
    return Object.fromEntries(
      Object.entries(value.points ?? {}).map(([window, list]) => [
        window,
        (Array.isArray(list) ? list : []).filter((tokens): tokens is number => typeof tokens === 'number'),
      ]),
    );
  } catch {
    return {};
  }
}

/** @throws when a newer version wrote the file: it is left alone */
export function learnThreshold(env: Env, key: string, tokens: number): void {
  const path = findLearnedPath(env);
  withLock(path, () => {
    if (isNewer(readLearnedVersion(path), VERSION)) throw buildNewerFile(path);
    const points = readLearned(env);
    points[key] = [...(points[key] ?? []), tokens].slice(-MOST);
    replaceFile(path, `${JSON.stringify({ schema_version: VERSION, points })}\n`);
  });
}
