// The actions at a session's start: notes the client, and injects the alert, project, track and handoff as due.

import { resumeSettings } from '../config/resume.ts';
import { markOf } from '../hosts/claude-code/transcript/line.ts';
import type { ConversationPatch } from '../model/conversation.ts';
import { endedStretch, epochAtCompaction } from '../model/delivery.ts';
import type { Event } from '../model/event.ts';
import type { Outcome, Part } from '../model/outcome.ts';
import { tryStep, tryStepAsync } from '../model/try-step.ts';
import { exists } from '../platform/look.ts';
import { hasOrchestration } from '../store/orchestration.ts';
import { qualityPath } from '../store/paths.ts';
import { findPrevious } from '../store/previous.ts';
import { clientPatch, seenPatch } from './housekeeping.ts';
import { retentionPart } from './leftovers.ts';
import type { Call, Look } from './look.ts';
import { handedOff } from './owed.ts';

/** Retention normally runs at a session's end; if ends never come (a client that is always killed), a start runs it later. */
const AT_START = 2;

type SessionStart = Extract<Event, { kind: 'session-start' }>;

const marksOf = (event: SessionStart): Record<string, boolean> => {
  const mark = markOf(event.model);
  return mark === null ? {} : { [mark.model]: mark.isMarked };
};

/** Re-orients the agent right after a compaction: these messages are in its very next request. */
async function afterCompaction(call: Call, event: SessionStart, look: Look): Promise<Outcome> {
  const { state, scan, epoch } = look;
  const { number, unflushed } = epochAtCompaction(state, scan?.facts ?? null, scan?.end ?? 0, call.now);
  // The compacted segment ends at the boundary if that is in the transcript already; else it is all since the last one.
  const isFlushed = unflushed === null;
  const end = isFlushed ? endedStretch(epoch).to : undefined;
  const part = await tryStepAsync(call, 'compaction-alert', async () => {
    const { alertPart } = await import('./alert.ts');
    return alertPart(call, look, {
      epoch: number,
      unflushed,
      tries: 1,
      checkpoint: state?.pending?.checkpoint ?? null,
      channel: 'SessionStart',
      end,
      marks: marksOf(event),
    });
  });
  return [...(part === null ? [] : [part]), ...(await projectPartsOf(call)), ...(await trackPartsOf(call))];
}

/** The messages about the project itself. */
async function projectPartsOf(call: Call): Promise<Part[]> {
  const { paths, event, resolved } = call;
  const isAny =
    resolved.tracks ||
    exists(qualityPath(paths)) ||
    tryStep(call, 'orchestration file', () =>
      hasOrchestration(paths.root, event.cwd, resolved.settings['orchestration.path']),
    ) === true;
  if (!isAny) return [];
  const parts = await tryStepAsync(call, 'project', async () =>
    (await import('./project.ts')).projectParts(call),
  );
  return parts ?? [];
}

/** The message about the active track; a session that continues gets it only if it has changed. */
async function trackPartsOf(call: Call, goesOn = false): Promise<Part[]> {
  if (!call.resolved.tracks) return [];
  const parts = await tryStepAsync(call, 'track', async () =>
    (await import('./track-start.ts')).trackParts(call, goesOn),
  );
  return parts ?? [];
}

/** The handoff of the previous session, if there is one to hand off. */
async function resumptionParts(call: Call, source: 'startup' | 'clear'): Promise<Part[]> {
  const { auto, headless, maxAgeHours } = resumeSettings(call.resolved.settings);
  if (auto === 'off') return [];
  const except = [call.event.conversation];
  const previous = findPrevious(call.paths, { except, now: call.now, maxAgeHours, headless });
  if (previous === null || previous.obstacle !== null) return [];
  return (await import('./resume.ts')).resumptionNow(
    call,
    { source, channel: 'SessionStart', offset: 0 },
    previous,
  );
}

/** Notes the client and where the session comes from. The session becomes `active` once something follows. */
function startPart(call: Call, event: SessionStart, look: Look, goesOn: boolean): Part {
  const { source } = event;
  const { state } = look;
  const isFork = event.source === 'fork' || (event.source === 'resume' && !goesOn);
  const patch: ConversationPatch = {
    ...(goesOn ? seenPatch(call, look) : clientPatch(call, state)),
    active: state?.active ?? goesOn,
    ended: null,
    marks: { ...(goesOn ? look.marks : {}), ...marksOf(event) },
    ...(isFork ? { forked_at: call.now } : {}),
    // A session that continues still needs the handoff that its start left out.
    handoff_due:
      source === 'startup' || source === 'clear' ? source : goesOn ? (state?.handoff_due ?? null) : null,
  };
  return { name: 'state', keep: [{ do: 'patch-conversation', conversation: event.conversation, patch }] };
}

/** The actions for each kind of start. A resume and a fork have the earlier messages in their transcript. */
export async function sessionStart(call: Call, event: SessionStart, look: Look): Promise<Outcome> {
  const { source } = event;
  if (source === 'compact') return afterCompaction(call, event, look);
  // Before 2.1.214 a fork was reported as a resume; it has a new id and no transcript yet.
  const goesOn = source === 'resume' && !(look.state === null && look.scan === null);
  const start = startPart(call, event, look, goesOn);
  if (source !== 'startup' && source !== 'clear')
    return [start, ...(goesOn ? await trackPartsOf(call, true) : [])];
  const resumption = await tryStepAsync(call, 'resumption', () => resumptionParts(call, source));
  const retention = tryStep(call, 'retention', () => retentionPart(call, AT_START)) ?? [];
  // The handoff takes the room that the others leave.
  return [
    start,
    ...(await projectPartsOf(call)),
    ...(await trackPartsOf(call)),
    ...(resumption ?? []),
    ...retention,
    // Marked last: a hook that dies before it leaves the handoff to the next prompt or tool call.
    ...(resumption === null ? [] : [handedOff(event.conversation)]),
  ];
}
