// The messages about the project at a session's start and after a compaction: its state, and what add-ons tell.

import { basename } from 'node:path';
import { ADDONS, listAsked, WORKFLOW } from '../addons/addon.ts';
import { findWorkflowPlace } from '../addons/workflow-port.ts';
import type { Action } from '../hook/action.ts';
import type { HookContext } from '../hook/snapshot.io.ts';
import { readBranch } from '../platform/git/git-state.ts';
import { makeRelative } from '../platform/project/paths.ts';
import { tryStep } from '../platform/project/try-step.ts';
import { BUDGETS, fitLines, type RankedLine } from '../text/budget.ts';
import { escapeInline, quoteShellWord } from '../text/escape.ts';
import { fitInline, formatLabelLine } from '../text/lines.ts';
import { redactDeep } from '../text/redact.ts';

// The `<project-context>` message that tells a session at its start which project, workflow and track it is in.
interface ProjectFacts {
  name: string;
  branch: string | null;
  /** The active workflow, or null. */
  workflow: { id: string | null; phase: string | null; phase_name: string | null; path: string } | null;
  /** Active workflows of which none is followed, because nothing says which one is meant. */
  undecided: { id: string | null; path: string }[];
  /** The active track and its folder, or null. */
  track: { id: string; path: string } | null;
  /** The state folder, as the agent would type it. */
  state: string;
}

/** The `<project-context>` tag: project, branch, workflow, and the place of its state; at most 200 tokens. */
export function formatProjectContext({
  name,
  branch,
  workflow,
  undecided,
  track,
  state,
}: ProjectFacts): string {
  const phase = workflow?.phase ?? null;
  const named = workflow?.phase_name ?? null;
  const lines: RankedLine[] = [
    { text: '<project-context>', rank: 0 },
    { text: "From the project's files and git, not the user's words:", rank: 0 },
    ...formatLabelLine('PROJECT', name, 24, 0),
    ...formatLabelLine('BRANCH', branch, 32, 1),
    ...formatLabelLine('ACTIVE WORKFLOW', workflow === null ? null : (workflow.id ?? 'without an id'), 32, 0),
    ...formatLabelLine(
      'PHASE',
      phase === null ? null : `${phase}${named === null ? '' : ` (${named})`}`,
      32,
      1,
    ),
    ...formatLabelLine('WORKFLOW STATE', workflow?.path ?? null, 48, 0),
    ...undecidedLines(undecided),
    ...formatLabelLine('ACTIVE TRACK', track === null ? null : `${track.id} (${track.path})`, 40, 0),
    ...formatLabelLine('CHECKPOINTS', `${state}/checkpoints`, 48, 2),
    { text: '</project-context>', rank: 0 },
  ];
  return fitLines(lines, BUDGETS.project, null);
}

/** That several workflows are active, which ones, and how one is chosen; until then none of them is followed. */
function undecidedLines(undecided: ProjectFacts['undecided']): RankedLine[] {
  const [first] = undecided;
  if (first === undefined) return [];
  const names = undecided.slice(0, MOST_NAMED).map(({ id, path }) => fitInline(id ?? path, 20));
  const more = undecided.length > MOST_NAMED ? `, and ${undecided.length - MOST_NAMED} more` : '';
  return [
    { text: `${undecided.length} ACTIVE WORKFLOWS, none followed yet: ${names.join(', ')}${more}`, rank: 0 },
    {
      text: `To choose: plimsoll config set orchestration.path ${pathWord(first.path)} --scope local`,
      rank: 0,
    },
  ];
}

const MOST_NAMED = 4;

/** A path as a word of a shell; one too long to be told whole stands for any. */
const pathWord = (path: string): string => (path.length > 60 ? 'PATH' : quoteShellWord(escapeInline(path)));

/** Active workflows, where several are and neither a setting nor the folder says which one is meant. */
function listUndecided(hook: HookContext): ProjectFacts['undecided'] {
  const { root } = hook.paths;
  if (WORKFLOW === null || root === null || WORKFLOW.find(findWorkflowPlace(hook)) !== null) return [];
  return WORKFLOW.listUndecided(root).map((path) => ({
    id: WORKFLOW?.readMarks(path)?.id ?? null,
    path: makeRelative(path, root),
  }));
}

/** The project message; null when it would hold nothing that the client does not tell the agent itself. */
function projectIn(hook: HookContext, isConfigured: boolean): string | null {
  const { paths, event, resolved } = hook;
  if (paths.root === null) return null;
  const workflow =
    tryStep(hook, 'orchestration file', () => WORKFLOW?.readActive(findWorkflowPlace(hook))) ?? null;
  const track =
    tryStep(hook, 'track', () =>
      listAsked(resolved)
        .map(([, addon]) => addon.readTrack?.(hook) ?? null)
        .find((each) => each !== null),
    ) ?? null;
  const undecided =
    workflow === null ? (tryStep(hook, 'orchestration file', () => listUndecided(hook)) ?? []) : [];
  if (workflow === null && track === null && undecided.length === 0 && !isConfigured) return null;
  const facts = {
    name: basename(paths.root),
    branch: tryStep(hook, 'git', () => readBranch(event.cwd)),
    workflow,
    undecided,
    track,
    state: makeRelative(paths.state, paths.root),
  };
  return formatProjectContext(redactDeep(facts));
}

/** `<project-context>` and what add-ons tell, only for a project with an active workflow or track, or such a text. */
export function buildProjectActions(hook: HookContext): Action[] {
  const told = ADDONS.flatMap(({ startMessage }) => startMessage ?? []).map(({ name, read }) => ({
    name,
    context: tryStep(hook, name, () => read(hook)),
  }));
  const project = projectIn(
    hook,
    told.some(({ context }) => context !== null),
  );
  return [{ name: 'project-context', context: project }, ...told].flatMap(({ name, context }) =>
    context === null ? [] : { name, render: () => ({ context }) },
  );
}
