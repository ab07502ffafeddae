// The full path of a hook and the root of its bundle: waits for the transcript, collects the actions, runs them.

import { type Announcement, decideAnnouncement, MONITOR, mayRiseNext } from '../context/announcement.ts';
import type { SessionSnapshot } from '../context/context-status.ts';
import type { RareEvent } from '../hosts/host.ts';
import { holdsAll } from '../hosts/transcript.io.ts';
import { exists } from '../platform/look.ts';
import { pause } from '../platform/process.ts';
import type { Env } from '../platform/project/paths.ts';
import { tryStep, tryStepAsync } from '../platform/project/try-step.ts';
import { formatSettingsSnapshot, listNotFollowed, type Resolved } from '../settings/resolved.ts';
import type { Action, AppliedEffect, AuditInput, HookResult } from './action.ts';
import { type ActionContext, runActions } from './run-actions.io.ts';
import { type FastContext, type HookContext, isCurrent, readSnapshot } from './snapshot.io.ts';

export { claudeCode } from '../hosts/claude-code/index.io.ts';
export { keepOwnLines } from '../hosts/own-transcript.io.ts';
export { readRegistered } from '../platform/project/state-folder.ts';

/** Reads all settings of a project anew. */
export async function reloadSettings(root: string | null, env: Env): Promise<Resolved> {
  const { loadSettings } = await import('../settings/load.io.ts');
  const resolved = loadSettings(root, env);
  // Examples are for `guard test`; no hook reads them.
  return { ...resolved, settings: { ...resolved.settings, 'guardrails.examples': [] } };
}

/** Waits for a line for at most `most` milliseconds, then takes the snapshot again. */
function lookAfter(hook: HookContext, isWritten: () => boolean, most: number, poll: number): SessionSnapshot {
  for (let waited = 0; waited < most && !isWritten(); waited += poll) pause(poll);
  return readSnapshot(hook);
}

/**
 * A fast tool is done before the client has written the answer that called it, so the usage read is one answer old.
 * When that answer may raise the tier, the hook waits for it; otherwise the next hook sees it.
 */
async function afterTool(hook: HookContext, snapshot: SessionSnapshot): Promise<SessionSnapshot> {
  // Nothing is known of a session seen for the first time: its first answer may be a large one (a resume).
  const isNew = snapshot.state === null && snapshot.assessment.tier === null;
  if (!(mayRiseNext(snapshot) || isNew) || isCurrent(hook, snapshot)) return snapshot;
  // In the meantime, loads the code that a rise needs, and reads the work up to here for its checkpoint.
  await tryStepAsync(hook, 'checkpoint', async () => {
    const [{ readLedger }] = await Promise.all([
      import('../compaction/checkpoint/keep-checkpoint.io.ts'),
      import('../compaction/checkpoint/checkpoint-store.io.ts'),
    ]);
    await readLedger(hook, snapshot);
  });
  return lookAfter(hook, () => isCurrent(hook, null), 120, 4);
}

/**
 * At a prompt, the hook before a compaction runs before the client has written that prompt: the last request in the transcript would be
 * an earlier, finished one. Every line of the user's side carries the id of its prompt.
 */
function beforeCompaction(hook: HookContext, snapshot: SessionSnapshot): SessionSnapshot {
  const { transcript, promptId } = hook.event;
  if (transcript === null || promptId === null) return snapshot;
  const isWritten = (end?: number): boolean =>
    tryStep(hook, 'transcript', () => holdsAll(transcript, [promptId], end)) ?? true;
  return isWritten(snapshot.scan?.end) ? snapshot : lookAfter(hook, () => isWritten(), 150, 15);
}

/** The snapshot, taken again if the client wrote late what matters for this event. */
async function waitForTranscript(hook: HookContext, snapshot: SessionSnapshot): Promise<SessionSnapshot> {
  if (hook.event.kind === 'after-tool') return afterTool(hook, snapshot);
  return hook.event.kind === 'pre-compact' ? beforeCompaction(hook, snapshot) : snapshot;
}

/** What an event is to the log of its session, and whether work begins there, or goes on behind an end. */
function workOf(
  { event }: HookContext,
  { state }: SessionSnapshot,
): { moment: AuditInput['moment']; isBegin: boolean } {
  const { kind } = event;
  if (kind === 'session-start' && event.source === 'resume')
    return { moment: 'resume', isBegin: state?.ended != null };
  if (kind !== 'prompt' && kind !== 'after-tool') return { moment: 'other', isBegin: false };
  const goesOn = state?.ended != null || (kind === 'prompt' && state?.dropped != null);
  return { moment: kind, isBegin: goesOn || !state?.active };
}

/** Whether an applied effect may be an event at all; checked before anything more is loaded. */
const isNews = ({ effect, checkpoint }: AppliedEffect): boolean =>
  Boolean(checkpoint) ||
  effect.do === 'note-violations' ||
  (effect.do === 'patch-session' &&
    Boolean(
      effect.patch.last_announced ??
        effect.patch.alert ??
        effect.patch.received_handoff ??
        effect.patch.ended,
    ));

/** The last action of every result; when the events cannot be written, nothing else is lost. */
function auditPart(hook: HookContext, snapshot: SessionSnapshot): Action {
  const { session } = hook.event;
  const { moment, isBegin } = workOf(hook, snapshot);
  const abandonOn = hook.resolved.settings['session.abandon_on'];
  return {
    name: 'events',
    afterReply: [
      ({ done }) =>
        isBegin || done.some(isNews)
          ? { do: 'append-events', session, moment, done, snapshot, abandonOn }
          : null,
    ],
  };
}

/** The actions of an event, and what was decided about an announcement where that was the question. */
interface Plan {
  actions: HookResult;
  announcement: Announcement | null;
}

async function actionsOf(hook: HookContext, snapshot: SessionSnapshot, name: string): Promise<Plan> {
  const { event } = hook;
  const { settings } = hook.resolved;
  const plan = (actions: HookResult): Plan => ({ actions, announcement: null });
  switch (event.kind) {
    case 'prompt':
    case 'after-tool': {
      const announcement = decideAnnouncement(snapshot, event, settings);
      const { handlePromptOrTool } = await import('./events/prompt-and-tool.io.ts');
      return { actions: await handlePromptOrTool(hook, snapshot, announcement, name), announcement };
    }
    case 'session-start':
      return plan(
        await (await import('./events/session-start.io.ts')).handleSessionStart(hook, event, snapshot, name),
      );
    case 'pre-compact':
      return plan(
        await (await import('../compaction/pre-compact.io.ts')).handlePreCompact(hook, event, snapshot, name),
      );
    case 'stop':
      return plan(await (await import('./events/ends.io.ts')).handleStop(hook, event, snapshot));
    case 'session-end':
      return plan(await (await import('./events/ends.io.ts')).handleSessionEnd(hook, event, snapshot, name));
    case 'before-tool':
    case 'subagent-stop':
      return plan([]);
  }
}

/** Tells the user, once per session, which settings of the project do not count until they are trusted. The agent is told nothing. */
function notFollowedPart({ event, resolved }: HookContext): HookResult {
  const keys = listNotFollowed(resolved);
  if (keys.length === 0 || event.agent !== null) return [];
  if (event.kind !== 'prompt' && event.kind !== 'session-start') return [];
  const [does, it] = keys.length === 1 ? ['does', 'it does'] : ['do', 'they do'];
  const person = `Plimsoll: ${keys.join(', ')} of this project's settings ${does} not fully count until you allow it. What ${it}, and to allow it: plimsoll trust`;
  const name = `not-followed-${keys.join('-')}`;
  return [{ name: 'not-followed', claim: { name, isLeased: () => true }, render: () => ({ person }) }];
}

async function planEvent(hook: HookContext, snapshot: SessionSnapshot | null, name: string): Promise<Plan> {
  const { event } = hook;
  if (event.kind === 'subagent-stop') {
    const { handleSubagentStop } = await import('./events/ends.io.ts');
    return { actions: await handleSubagentStop(hook, event), announcement: null };
  }
  const isKnown =
    snapshot !== null && (snapshot.firstAnswerTokens !== null || snapshot.assessment.reading.tokens === null);
  const first = isKnown ? snapshot : readSnapshot(hook);
  if (first.state?.off === true) {
    const isAsked = event.kind === 'prompt' || event.kind === 'after-tool';
    return {
      actions: [],
      announcement: isAsked ? decideAnnouncement(first, event, hook.resolved.settings) : null,
    };
  }
  const current = await waitForTranscript(hook, first);
  const { actions, announcement } = await actionsOf(hook, current, name);
  return { actions: [...actions, ...notFollowedPart(hook), auditPart(hook, current)], announcement };
}

/** Saves the settings that were just read for the next hook, and logs their problems. */
function settingsPart(hook: Pick<HookContext, 'resolved' | 'onFailure'>): HookResult {
  for (const problem of hook.resolved.problems)
    hook.onFailure('configuration', `${problem.where}: ${problem.message}`);
  return [
    { name: 'settings', effects: [{ do: 'save-settings', text: formatSettingsSnapshot(hook.resolved) }] },
  ];
}

/**
 * Replaces the saved settings by those just read, in hooks that keep nothing else: before a tool call, and for a
 * subagent. These two save nothing in a project that has no saved settings yet.
 */
export async function saveSettings(
  hook: ActionContext & Pick<FastContext, 'resolved'>,
  name: string,
): Promise<void> {
  if (exists(hook.paths.snapshot)) await runActions(hook, name, settingsPart(hook), () => undefined);
}

/** Notes an alert that our module has said, before anything else is decided; returns whether the state did not have it yet. */
async function noteGivenAlert(hook: HookContext, name: string): Promise<boolean> {
  const { buildGivenAction, readGivenAlert } = await import('../compaction/alert.io.ts');
  const given = readGivenAlert(hook);
  if (given === null) return false;
  // Its events tell of the usage as it was before the compaction.
  const before = readSnapshot(hook, { to: given.unflushed.offset });
  const action = buildGivenAction(hook, given, before);
  if (action !== null) await runActions(hook, name, [action, auditPart(hook, before)], () => undefined);
  return action !== null;
}

/**
 * Plans and runs the actions of an event, and returns what was announced, or why nothing was.
 *
 * @param snapshot the snapshot that the fast path has taken already, else null
 * @param isNew true when the settings were read from their files and have to be saved
 */
export async function handleEvent(
  fast: FastContext,
  snapshot: SessionSnapshot | null,
  name: string,
  isNew: boolean,
  print: (text: string) => void,
): Promise<Announcement | null> {
  const hook = { ...fast, host: await fast.host.load() };
  const isNoted = hook.module?.alert != null && (await noteGivenAlert(hook, name));
  const { actions, announcement } = await planEvent(hook, isNoted ? null : snapshot, name);
  const all = [...actions, ...(isNew && hook.event.agent === null ? settingsPart(hook) : [])];
  const dropped = await runActions(hook, name, all, print);
  const why = dropped[MONITOR];
  return announcement?.said && why ? { ...announcement, said: null, reason: why } : announcement;
}

/** Like `handleEvent`, for an event of which only the common fields have been parsed. */
export async function handleLazyEvent(
  hook: Omit<FastContext, 'event'> & { event: RareEvent },
  name: string,
  isNew: boolean,
  print: (text: string) => void,
): Promise<void> {
  const event = (await hook.host.load()).parseRareEvent(hook.event);
  if (event === null) hook.onFailure('event', 'another event, or a field is missing');
  else await handleEvent({ ...hook, event }, null, name, isNew, print);
}
