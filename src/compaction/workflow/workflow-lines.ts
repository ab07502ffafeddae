// Tells a workflow's file truly, behind the person's words: as the present, as possibly outdated, or as past in one line.

import type { RankedLine } from '../../text/budget.ts';
import { own } from '../../text/json.ts';
import { fitInline, formatLabelLine, listLines } from '../../text/lines.ts';
import { formatAge } from '../../text/time.ts';
import type { CheckpointDraft } from '../checkpoint/checkpoint.ts';
import { findWorkflowStep } from '../work.ts';
import type { OrchestrationState } from './workflow.ts';
import {
  findWorkflowVoice,
  isLeftBehind,
  isOlderThanDay,
  readScoredIteration,
  readWrittenAt,
} from './workflow.ts';

/** What a message tells of a workflow: of a checkpoint, or of the file alone. */
export type WorkflowTold = Pick<
  CheckpointDraft,
  'orchestration_state' | 'accumulated_context' | 'recovery_instructions'
>;

const phaseText = ({ current_phase: phase, current_phase_name: name }: OrchestrationState): string[] =>
  phase === null
    ? []
    : [`Phase ${fitInline(String(phase), 12)}${name === null ? '' : ` (${fitInline(name, 24)})`}`];

/** Where the workflow stands, in a few words. */
export const workflowPlace = (state: OrchestrationState): string =>
  [
    ...phaseText(state),
    ...(state.current_activity === null ? [] : [fitInline(state.current_activity, 36)]),
  ].join(', ');

/** Whether a section that is outdated, but not over, was written within the last day. */
export function isOfTheDay(state: OrchestrationState, now: number): boolean {
  return findWorkflowVoice(state, now) === 'outdated' && !isOlderThanDay(state, now);
}

/** How long ago the section was written, in words; '' where that is not known. */
function agoWritten(state: OrchestrationState, now: number): string {
  const at = readWrittenAt(state);
  return at === null ? '' : formatAge(Math.max(0, now - at) / 1_000);
}

/** The one line on a workflow that is not told as the present; null for one that is. */
export function formatWorkflowAside(state: OrchestrationState, now: number): string | null {
  const voice = findWorkflowVoice(state, now);
  if (voice === 'current') return null;
  const age = agoWritten(state, now);
  const name = fitInline(state.workflow_id ?? state.path, 24);
  if (voice === 'history')
    return `WORKFLOW (history): ${name} is ${fitInline(state.workflow_status ?? '', 8)}${age === '' ? '' : `, ${age}`}`;
  const place = workflowPlace(state);
  return `WORKFLOW FILE (possibly outdated, updated ${age}): ${name}${place === '' ? '' : `, ${place}`}`;
}

/** A workflow in a line: its name, its status, where it stands, and since when. */
export const formatWorkflowInLine = (state: OrchestrationState, now: number): string =>
  `${[state.workflow_id ?? state.path, state.workflow_status, workflowPlace(state)].filter(Boolean).join(', ')}${ageOf(state, now)}`;

function quality(draft: WorkflowTold): RankedLine[] {
  const state = draft.orchestration_state;
  if (state === null) return [];
  const {
    gates_completed: done = [],
    gates_remaining: left = [],
    lowest_dimension: weak = null,
  } = state.quality ?? {};
  const iteration = state.current_gate_iteration;
  const gate =
    state.current_gate === null
      ? null
      : `${state.current_gate}${iteration === null ? '' : ` (iteration ${iteration})`}`;
  const scored = readScoredIteration(state);
  const score =
    state.current_gate_score === null
      ? null
      : `${state.current_gate_score.toFixed(3)}${gate === null ? '' : ` (${state.current_gate}${scored === null ? '' : ` iter ${scored}`})`}`;
  const lines = [
    ...formatLabelLine('- Gates completed', done.join(', '), 30, 4),
    ...formatLabelLine('- Gates remaining', left.join(', '), 30, 4),
    ...formatLabelLine('- Current gate', gate, 24, 3),
    ...formatLabelLine('- Last gate score', score, 20, 3),
    ...formatLabelLine('- Recurring weak dimension', weak, 16, 4),
    ...formatLabelLine('- Scores of the gates completed', gatesWithScores(done, state), 48, 5),
  ];
  return lines.length === 0 ? [] : [{ text: 'QUALITY TRAJECTORY:', rank: 3, isTitle: true }, ...lines];
}

/** `qg-1 (0.825, 0.916, 0.941), qg-2 (0.951)`: each gate with the scores that led through it. */
const gatesWithScores = (gates: readonly string[], state: OrchestrationState, most = 4): string =>
  gates
    .map((gate) => {
      const scores = (own(state.quality?.score_history ?? {}, gate) ?? []).slice(-most);
      return scores.length === 0 ? gate : `${gate} (${scores.map((each) => each.toFixed(3)).join(', ')})`;
    })
    .join(', ');

type Decision = CheckpointDraft['accumulated_context']['decisions_since_last_checkpoint'][number];

/** `RD-001 (qg-2, iter 1): what was decided. Affects phase 3. (not applied yet)` */
function decisionLine(each: Decision): string {
  const made = [each.gate ?? null, each.iteration == null ? null : `iter ${each.iteration}`].filter(Boolean);
  const where = made.length === 0 ? '' : ` (${made.join(', ')})`;
  const name = each.id === '' && where === '' ? '' : `${each.id}${where}: `.trimStart();
  const affects = each.affects_phases.length === 0 ? '' : `. Affects phase ${each.affects_phases.join(', ')}`;
  return fitInline(`${name}${each.summary}${affects}${each.applied ? '' : ' (not applied yet)'}`, 72);
}

function patternLine(pattern: string, gates: readonly string[]): string {
  return fitInline(`${pattern}${gates.length === 0 ? '' : ` (${gates.join(', ')})`}`, 44);
}

const ageOf = (state: OrchestrationState, now: number): string => {
  const at = readWrittenAt(state);
  return at === null ? '' : `, updated ${formatAge(Math.max(0, now - at) / 1_000)}`;
};

/** Pending decisions first, of each kind the newest first: of too many, these stay. */
function decisionLines({ accumulated_context: context }: WorkflowTold, most: number): RankedLine[] {
  const all = [...context.decisions_since_last_checkpoint].reverse();
  const ordered = [...all.filter((each) => !each.applied), ...all.filter((each) => each.applied)];
  return listLines('KEY DECISIONS (carry forward)', ordered.map(decisionLine), {
    rank: 2,
    called: 'decisions of the workflow',
    most,
  });
}

/** What a section that may be outdated still asks for: written within the day, its open decisions and its next step. */
function asideLines(
  draft: WorkflowTold,
  state: OrchestrationState,
  aside: string,
  now: number,
): RankedLine[] {
  const line: RankedLine = { text: aside, rank: 5, called: 'an older workflow' };
  if (!isOfTheDay(state, now)) return [line];
  const { decisions_since_last_checkpoint: decisions } = draft.accumulated_context;
  const pending = [...decisions].reverse().filter((each) => !each.applied);
  return [
    { ...line, rank: 4 },
    ...listLines('DECISIONS NOT YET APPLIED (from the workflow file)', pending.map(decisionLine), {
      rank: 4,
      called: 'decisions of the workflow',
      most: 4,
    }),
    ...formatLabelLine(
      'Next step (from the workflow file, possibly outdated)',
      findWorkflowStep(state),
      97,
      5,
    ),
  ];
}

function defectLines({ orchestration_state: state }: CheckpointDraft): RankedLine[] {
  const { last_gate_primary_defect: defect, unresolved_defects: open = [] } = state?.quality ?? {};
  const texts = [
    ...(defect ? [`Primary defect of the last gate iteration: ${defect}`] : []),
    ...(open.length > 0 ? [`Unresolved defects: ${open.join(', ')}`] : []),
  ];
  return listLines(
    'CRITICAL CONTEXT',
    texts.map((each) => fitInline(each, 60)),
    { rank: 4, called: 'critical context', most: 2 },
  );
}

/** In an alert: where the workflow stands, its pending decisions, its defects, what it names to read. */
export function formatWorkflowAlert(draft: CheckpointDraft, now: number): RankedLine[] {
  const state = draft.orchestration_state;
  if (state === null) return [];
  const aside = formatWorkflowAside(state, now);
  if (aside !== null) return asideLines(draft, state, aside, now);
  const gates = state.quality?.gates_completed ?? [];
  const scored = readScoredIteration(state);
  const score =
    state.current_gate_score === null || state.current_gate === null
      ? null
      : `${state.current_gate_score.toFixed(3)} (${state.current_gate}${scored === null ? '' : `, iteration ${scored}`})`;
  const agents = Object.keys(draft.accumulated_context.agent_summaries);
  const files = draft.recovery_instructions.files_to_read.slice(0, 3);
  return [
    {
      text: `WORKFLOW (${fitInline(state.path, 40)}${ageOf(state, now)}): ${workflowPlace(state) || fitInline(state.workflow_id ?? '', 24)}`,
      rank: 2,
      called: 'the workflow',
    },
    ...formatLabelLine('LAST SCORE', score, 24, 3),
    ...formatLabelLine('GATES COMPLETED', gatesWithScores(gates, state, 1), 40, 4),
    ...decisionLines(draft, 4),
    ...defectLines(draft),
    ...formatLabelLine(`AGENTS DONE (${agents.length})`, agents.join(', '), 28, 5),
    ...formatLabelLine('Next step (from the workflow file)', findWorkflowStep(state), 97, 2),
    ...formatLabelLine(
      'Read on in',
      files
        .map(({ path, sections }) => `${path}${sections.length > 0 ? ` (${sections.join(', ')})` : ''}`)
        .join(', '),
      90,
      4,
    ),
  ];
}

/** How full the context was and how often it was compacted: in the session that is told of, else as the file has it. */
function figureLines(
  { conversation, context_state: context }: Parameters<typeof formatWorkflowHandoff>[0],
  { context_fill_at_update: noted = null, compaction_count: listed = null }: OrchestrationState,
): RankedLine[] {
  const fill = context?.estimated_fill_before_compaction ?? noted;
  const count = conversation?.epoch ?? listed;
  return [
    ...formatLabelLine(
      context === undefined ? '- Context usage at its last update' : '- Context usage at the interruption',
      fill === null ? null : `${Number((fill * 100).toFixed(1))}% of the window`,
      12,
      5,
    ),
    ...formatLabelLine(
      conversation === undefined ? '- Compactions that it lists' : '- Compactions in that session',
      count === null ? null : String(count),
      8,
      5,
    ),
  ];
}

/**
 * In a handoff: the same with what each gate, agent and pattern came to (template 1 of seed 003). What is only older than a
 * day is told in full as well, with its age: there is nothing newer.
 */
export function formatWorkflowHandoff(
  draft: WorkflowTold & Partial<Pick<CheckpointDraft, 'context_state' | 'conversation'>>,
  now: number,
): RankedLine[] {
  const state = draft.orchestration_state;
  if (state === null) return [];
  const voice = findWorkflowVoice(state, now);
  const aside = formatWorkflowAside(state, now);
  if (aside !== null && (voice === 'history' || isLeftBehind(state)))
    return asideLines(draft, state, aside, now);
  const { accumulated_context: context, recovery_instructions: recovery } = draft;
  const gates = context.defect_gates ?? {};
  return [
    ...formatLabelLine(
      voice === 'outdated' ? 'WORKFLOW (possibly outdated)' : 'WORKFLOW',
      `${state.workflow_id ?? state.path} (${state.path}${ageOf(state, now)})`,
      60,
      1,
    ),
    ...formatLabelLine('PROJECT', state.project_id ?? null, 24, 3),
    ...formatLabelLine('ORCHESTRATION PLAN', state.plan_path ?? null, 48, 3),
    { text: 'RECOVERY STATE:', rank: 1, isTitle: true },
    ...formatLabelLine('- Current phase', workflowPlace({ ...state, current_activity: null }), 40, 1),
    ...formatLabelLine('- Workflow status', state.workflow_status, 12, 2),
    ...formatLabelLine('- Last activity', state.current_activity, 48, 1),
    ...formatLabelLine('- Last checkpoint', state.last_completed_checkpoint, 24, 3),
    ...figureLines(draft, state),
    ...formatLabelLine('NEXT ACTION (from the workflow file)', findWorkflowStep(state), 97, 1),
    ...quality(draft),
    ...decisionLines(draft, 6),
    ...listLines(
      'AGENT WORK COMPLETED',
      Object.entries(context.agent_summaries).map(([agent, text]) => fitInline(`${agent}: ${text}`, 48)),
      { rank: 4, called: 'agent work', most: 8 },
    ),
    ...listLines(
      'DEFECT PATTERNS (avoid re-introducing)',
      context.defect_patterns.map((each) => patternLine(each, own(gates, each) ?? [])),
      { rank: 4, called: 'defect patterns', most: 4 },
    ),
    ...listLines(
      'Reading order',
      recovery.files_to_read.map(
        ({ path, sections }) =>
          `${fitInline(path, 60)}${sections.length > 0 ? ` (${fitInline(sections.join(', '), 36)})` : ''}`,
      ),
      { rank: 4, called: 'files to read', most: 4 },
    ),
  ];
}
