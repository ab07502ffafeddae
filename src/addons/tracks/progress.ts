// Measures the progress of a plan by the boxes of its lists, whoever wrote them; no metadata is believed.
import type { TaskState } from './entries/entry.ts';
import { stateOfBox } from './entries/read-entries.ts';
import type { TextLine } from './entries/text-lines.ts';

export interface Box {
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
    const state = sign === '' ? null : stateOfBox(sign);
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
