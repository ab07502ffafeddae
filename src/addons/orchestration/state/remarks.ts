// The comments that explain a new section to whoever opens the file next.
import type { Path } from '../../../text/json.ts';
import { SECTION } from './section.ts';

/** Words that show that the protocol is explained already. */
export const PROTOCOL_MARK = 'UPDATE PROTOCOL';

const RULE = `# ${'='.repeat(77)}`;

export const PROTOCOL: readonly string[] = [
  '',
  RULE,
  '# RESUMPTION CONTEXT (v2.0)',
  RULE,
  '# UPDATE PROTOCOL: this section is brought up to date at every state transition:',
  '#   - a phase starts or is complete        plimsoll state phase N --name NAME',
  '#   - the activity or next step changes    plimsoll state activity TEXT, plimsoll state next TEXT',
  '#   - a quality gate iteration             plimsoll state gate enter|score|pass|fail GATE',
  '#   - a decision affects later phases      plimsoll state decision add TEXT --phase N',
  '#   - an agent is done                     plimsoll state agent done NAME SUMMARY',
  '#   - a compaction                         plimsoll state merge cx-NNN',
  '# Each command keeps comments and stamps updated_at. Who edits by hand stamps it by hand.',
];

interface Words {
  above?: readonly string[];
  beside?: string;
}

const title = (number: number, words: string): Words => ({ above: ['', `# --- ${number}. ${words} ---`] });

const REMARKS: Record<string, Words> = {
  last_checkpoint: { ...title(1, 'Recovery state'), beside: 'id of the most recent checkpoint' },
  current_phase: { beside: 'number of the phase' },
  workflow_status: { beside: 'ACTIVE | PAUSED | COMPLETE | FAILED' },
  current_activity: { beside: 'phase-N-agent-execution | GATE-iteration-M | compaction-recovery | idle' },
  context_fill_at_update: { beside: 'fraction of the window at the last update' },
  updated_at: { beside: 'time of the last update, UTC' },
  files_to_read: title(2, 'Files to read, in the order of priority'),
  quality_trajectory: title(3, 'Quality trajectory'),
  'quality_trajectory.current_gate': { beside: 'null between gates' },
  'quality_trajectory.score_history': { beside: 'gate: scores, one for each iteration' },
  'quality_trajectory.lowest_dimension': { beside: 'recurring weak dimension' },
  defect_summary: title(4, 'Defect summary, over all gates'),
  'defect_summary.unresolved_defects': { beside: 'ids of open defects' },
  decisions: {
    ...title(5, 'Decisions that affect later phases'),
    beside: 'applied: false until they are carried out',
  },
  agent_summaries: title(6, 'Agent summaries, one line for each agent that is done'),
  compaction_events: title(7, 'Compaction events'),
};

/** The first lines of a new file. */
const HEAD: readonly string[] = [
  '# Where the work stands: read by people, agents and hooks. plimsoll state show prints it.',
];

/** What is said about a key when it is written for the first time with its section. */
export function buildRemarks(path: Path): Words | undefined {
  if (path.length === 1 && path[0] === 'workflow') return { above: HEAD };
  if (path[0] !== SECTION) return undefined;
  if (path.length === 1) return { above: PROTOCOL };
  return REMARKS[path.slice(1).join('.')];
}
