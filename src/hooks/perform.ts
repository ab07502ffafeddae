// Runs a hook's actions one by one (claim, effects, message), prints the reply, and applies the effects due after it.
import { formatReply } from '../hosts/claude-code/events.ts';
import { holdReply } from '../hosts/claude-code/rare-events.ts';
import type { KeepStep, Kept, Outcome, Part } from '../model/outcome.ts';
import { apply } from '../store/apply.ts';
import { takeClaim } from '../store/claim.ts';
import { readConversation } from '../store/conversations.ts';
import { BUDGETS, estimateTokens } from '../tags/budget.ts';
import type { Call } from './look.ts';

/** The part of a hook's input that effects need. */
export type Performing = Pick<Call, 'paths' | 'env' | 'now' | 'onFailure'> & {
  event: Pick<Call['event'], 'conversation'>;
};

function isOurs(call: Performing, part: Part): boolean {
  if (!part.claim) return true;
  const { name, of = call.event.conversation, isLeased } = part.claim;
  try {
    return takeClaim(call.paths, name, call.now, () => {
      const newest = readConversation(call.paths, of);
      return newest !== null && isLeased(newest);
    });
  } catch (error) {
    // When no claim can be made, a message is rather repeated than lost.
    call.onFailure(part.name, error);
    return true;
  }
}

/**
 * Runs the actions of a hook. They are independent: one that throws is logged and dropped, and a failed write never
 * suppresses a message. A lost claim drops its action.
 */
export async function perform(
  call: Performing,
  name: string,
  outcome: Outcome,
  print: (text: string) => void,
): Promise<void> {
  let kept: Kept = { checkpoint: null, done: [] };
  const said = { context: [] as string[], person: [] as string[], hold: null as string | null };
  const marks: { part: string; step: KeepStep }[] = [];
  const keep = async (part: string, step: KeepStep): Promise<void> => {
    try {
      const effect = typeof step === 'function' ? step(kept) : step;
      if (effect === null) return;
      const back = await apply(effect, call);
      kept = { ...kept, ...back, done: [...kept.done, { effect, ...back }] };
    } catch (error) {
      call.onFailure(part, error);
    }
  };

  // Counted only for the messages that depend on it.
  const tokens = (): number => said.context.reduce((sum, text) => sum + estimateTokens(text), 0);
  let room: number = BUDGETS.answerCharacters;
  for (const part of outcome) {
    if (!isOurs(call, part)) continue;
    for (const step of part.keep ?? []) await keep(part.name, step);
    try {
      const words = part.say?.({ ...kept, tokens }) ?? null;
      if (words?.context !== undefined) {
        // A message that is not printed must not be noted as announced.
        if (words.context.length + 2 > room) throw new Error(`${words.context.length} characters do not fit`);
        said.context.push(words.context);
        room -= words.context.length + 2;
      }
      if (words?.person !== undefined) said.person.push(words.person);
      if (words?.hold !== undefined) said.hold = words.hold;
      for (const step of part.mark ?? []) marks.push({ part: part.name, step });
    } catch (error) {
      call.onFailure(part.name, error);
    }
  }
  const reply = said.hold === null ? formatReply(name, said) : holdReply(said.hold);
  if (reply !== null) print(reply);
  for (const { part, step } of marks) await keep(part, step);
}
