// Adds what we say at an event to what all other hooks have answered.

import { isObject } from '../../../text/json.ts';
import type { ClassicAnswer, HookAnswer } from './client.ts';

/** Theirs stays, and a refusal stays a refusal. */
export function addAnswer(others: unknown, ours: HookAnswer | null): unknown {
  if (ours === null || !(isObject(others) || others === undefined)) return others;
  const { allow, ...all } = { ...others } as ClassicAnswer;
  const isRefused = typeof all.deny === 'string';
  const isAsked = ours.deny === null && ours.ask !== null && !isRefused;
  return {
    ...all,
    ...(allow !== undefined && ours.deny === null && !isAsked ? { allow } : {}),
    ...(ours.context === null ? {} : { additionalContext: [...(all.additionalContext ?? []), ours.context] }),
    ...(ours.deny !== null && !isRefused ? { deny: ours.deny } : {}),
    ...(isAsked && ours.ask !== null ? { ask: ours.ask } : {}),
    ...(ours.block !== null && all.block === undefined ? { block: ours.block } : {}),
  };
}
