// At which fills did this machine's client compact by itself? Kept per window in the user's state folder.
import { isNewer, NEWER } from '../model/version-order.ts';
import { replaceFile } from '../platform/write.ts';
import { readText, versionIn } from './files.ts';
import { withLock } from './lock.ts';
import { type Env, learnedPath } from './paths.ts';

const VERSION = '1.0.0';
const MOST = 25;

/** Fills at automatic compactions, in tokens, by window. Unreadable: none. */
export function readLearned(env: Env): Record<string, number[]> {
  try {
    const value = JSON.parse(readText(learnedPath(env)) ?? '{}') as {
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
    if (isNewer(versionIn(path), VERSION)) throw new Error(`${NEWER}: "${path}"`);
    const points = readLearned(env);
    points[key] = [...(points[key] ?? []), tokens].slice(-MOST);
    replaceFile(path, `${JSON.stringify({ schema_version: VERSION, points })}\n`);
  });
}
