// How does what is kept for nothing go, without anything else going with it?
import { AGES, judgeStock, type Verdict } from '../model/retention.ts';
import { withLock } from '../platform/lock.ts';
import { stampOf } from '../platform/look.ts';
import { remove } from '../platform/write.ts';
import { listCheckpoints, removeCheckpoint, removeMarker } from './checkpoint-files.ts';
import { companionsOf, leftoversIn } from './leftovers.ts';
import { type Site, takeStock } from './stock.ts';

export interface Pruned {
  /** Everything that was looked at, and what was decided. */
  verdicts: Verdict[];
  /** What was to go and did not. */
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
      // Someone may go on with it at this very moment.
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
      // A dead one's lock is taken over and given back, so that nobody's living lock is removed in between.
      withLock(name.slice(0, -'.lock'.length), () => undefined);
      return;
    case 'claim':
    case 'companion':
    case 'temporary':
      remove(name);
  }
}

/** Removes what goes, one by one. */
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

/** Names looked at. */
const MOST_NAMES = 100_000;

/** Removes what dead processes left, and nothing that was kept on purpose. */
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
 * Removes what is kept for nothing any more. One thing that cannot be removed does not keep the others.
 * @param keep so many of the newest checkpoints stay
 * @param options.most checkpoints looked at; all unless given
 * @param options.isDry true to decide only
 */
export function prune(site: Site, keep: number, options: { most?: number; isDry?: boolean } = {}): Pruned {
  const verdicts = judgeStock(
    takeStock(site, keep, options.most ?? Number.POSITIVE_INFINITY),
    keep,
    site.now,
  );
  return { verdicts, failed: options.isDry ? [] : removeAll(site, verdicts) };
}
