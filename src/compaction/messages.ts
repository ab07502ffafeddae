// The messages about the work: alert, handoff, pointer, the summariser's facts, and a checkpoint as a person reads it.

import type { Unfinished } from '../handoff/decide-handoff.ts';
import { BUDGETS, estimateTokens, type RankedLine } from '../text/budget.ts';
import { escapeInline } from '../text/escape.ts';
import { fitInline, formatLabelLine, shortenId } from '../text/lines.ts';
import { formatAge } from '../text/time.ts';
import type { CheckpointDraft } from './checkpoint/checkpoint.ts';
import { findTopic, ownRequests } from './choice.ts';
import { compose, composeSummariserFacts, findBudget, formatFacts, formatWholeLine } from './compose.ts';
import { rankFacts } from './facts.ts';
import type { Ledger } from './ledger/ledger.ts';
import { isActive, isLeftBehind, isWorkedOn } from './workflow/workflow.ts';
import {
  formatWorkflowAlert,
  formatWorkflowHandoff,
  formatWorkflowInLine,
  type WorkflowTold,
} from './workflow/workflow-lines.ts';

/** What the person is told of an alert. @param checkpoint its id, or null where none could be written */
export function formatCompactedNote(checkpoint: string | null, draft: CheckpointDraft | null): string {
  if (checkpoint === null)
    return 'Plimsoll: the context was compacted; the agent was re-oriented, but no checkpoint could be written.';
  const fill = draft?.context_state.estimated_fill_before_compaction ?? null;
  const share = fill === null ? '' : ` at ${Math.round(fill * 100)}% of the window`;
  return `Plimsoll: checkpoint ${checkpoint} saved${share}; the agent was re-oriented after the compaction.`;
}

export interface AlertInput {
  /** Compactions so far; the alert is always about the newest. */
  event: number;
  /** Id of the checkpoint, or null where none could be written. */
  checkpoint: string | null;
  /** Null where it could not be read. */
  draft: CheckpointDraft | null;
  root: string | null;
  /** Milliseconds since the epoch. */
  now: number;
  /** The most tokens that it may come to where requirements need them. */
  most?: number;
  /** Whether the checkpoint stands in the workflow's file already. */
  isMerged?: boolean;
  /** What add-ons say. */
  more?: readonly RankedLine[];
}

/** The `<compaction-alert>`: template 2 of seed 003, the person's words first. */
export function composeAlert(input: AlertInput): string {
  const { event, checkpoint, draft, root, now, more = [] } = input;
  const ledger = draft?.ledger ?? null;
  const file = checkpoint === null ? 'not written' : `${escapeInline(checkpoint)}-checkpoint.json`;
  const unread = checkpoint !== null && ledger === null ? ' (could not be read)' : '';
  const facts = [
    ...more,
    ...(ledger === null ? [] : formatFacts(ledger, root)),
    ...(draft === null
      ? [
          {
            text: 'Read on in: the resumption section of ORCHESTRATION.yaml, where the project has one',
            rank: 1,
          },
        ]
      : formatWorkflowAlert(draft, now)),
  ];
  const kept =
    facts.length === 0 || (draft === null && more.length === 0)
      ? 'Plimsoll kept nothing of the session beyond the summary.'
      : "Plimsoll kept this from before it; where the summary differs, the user's words hold.";
  const lines: RankedLine[] = [
    { text: `CONTEXT COMPACTION OCCURRED. ${kept}`, rank: 0 },
    { text: `COMPACTION EVENT: ${event} of ${event} this session; CHECKPOINT: ${file}${unread}`, rank: 0 },
    ...facts,
  ];
  const budget = ledger === null ? BUDGETS.alert : findBudget(ledger, root, input.most ?? BUDGETS.alertMost);
  const isToMerge = isActive(draft?.orchestration_state?.workflow_status) && !input.isMerged;
  return compose('compaction-alert', lines, formatWholeLine(checkpoint, isToMerge), budget);
}

export interface HandoffInput {
  /** What the session left. */
  draft: CheckpointDraft;
  /** Id of its newest checkpoint, or null. */
  checkpoint: string | null;
  because: readonly Unfinished[];
  /** Seconds since its last sign of life, or since the checkpoint of a session that went on. */
  age_s: number;
  /** Whether it went on behind the checkpoint: then nothing is said of how it ended. */
  wentOn?: boolean;
  root: string | null;
  /** Milliseconds since the epoch. */
  now: number;
}

const WHY: Record<Unfinished, string> = {
  workflow: 'its workflow is active',
  tasks: 'tasks are open',
  interrupted: 'its last turn was interrupted',
  died: 'it ended without saying so',
};

/** A session's id in short: enough to tell two apart, and to find the answer in a transcript. */
const shortId = (id: string): string => fitInline(shortenId(id), 16);

/** Words in the tag that identify it in a transcript. */
export const handoffMarks = (session: string): string[] => [
  '<resumption-context>',
  `SESSION: ${shortId(session)},`,
];

function gitText({ conversation: session }: CheckpointDraft): string | null {
  const { git } = session;
  if (git === null) return null;
  const { dirty_files: dirty } = git;
  const changed = dirty === null ? '' : `, ${dirty.length} changed file${dirty.length === 1 ? '' : 's'}`;
  return `${git.branch ?? 'detached'} at ${git.head?.slice(0, 10) ?? 'no commit'}${changed}`;
}

/** Whether a session left nothing of its own, and no word in the workflow's file: then nothing is said of it. */
export function isHollow({ draft, root, now }: HandoffInput): boolean {
  const { ledger, orchestration_state: state } = draft;
  if (ledger !== null && formatFacts(ledger, root).length > 0) return false;
  return state === null || isLeftBehind(state) || !isWorkedOn(state, now);
}

/** The `<resumption-context>`: template 1 of seed 003, the person's words first. */
export function composeHandoff(input: HandoffInput, budget: number = BUDGETS.resumption): string {
  const { draft, checkpoint, because, age_s, root, now, wentOn } = input;
  const why = because.map((each) => WHY[each]).join(', ');
  const ended = because.length === 0 ? 'has ended' : 'left work unfinished';
  const left = wentOn ? 'had come this far, and went on' : ended;
  const lines: RankedLine[] = [
    {
      text: `An earlier session in this project ${left}; Plimsoll kept what follows. What the user asks for now comes first.`,
      rank: 0,
    },
    {
      text: `SESSION: ${shortId(draft.conversation.session_id)}, ${wentOn ? 'as it was' : 'ended'} ${formatAge(age_s)}${why === '' ? '' : ` (${why})`}`,
      rank: 0,
    },
    ...(draft.ledger === null ? [] : formatFacts(draft.ledger, root, { length: 1.4, count: 2 })),
    ...formatWorkflowHandoff(draft, now),
    ...formatLabelLine('Git now', gitText(draft), 40, 4),
  ];
  return compose('resumption-context', lines, formatWholeLine(checkpoint), budget);
}

/** The same from a workflow's file alone, where no session before is known: in a fresh clone, in a worktree, after days. */
export const composeWorkflowHandoff = (told: WorkflowTold, now: number, budget: number): string =>
  compose(
    'resumption-context',
    [
      {
        text: `${fitInline(told.orchestration_state?.path ?? '', 48)} keeps a workflow of this project, which goes on from where it stands, not from the start. What follows is its resumption section, not the user's words; what the user asks for now comes first.`,
        rank: 0,
      },
      ...formatWorkflowHandoff(told, now),
    ],
    {
      text: 'Whole: plimsoll state show; keep it true as the work goes on: plimsoll state phase, activity, next',
      rank: 0,
    },
    budget,
  );

/** That there is such a workflow, in one line. */
export function composeWorkflowPointer({ orchestration_state: state }: WorkflowTold, now: number): string {
  const line = (said: string): string =>
    `<resumption-context>Workflow ${said} (more: plimsoll handoff)</resumption-context>`;
  const about = state === null ? '' : formatWorkflowInLine(state, now);
  return line(fitInline(about, BUDGETS.resumptionPointer - estimateTokens(line(''))));
}

/** What a ledger's work is: its goal, and its latest task where that is another one; nothing where nobody asked for work. */
function aboutParts(ledger: Ledger): string[] {
  const goal = ownRequests(ledger).find(({ kind }) => kind === 'goal');
  const topic = findTopic(ledger);
  if (topic === null) return [];
  return goal === undefined || goal === topic ? [topic.text] : [goal.text, topic.text];
}

/** What a ledger's work is in one text; null where nobody asked for work. */
export const formatAbout = (ledger: Ledger): string | null => aboutParts(ledger).join(' … ') || null;

/** The same in so many tokens: of a goal and a latest task a part of each. */
function shortAbout(ledger: Ledger, tokens: number): string | null {
  const [first, latest] = aboutParts(ledger);
  if (first === undefined || latest === undefined)
    return first === undefined ? null : fitInline(first, tokens);
  const end = fitInline(latest, Math.floor(tokens / 2));
  return `${fitInline(first, tokens - estimateTokens(` … ${end}`))} … ${end}`.replace('… … ', '… ');
}

/** One line of 60 tokens at the most; null when the session left nothing to point to. */
export function composePointer({ draft, age_s }: HandoffInput): string | null {
  const line = (said: string): string =>
    `<resumption-context>Earlier session here (${formatAge(age_s)}), the user asked: ${said} (more: plimsoll handoff)</resumption-context>`;
  const room = BUDGETS.resumptionPointer - estimateTokens(line(''));
  const about = draft.ledger === null ? null : shortAbout(draft.ledger, room);
  return about === null ? null : line(about);
}

/**
 * One sentence for the summariser where a person asked for the compaction: the client shows them whatever a hook says there
 * (2.1.332), and the facts reach the agent with the alert.
 */
export function composeSummaryHint({ ledger }: CheckpointDraft): string {
  const about = ledger === null ? null : shortAbout(ledger, 80);
  const which = about === null ? '' : ` (${about})`;
  return `Keep word for word in the summary what the user asked for${which}, required, decided, corrected and refused.`;
}

/** What the summariser is asked to keep word for word; null when there is nothing worth keeping. */
export const composeSummary = (
  draft: CheckpointDraft,
  checkpoint: string | null,
  root: string | null,
): string | null =>
  draft.ledger === null
    ? null
    : composeSummariserFacts(draft.ledger, { root, checkpoint, bytes: BUDGETS.summariserBytes });

/** All facts, whole, for a person: each label with its texts. */
export const formatWholeFacts = (
  draft: CheckpointDraft,
  root: string | null,
): { label: string; texts: string[] }[] =>
  draft.ledger === null
    ? []
    : rankFacts(draft.ledger, root).map(({ label, facts }) => ({
        label,
        texts: facts.map(({ voice = '', text }) => `${voice}${text}`),
      }));
