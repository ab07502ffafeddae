// Notes an ORCHESTRATION.yaml that is new or has changed, and reports when its resumption section was left behind.

import { findTime, type SectionMarks } from '../../compaction/workflow/staleness.ts';
import { isActive } from '../../compaction/workflow/workflow.ts';
import type { SessionSnapshot } from '../../context/context-status.ts';
import type { Action } from '../../hook/action.ts';
import { type HookContext, isWorkflowSame } from '../../hook/snapshot.io.ts';
import { readStamp } from '../../platform/look.ts';
import { makeRelative } from '../../platform/project/paths.ts';
import { tryStep } from '../../platform/project/try-step.ts';
import type { WorkflowFile } from '../../sessions/session-state.ts';
import { escapeInline, quoteShellWord } from '../../text/escape.ts';
import { fitInline } from '../../text/lines.ts';
import { findWorkflowPlace } from '../workflow-port.ts';
import { findOrchestration, readOrchestration, readWorkflowStatus } from './find-workflow.io.ts';
import { formatStalenessWarning } from './hold-stop.io.ts';
import { readCriticality, readSectionMarks } from './yaml-fields.ts';

/** The most lines; of further agents only the number is given. */
const MOST = 5;

/** Longer names are not repeated: a shortened one could name another agent. */
const LONGEST = 40;

/** One line per agent with its type and first words, then the command that notes what it did. */
export function formatAgentsDone(agents: readonly { type: string; answer: string | null }[]): string {
  const lines = agents.slice(0, MOST).map(({ type, answer }) => {
    const words = answer === null ? '' : ` ("${fitInline(answer, 40)}")`;
    return `- ${fitInline(type, 16)}${words}`;
  });
  const more = agents.length > MOST ? [`- and ${agents.length - MOST} more`] : [];
  const first = escapeInline(agents[0]?.type ?? '');
  const name = first === '' || first.length > LONGEST ? 'NAME' : quoteShellWord(first);
  return [
    '<context-monitor>',
    `${agents.length === 1 ? 'An agent has' : `${agents.length} agents have`} finished:`,
    ...lines,
    ...more,
    `One line for whoever comes after a compaction: plimsoll state agent done ${name} "what it did"`,
    '</context-monitor>',
  ].join('\n');
}

/** When a phase that is new began, in ms: with the update that named it, else when a hook first saw it. */
function findPhaseStart(before: WorkflowFile, marks: SectionMarks, now: number): number {
  const updated = before.updated_at === marks.updated_at ? null : findTime(marks.updated_at);
  return Math.min(updated ?? now, now);
}

/** The file as it is now; null when there is none. A phase is dated from when a hook first saw it. */
export function findPresentWorkflow(hook: HookContext, before: WorkflowFile | null): WorkflowFile | null {
  const path = findOrchestration(findWorkflowPlace(hook));
  const source = path === null ? null : readOrchestration(path);
  if (path === null || source === null) return null;
  const marks = readSectionMarks(source);
  const isSame = before?.path === path;
  return {
    path,
    mtimeMs: readStamp(path).mtimeMs,
    ...marks,
    criticality: isActive(readWorkflowStatus(source)) ? readCriticality(source) : null,
    // The start of a phase that was there when a hook first saw the file is not known.
    phase_since: !isSame
      ? null
      : before.current_phase === marks.current_phase
        ? before.phase_since
        : new Date(findPhaseStart(before, marks, hook.now)).toISOString(),
  };
}

/** Reports subagents that finished, once, at the first event that follows. */
function agentParts(hook: HookContext, snapshot: SessionSnapshot): Action[] {
  const finished = Object.entries(snapshot.state?.finished_subagents ?? {}).flatMap(([id, each]) =>
    each === null ? [] : [{ id, ...each }],
  );
  if (finished.length === 0) return [];
  const { session } = hook.event;
  const gone = Object.fromEntries(finished.map(({ id }) => [id, null]));
  return [
    {
      name: 'agents done',
      claim: {
        name: `agents-${finished.map(({ id }) => id).join('-')}`,
        isLeased: (newest) =>
          newest.finished_subagents === null || finished.every(({ id }) => !newest.finished_subagents?.[id]),
      },
      render: () => ({ context: formatAgentsDone(finished) }),
      afterReply: [{ do: 'patch-session', session, patch: { finished_subagents: gone } }],
    },
  ];
}

/** Notes and reports changes of the workflow: its file and its subagents. */
export function watchWorkflow(hook: HookContext, snapshot: SessionSnapshot): Action[] {
  return [...fileParts(hook, snapshot), ...agentParts(hook, snapshot)];
}

/** Notes the file, and reports after a tool when the file was changed but its resumption section was not. */
function fileParts(hook: HookContext, snapshot: SessionSnapshot): Action[] {
  if (snapshot.state?.workflow_file && isWorkflowSame(snapshot.state)) return [];
  const before = snapshot.state?.workflow_file ?? null;
  const now = tryStep(hook, 'orchestration file', () => findPresentWorkflow(hook, before));
  if (now === null && before === null) return [];
  const { session } = hook.event;
  const isLeftBehind =
    hook.event.kind === 'after-tool' &&
    before !== null &&
    now !== null &&
    before.path === now.path &&
    before.updated_at === now.updated_at;
  return [
    {
      name: 'workflow file',
      ...(isLeftBehind
        ? {
            render: () => ({
              context: formatStalenessWarning(makeRelative(now.path, hook.paths.root), now, hook.now),
            }),
          }
        : {}),
      afterReply: [{ do: 'patch-session', session, patch: { workflow_file: now } }],
    },
  ];
}
