// The `<project-context>` message that tells a session at its start which project, workflow and track it is in.
import { BUDGETS, fitLines, type RankedLine } from '../text/budget.ts';
import { labelLine } from '../text/lines.ts';

export interface ProjectFacts {
  name: string;
  branch: string | null;
  /** The active workflow, or null. */
  workflow: { id: string | null; phase: string | null; phase_name: string | null; path: string } | null;
  /** The active track and its folder, or null. */
  track: { id: string; path: string } | null;
  /** The state folder, as the agent would type it. */
  state: string;
}

/** The `<project-context>` tag: project, branch, workflow, and the place of its state; at most 200 tokens. */
export function projectContext({ name, branch, workflow, track, state }: ProjectFacts): string {
  const phase = workflow?.phase ?? null;
  const named = workflow?.phase_name ?? null;
  const lines: RankedLine[] = [
    { text: '<project-context>', rank: 0 },
    { text: "From the project's files and git, not the user's words:", rank: 0 },
    ...labelLine('PROJECT', name, 24, 0),
    ...labelLine('BRANCH', branch, 32, 1),
    ...labelLine('ACTIVE WORKFLOW', workflow === null ? null : (workflow.id ?? 'without an id'), 32, 0),
    ...labelLine('PHASE', phase === null ? null : `${phase}${named === null ? '' : ` (${named})`}`, 32, 1),
    ...labelLine('WORKFLOW STATE', workflow?.path ?? null, 48, 0),
    ...labelLine('ACTIVE TRACK', track === null ? null : `${track.id} (${track.path})`, 40, 0),
    ...labelLine('CHECKPOINTS', `${state}/checkpoints`, 48, 2),
    { text: '</project-context>', rank: 0 },
  ];
  return fitLines(lines, BUDGETS.project, null);
}
