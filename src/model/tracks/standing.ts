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

/** Those that say the same are one: the later one, with the id that any of them has. */
function once<E extends { text: string; id: string | null }>(entries: readonly E[]): E[] {
  const found = new Map<string, E>();
  for (const entry of entries)
    found.set(entry.text, { ...entry, id: entry.id ?? found.get(entry.text)?.id ?? null });
  return [...found.values()];
}

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
  const tasks = new Map<string, PlanTask>();
  for (const { state, id, text } of [...entries, ...boxes.map((box) => ({ ...box, id: null }))]) {
    const before = tasks.get(text);
    const isFurther = before === undefined || FURTHER.indexOf(state) > FURTHER.indexOf(before.state);
    tasks.set(text, { text, id: id ?? before?.id ?? null, state: isFurther ? state : before.state });
  }
  return [...tasks.values()].sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
}

/** Decisions, the newest first; of equal or no time the one that stands last. */
export const decisionsIn = (text: string): Decision[] =>
  once(readEntries('DECISIONS.md', text).entries.filter(isKind('decision')))
    .reverse()
    .sort((a, b) => ((a.at ?? '') < (b.at ?? '') ? 1 : (a.at ?? '') > (b.at ?? '') ? -1 : 0));

/** Open risks that are high or critical, critical ones first. */
export const gravestRisks = (text: string): Risk[] =>
  once(readEntries('RISKS.md', text).entries.filter(isKind('risk')))
    .filter(({ severity, status }) => /^(?:high|critical)$/.test(severity) && status === 'open')
    .sort((a, b) => Number(b.severity === 'critical') - Number(a.severity === 'critical'));
