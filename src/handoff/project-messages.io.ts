// The messages about the project at a session's start and after a compaction: its state, and what add-ons tell.
import { basename } from 'node:path';
import { ADDONS, listAsked, WORKFLOW } from '../addons/addon.ts';
import { findWorkflowPlace } from '../addons/workflow-port.ts';
import type { Action } from '../hook/action.ts';
import type { HookContext } from '../hook/snapshot.io.ts';
import { readBranch } from '../platform/git/git-state.ts';
import { relativeTo } from '../platform/project/paths.ts';
import { tryStep } from '../platform/project/try-step.ts';
import { redactDeep } from '../text/redact.ts';
import { projectContext } from './project-context.ts';

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
  if (workflow === null && track === null && !isConfigured) return null;
  const facts = {
    name: basename(paths.root),
    branch: tryStep(hook, 'git', () => readBranch(event.cwd)),
    workflow,
    track,
    state: relativeTo(paths.state, paths.root),
  };
  return projectContext(redactDeep(facts));
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
