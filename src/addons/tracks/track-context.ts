// The `<track-context>` message that gives a session its active track: goal, plan, decisions, risks, and where the rest lies.

import { BUDGETS, estimateTokens, fitLines, type RankedLine } from '../../text/budget.ts';
import { isSafeInMessage } from '../../text/escape.ts';
import { fitInline } from '../../text/lines.ts';
import { redact, redactDeep } from '../../text/redact.ts';
import type { TaskState } from './entries/entry.ts';
import { BOXES } from './entries/entry.ts';
import { ACTIVE_TRACK, latestFile, taskFile } from './layout.ts';
import type { FileSeen, Recovery } from './recover.ts';

interface TrackFacts extends Omit<Recovery, 'manifest'> {
  /** Paths of the manifest that exist. */
  present: readonly string[];
  from: 'env' | 'session' | 'pointer';
  /** The text of PLAN.md, when it is complete and holds no secret; else null. */
  plan: { text: string; sha256: string } | null;
}

/** The facts for the message, without secrets. A plan that holds a secret is not quoted; only its tasks are listed. */
export function gatherTrackFacts(
  { files, manifest: _, ...state }: Recovery & { files: ReadonlyMap<string, FileSeen> },
  from: TrackFacts['from'],
): TrackFacts {
  const plan = files.get(taskFile(state.track, 'PLAN.md'));
  const isClean = plan !== undefined && !plan.isCut && redact(plan.text) === plan.text;
  return {
    ...redactDeep(state),
    present: [...files.keys()],
    from,
    plan: isClean ? { text: plan.text, sha256: plan.sha256 } : null,
  };
}

const FROM = {
  env: 'PLIMSOLL_TRACK',
  session: 'pinned to this session',
  pointer: ACTIVE_TRACK,
} as const;

/** A plan of at most this many tokens is quoted whole. */
const WHOLE_PLAN = 250;
const MOST_ITEMS = 12;
const END_OF_PLAN = 'END OF PLAN';

const count = (tasks: readonly { state: TaskState }[], state: TaskState): number =>
  tasks.filter((task) => task.state === state).length;

/** The beginning of a hash: enough to compare by, and as many digits as the name of the plan's copy has. */
const short = (sha256: string): string => sha256.slice(0, 16);

/** The lines of a list with its title; they can be left out one by one from the end. */
function list(title: string, items: readonly string[], rank: number, called: string): RankedLine[] {
  if (items.length === 0) return [];
  return [
    { text: title, rank, isTitle: true },
    ...items
      .slice(0, MOST_ITEMS)
      .map((text, at) => ({ text: `- ${text}`, rank: rank + Math.floor(at / 3), called })),
    ...(items.length > MOST_ITEMS ? [{ text: `- … and ${items.length - MOST_ITEMS} more`, rank: 9 }] : []),
  ];
}

/**
 * The plan as it is, between a line with the SHA-256 of the file and END OF PLAN, so that it can be hashed from what was
 * received; null where it is too long for that, or has anything in it that our tags do not carry unchanged.
 */
function wholePlan({ track, plan }: TrackFacts): RankedLine | null {
  if (plan === null || !plan.text.endsWith('\n') || !isSafeInMessage(plan.text)) return null;
  if (plan.text.split(/\r?\n/).includes(END_OF_PLAN) || estimateTokens(plan.text) > WHOLE_PLAN) return null;
  const head = `PLAN (${taskFile(track, 'PLAN.md')}, whole, SHA-256 ${short(plan.sha256)}):`;
  return { text: `${head}\n${plan.text}${END_OF_PLAN}`, rank: 1 };
}

function planLines(facts: TrackFacts): RankedLine[] {
  const { track, tasks, plan } = facts;
  const open = tasks.filter(({ state }) => state !== 'done');
  const hash = plan === null ? '' : `, SHA-256 ${short(plan.sha256)}`;
  const about = `${taskFile(track, 'PLAN.md')}${hash}; ${count(tasks, 'done')} of ${tasks.length} tasks done`;
  if (open.length === 0) return [{ text: `PLAN: ${about}`, rank: 1 }];
  const items = open.map(
    ({ state, id, text }) => `[${BOXES[state]}] ${fitInline(`${id === null ? '' : `${id} `}${text}`, 32)}`,
  );
  return list(`PLAN (${about}; open ones):`, items, 1, 'open tasks');
}

function linesOf(facts: TrackFacts, plan: RankedLine[]): RankedLine[] {
  const { track, goal, core, decisions, risks, drift, faults, latest, present } = facts;
  const transient = (latest?.transient ?? []).filter((path) => present.includes(path));
  return [
    { text: '<track-context>', rank: 0 },
    { text: `TRACK: ${track} (${FROM[facts.from]})`, rank: 0 },
    { text: "From the project's files, not the user's words:", rank: 0 },
    ...(goal === null
      ? []
      : [
          {
            text: `GOAL (${taskFile(track, 'SPEC.md')}): ${fitInline(goal, 70)}`,
            rank: 1,
            called: 'the goal',
          },
        ]),
    ...plan,
    ...list(
      `DECISIONS (${taskFile(track, 'DECISIONS.md')}, newest first):`,
      decisions.map(({ id, text, reason }) =>
        fitInline(`${id === null ? '' : `${id} `}${text} (${reason})`, 40),
      ),
      2,
      'decisions',
    ),
    ...list(
      `RISKS (${taskFile(track, 'RISKS.md')}):`,
      risks.map(({ severity, id, text }) =>
        fitInline(`${severity}: ${id === null ? '' : `${id} `}${text}`, 30),
      ),
      3,
      'risks',
    ),
    ...list(
      'CORE (read in this order, when needed):',
      core.map(({ path, about }) => `${path}${about === null ? '' : `: ${fitInline(about, 20)}`}`),
      4,
      'core files',
    ),
    ...drift.map((name) => ({ text: `${fitInline(name, 12)} was changed after the checkpoint.`, rank: 0 })),
    ...(latest === null
      ? []
      : [
          {
            text: `CHECKPOINT: ${latestFile(track)}${latest.at === null ? '' : `, of ${fitInline(latest.at, 16)}`}`,
            rank: 4,
            called: 'the checkpoint',
          },
        ]),
    ...(transient.length === 0
      ? []
      : [
          {
            text: `LAST SESSION: ${transient.map((path) => fitInline(path, 60)).join(', ')}`,
            rank: 5,
            called: 'files of the last session',
          },
        ]),
    ...faults.map((fault) => ({ text: `${fitInline(fault, 70)}.`, rank: 2 })),
    { text: '</track-context>', rank: 0 },
  ];
}

/** The `<track-context>` tag within a token budget: the goal, plan, decisions, risks, and where the rest lies. */
export function composeTrackContext(facts: TrackFacts, budget: number = BUDGETS.track): string {
  const whole = wholePlan(facts);
  if (whole !== null) {
    const text = fitLines(linesOf(facts, [whole]), budget, 'plimsoll track show --full');
    if (text.includes(whole.text) && estimateTokens(text) <= budget) return text;
  }
  return fitLines(linesOf(facts, planLines(facts)), budget, 'plimsoll track show --full');
}

/** One line for a track that is named but cannot be used. */
export const trackFault = (fault: string): string =>
  `<track-context>No track is worked on: ${fitInline(fault, 100)}.</track-context>`;

/** Finds the plan that a text quotes whole, with the beginning of its hash; null when it quotes none. */
export function findCarriedPlan(text: string): { text: string; hash: string } | null {
  const [, hash = '', plan] =
    /^PLAN \(\S+, whole, SHA-256 ([0-9a-f]{16})\):\n([\s\S]*?\n)END OF PLAN$/m.exec(text) ?? [];
  return plan === undefined ? null : { text: plan, hash };
}
