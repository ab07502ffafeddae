// Blocks the end of a turn when CRITICAL was reached and the resumption section has not been updated since.

import { findTime, readUpdatedAt, type SectionMarks } from '../../compaction/workflow/staleness.ts';
import { isActive } from '../../compaction/workflow/workflow.ts';
import type { Action } from '../../hook/action.ts';
import type { HookContext } from '../../hook/snapshot.io.ts';
import { readStamp } from '../../platform/look.ts';
import { makeRelative } from '../../platform/project/paths.ts';
import type { LastAnnounced } from '../../sessions/session-state.ts';
import { escapeInline } from '../../text/escape.ts';
import { fitInline } from '../../text/lines.ts';
import { redact, redactDeep } from '../../text/redact.ts';
import { formatAge } from '../../text/time.ts';
import { findWorkflowPlace } from '../workflow-port.ts';
import { findOrchestration, readOrchestration, readWorkflowStatus } from './find-workflow.io.ts';
import { readSectionMarks } from './yaml-fields.ts';

/** One line after a tool that changed the file but, as far as can be told, not its resumption section. */
export function formatStalenessWarning(path: string, marks: SectionMarks, now: number): string {
  const at = findTime(marks.updated_at);
  const what =
    at === null
      ? 'was changed; no updated_at of its resumption section can be read ("plimsoll state validate" says why)'
      : `was changed, its resumption section was not (${fitInline(`updated_at ${escapeInline(marks.updated_at ?? '')}, ${formatAge((now - at) / 1000)}`, 40)})`;
  return `<context-monitor>${fitInline(path, 60)} ${what}.</context-monitor>`;
}

/** Tells why the turn is blocked from ending, and what lets it end. */
export function findStaleAtStop(path: string, marks: SectionMarks, tier: string): string {
  const since =
    marks.updated_at === null ? 'has no updated_at' : `was updated ${escapeInline(marks.updated_at)}`;
  return `The context is at ${tier}, and the resumption section of ${fitInline(path, 60)} ${fitInline(since, 40)}, before that: what was done since would be lost in a compaction. Bring it up to date, e.g. plimsoll state activity "…" and plimsoll state next "…" (plimsoll state show prints it); the turn then ends. This is asked once.`;
}

/** Blocks the end of a turn while the active workflow's section is older than the rise; else returns no action. */
export function buildStopAction(hook: HookContext, said: LastAnnounced, since: string): Action[] {
  const { paths, event } = hook;
  const path = findOrchestration(findWorkflowPlace(hook));
  const text = path === null ? null : readOrchestration(path);
  if (path === null || text === null || !isActive(readWorkflowStatus(text))) return [];
  const marks = readSectionMarks(text);
  if (readUpdatedAt(marks.updated_at, readStamp(path).mtimeMs) >= Date.parse(since)) return [];
  const { session } = event;
  return [
    {
      name: 'stop gate',
      claim: {
        name: `e${said.epoch}-held`,
        isLeased: (newest) =>
          newest.last_announced?.epoch === said.epoch && newest.last_announced.held === true,
      },
      render: () => ({
        blockStop: findStaleAtStop(redact(makeRelative(path, paths.root)), redactDeep(marks), said.tier),
      }),
      afterReply: [{ do: 'patch-session', session, patch: { last_announced: { ...said, held: true } } }],
    },
  ];
}
