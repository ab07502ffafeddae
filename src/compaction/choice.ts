// Chooses of a ledger what is worth telling: the topic, the checks in use, the files read most, short names of files.
import type { Speaker } from '../hosts/entry.ts';
import type { CommandFact, FileFact, Ledger, LedgerRequest } from './ledger.ts';

const OWN: ReadonlySet<Speaker> = new Set<Speaker>(['person', 'queued', 'command']);

/** What the person said; nobody else's words have their authority. */
export const ownRequests = (ledger: Ledger): LedgerRequest[] =>
  ledger.requests.filter(({ by }) => OWN.has(by));

/** The latest request that gave work. */
export const topicOf = (ledger: Ledger): LedgerRequest | null =>
  ownRequests(ledger).findLast(({ kind }) => kind === 'goal' || kind === 'topic') ?? null;

export const hasFailed = ({ result, failingTests }: CommandFact): boolean =>
  result === 'failed' || failingTests.length > 0;

/** Checks that pass or whose result is unknown: the ones run most often first, of equals the latest. */
export function pickChecks({ checks }: Ledger): CommandFact[] {
  return checks
    .map((check, index) => ({ check, index }))
    .filter(({ check }) => !hasFailed(check))
    .sort((a, b) => b.check.runs - a.check.runs || b.index - a.index)
    .map(({ check }) => check);
}

/** Files that were only read: the ones read most often first, of equals the latest. */
export function pickRead({ files }: Ledger): FileFact[] {
  return files
    .map((file, index) => ({ file, index }))
    .filter(({ file }) => file.reads > 0 && file.writes === 0 && file.by === null && !file.deleted)
    .sort((a, b) => b.file.reads - a.file.reads || b.index - a.index)
    .map(({ file }) => file);
}

/** The last two parts of each path, where no other path ends alike; else the whole path. */
export function shortNames(paths: readonly string[]): Map<string, string> {
  const endOf = (path: string): string => path.split(/[\\/]/).slice(-2).join('/');
  const ends = new Map<string, number>();
  for (const path of new Set(paths)) ends.set(endOf(path), (ends.get(endOf(path)) ?? 0) + 1);
  return new Map(paths.map((path) => [path, ends.get(endOf(path)) === 1 ? endOf(path) : path]));
}
