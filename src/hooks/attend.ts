// The full path of a hook: collects the actions of an event and runs them.

import { notFollowed, snapshotText } from '../config/snapshot.ts';
import { rareEvent } from '../hosts/claude-code/rare-events.ts';
import type { RareEvent } from '../model/event.ts';
import type { Outcome } from '../model/outcome.ts';
import { exists } from '../platform/look.ts';
import { auditPart } from './audit.ts';
import { flushedLook } from './flush.ts';
import type { Call, Look } from './look.ts';
import { lookAt } from './look-anew.ts';
import { type Performing, perform } from './perform.ts';

async function outcomeAt(call: Call, seen: Look, name: string): Promise<Outcome> {
  const { event } = call;
  switch (event.kind) {
    case 'prompt':
      return (await import('./prompt-submit.ts')).promptSubmit(call, seen);
    case 'after-tool':
      return (await import('./post-tool-use.ts')).postToolUse(call, seen, name);
    case 'session-start':
      return (await import('./session-start.ts')).sessionStart(call, event, seen);
    case 'pre-compact':
      return (await import('./pre-compact.ts')).preCompact(call, event, seen);
    case 'stop':
      return (await import('./stop.ts')).stop(call, event, seen);
    case 'session-end':
      return (await import('./session-end.ts')).sessionEnd(call, event, seen);
    case 'subagent-stop':
      return [];
  }
}

/** Tells the user, once per session, which settings of the project do not count until they are trusted. The agent is told nothing. */
function notFollowedPart({ event, resolved }: Call): Outcome {
  const keys = notFollowed(resolved);
  if (keys.length === 0 || event.agent !== null) return [];
  if (event.kind !== 'prompt' && event.kind !== 'session-start') return [];
  const [does, it] = keys.length === 1 ? ['does', 'it does'] : ['do', 'they do'];
  const person = `Plimsoll: ${keys.join(', ')} of this project's settings ${does} not count until you allow it. What ${it}, and to allow it: plimsoll trust`;
  const name = `${event.conversation}-not-followed-${keys.join('-')}`;
  return [{ name: 'not-followed', claim: { name, isLeased: () => true }, say: () => ({ person }) }];
}

async function outcomeOf(call: Call, look: Look | null, name: string): Promise<Outcome> {
  const { event } = call;
  if (event.kind === 'subagent-stop') return (await import('./subagent-stop.ts')).subagentStop(call, event);
  const isKnown =
    look !== null && (look.firstAnswerTokens !== null || look.assessment.reading.tokens === null);
  const first = isKnown ? look : lookAt(call);
  if (first.state?.off === true) return [];
  const seen = await flushedLook(call, first);
  return [...(await outcomeAt(call, seen, name)), ...notFollowedPart(call), auditPart(call, seen)];
}

/** Saves the settings that were just read for the next hook, and logs their problems. */
function settingsPart(call: Pick<Call, 'resolved' | 'onFailure'>): Outcome {
  for (const problem of call.resolved.problems)
    call.onFailure('configuration', `${problem.where}: ${problem.message}`);
  return [{ name: 'settings', keep: [{ do: 'save-settings', text: snapshotText(call.resolved) }] }];
}

/**
 * Replaces the saved settings by those just read, in hooks that keep nothing else: before a tool call, and for a
 * subagent. These two save nothing in a project that has no saved settings yet.
 */
export async function keepSettings(call: Performing & Pick<Call, 'resolved'>, name: string): Promise<void> {
  if (exists(call.paths.snapshot)) await perform(call, name, settingsPart(call), () => undefined);
}

/**
 * @param look the snapshot that the fast path has taken already, else null
 * @param isNew true when the settings were read from their files and have to be saved
 */
export async function attend(
  call: Call,
  look: Look | null,
  name: string,
  isNew: boolean,
  print: (text: string) => void,
): Promise<void> {
  const outcome = await outcomeOf(call, look, name);
  await perform(
    call,
    name,
    [...outcome, ...(isNew && call.event.agent === null ? settingsPart(call) : [])],
    print,
  );
}

/** Like `attend`, for an event of which only the common fields have been parsed. */
export async function attendRare(
  call: Omit<Call, 'event'> & { event: RareEvent },
  name: string,
  isNew: boolean,
  print: (text: string) => void,
): Promise<void> {
  const event = rareEvent(call.event);
  if (event === null) call.onFailure('event', 'another event, or a field is missing');
  else await attend({ ...call, event }, null, name, isNew, print);
}
