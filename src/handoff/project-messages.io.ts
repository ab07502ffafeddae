// The messages about the project at a session's start and after a compaction: its state, and what add-ons tell.
import { basename } from 'node:path';
import { ADDONS } from '../addons/addon.ts';
import {
  findOrchestration,
  readOrchestration,
  readWorkflowStatus,
} from '../addons/orchestration/find-workflow.io.ts';
import { marksIn } from '../addons/orchestration/yaml-fields.ts';
import { activeTrack, pinnedTrack } from '../addons/tracks/files/find-tracks.io.ts';
import { trackFolder } from '../addons/tracks/layout.ts';
import { isActive } from '../compaction/workflow/workflow.ts';
import type { Action } from '../hook/action.ts';
import type { HookContext } from '../hook/snapshot.io.ts';
import { readBranch } from '../platform/git/git-state.ts';
import { relativeTo } from '../platform/project/paths.ts';
import { tryStep } from '../platform/project/try-step.ts';
import { redactDeep } from '../text/redact.ts';
import { type ProjectFacts, projectContext } from './project-context.ts';

/** The active workflow, read from plain lines of its file without a YAML parser, because a start has to be fast. */
function workflowIn(hook: HookContext): ProjectFacts['workflow'] {
  const { paths, event, resolved } = hook;
  const path = findOrchestration(paths.root, event.cwd, resolved.settings['orchestration.path']);
  const text = path === null ? null : readOrchestration(path);
  if (path === null || text === null || !isActive(readWorkflowStatus(text))) return null;
  const { id } = marksIn(text, 'workflow', ['id']);
  const marks = marksIn(text, 'resumption', ['current_phase', 'current_phase_name', 'workflow_id']);
  return {
    id: id ?? marks.workflow_id,
    phase: marks.current_phase,
    phase_name: marks.current_phase_name,
    path: relativeTo(path, paths.root),
  };
}

/** The active track. */
function trackIn({ paths, event, env, resolved }: HookContext): ProjectFacts['track'] {
  if (paths.root === null || !resolved.tracks) return null;
  const { track } = activeTrack(paths.root, env, pinnedTrack(paths, event.conversation));
  return track === null ? null : { id: track, path: trackFolder(track) };
}

/** The project message; null when it would hold nothing that the client does not tell the agent itself. */
function projectIn(hook: HookContext, isConfigured: boolean): string | null {
  const { paths, event } = hook;
  if (paths.root === null) return null;
  const workflow = tryStep(hook, 'orchestration file', () => workflowIn(hook));
  const track = tryStep(hook, 'track', () => trackIn(hook)) ?? null;
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
