// Chooses from a ledger what is worth telling: topic, checks in use, files read for the work, short file names.
import type { Speaker } from '../hosts/entry.ts';
import { findChecks, onlyLooks } from './ledger/commands.ts';
import type { CommandFact, FileFact, Ledger, LedgerRequest, PastFailure } from './ledger/ledger.ts';
import { comparePlaces } from './ledger/ledger.ts';

const OWN: ReadonlySet<Speaker> = new Set<Speaker>(['person', 'queued', 'command']);

/** What the person said; nobody else's words have their authority. */
export const ownRequests = (ledger: Ledger): LedgerRequest[] =>
  ledger.requests.filter(({ by }) => OWN.has(by));

/** The latest request that gave work. */
export const findTopic = (ledger: Ledger): LedgerRequest | null =>
  ownRequests(ledger).findLast(({ kind }) => kind === 'goal' || kind === 'topic') ?? null;

const hasFailed = ({ result, failingTests }: CommandFact): boolean =>
  result === 'failed' || failingTests.length > 0;

/** A command that fails by itself and was left behind by so many others is given up. */
const RECENT = 2;

/** What fails now, the latest first: checks until they pass, other commands as long as they are recent. */
export function pickFailing({ checks, commands }: Ledger): CommandFact[] {
  const open = commands.filter(
    (each, index) => findChecks(each.command).length > 0 || commands.length - index <= RECENT,
  );
  return [...checks, ...open].filter(hasFailed).reverse();
}

/** A check of more words than these names one case of it: it runs until that passes, and no more. */
const CHECK_WORDS = 4;
const isGeneral = ({ command }: Pick<CommandFact, 'command'>): boolean =>
  command.split(' ').length <= CHECK_WORDS;

const rankByRuns = (facts: readonly CommandFact[]): CommandFact[] =>
  facts
    .map((fact, index) => ({ fact, index }))
    .sort((a, b) => b.fact.runs - a.fact.runs || b.index - a.index)
    .map(({ fact }) => fact);

/** So many checks are told that ran only once. */
const RUN_ONCE = 2;

/** The checks in use: those that ran again and again, the ones run most often first; where there are few, also the latest. */
export const pickChecks = ({ checks }: Ledger): CommandFact[] =>
  rankByRuns(checks.filter(isGeneral)).filter(({ runs }, index) => runs > 1 || index < RUN_ONCE);

/** How a check in use failed last, where nothing fails now: what was fixed last breaks again most easily. */
export function pickLastFailure({ checks, commands }: Ledger): PastFailure | null {
  const all = [...checks, ...commands];
  if (all.some(hasFailed)) return null;
  const failures = all
    .filter(({ command }) => findChecks(command).some((check) => isGeneral({ command: check })))
    .flatMap(({ lastFailure }) => lastFailure ?? []);
  return failures.sort((a, b) => comparePlaces(b, a))[0] ?? null;
}

/** A look at nothing in particular, as `git diff --stat`: anybody thinks of it. */
const looksAround = (command: string): boolean =>
  onlyLooks(command) && !/(?:^|\s)(?!-)\S*[/.:]\w/.test(command);

/** Commands that are no checks and ran more than once, the ones run most often first. */
export const pickOften = ({ commands }: Ledger): CommandFact[] =>
  rankByRuns(commands.filter((each) => each.runs > 1 && !hasFailed(each) && !looksAround(each.command)));

const hasChanged = ({ changed }: FileFact): boolean => changed !== null;

/** A file that was read so often is needed wherever the work stands. */
const OFTEN_READ = 4;

/**
 * Files that were only read, the latest first, and whether each serves the work at hand. What is changed now was preceded by
 * reading what it needs: those do that were read since the last change but one, or again and again.
 */
export function pickRead({ files }: Ledger): { file: FileFact; serves: boolean }[] {
  const changed = files.flatMap((file, index) => (hasChanged(file) ? [index] : []));
  const since = changed.at(-2) ?? -1;
  return files
    .map((file, index) => ({ file, serves: index > since || file.reads >= OFTEN_READ }))
    .filter(({ file }) => file.reads > 0 && !hasChanged(file) && !file.deleted)
    .reverse()
    .sort((a, b) => Number(b.serves) - Number(a.serves));
}

/** The last two parts of each path, where no other path ends alike; else the whole path. */
export function shortenNames(paths: readonly string[]): Map<string, string> {
  const endOf = (path: string): string => path.split(/[\\/]/).slice(-2).join('/');
  const ends = new Map<string, number>();
  for (const path of new Set(paths)) ends.set(endOf(path), (ends.get(endOf(path)) ?? 0) + 1);
  return new Map(paths.map((path) => [path, ends.get(endOf(path)) === 1 ? endOf(path) : path]));
}
