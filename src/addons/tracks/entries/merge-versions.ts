// Makes one of two versions of an entry, field by field, as a merge of branches leaves them: nobody's words are lost.
import { FIELDS, RISK_STATES, SEVERITIES, TASK_STATES, type TrackEntry } from './entry.ts';
import {
  byUnits,
  digestStatement,
  formatEntryFile,
  type Hash,
  nameEntry,
  type StoredEntry,
  statusOf,
} from './entry-file.ts';

interface MergedVersions {
  merged: StoredEntry;
  /** A sentence for each field of which one of two values had to yield. */
  notes: string[];
}

const lastTime = ({ changed, entry }: StoredEntry): string => changed ?? entry.at ?? '';

const byText = (a: StoredEntry, b: StoredEntry): number => byUnits(formatEntryFile(a), formatEntryFile(b));

const fieldOf = ({ entry }: StoredEntry, name: string): string | null =>
  (entry as unknown as Partial<Record<string, string | null>>)[name] ?? null;

/** A version as it was last said, which its digest proves; null where more than a status or a field was changed since. */
function findSaid(version: StoredEntry, hash: Hash): StoredEntry | null {
  const { entry, said } = version;
  const asSaid: TrackEntry[] =
    entry.kind === 'task'
      ? TASK_STATES.map((state) => ({ ...entry, state }))
      : entry.kind === 'risk'
        ? RISK_STATES.flatMap((status) =>
            SEVERITIES.flatMap((severity) =>
              [entry.mitigation, null].map((mitigation) => ({ ...entry, status, severity, mitigation })),
            ),
          )
        : [];
  const at = lastTime(version) || null;
  const found = asSaid.find((each) =>
    [null, entry.id].some((id) => digestStatement({ ...each, id, at }, hash) === said),
  );
  return found === undefined ? null : { ...version, isDropped: false, entry: { ...found, id: entry.id } };
}

/** Whether the text of an entry is that of which its file's name is made. */
export function hasFirstText(track: string, { entry, path }: StoredEntry, hash: Hash): boolean {
  return [null, entry.id].some((id) => nameEntry(track, { ...entry, id }, hash).path === path);
}

/** Words below an entry, of both: what they have in common at their ends once, and between that what each has. */
function mergeRests(a: string, b: string): string {
  if (a.includes(b)) return a;
  if (b.includes(a)) return b;
  const [ours, theirs] = [a.trimEnd().split('\n'), b.trimEnd().split('\n')];
  const most = Math.min(ours.length, theirs.length);
  let head = 0;
  while (head < most && ours[head] === theirs[head]) head++;
  let tail = 0;
  while (tail < most - head && ours.at(-1 - tail) === theirs.at(-1 - tail)) tail++;
  const between = (lines: string[]): string[] => lines.slice(head, lines.length - tail);
  const [own, others] = [between(ours), between(theirs)];
  const gap = own.length === 0 || others.length === 0 || own.at(-1) === '' || others[0] === '' ? [] : [''];
  const both = [...own, ...gap, ...others];
  return `${[...ours.slice(0, head), ...both, ...ours.slice(ours.length - tail)].join('\n')}\n`;
}

/**
 * One of two versions of an entry. What only one of them has stays. Where they differ, what a person set in the file
 * stands before what was noted, and else what was said later; words that yield stand below the entry.
 */
export function mergeVersions(track: string, a: StoredEntry, b: StoredEntry, hash: Hash): MergedVersions {
  const isAFirst = (byUnits(a.entry.at ?? '~', b.entry.at ?? '~') || byText(a, b)) <= 0;
  const isALast = (-byUnits(lastTime(a), lastTime(b)) || byText(a, b)) <= 0;
  const [first, second] = isAFirst ? [a, b] : [b, a];
  const [last, before] = isALast ? [a, b] : [b, a];
  const notes: string[] = [];
  const yielded: string[] = [];
  const isByHand = (version: StoredEntry, name: string): boolean => {
    if (name === 'text') return !hasFirstText(track, version, hash);
    if (name === 'status' && version.isDropped) return true;
    const said = findSaid(version, hash);
    if (said === null) return false;
    return name === 'status'
      ? statusOf(said) !== statusOf(version)
      : fieldOf(said, name) !== fieldOf(version, name);
  };
  const choose = (name: string, of: (version: StoredEntry) => string | null): string | null => {
    const [old, now] = [of(before), of(last)];
    if (old === now || old === null || now === null) return now ?? old;
    const isOldKept = isByHand(before, name) && !isByHand(last, name);
    const [taken, left] = isOldKept ? [old, now] : [now, old];
    const isWord = name === 'status' || name === 'severity';
    if (!isWord) yielded.push(`The ${name} of the other branch: ${left}`);
    const why = isOldKept ? 'which was set in its file' : 'which was said later';
    notes.push(
      `${last.path}: two branches set its ${name}. "${taken}", ${why}, stands, and not "${left}"${isWord ? '' : ', which stands below it'}`,
    );
    return taken;
  };
  const status = choose('status', statusOf);
  const isDropped = status === 'dropped';
  const { kind } = last.entry;
  const own = FIELDS[kind].flatMap(({ name, isList }) =>
    isList || ['status', 'state', 'at', 'transcript', 'track'].includes(name) ? [] : [name],
  );
  const fields = ['text', ...own].map((name) => [name, choose(name, (each) => fieldOf(each, name))]);
  const state = isDropped || status === null ? {} : { [kind === 'task' ? 'state' : 'status']: status };
  const criteria = ({ entry }: StoredEntry): readonly string[] =>
    entry.kind === 'task' ? entry.acceptance : [];
  const lists = kind === 'task' ? { acceptance: [...new Set([first, second].flatMap(criteria))] } : {};
  const rest = mergeRests(before.rest, last.rest);
  const below = yielded.filter((line) => !rest.includes(line)).map((line) => `${line}\n`);
  return {
    merged: {
      ...last,
      isDropped,
      changed: last === first ? last.changed : (last.changed ?? last.entry.at),
      session: first.session ?? second.session,
      origin: first.origin ?? second.origin,
      said: last.said ?? before.said,
      also: [...new Set([...first.also, ...second.also])].sort(),
      entry: {
        ...last.entry,
        ...Object.fromEntries(fields),
        ...state,
        ...lists,
        at: first.entry.at ?? second.entry.at,
        transcript: first.entry.transcript ?? second.entry.transcript,
      } as StoredEntry['entry'],
      rest: [rest, ...below].filter((each) => each !== '').join('\n'),
    },
    notes,
  };
}
