// The actions at a session's start: notes the client, and injects the alert, project, track and handoff as due.

import { buildAddonActions, WORKFLOW } from '../../addons/addon.ts';
import { findWorkflowPlace } from '../../addons/workflow-port.ts';
import { findEndedSegment, findEpochAtCompaction } from '../../compaction/delivery.ts';
import type { SessionSnapshot } from '../../context/context-status.ts';
import { findUnansweredBoundary } from '../../context/usage.ts';
import { readHandoffSettings } from '../../handoff/decide-handoff.ts';
import { findPrevious } from '../../handoff/previous-session.io.ts';
import type { Event } from '../../hosts/host.ts';
import { exists } from '../../platform/look.ts';
import { findQualityPath } from '../../platform/project/paths.ts';
import { tryStep, tryStepAsync } from '../../platform/project/try-step.ts';
import { buildRetentionAction } from '../../sessions/retention/schedule-gc.io.ts';
import type { SessionPatch } from '../../sessions/session-state.ts';
import { buildClientPatch, buildSeenPatch } from '../../sessions/update-state.io.ts';
import type { Action, HookResult } from '../action.ts';
import type { HookContext } from '../snapshot.io.ts';
import { buildHandedOffAction, buildPendingActions } from './pending-notices.io.ts';

/** Retention normally runs at a session's end; if ends never come (a client that is always killed), a start runs it later. */
const AT_START = 2;

type StartEvent = Extract<Event, { kind: 'session-start' }>;

const marksOf = (hook: HookContext, event: StartEvent): Record<string, boolean> => {
  const mark = hook.host.readWindowMark(event.model);
  return mark === null ? {} : { [mark.model]: mark.isMarked };
};

/** Re-orients the agent right after a compaction: these messages are in its very next request. */
async function afterCompaction(
  hook: HookContext,
  event: StartEvent,
  snapshot: SessionSnapshot,
  name: string,
): Promise<HookResult> {
  const { state, scan, epoch } = snapshot;
  const { number, unflushed } = findEpochAtCompaction(state, scan?.facts ?? null, scan?.end ?? 0, hook.now);
  // The compacted segment ends at the boundary if that is in the transcript already; else it is all since the last one.
  const isFlushed = unflushed === null;
  const end = isFlushed ? findEndedSegment(epoch).to : undefined;
  const part = await tryStepAsync(hook, 'compaction-alert', async () => {
    const { buildAlertAction } = await import('../../compaction/alert.io.ts');
    return buildAlertAction(hook, snapshot, {
      epoch: number,
      unflushed,
      tries: 1,
      checkpoint: state?.pending_compaction?.checkpoint ?? null,
      channel: name,
      end,
      marks: marksOf(hook, event),
    });
  });
  return [
    ...(part === null ? [] : [part]),
    ...(await projectPartsOf(hook)),
    ...(await buildAddonActions('start', hook, snapshot)),
  ];
}

const isWorkflowThere = (hook: HookContext): boolean =>
  tryStep(hook, 'orchestration file', () => WORKFLOW?.isThere(findWorkflowPlace(hook))) === true;

/** The messages about the project itself. */
async function projectPartsOf(hook: HookContext): Promise<Action[]> {
  const { paths, resolved } = hook;
  const isAny = resolved.addons.length > 0 || exists(findQualityPath(paths)) || isWorkflowThere(hook);
  if (!isAny) return [];
  const parts = await tryStepAsync(hook, 'project', async () =>
    (await import('../../handoff/project-messages.io.ts')).buildProjectActions(hook),
  );
  return parts ?? [];
}

/** The handoff of the previous session, if there is one to hand off, else of the workflow that the project keeps. */
async function resumptionParts(
  hook: HookContext,
  source: 'startup' | 'clear',
  name: string,
): Promise<Action[]> {
  const { auto, headless, maxAgeHours } = readHandoffSettings(hook.resolved.settings);
  if (auto === 'off') return [];
  const except = [hook.event.session];
  const previous = findPrevious(hook.paths, { except, now: hook.now, maxAgeHours, headless });
  const handed = previous?.obstacle === null ? previous : null;
  if (handed === null && !isWorkflowThere(hook)) return [];
  return (await import('../../handoff/give-handoff.io.ts')).giveHandoff(
    hook,
    { source, channel: name, offset: 0 },
    handed,
  );
}

/** Notes the client and where the session comes from. The session becomes `active` once something follows. */
function startPart(hook: HookContext, event: StartEvent, snapshot: SessionSnapshot, goesOn: boolean): Action {
  const { source } = event;
  const { state, scan } = snapshot;
  // A compaction that nothing has followed yet is this session's, whoever began it.
  const boundary = findUnansweredBoundary(scan?.facts);
  const freshAt = boundary !== null ? Date.parse(boundary.at ?? '') || hook.now : hook.now;
  const isFork = event.source === 'fork' || (event.source === 'resume' && !goesOn);
  const patch: SessionPatch = {
    ...(goesOn ? buildSeenPatch(hook, snapshot) : buildClientPatch(hook, state)),
    active: state?.active ?? goesOn,
    ended: null,
    large_window_by_model: { ...(goesOn ? snapshot.largeWindowByModel : {}), ...marksOf(hook, event) },
    ...(isFork ? { forked_at: Math.min(hook.now, freshAt) } : {}),
    // A session that continues still needs the handoff that its start left out.
    handoff_due:
      source === 'startup' || source === 'clear' ? source : goesOn ? (state?.handoff_due ?? null) : null,
  };
  return { name: 'state', effects: [{ do: 'patch-session', session: event.session, patch }] };
}

/** Tells the person, at the start of a session, that the client is too old for what brings the hooks. */
const lackPart = ({ env }: HookContext): Action[] =>
  env.HOST_LACKS === undefined
    ? []
    : [{ name: 'lack', render: () => ({ person: `Plimsoll: ${env.HOST_LACKS}` }) }];

/** The actions for each kind of start. A resume and a fork have the earlier messages in their transcript. */
export async function handleSessionStart(
  hook: HookContext,
  event: StartEvent,
  snapshot: SessionSnapshot,
  name: string,
): Promise<HookResult> {
  const { source } = event;
  if (source === 'compact') return afterCompaction(hook, event, snapshot, name);
  // Before 2.1.214 a fork was reported as a resume; it has a new id and no transcript yet.
  const goesOn = source === 'resume' && !(snapshot.state === null && snapshot.scan === null);
  const start = startPart(hook, event, snapshot, goesOn);
  if (source !== 'startup' && source !== 'clear') {
    // A compaction may end in a session of another id, and a client may die between it and the alert.
    const owed = await buildPendingActions(hook, snapshot, name);
    const more = goesOn ? await buildAddonActions('goes-on', hook, snapshot) : [];
    return [...owed, start, ...more, ...lackPart(hook)];
  }
  const resumption = await tryStepAsync(hook, 'resumption', () => resumptionParts(hook, source, name));
  const retention = tryStep(hook, 'retention', () => buildRetentionAction(hook, AT_START)) ?? [];
  // The handoff takes the room that the others leave.
  return [
    start,
    ...(await projectPartsOf(hook)),
    ...(await buildAddonActions('start', hook, snapshot)),
    ...(resumption ?? []),
    ...retention,
    ...lackPart(hook),
    // Marked last: a hook that dies before it leaves the handoff to the next prompt or tool call.
    ...(resumption === null ? [] : [buildHandedOffAction(event.session)]),
  ];
}
