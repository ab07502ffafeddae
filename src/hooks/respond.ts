// The fast path of prompts and tools: answers with the minimal line or nothing, and loads the full path when needed.
import { contextReply } from '../hosts/claude-code/events.ts';
import { tryStep } from '../model/try-step.ts';
import { readCurrent } from '../store/conversation-file.ts';
import { minimalMonitor } from '../tags/short-monitor.ts';
import { isCurrent } from './current.ts';
import {
  type Call,
  isQuiet,
  isRise,
  isSaidAnyhow,
  isUnchanged,
  type Look,
  lookWith,
  withRules,
} from './look.ts';

/** The reply when nothing has changed: the minimal line at a prompt, nothing after a tool. */
function quietReply(call: Call, look: Look, name: string): string | null {
  const line = isSaidAnyhow(call) ? minimalMonitor(look.assessment) : null;
  return contextReply(name, withRules(call, line));
}

/** Whether a command has changed a file that no rule has judged; `attend` then reports it. */
const hasChanged = async (call: Call): Promise<boolean> =>
  call.event.kind === 'after-tool' &&
  call.resolved.settings['guardrails.mode'] !== 'off' &&
  (await (await import('./changed.ts')).lookBehind(call)) !== null;

/** Answers a prompt or a tool; true when the fast path was not enough. */
export async function respond(
  call: Call,
  name: string,
  isNew: boolean,
  print: (text: string) => void,
): Promise<boolean> {
  const state = tryStep(call, 'state', () => readCurrent(call.paths, call.event.conversation));
  const look = state === null ? null : lookWith(call, state);
  if (look !== null && !isNew && isUnchanged(call, look)) {
    let reply: string | null | undefined;
    if (isQuiet(call, look)) reply = quietReply(call, look, name);
    else if (call.event.kind === 'after-tool') {
      reply = !isRise(look) && isCurrent(call, look) ? null : undefined;
    }
    if (reply !== undefined && (await hasChanged(call))) reply = undefined;
    if (reply) print(reply);
    if (reply !== undefined) return false;
  }
  const { attend } = await import('./full.ts');
  await attend(call, look, name, isNew, print);
  return true;
}
