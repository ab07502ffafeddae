// Removes files that are no longer needed, each under its lock, and nothing else.
import { AGES, judgeStock, type Verdict } from '../model/retention.ts';
import { withLock } from '../platform/lock.ts';
import { stampOf } from '../platform/look.ts';
import { remove } from '../platform/write.ts';
import { listCheckpoints, removeCheckpoint, removeMarker } from './checkpoint-files.ts';
import { companionsOf, leftoversIn } from './leftovers.ts';
import { type Site, takeStock } from './stock.ts';

export interface Pruned {
  /** Everything that was examined, with the decision. */
  verdicts: Verdict[];
  /** Removals that failed. */
  failed: { name: string; error: string }[];
}

function removeOne({ paths, now }: Site, { kind, name }: Verdict): void {
  switch (kind) {
    case 'checkpoint':
      removeCheckpoint(paths, name);
      return;
    case 'marker':
      removeMarker(paths, name);
      return;
    case 'conversation':
      // The session may be continued at this very moment.
      withLock(name, () => {
        if (now - stampOf(name).mtimeMs <= AGES.conversation) return;
        for (const other of companionsOf(name)) remove(other);
        remove(name);
      });
      return;
    case 'stream':
      withLock(name, () => {
        if (now - stampOf(name).mtimeMs > AGES.stream) remove(name);
      });
      return;
    case 'lock':
      // A dead process's lock is taken over and released, so that a living process's lock is never removed.
      withLock(name.slice(0, -'.lock'.length), () => undefined);
      return;
    case 'claim':
    case 'companion':
    case 'temporary':
      remove(name);
  }
}

/** Removes everything that is to go, one by one. */
function removeAll(site: Site, verdicts: readonly Verdict[]): Pruned['failed'] {
  const failed: Pruned['failed'] = [];
  for (const each of verdicts.filter((verdict) => verdict.goes)) {
    try {
      removeOne(site, each);
    } catch (error) {
      failed.push({ name: each.name, error: error instanceof Error ? error.message : String(error) });
    }
  }
  return failed;
}

/** The most names to examine. */
const MOST_NAMES = 100_000;

/** Removes what dead processes left, and nothing that was saved on purpose. */
export function sweep(site: Site): { gone: Verdict[]; failed: Pruned['failed'] } {
  const leftovers = leftoversIn(site.paths, site.now, MOST_NAMES);
  const ids = listCheckpoints(site.paths);
  const stock = {
    ids,
    checkpoints: {},
    owners: {},
    conversations: [],
    streams: [],
    workflows: [],
    leftovers,
  };
  const gone = judgeStock(stock, ids.length, site.now).filter((each) => each.goes);
  return { gone, failed: removeAll(site, gone) };
}

/**
 * Removes files that are no longer needed. One that cannot be removed does not stop the others.
 * @param keep number of the newest checkpoints that stay
 * @param options.most number of checkpoints to examine, by default all
 * @param options.isDry decides without removing anything
 */
export function prune(site: Site, keep: number, options: { most?: number; isDry?: boolean } = {}): Pruned {
  const verdicts = judgeStock(
    takeStock(site, keep, options.most ?? Number.POSITIVE_INFINITY),
    keep,
    site.now,
  );
  return { verdicts, failed: options.isDry ? [] : removeAll(site, verdicts) };
}
