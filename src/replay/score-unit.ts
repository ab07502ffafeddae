// Judges one compaction: which facts were needed after it, and which text told them.

import { type ProbedCall, type ProbedTalk, readTalk } from '../hosts/claude-code/replay/read-talk.ts';
import type { CompactionUnit } from '../hosts/claude-code/replay/split-units.ts';
import { FILE_TOOLS, TOOL, WRITING_TOOLS } from '../hosts/claude-code/replay/tool-names.ts';
import { estimateTokens } from '../tags/budget.ts';
import { collectFacts } from './collect-facts.ts';
import { holdsWord, isNeeded, type NearCalls, readNear } from './judge-need.ts';
import { findCommand, findPath, type ProbeFact } from './probe-fact.ts';
import { extractChecks, normalizeSpace } from './same-command.ts';

/** The summary alone; with what our hooks said; that alone; and with what is within reach (`idealTextOf`). */
export const ARMS = ['summary', 'with', 'alone', 'ideal'] as const;
export type Arm = (typeof ARMS)[number];

export interface JudgedFact {
  kind: ProbeFact['kind'];
  value: string;
  needed: boolean;
  told: Record<Arm, boolean>;
}

export interface UnitScore {
  name: string;
  session: string;
  facts: JudgedFact[];
  /** What our hooks said, in tokens. */
  tokens: number;
  /** Reads, near, of files that were known before. */
  readAgain: number;
  /** Calls up to and with the first edit, or null where none came near. */
  callsToEdit: number | null;
}

/** Files that are said in an ideal text. */
const IDEAL_FILES = 4;

/** Whether a text (white space normalised) tells a fact. */
const isTold = (text: string, { told }: ProbeFact): boolean =>
  told.some(
    ({ text: part, isWord }) => part !== '' && (isWord ? holdsWord(text, part) : text.includes(part)),
  );

/** Keys of a map by how often they were seen, then by how late. */
function rankByUse(keys: readonly string[]): string[] {
  const uses = new Map<string, { times: number; last: number }>();
  keys.forEach((key, last) => {
    uses.set(key, { times: (uses.get(key)?.times ?? 0) + 1, last });
  });
  return [...uses].sort(([, a], [, b]) => b.times - a.times || b.last - a.last).map(([key]) => key);
}

/** The checks that ran most often and the files read last and not written: what a text could say without knowing more. */
function buildIdealText(calls: readonly ProbedCall[], checks: number): string {
  const run = calls
    .filter(({ outcome }) => outcome !== 'rejected')
    .flatMap((call) => extractChecks(findCommand(call)));
  const written = new Set(calls.filter(({ tool }) => WRITING_TOOLS.test(tool)).map(findPath));
  const read = calls
    .filter(({ tool }) => tool === TOOL.read)
    .map(findPath)
    .filter((path) => path !== '' && !written.has(path));
  const latest = [...new Set(read.reverse())].slice(0, IDEAL_FILES);
  return [...rankByUse(run).slice(0, checks), ...latest].join('\n');
}

function countWork(before: ProbedTalk, near: NearCalls): Pick<UnitScore, 'readAgain' | 'callsToEdit'> {
  const known = new Set(before.calls.filter(({ tool }) => FILE_TOOLS.test(tool)).map(findPath));
  const edit = near.calls.findIndex(({ tool }) => WRITING_TOOLS.test(tool));
  return {
    readAgain: near.calls.filter((call) => call.tool === TOOL.read && known.has(findPath(call))).length,
    callsToEdit: edit < 0 ? null : edit + 1,
  };
}

/** @param ours what our hooks said after the compaction */
export function scoreUnit(
  unit: CompactionUnit,
  ours: string,
  { name, session, checks }: { name: string; session: string; checks: number },
): UnitScore {
  const before = readTalk(unit.before);
  const near = readNear(readTalk(unit.after));
  const alone = normalizeSpace(ours);
  const summary = normalizeSpace(unit.summary);
  const ideal = normalizeSpace(buildIdealText(before.calls, checks));
  const facts = collectFacts(before).map((fact) => {
    const told = { summary: isTold(summary, fact), alone: isTold(alone, fact) };
    const isEither = told.summary || told.alone;
    return {
      kind: fact.kind,
      value: fact.value,
      needed: isNeeded(fact, near),
      told: { ...told, with: isEither, ideal: isEither || isTold(ideal, fact) },
    };
  });
  return { name, session, facts, tokens: estimateTokens(ours), ...countWork(before, near) };
}
