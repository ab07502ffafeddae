// How far is a plan? By the boxes of its lists, whoever wrote them; no metadata is believed.
import type { TaskState } from './entry.ts';
import { stateOfBox } from './read-entries.ts';
import type { TextLine } from './text-lines.ts';

export interface Box {
  state: TaskState;
  /** What stands behind it, by which one task is known in two places. */
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
export function boxesIn(lines: readonly TextLine[]): Box[] {
  return lines.flatMap(({ text, line }) => {
    const [, sign = '', rest = ''] = BOX.exec(text) ?? [];
    const state = sign === '' ? null : stateOfBox(sign);
    return state === null ? [] : [{ state, text: rest, line }];
  });
}

const ORDER: readonly TaskState[] = ['todo', 'blocked', 'doing', 'done'];

/** A task without its label and its id; null for any other box. */
const ownText = (text: string): string | null =>
  /^Task: +(?:\[T-\w+\] +)?(.*)$/.exec(text)?.[1]?.trim() ?? null;

/**
 * A `Task:` that stands in the author's list and again in our block is one task: the state that is further counts, since
 * either may have been changed last.
 */
export function progressOf(lines: readonly TextLine[]): Progress {
  const states: TaskState[] = [];
  const tasks = new Map<string, TaskState>();
  for (const { state, text } of boxesIn(lines)) {
    const own = ownText(text);
    if (own === null) states.push(state);
    else {
      const before = tasks.get(own) ?? 'todo';
      tasks.set(own, ORDER.indexOf(state) > ORDER.indexOf(before) ? state : before);
    }
  }
  states.push(...tasks.values());
  const count = (wanted: TaskState): number => states.filter((state) => state === wanted).length;
  return { total: states.length, done: count('done'), doing: count('doing'), blocked: count('blocked') };
}

export function statusOf({ total, done, doing }: Progress, isClosed: boolean): TrackStatus {
  if (isClosed) return 'closed';
  if (total === 0) return 'no plan';
  if (done === total) return 'done';
  return done + doing > 0 ? 'under way' : 'new';
}
