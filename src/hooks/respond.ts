// Answers a prompt or a tool with the minimal line or nothing; what needs more is loaded when it happens.
import { contextReply } from '../agents/claude-code.ts';
import { attempt } from '../model/attempt.ts';
import { readCurrent } from '../store/conversation-file.ts';
import { minimalMonitor } from '../tags/short-monitor.ts';
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

/** What is said when nothing has changed: at a prompt the minimal line, after a tool nothing. */
function quietReply(call: Call, look: Look, name: string): string | null {
  const line = isSaidAnyhow(call) ? minimalMonitor(look.assessment) : null;
  return contextReply(name, withRules(call, line));
}

/** Whether a command has changed a file that nothing has judged, which is for `attend` to tell of. */
const hasChanged = async (call: Call): Promise<boolean> =>
  call.event.kind === 'after-tool' &&
  call.resolved.settings['guardrails.mode'] !== 'off' &&
  (await (await import('./changed.ts')).lookBehind(call)) !== null;

/** Answers a prompt or a tool; true when more than the short way was needed. */
export async function respond(
  call: Call,
  name: string,
  isNew: boolean,
  print: (text: string) => void,
): Promise<boolean> {
  const state = attempt(call, 'state', () => readCurrent(call.paths, call.event.conversation));
  const look = state === null ? null : lookWith(call, state);
  if (look !== null && !isNew && isUnchanged(call, look)) {
    let reply: string | null | undefined;
    if (isQuiet(call, look)) reply = quietReply(call, look, name);
    else if (call.event.kind === 'after-tool') {
      const { isCurrent } = await import('./current.ts');
      reply = !isRise(look) && isCurrent(call, look) ? null : undefined;
    }
    if (reply !== undefined && (await hasChanged(call))) reply = undefined;
    if (reply) print(reply);
    if (reply !== undefined) return false;
  }
  const { attend } = await import('./attend.ts');
  await attend(call, look, name, isNew, print);
  return true;
}
