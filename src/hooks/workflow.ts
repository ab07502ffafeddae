// Notes an ORCHESTRATION.yaml that is new or has changed, and reports when its resumption section was left behind.

import type { WorkflowFile } from '../model/conversation.ts';
import type { Part } from '../model/outcome.ts';
import { sectionMarks } from '../model/staleness.ts';
import { tryStep } from '../model/try-step.ts';
import { stampOf } from '../platform/look.ts';
import { findOrchestration, readOrchestration } from '../store/orchestration.ts';
import { shownBelow } from '../store/paths.ts';
import { agentsDone } from '../tags/agent-done.ts';
import { stalenessWarning } from '../tags/staleness.ts';
import { type Call, isWorkflowSame, type Look } from './look.ts';

/** The file as it is now; null when there is none. A phase is dated from when a hook first saw it. */
export function presentWorkflow(call: Call, before: WorkflowFile | null): WorkflowFile | null {
  const path = findOrchestration(
    call.paths.root,
    call.event.cwd,
    call.resolved.settings['orchestration.path'],
  );
  const source = path === null ? null : readOrchestration(path);
  if (path === null || source === null) return null;
  const marks = sectionMarks(source);
  const isSame = before?.path === path;
  return {
    path,
    mtimeMs: stampOf(path).mtimeMs,
    ...marks,
    // The start of a phase that was there when a hook first saw the file is not known.
    phase_since: !isSame
      ? null
      : before.current_phase === marks.current_phase
        ? before.phase_since
        : new Date(call.now).toISOString(),
  };
}

/** Reports subagents that finished, once, at the first event that follows. */
function agentParts(call: Call, look: Look): Part[] {
  const finished = Object.entries(look.state?.finished ?? {}).flatMap(([id, each]) =>
    each === null ? [] : [{ id, ...each }],
  );
  if (finished.length === 0) return [];
  const { conversation } = call.event;
  const gone = Object.fromEntries(finished.map(({ id }) => [id, null]));
  return [
    {
      name: 'agents done',
      claim: {
        name: `${conversation}-agents-${finished.map(({ id }) => id).join('-')}`,
        isLeased: (newest) => newest.finished === null || finished.every(({ id }) => !newest.finished?.[id]),
      },
      say: () => ({ context: agentsDone(finished) }),
      mark: [{ do: 'patch-conversation', conversation, patch: { finished: gone } }],
    },
  ];
}

/** Notes and reports changes of the workflow: its file and its subagents. */
export function workflowParts(call: Call, look: Look): Part[] {
  return [...fileParts(call, look), ...agentParts(call, look)];
}

/** Notes the file, and reports after a tool when the file was changed but its resumption section was not. */
function fileParts(call: Call, look: Look): Part[] {
  if (look.state?.workflow_file && isWorkflowSame(look.state)) return [];
  const before = look.state?.workflow_file ?? null;
  const now = tryStep(call, 'orchestration file', () => presentWorkflow(call, before));
  if (now === null && before === null) return [];
  const { conversation } = call.event;
  const isLeftBehind =
    call.event.kind === 'after-tool' &&
    before !== null &&
    now !== null &&
    before.path === now.path &&
    before.updated_at === now.updated_at;
  return [
    {
      name: 'workflow file',
      ...(isLeftBehind
        ? { say: () => ({ context: stalenessWarning(shownBelow(now.path, call.paths.root), now, call.now) }) }
        : {}),
      mark: [{ do: 'patch-conversation', conversation, patch: { workflow_file: now } }],
    },
  ];
}
