// Blocks the end of a turn when CRITICAL was reached and the resumption section has not been updated since.

import { updatedAt } from '../../compaction/workflow/staleness.ts';
import { isActive } from '../../compaction/workflow/workflow.ts';
import type { Action } from '../../hook/action.ts';
import type { HookContext } from '../../hook/snapshot.io.ts';
import { stampOf } from '../../platform/look.ts';
import { relativeTo } from '../../platform/project/paths.ts';
import type { LastAnnounced } from '../../sessions/session-state.ts';
import { redact, redactDeep } from '../../text/redact.ts';
import { findWorkflowPlace } from '../workflow-port.ts';
import { findOrchestration, readOrchestration, readWorkflowStatus } from './find-workflow.io.ts';
import { staleAtStop } from './staleness-message.ts';
import { sectionMarks } from './yaml-fields.ts';

/** Blocks the end of a turn while the active workflow's section is older than the rise; else returns no action. */
export function buildStopAction(hook: HookContext, said: LastAnnounced, since: string): Action[] {
  const { paths, event } = hook;
  const path = findOrchestration(findWorkflowPlace(hook));
  const text = path === null ? null : readOrchestration(path);
  if (path === null || text === null || !isActive(readWorkflowStatus(text))) return [];
  const marks = sectionMarks(text);
  if (updatedAt(marks.updated_at, stampOf(path).mtimeMs) >= Date.parse(since)) return [];
  const { conversation } = event;
  return [
    {
      name: 'stop gate',
      claim: {
        name: `e${said.epoch}-held`,
        isLeased: (newest) =>
          newest.last_announced?.epoch === said.epoch && newest.last_announced.held === true,
      },
      render: () => ({
        blockStop: staleAtStop(redact(relativeTo(path, paths.root)), redactDeep(marks), said.tier),
      }),
      afterReply: [
        { do: 'patch-conversation', conversation, patch: { last_announced: { ...said, held: true } } },
      ],
    },
  ];
}
