// At which fills did this machine's client compact by itself? Kept per window in the user's state folder.
import { isNewer, NEWER } from '../model/version-order.ts';
import { withLock } from '../platform/lock.ts';
import { readJson, STATE } from '../platform/read.ts';
import { replaceFile } from '../platform/write.ts';
import { type Env, learnedPath } from './paths.ts';

const VERSION = '1.0.0';
const MOST = 25;

/** The version that a JSON file names; undefined where it names none or cannot be read. */
export function learnedVersion(path: string): unknown {
  try {
    return (readJson(path, STATE) as { schema_version?: unknown } | null | undefined)?.schema_version;
  } catch {
    return undefined;
  }
}

/** Fills at automatic compactions, in tokens, by window. Unreadable: none. */
export function readLearned(env: Env): Record<string, number[]> {
  try {
    const value = (readJson(learnedPath(env), STATE) ?? {}) as {
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
export function learnPoint(env: Env, key: string, tokens: number): void {
  const path = learnedPath(env);
  withLock(path, () => {
    if (isNewer(learnedVersion(path), VERSION)) throw new Error(`${NEWER}: "${path}"`);
    const points = readLearned(env);
    points[key] = [...(points[key] ?? []), tokens].slice(-MOST);
    replaceFile(path, `${JSON.stringify({ schema_version: VERSION, points })}\n`);
  });
}
