// Summarises a track: the boxes and tasks of its plan, its progress, decisions and gravest risks.
import { isUnsaid } from './checks/sections.ts';
import { findBlock } from './entries/block.ts';
import type { DecisionEntry, RiskEntry, TaskState, TrackEntry } from './entries/entry.ts';
import { isHeading, listTextLines, splitSections, type TextLine } from './entries/markdown.ts';
import { parseBox, parseEntries } from './entries/read-entries.ts';

/** A task of the plan: an entry, or a box of somebody's list. */
export interface PlanTask {
  state: TaskState;
  id: string | null;
  text: string;
}

/** What is worked on first, what is done last. */
const ORDER: readonly TaskState[] = ['doing', 'blocked', 'todo', 'done'];
const FURTHER: readonly TaskState[] = ['todo', 'blocked', 'doing', 'done'];

/** Those that say the same are one, the later one, unless each has an id of its own. */
function once<E extends { text: string; id: string | null }>(entries: readonly E[]): E[] {
  const found: E[] = [];
  for (const entry of entries) {
    const at = found.findIndex(
      ({ text, id }) => text === entry.text && (id === null || entry.id === null || id === entry.id),
    );
    const before = found[at];
    if (before === undefined) found.push(entry);
    else found[at] = { ...entry, id: entry.id ?? before.id };
  }
  return found;
}

const isKind =
  <K extends TrackEntry['kind']>(kind: K) =>
  (entry: TrackEntry): entry is Extract<TrackEntry, { kind: K }> =>
    entry.kind === kind;

interface Placed extends PlanTask {
  line: number;
}

/** Every task of a plan, as often as it stands there. A box that the schema does not take is a task all the same. */
function placedTasks(plan: string): Placed[] {
  const entries = parseEntries('PLAN.md', plan).entries.filter(isKind('task'));
  const known = new Set(entries.map(({ source }) => source.line));
  const boxes = readBoxes(listTextLines(plan)).filter(
    ({ text, line }) => !known.has(line) && !/^(?:Decision|Risk|Invariant):/.test(text),
  );
  return [
    ...entries.map(({ state, id, text, source }) => ({ state, id, text, line: source.line })),
    ...boxes.map(({ state, text, line }) => ({ state, id: null, text: text.replace(/^Task: +/, ''), line })),
  ].sort((a, b) => a.line - b.line);
}

const isSame = (a: PlanTask, b: PlanTask): boolean =>
  a.id !== null && b.id !== null ? a.id === b.id : a.text === b.text;

/**
 * All tasks of a plan, open ones first, else in its order. One that stands in the author's list and again in our block is
 * one task: the state that is further counts, since either may have been changed last. What an author wrote twice, as in
 * two phases, is two.
 */
export function listPlanTasks(plan: string): PlanTask[] {
  const { block } = findBlock('PLAN.md', plan);
  const end = block === null ? 0 : block.line + block.text.split('\n').length - 1;
  const isOurs = ({ line }: Placed): boolean => block !== null && line >= block.line && line < end;
  const all = placedTasks(plan);
  const tasks: PlanTask[] = all.filter((each) => !isOurs(each));
  const met = new Set<PlanTask>();
  for (const ours of all.filter(isOurs)) {
    const one = tasks.find((each) => !met.has(each) && isSame(each, ours));
    const isFurther = one === undefined || FURTHER.indexOf(ours.state) > FURTHER.indexOf(one.state);
    const task = { ...ours, state: isFurther ? ours.state : one.state };
    met.add(task);
    if (one === undefined) tasks.push(task);
    else tasks[tasks.indexOf(one)] = task;
  }
  return tasks
    .map(({ state, id, text }) => ({ state, id, text }))
    .sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
}

/** A line that says something: no heading, no rule, no table, no empty item. */
const says = ({ text }: TextLine): boolean => /\p{L}/u.test(text) && !isHeading(text) && !/^\s*\|/.test(text);

/** A line without what marks it as an item or as strong. */
const bare = ({ text }: TextLine): string =>
  text
    .trim()
    .replace(/^(?:[-*+]|\d+[.)]|>)\s+/, '')
    .replace(/\*\*|__/g, '');

/** The first words of a document below its title: what it holds; null where it says nothing. */
export function readFirstWords(text: string): string | null {
  const line = listTextLines(text.slice(0, 8_000)).find(says);
  return line === undefined ? null : bare(line);
}

const GOAL = /\b(?:goals?|aims?|objectives?|purpose)\b/i;
const NO_GOAL = /\bnon-?\s?goals?\b/i;

/** The first paragraph of a specification's goal; null where there is none, or it is still to be written. */
export function readGoal(spec: string): string | null {
  const lines = listTextLines(spec);
  const section = splitSections(lines).find(({ title }) => GOAL.test(title) && !NO_GOAL.test(title));
  const own = section?.lines ?? [];
  const from = own.findIndex(says);
  const length = own.slice(from + 1).findIndex((each) => !says(each));
  const label = lines.find(({ text }) => /^\W*(?:goals?|aim|objective)\W*:/i.test(text));
  const words =
    from >= 0
      ? own.slice(from, length < 0 ? own.length : from + 1 + length)
      : label === undefined
        ? []
        : [{ ...label, text: label.text.replace(/^[^:]*:/, '') }];
  const goal = words.map(bare).join(' ').trim();
  return goal === '' || isUnsaid(goal) ? null : goal;
}

/** Decisions, the newest first; of equal or no time the one that stands last. */
export const listTrackDecisions = (text: string): DecisionEntry[] =>
  once(parseEntries('DECISIONS.md', text).entries.filter(isKind('decision')))
    .reverse()
    .sort((a, b) => ((a.at ?? '') < (b.at ?? '') ? 1 : (a.at ?? '') > (b.at ?? '') ? -1 : 0));

/** Open risks that are high or critical, critical ones first. */
export const listGravestRisks = (text: string): RiskEntry[] =>
  once(parseEntries('RISKS.md', text).entries.filter(isKind('risk')))
    .filter(({ severity, status }) => /^(?:high|critical)$/.test(severity) && status === 'open')
    .sort((a, b) => Number(b.severity === 'critical') - Number(a.severity === 'critical'));

interface Box {
  state: TaskState;
  /** What stands behind it. */
  text: string;
  line: number;
}

export type TrackStatus = 'closed' | 'done' | 'under way' | 'new' | 'no plan';

/** Numbers of tasks. */
export interface Progress {
  total: number;
  done: number;
  doing: number;
  blocked: number;
}

const BOX = /^\s*(?:[-*+]|\d+[.)]) +\[(.)\] +(.*)$/;

/** All boxes of lists: `[ ]`, `[x]`, `[~]`, `[!]`; other signs are none of them. */
export function readBoxes(lines: readonly TextLine[]): Box[] {
  return lines.flatMap(({ text, line }) => {
    const [, sign = '', rest = ''] = BOX.exec(text) ?? [];
    const state = sign === '' ? null : parseBox(sign);
    return state === null ? [] : [{ state, text: rest, line }];
  });
}

/** How many tasks there are, and how many in which state. */
export function countProgress(tasks: readonly { state: TaskState }[]): Progress {
  const count = (wanted: TaskState): number => tasks.filter(({ state }) => state === wanted).length;
  return { total: tasks.length, done: count('done'), doing: count('doing'), blocked: count('blocked') };
}

export function findTrackStatus({ total, done, doing }: Progress, isClosed: boolean): TrackStatus {
  if (isClosed) return 'closed';
  if (total === 0) return 'no plan';
  if (done === total) return 'done';
  return done + doing > 0 ? 'under way' : 'new';
}
