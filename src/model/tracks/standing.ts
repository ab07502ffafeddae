// Where does a track stand, by its plan, its decisions and its risks? What is said twice counts once.
import type { Decision, Entry, Risk, TaskState } from './entry.ts';
import { boxesIn } from './progress.ts';
import { readEntries } from './read-entries.ts';
import { textLines } from './text-lines.ts';

/** A task of the plan: an entry, or a box of somebody's list. */
export interface PlanTask {
  state: TaskState;
  id: string | null;
  text: string;
}

/** What is worked on first, what is done last. */
const ORDER: readonly TaskState[] = ['doing', 'blocked', 'todo', 'done'];
const FURTHER: readonly TaskState[] = ['todo', 'blocked', 'doing', 'done'];

/** Those that say the same are one, unless each has an id of its own; `merge` makes one of an earlier and a later one. */
function once<E extends { text: string; id: string | null }>(
  entries: readonly E[],
  merge: (before: E, later: E) => E,
): E[] {
  const found: E[] = [];
  for (const entry of entries) {
    const at = found.findIndex(
      ({ text, id }) => text === entry.text && (id === null || entry.id === null || id === entry.id),
    );
    const before = found[at];
    if (before === undefined) found.push(entry);
    else found[at] = { ...merge(before, entry), id: entry.id ?? before.id };
  }
  return found;
}
const later = <E>(_: E, entry: E): E => entry;

const isKind =
  <K extends Entry['kind']>(kind: K) =>
  (entry: Entry): entry is Extract<Entry, { kind: K }> =>
    entry.kind === kind;

/** All tasks of a plan, open ones first, else in its order. Of two that are the same the state that is further counts. */
export function planTasks(plan: string): PlanTask[] {
  const entries = readEntries('PLAN.md', plan).entries.filter(isKind('task'));
  const boxes = boxesIn(textLines(plan)).filter(
    ({ text }) => !/^(?:Task|Decision|Risk|Invariant):/.test(text),
  );
  const all: PlanTask[] = [
    ...entries.map(({ state, id, text }) => ({ state, id, text })),
    ...boxes.map(({ state, text }) => ({ state, id: null, text })),
  ];
  const further = (a: PlanTask, b: PlanTask): PlanTask =>
    FURTHER.indexOf(b.state) > FURTHER.indexOf(a.state) ? b : a;
  return once(all, further).sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
}

/** Decisions, the newest first; of equal or no time the one that stands last. */
export const decisionsIn = (text: string): Decision[] =>
  once(readEntries('DECISIONS.md', text).entries.filter(isKind('decision')), later)
    .reverse()
    .sort((a, b) => ((a.at ?? '') < (b.at ?? '') ? 1 : (a.at ?? '') > (b.at ?? '') ? -1 : 0));

/** Open risks that are high or critical, critical ones first. */
export const gravestRisks = (text: string): Risk[] =>
  once(readEntries('RISKS.md', text).entries.filter(isKind('risk')), later)
    .filter(({ severity, status }) => /^(?:high|critical)$/.test(severity) && status === 'open')
    .sort((a, b) => Number(b.severity === 'critical') - Number(a.severity === 'critical'));
