// The full path of a hook: collects the actions of an event and runs them.

import { notFollowed, snapshotText } from '../config/snapshot.ts';
import type { SessionSnapshot } from '../context/context-status.ts';
import type { Action, AppliedEffect, HookResult } from '../model/action.ts';
import type { RareEvent } from '../model/event.ts';
import { exists } from '../platform/look.ts';
import { readSnapshot } from './read-snapshot.ts';
import { type ActionContext, runActions } from './run-actions.ts';
import type { FastContext, HookContext } from './snapshot.ts';
import { waitForTranscript } from './wait-for-transcript.ts';

/** Whether an applied effect may be an event at all; checked before anything more is loaded. */
const isNews = ({ effect, checkpoint }: AppliedEffect): boolean =>
  Boolean(checkpoint) ||
  effect.do === 'note-rise' ||
  (effect.do === 'note-looked' && effect.violations.length > 0) ||
  (effect.do === 'patch-conversation' &&
    Boolean(effect.patch.said ?? effect.patch.alert ?? effect.patch.resumption ?? effect.patch.ended));

/** The last action of every result; when the events cannot be written, nothing else is lost. */
function auditPart(hook: HookContext, snapshot: SessionSnapshot): Action {
  const { kind, conversation } = hook.event;
  const moment = kind === 'prompt' || kind === 'after-tool' ? kind : 'other';
  const isBegin = moment !== 'other' && !snapshot.state?.session_open;
  const abandonOn = hook.resolved.settings['session.abandon_on'];
  return {
    name: 'events',
    afterReply: [
      ({ done }) =>
        isBegin || done.some(isNews)
          ? { do: 'append-events', conversation, moment, done, sight: snapshot, abandonOn }
          : null,
    ],
  };
}

async function resultOf(hook: HookContext, snapshot: SessionSnapshot, name: string): Promise<HookResult> {
  const { event } = hook;
  switch (event.kind) {
    case 'prompt':
      return (await import('./prompt-submit.ts')).promptSubmit(hook, snapshot, name);
    case 'after-tool':
      return (await import('./post-tool-use.ts')).postToolUse(hook, snapshot, name);
    case 'session-start':
      return (await import('./session-start.ts')).sessionStart(hook, event, snapshot, name);
    case 'pre-compact':
      return (await import('./pre-compact.ts')).preCompact(hook, event, snapshot, name);
    case 'stop':
      return (await import('./stop.ts')).stop(hook, event, snapshot);
    case 'session-end':
      return (await import('./session-end.ts')).sessionEnd(hook, event, snapshot, name);
    case 'before-tool':
    case 'subagent-stop':
      return [];
  }
}

/** Tells the user, once per session, which settings of the project do not count until they are trusted. The agent is told nothing. */
function notFollowedPart({ event, resolved }: HookContext): HookResult {
  const keys = notFollowed(resolved);
  if (keys.length === 0 || event.agent !== null) return [];
  if (event.kind !== 'prompt' && event.kind !== 'session-start') return [];
  const [does, it] = keys.length === 1 ? ['does', 'it does'] : ['do', 'they do'];
  const person = `Plimsoll: ${keys.join(', ')} of this project's settings ${does} not fully count until you allow it. What ${it}, and to allow it: plimsoll trust`;
  const name = `${event.conversation}-not-followed-${keys.join('-')}`;
  return [{ name: 'not-followed', claim: { name, isLeased: () => true }, render: () => ({ person }) }];
}

async function allActions(
  hook: HookContext,
  snapshot: SessionSnapshot | null,
  name: string,
): Promise<HookResult> {
  const { event } = hook;
  if (event.kind === 'subagent-stop') return (await import('./subagent-stop.ts')).subagentStop(hook, event);
  const isKnown =
    snapshot !== null && (snapshot.firstAnswerTokens !== null || snapshot.assessment.reading.tokens === null);
  const first = isKnown ? snapshot : readSnapshot(hook);
  if (first.state?.off === true) return [];
  const current = await waitForTranscript(hook, first);
  return [...(await resultOf(hook, current, name)), ...notFollowedPart(hook), auditPart(hook, current)];
}

/** Saves the settings that were just read for the next hook, and logs their problems. */
function settingsPart(hook: Pick<HookContext, 'resolved' | 'onFailure'>): HookResult {
  for (const problem of hook.resolved.problems)
    hook.onFailure('configuration', `${problem.where}: ${problem.message}`);
  return [{ name: 'settings', effects: [{ do: 'save-settings', text: snapshotText(hook.resolved) }] }];
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

/**
 * @param snapshot the snapshot that the fast path has taken already, else null
 * @param isNew true when the settings were read from their files and have to be saved
 */
export async function handleEvent(
  fast: FastContext,
  snapshot: SessionSnapshot | null,
  name: string,
  isNew: boolean,
  print: (text: string) => void,
): Promise<void> {
  const hook = { ...fast, host: await fast.host.load() };
  const result = await allActions(hook, snapshot, name);
  await runActions(
    hook,
    name,
    [...result, ...(isNew && hook.event.agent === null ? settingsPart(hook) : [])],
    print,
  );
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
