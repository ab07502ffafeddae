// The fast path of prompts and tools: answers with the minimal line or nothing, and loads the full path when needed.

import type { SessionSnapshot } from '../context/context-status.ts';
import { tryStep } from '../model/try-step.ts';
import { readCurrent } from '../store/conversation-file.ts';
import { minimalMonitor } from '../tags/short-monitor.ts';
import { isCurrent } from './current.ts';
import {
  type FastContext,
  hasNothingToSave,
  isTierRise,
  needsShortLineOnly,
  shouldAnnounceAlways,
  snapshotFromState,
  withRules,
} from './snapshot.ts';

/** The reply when nothing has changed: the minimal line at a prompt, nothing after a tool. */
function quietReply(hook: FastContext, snapshot: SessionSnapshot, name: string): string | null {
  const line = shouldAnnounceAlways(hook) ? minimalMonitor(snapshot.assessment) : null;
  return hook.host.formatReply(name, { context: withRules(hook, line), person: [], blockStop: null });
}

/** Whether a command has changed a file that no rule has judged; `handleEvent` then reports it. */
const hasChanged = async (hook: FastContext): Promise<boolean> =>
  hook.event.kind === 'after-tool' &&
  hook.resolved.settings['guardrails.mode'] !== 'off' &&
  (await (await import('./changed.ts')).lookBehind(hook)) !== null;

/** Answers a prompt or a tool; true when the fast path was not enough. */
export async function respond(
  hook: FastContext,
  name: string,
  isNew: boolean,
  print: (text: string) => void,
): Promise<boolean> {
  const state = tryStep(hook, 'state', () => readCurrent(hook.paths, hook.event.conversation));
  const snapshot = state === null ? null : snapshotFromState(hook, state);
  if (snapshot !== null && !isNew && hasNothingToSave(hook, snapshot)) {
    let reply: string | null | undefined;
    if (needsShortLineOnly(hook, snapshot)) reply = quietReply(hook, snapshot, name);
    else if (hook.event.kind === 'after-tool') {
      reply = !isTierRise(snapshot) && isCurrent(hook, snapshot) ? null : undefined;
    }
    if (reply !== undefined && (await hasChanged(hook))) reply = undefined;
    if (reply) print(reply);
    if (reply !== undefined) return false;
  }
  const { handleEvent } = await import('./full.ts');
  await handleEvent(hook, snapshot, name, isNew, print);
  return true;
}
