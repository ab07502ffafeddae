// What must a new conversation know of the one before it? Template 1 of the resumption design, and one line instead.
import { askedFor, askedInShort } from '../model/asked.ts';
import { type CheckpointDraft, openTaskSubjects } from '../model/checkpoint.ts';
import { own } from '../model/edits.ts';
import type { Unfinished } from '../model/resume.ts';
import { ago } from './ago.ts';
import { BUDGETS, estimateTokens, fitLines, type Line } from './budget.ts';
import { block, items, labelled, relative, say, titleOf } from './lines.ts';
import { percent, thousands } from './short-monitor.ts';
import { decisionLine, patternLine, quality } from './workflow-lines.ts';

export interface ResumptionFacts {
  /** What the conversation left. */
  draft: CheckpointDraft;
  /** Its newest checkpoint file as the agent can read it, or null. */
  checkpoint: string | null;
  because: readonly Unfinished[];
  /** Seconds since its last sign of life. */
  age_s: number;
  root: string | null;
}

const WHY: Record<Unfinished, string> = {
  workflow: 'its workflow is active',
  tasks: 'tasks are open',
  interrupted: 'its last turn was interrupted',
  died: 'it ended without saying so',
};

/** The first group of a conversation's id: enough to tell two apart, and to find the answer in a transcript. */
const shortId = (id: string): string => say(id.slice(0, 8), 12);

/** Words in the tag that identify it in a transcript. */
export const resumptionMarks = (conversation: string): string[] => [
  '<resumption-context>',
  `CONVERSATION: ${shortId(conversation)},`,
];

function recoveryState(facts: ResumptionFacts): Line[] {
  const { draft, checkpoint } = facts;
  const { context_state: state, conversation } = draft;
  const workflow = draft.orchestration_state;
  const git = conversation.git;
  const name = workflow?.current_phase_name ?? null;
  const phase =
    workflow?.current_phase == null
      ? null
      : `Phase ${workflow.current_phase}${name === null ? '' : ` (${name})`}`;
  const measured = state.estimated_fill_before_compaction;
  // What the section was stamped with says it, where nothing was measured.
  const stamped = workflow?.context_fill_at_update ?? null;
  const fill =
    measured === null
      ? stamped === null
        ? null
        : `${percent(stamped)} of the window, as the section has it`
      : `${percent(measured)} of the ${thousands(state.context_window_size)} window`;
  const tree =
    git === null
      ? null
      : `${git.branch ?? 'detached'} at ${git.head?.slice(0, 10) ?? 'no commit'}${git.dirty_files === null ? '' : `, ${git.dirty_files.length} changed file${git.dirty_files.length === 1 ? '' : 's'}`}`;
  const saved = [workflow?.last_completed_checkpoint ?? null, checkpoint].filter((each) => each !== null);
  const lines = [
    ...labelled('- Current phase', phase, 40, 1),
    ...labelled('- Workflow status', workflow?.workflow_status ?? null, 12, 2),
    ...labelled('- Last activity', workflow?.current_activity ?? null, 48, 1),
    ...labelled('- Last checkpoint', saved.join(', '), 60, 2),
    ...labelled('- Context fill at interruption', fill, 24, 5),
    ...labelled('- Compaction events in previous session', conversation.epoch, 8, 5),
    ...labelled('- Git now', tree, 40, 4),
  ];
  return [{ text: 'RECOVERY STATE:', rank: 1, isTitle: true }, ...lines];
}

/** Files in their order, with what to read in each and what for. */
function readingOrder(facts: ResumptionFacts): Line[] {
  const { files_to_read: files } = facts.draft.recovery_instructions;
  const count = files.length + (facts.checkpoint === null ? 0 : 1);
  const entries = files.slice(0, 4).map((file) => ({
    path: say(file.path, 60),
    sections: file.sections.map((each) => say(each, 12)).join(', '),
    purpose: say(file.purpose ?? '', 30),
  }));
  if (facts.checkpoint !== null) {
    entries.push({ path: say(facts.checkpoint, 60), sections: '', purpose: 'what was true then, complete' });
  }
  return [
    { text: '', rank: 5 },
    { text: titleOf('Reading order', count), rank: 2, isTitle: true },
    ...entries.flatMap(({ path, sections, purpose }, at) => [
      { text: `${at + 1}. ${path}`, rank: at === 0 ? 2 : 4, called: 'files to read' },
      ...(sections === ''
        ? []
        : [{ text: `   Sections: ${sections}`, rank: at === 0 ? 3 : 5, called: 'sections of files' }]),
      ...(purpose === '' ? [] : [{ text: `   Purpose: ${purpose}`, rank: 6, called: 'purposes of files' }]),
    ]),
  ];
}

function work(draft: CheckpointDraft, root: string | null): Line[] {
  const { work: done, accumulated_context: context } = draft;
  const files = done.files_written.map((path) => relative(path, root)).reverse();
  const failing = done.failing_commands.map((each) => {
    const line = each.output.split('\n').find((text) => text.trim() !== '' && !/^Exit code \d+$/.test(text));
    return say(line === undefined ? each.command : `${each.command} → ${line}`, 70);
  });
  const decisions = context.decisions_since_last_checkpoint.map(decisionLine);
  return [
    ...items(
      'OPEN TASKS',
      openTaskSubjects(draft).map((each) => say(each, 40)),
      {
        rank: 2,
        called: 'open tasks',
        most: 12,
      },
    ),
    ...items(
      'FILES WRITTEN',
      files.map((each) => say(each, 40)),
      { rank: 3, called: 'files written', most: 12 },
    ),
    ...items('FAILING COMMANDS', failing, { rank: 3, called: 'failing commands', most: 3 }),
    ...items('KEY DECISIONS (carry forward)', decisions, { rank: 3, called: 'decisions', most: 6 }),
    ...items(
      'AGENT WORK COMPLETED',
      Object.entries(context.agent_summaries).map(([agent, text]) => say(`${agent}: ${text}`, 48)),
      { rank: 4, called: 'agent work', most: 8 },
    ),
    ...items(
      'DEFECT PATTERNS (avoid re-introducing)',
      context.defect_patterns.map((each) => patternLine(each, own(context.defect_gates ?? {}, each) ?? [])),
      { rank: 4, called: 'defect patterns', most: 4 },
    ),
  ];
}

/** The requests, the last one whole with the one that it leans on, earlier ones in short, and what was answered last. */
function requests(draft: CheckpointDraft): Line[] {
  const asked = askedFor(draft.work.requests);
  const earlier = draft.work.requests.filter((each) => each !== asked?.request && each !== asked?.before);
  return [
    ...labelled("THE USER'S REQUEST", asked?.request ?? null, 160, 0),
    ...labelled('ASKED BEFORE', asked?.before ?? null, 120, 1),
    ...items(
      'EARLIER REQUESTS',
      earlier.reverse().map((each) => say(each, 40)),
      {
        rank: 5,
        called: 'earlier requests',
        most: 3,
      },
    ),
    ...block(labelled('LAST ANSWER', draft.work.last_answer, 110, 4)),
  ];
}

/**
 * The `<resumption-context>` tag: the seed's labels and order, lines without data left out, 1,200 tokens at the most.
 * It states what is; what to do about it is the user's and the agent's to decide.
 */
export function resumptionContext(facts: ResumptionFacts, budget: number = BUDGETS.resumption): string {
  const { draft, checkpoint } = facts;
  const workflow = draft.orchestration_state;
  const id = draft.conversation.session_id;
  const why = facts.because.map((each) => WHY[each]).join(', ');
  const next = draft.recovery_instructions.next_action;
  const lines: Line[] = [
    { text: '<resumption-context>', rank: 0 },
    {
      text: `An earlier conversation in this project ${facts.because.length === 0 ? 'has ended' : 'left work unfinished'}. What follows is where it stopped; the work goes on from there, it does not start over.`,
      rank: 0,
    },
    { text: 'A request of the user for something else comes first.', rank: 0 },
    {
      text: `CONVERSATION: ${shortId(id)}, ended ${ago(facts.age_s)}${why === '' ? '' : ` (${why})`}`,
      rank: 0,
    },
    ...labelled('WORKFLOW', workflow?.workflow_id ?? null, 24, 1),
    ...labelled('PROJECT', workflow?.project_id ?? null, 24, 3),
    ...labelled('ORCHESTRATION PLAN', workflow?.plan_path ?? null, 48, 3),
    { text: '', rank: 5 },
    ...recoveryState(facts),
    ...block(requests(draft)),
    ...block(labelled('NEXT ACTION', next, 97, 0)),
    ...block(quality(draft)),
    ...work(draft, facts.root),
    ...readingOrder(facts),
    ...(workflow === null
      ? []
      : [{ text: 'Files of finished phases are needed only where the work asks for them.', rank: 5 }]),
    { text: '</resumption-context>', rank: 0 },
  ];
  return fitLines(lines, budget, checkpoint ?? 'plimsoll handoff');
}

/** One line of 60 tokens at the most; null when the conversation left nothing to point to. */
export function resumptionPointer(facts: ResumptionFacts): string | null {
  const asked = askedInShort(facts.draft.work.requests);
  if (asked === null) return null;
  const line = (words: string): string =>
    `<resumption-context>Earlier conversation here (${ago(facts.age_s)}): "${words}". "plimsoll handoff" prints its state.</resumption-context>`;
  return line(say(asked, BUDGETS.resumptionPointer - estimateTokens(line(''))));
}
