// What must the agent know in the very next request after a compaction? Template 2 of the resumption design.
import { askedFor } from '../model/asked.ts';
import { type CheckpointDraft, openTaskSubjects } from '../model/checkpoint.ts';
import { scoredIteration } from '../model/resumption.ts';
import { BUDGETS, fitLines, type Line } from './budget.ts';
import { inline } from './escape.ts';
import { block, items, labelled, relative, say, titleOf } from './lines.ts';
import { percent, thousands } from './short-monitor.ts';
import { gatesWithScores } from './workflow-lines.ts';

export interface AlertFacts {
  /** Compactions so far; the alert is always about the newest. */
  event: number;
  /** Path of the checkpoint file as the agent can read it, or null when none could be written. */
  path: string | null;
  checkpoint: CheckpointDraft | null;
  /** Where the work stands relative to the project's root, to shorten paths. */
  root: string | null;
  /** The track whose files were not brought up to date, and why; null where nothing was refused. */
  refusal?: { track: string; reason: string } | null;
}

const HEAD = [
  '<compaction-alert>',
  'CONTEXT COMPACTION OCCURRED. Some conversation history was compressed by Claude Code.',
  'You may have lost track of recent work. Re-orient using the data below.',
];

function doing(draft: CheckpointDraft): Line[] {
  const state = draft.orchestration_state;
  const lines: Line[] = [];
  if (state !== null && (state.current_phase !== null || state.current_activity !== null)) {
    const name = state.current_phase_name === null ? '' : ` (${say(state.current_phase_name, 24)})`;
    const phase =
      state.current_phase === null ? [] : [`Phase ${say(String(state.current_phase), 12)}${name}`];
    const activity = state.current_activity === null ? [] : [say(state.current_activity, 36)];
    lines.push({ text: `YOU WERE DOING: ${[...phase, ...activity].join(', ')}`, rank: 0 });
    if (state.current_gate_score !== null && state.current_gate !== null) {
      const scored = scoredIteration(state);
      const iteration = scored === null ? '' : `, iteration ${scored}`;
      lines.push({
        text: `LAST SCORE: ${state.current_gate_score.toFixed(3)} (${say(state.current_gate, 12)}${iteration})`,
        rank: 1,
        called: 'last score',
      });
    }
  }
  const gates = state?.quality?.gates_completed ?? [];
  if (state !== null && gates.length > 0)
    lines.push({
      text: `GATES COMPLETED: ${say(gatesWithScores(gates, state, 1), 40)}`,
      rank: 4,
      called: 'gates completed',
    });
  const asked = askedFor(draft.work.requests);
  if (asked !== null) {
    const isAlone = lines.length === 0;
    const tokens = isAlone ? 120 : 70;
    lines.push(
      {
        text: `${isAlone ? 'YOU WERE DOING' : "THE USER'S REQUEST"}: ${say(asked.request, tokens)}`,
        // Beside a workflow it is one free text among others: the pending decisions outlive it.
        rank: isAlone ? 0 : 4,
        called: "the user's request",
      },
      ...labelled('ASKED BEFORE', asked.before, tokens, isAlone ? 1 : 4),
    );
  }
  return lines;
}

/** Who has finished; what each found stands in the checkpoint and in the resumption section. */
function agentsDone(summaries: Record<string, string>): Line[] {
  const names = Object.keys(summaries);
  return names.length === 0
    ? []
    : [
        {
          text: `AGENTS DONE (${names.length}): ${say(names.join(', '), 40)}`,
          rank: 5,
          called: 'agents done',
        },
      ];
}

function context(draft: CheckpointDraft, root: string | null): Line[] {
  const { work, accumulated_context: accumulated } = draft;
  const critical = draft.recovery_instructions.critical_context;
  const pending = accumulated.decisions_since_last_checkpoint.filter((each) => !each.applied);
  const tasks = openTaskSubjects(draft).map((each) => say(each, 33));
  const files = work.files_written.map((path) => say(relative(path, root), 40)).reverse();
  return [
    ...items('OPEN TASKS', tasks, { rank: 2, called: 'open tasks', most: 8 }),
    ...(files.length === 0
      ? []
      : [
          {
            text: `FILES WRITTEN: ${files.slice(0, 8).join(', ')}${files.length > 8 ? ` and ${files.length - 8} more` : ''}`,
            rank: 1,
            called: 'files written',
          },
        ]),
    ...(critical === null
      ? []
      : [
          { text: '', rank: 4 },
          { text: 'CRITICAL CONTEXT:', rank: 4, isTitle: true as const },
          ...critical
            .split('\n')
            .map((text) => ({ text: `- ${say(text, 100)}`, rank: 4, called: 'critical context' })),
        ]),
    ...agentsDone(accumulated.agent_summaries),
    ...items(
      'PENDING DECISIONS',
      pending.map(
        (each) =>
          `${each.id === '' ? '' : `${say(each.id, 8)}: `}${say(each.summary, 48)}${each.affects_phases.length > 0 ? ` (affects phase ${say(each.affects_phases.join(', '), 12)})` : ''}`,
      ),
      { rank: 3, called: 'pending decisions', most: 4 },
    ),
  ];
}

/**
 * The `<compaction-alert>` tag: the seed's labels and order, lines without data left out, at most 500 tokens.
 * Without a readable checkpoint it is generic and names what can be read.
 */
export function compactionAlert(facts: AlertFacts): string {
  const { checkpoint: draft, path } = facts;
  const where = path === null ? 'not written' : inline(path);
  const lines: Line[] = [
    ...HEAD.map((text) => ({ text, rank: 0 })),
    { text: `COMPACTION EVENT: ${facts.event} of ${facts.event} this session`, rank: 0 },
    // The client keeps the last messages word for word, our own figures from before the compaction among them.
    { text: 'Any CONTEXT STATUS above is from before the compaction.', rank: 4 },
    { text: '', rank: 5 },
    { text: `CHECKPOINT: ${where}${draft === null && path !== null ? ' (could not be read)' : ''}`, rank: 0 },
  ];
  if (facts.refusal != null) {
    const { track, reason } = facts.refusal;
    lines.push({
      text: `TRACK NOT COMPACTED: ${say(track, 24)}: ${say(reason, 80)}. When that is mended: plimsoll compact`,
      rank: 1,
      called: 'why the track was not compacted',
    });
  }
  const files = draft?.recovery_instructions.files_to_read ?? [];
  if (draft !== null) {
    const { context_state: state, trigger } = draft;
    lines.push({
      text: `TRIGGER: ${say(trigger.type, 8)} (${say(trigger.source, 18)})`,
      rank: 3,
      called: 'trigger',
    });
    const fill = state.estimated_fill_before_compaction;
    if (fill !== null) {
      lines.push({
        text: `PRE-COMPACTION FILL: ${percent(fill)} of the ${thousands(state.context_window_size)} window`,
        rank: 3,
        called: 'pre-compaction fill',
      });
    }
    lines.push(...block(doing(draft)), ...context(draft, facts.root));
  }
  const reading = [
    // Its path stands above; here it would cost what the rest needs.
    ...(path === null ? [] : ['the checkpoint (what was true before the compaction)']),
    ...files.map(
      (file) =>
        `${say(file.path, 60)}${file.sections.length > 0 ? ` (${file.sections.map((each) => say(each, 12)).join(', ')})` : ''}`,
    ),
    ...(draft === null ? ['the resumption section of ORCHESTRATION.yaml, where the project has one'] : []),
  ];
  lines.push(
    { text: '', rank: 5 },
    { text: titleOf('Reading order', reading.length), rank: 1, isTitle: true },
    ...reading.slice(0, 4).map((text, index) => ({
      text: `${index + 1}. ${text}`,
      // The checkpoint and the workflow's file: free text goes before they do.
      rank: index === 0 || (index === 1 && path !== null) ? 1 : 5,
      called: 'files to read',
    })),
  );
  const next = draft?.recovery_instructions.next_action;
  if (next) lines.push({ text: `Next step: ${say(next, 97)}`, rank: 0 });
  lines.push({ text: '</compaction-alert>', rank: 0 });
  return fitLines(lines, BUDGETS.alert, path === null ? null : 'the checkpoint');
}
