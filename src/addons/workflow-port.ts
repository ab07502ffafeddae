// What the rest asks of the add-on that keeps a workflow in a file of the project.

import type { SectionMarks } from '../compaction/workflow/staleness.ts';
import type { Orchestration } from '../compaction/workflow/workflow.ts';
import type { SessionSnapshot } from '../context/context-status.ts';
import type { Sensitivity } from '../context/tier.ts';
import type { Action } from '../hook/action.ts';
import type { HookContext } from '../hook/snapshot.io.ts';
import type { ProjectPaths } from '../platform/project/paths.ts';
import type { LastAnnounced, WorkflowFile } from '../sessions/session-state.ts';

/** Where the file of a workflow is looked for. */
export interface WorkflowPlace {
  root: string | null;
  cwd: string;
  /** The configured file, or null: then it is searched for. */
  configured: string | null;
}

/** Where the workflow of a hook's session is looked for. */
export const findWorkflowPlace = ({
  paths,
  event,
  resolved,
}: Pick<HookContext, 'paths' | 'event' | 'resolved'>): WorkflowPlace => ({
  root: paths.root,
  cwd: event.cwd,
  configured: resolved.settings['orchestration.path'],
});

export interface WorkflowPort {
  /** Path of the file that belongs to the work; null where there is none, or several may be meant. */
  find(place: WorkflowPlace): string | null;
  /** Whether there is any such file; costs less than finding which one is meant. */
  isThere(place: WorkflowPlace): boolean;
  /** All files that may belong to the work, for callers that must lose nothing. */
  list(place: WorkflowPlace): string[];
  /** Active workflows of which none is used, because nothing says which one is meant. */
  listUndecided(root: string): string[];
  /** Text of a file; null where it cannot be read or is too large. */
  readText(path: string): string | null;
  /** What the file says in a quick look. */
  readMarks(path: string): (SectionMarks & { id: string | null }) | null;
  /** The status that a text names, or null. */
  readStatus(text: string): string | null;
  /**
   * What the file that belongs to the work says.
   * @param since start of the session and of the present phase, as ISO times, to judge the section's age by
   */
  read(
    place: WorkflowPlace,
    since?: { session: string | null; phase: string | null },
  ): Promise<Orchestration | null>;
  /** The active workflow in short; null where none is active. */
  readActive(place: WorkflowPlace): {
    id: string | null;
    phase: string | null;
    phase_name: string | null;
    criticality: Sensitivity | null;
    path: string;
  } | null;
  /** The file as it is now, and since when it names its phase. */
  findFile(hook: HookContext, before: WorkflowFile | null): Promise<WorkflowFile | null>;
  /** Notes and reports changes of the workflow: its file and its subagents. */
  watch(hook: HookContext, snapshot: SessionSnapshot): Promise<Action[]>;
  /** Blocks the end of a turn while the active workflow's section is older than the rise to CRITICAL. */
  holdStop(hook: HookContext, said: LastAnnounced, since: string): Promise<Action[]>;
  /** Puts what a checkpoint knows into the file; the file as it is then, or null where there is none. */
  merge(
    paths: ProjectPaths,
    checkpoint: string,
  ): Promise<Pick<WorkflowFile, 'path' | 'mtimeMs' | 'last_checkpoint'> | null>;
}
