// The quality gates: what is planned and budgeted, and how an iteration, a score, a pass or a failure changes them.

import { quoteShellWord } from '../../../text/escape.ts';
import { type Data, type DataMap, isMap, own } from '../../../text/json.ts';
import {
  listBelow,
  mapBelow,
  readNumber,
  readRecoveryField,
  readScalarText,
  readSection,
  refuseChange,
  SECTION,
  withRecovery,
  withSection,
} from './section.ts';

const FIELD = 'quality_trajectory';

/** What a section says of gates before there is one. */
export const EMPTY_GATES: DataMap = {
  gates_completed: [],
  gates_remaining: [],
  current_gate: null,
  current_gate_iteration: null,
  score_history: {},
  lowest_dimension: null,
  total_iterations_used: 0,
};

/** The name of a gate, whether an entry is the name itself or a map that holds it. */
export const findGateName = (entry: Data): string | null => {
  const name = isMap(entry) ? (entry.id ?? entry.gate ?? entry.name ?? null) : entry;
  return typeof name === 'string' || typeof name === 'number' ? String(name) : null;
};

const isGate =
  (gate: string) =>
  (entry: Data): boolean =>
    findGateName(entry)?.toLowerCase() === gate.toLowerCase();

/** The scores of a gate, iteration by iteration; one number counts as one. */
export function readScores(quality: DataMap, gate: string): number[] {
  const history = quality.score_history;
  const entries = isMap(history) ? Object.entries(history) : [];
  const found: Data = entries.find(([name]) => name.toLowerCase() === gate.toLowerCase())?.[1] ?? [];
  const list = Array.isArray(found) ? found : [found];
  return list.flatMap((each) => {
    const score = isMap(each) ? each.score : each;
    return typeof score === 'number' ? [score] : [];
  });
}

interface Gate {
  section: DataMap;
  quality: DataMap;
  completed: Data[];
  remaining: Data[];
  history: DataMap;
  /** As the file writes it. */
  name: string;
  /** Its key among the scores, which may be written otherwise. */
  scored: string;
  /** The one in progress, or null. */
  current: string | null;
}

function open(top: DataMap, given: string): Gate {
  const section = readSection(top);
  const isNew = (section[FIELD] ?? null) === null;
  const quality = isNew ? EMPTY_GATES : mapBelow(section, FIELD);
  const completed = listBelow(quality, [FIELD, 'gates_completed']);
  const remaining = listBelow(quality, [FIELD, 'gates_remaining']);
  const history = mapBelow({ [FIELD]: quality }, FIELD, 'score_history');
  const current = findGateName(quality.current_gate ?? null);
  const named = [...completed, ...remaining, ...Object.keys(history), current];
  const name = findGateName(named.find(isGate(given)) ?? given) ?? given;
  const scored = Object.keys(history).find(isGate(given)) ?? name;
  return { section, quality, completed, remaining, history, name, scored, current };
}

/** How many iterations all gates took together. */
const iterationsIn = (history: DataMap): number =>
  Object.keys(history).reduce((sum, gate) => sum + readScores({ score_history: history }, gate).length, 0);

function close(top: DataMap, gate: Gate, fields: DataMap, activity: string | null): DataMap {
  const { section, quality, history } = gate;
  const changed: DataMap = { ...quality, ...fields };
  if (isMap(fields.score_history)) {
    // What people counted by their own rules goes on from there.
    const used =
      typeof quality.total_iterations_used === 'number'
        ? quality.total_iterations_used
        : iterationsIn(history);
    changed.total_iterations_used = used + iterationsIn(fields.score_history) - iterationsIn(history);
  }
  const next = { ...section, [FIELD]: changed };
  return withSection(top, activity === null ? next : withRecovery(next, { current_activity: activity }));
}

function checkFree({ current, name }: Gate): void {
  if (current === null || isGate(name)(current)) return;
  throw refuseChange(
    `Gate ${current} is in progress`,
    [SECTION, FIELD, 'current_gate'],
    `plimsoll state gate pass ${quoteShellWord(current)} or plimsoll state gate fail ${quoteShellWord(current)} first`,
  );
}

/** The fields of a gate whose iteration goes on. */
const inProgress = ({ name, completed, remaining }: Gate, iteration: number): DataMap => ({
  gates_completed: completed.filter((each) => !isGate(name)(each)),
  gates_remaining: remaining.some(isGate(name)) ? remaining : [...remaining, name],
  current_gate: name,
  current_gate_iteration: iteration,
});

/** How many iterations are used, and how many there may be; null where nobody has set a budget. */
export function readBudget(top: DataMap): { used: number; budget: number | null } {
  const quality = mapBelow(readSection(top), FIELD);
  const used = readNumber(quality.total_iterations_used) ?? iterationsIn(mapBelow(quality, 'score_history'));
  return { used, budget: readNumber(quality.total_iterations_budget) };
}

/** Sets how many iterations all gates may take together. */
export function setBudget(top: DataMap, budget: number): DataMap {
  const section = readSection(top);
  const quality = (section[FIELD] ?? null) === null ? EMPTY_GATES : mapBelow(section, FIELD);
  return withSection(top, { ...section, [FIELD]: { ...quality, total_iterations_budget: budget } });
}

/** A gate is to come; the iterations that it may take add to the budget, once. */
export function planGate(
  top: DataMap,
  given: string,
  iterations: number | undefined,
): { top: DataMap; gate: string; isNew: boolean } {
  const gate = open(top, given);
  const { name, completed, remaining, current, quality } = gate;
  const isKnown = [...completed, ...remaining, current].some((each) => each !== null && isGate(name)(each));
  if (isKnown) return { top, gate: name, isNew: false };
  const before = readNumber(quality.total_iterations_budget) ?? 0;
  const budget = iterations === undefined ? {} : { total_iterations_budget: before + iterations };
  return {
    top: close(top, gate, { gates_remaining: [...remaining, name], ...budget }, null),
    gate: name,
    isNew: true,
  };
}

/** The next iteration of a gate begins. */
export function enterGate(top: DataMap, given: string): { top: DataMap; gate: string; iteration: number } {
  const gate = open(top, given);
  checkFree(gate);
  const { name, quality } = gate;
  const iteration = readScores(quality, name).length + 1;
  return {
    top: close(top, gate, inProgress(gate, iteration), `${name}-iteration-${iteration}`),
    gate: name,
    iteration,
  };
}

/** A score of an iteration: the next one unless it is named; a named one that has a score gets the new one. */
export function scoreGate(
  top: DataMap,
  given: string,
  {
    score,
    iteration: wanted,
    dimension,
  }: { score: number; iteration?: number | undefined; dimension?: string | undefined },
): { top: DataMap; gate: string; iteration: number; scores: number[] } {
  const gate = open(top, given);
  checkFree(gate);
  const { name, quality, remaining, completed, history, scored } = gate;
  const before = readScores(quality, name);
  const iteration = wanted ?? before.length + 1;
  if (!(iteration >= 1 && iteration <= before.length + 1)) {
    throw refuseChange(
      `Gate ${name} has ${before.length} scores; iteration ${iteration} cannot be the next`,
      [SECTION, FIELD, 'score_history'],
      `score iteration ${before.length + 1}, or one of those before it`,
    );
  }
  const old = own(history, scored) ?? [];
  const scores = [...before];
  scores[iteration - 1] = score;
  if (Array.isArray(old) && old.length !== before.length) {
    throw refuseChange(
      `Not every score of gate ${name} is a number`,
      [SECTION, FIELD, 'score_history', scored],
      'write them as a list of numbers, one for each iteration',
    );
  }
  const isDone = completed.some(isGate(name));
  const fields = {
    ...(isDone
      ? {}
      : {
          gates_remaining: remaining.some(isGate(name)) ? remaining : [...remaining, name],
          current_gate: name,
          current_gate_iteration: iteration,
        }),
    score_history: { ...history, [scored]: withScore(old, iteration - 1, score) },
    ...(dimension === undefined ? {} : { lowest_dimension: dimension }),
  };
  const activity = `${name}-iteration-${iteration}`;
  // A score that is noted late does not end the revision that its iteration led to.
  const isRevised =
    readScalarText(readRecoveryField(gate.section, 'current_activity')) === `${activity}-revision`;
  return {
    top: close(top, gate, fields, isDone || isRevised ? null : activity),
    gate: name,
    iteration,
    scores,
  };
}

/** The list of scores with one of them set, its entries as the file writes them. */
function withScore(old: Data, index: number, score: number): Data {
  const list = Array.isArray(old) ? [...old] : [old];
  const like = list[index] ?? list.at(-1) ?? null;
  list[index] = isMap(like)
    ? { ...(list[index] === undefined ? { iteration: index + 1 } : like), score }
    : score;
  return list;
}

/** The gate is passed: it moves from those that remain to those that are done. */
export function passGate(
  top: DataMap,
  given: string,
): { top: DataMap; gate: string; score: number | null; iteration: number | null } {
  const gate = open(top, given);
  const { name, quality, completed, remaining, current, section } = gate;
  const scores = readScores(quality, name);
  const score = scores.at(-1) ?? null;
  const entry: Data =
    completed.length > 0 && completed.every((each) => isMap(each))
      ? { id: name, ...(score === null ? {} : { score }), status: 'PASS' }
      : name;
  const isCurrent = current !== null && isGate(name)(current);
  const activity = readRecoveryField(section, 'current_activity');
  const isAbout = typeof activity === 'string' && activity.toLowerCase().startsWith(`${name.toLowerCase()}-`);
  const fields = {
    gates_completed: completed.some(isGate(name)) ? completed : [...completed, entry],
    gates_remaining: remaining.filter((each) => !isGate(name)(each)),
    ...(isCurrent || current === null ? { current_gate: null, current_gate_iteration: null } : {}),
  };
  const iteration = scores.length === 0 ? null : scores.length;
  return { top: close(top, gate, fields, isAbout ? 'idle' : null), gate: name, score, iteration };
}

/** The iteration did not pass: its revision begins, and the gate stays the one in progress. */
export function failGate(
  top: DataMap,
  given: string,
): { top: DataMap; gate: string; iteration: number; score: number | null } {
  const gate = open(top, given);
  checkFree(gate);
  const { name, quality, current } = gate;
  const scores = readScores(quality, name);
  // One that was entered and has no score yet is the one that is meant.
  const entered = current === null ? null : quality.current_gate_iteration;
  const iteration = Math.max(1, typeof entered === 'number' ? entered : scores.length);
  const after = close(top, gate, inProgress(gate, iteration), `${name}-iteration-${iteration}-revision`);
  return { top: after, gate: name, iteration, score: scores[iteration - 1] ?? null };
}
