// Runs a hook's actions one by one (claim, effects, message), prints the reply, and applies the effects due after it.

import { applyInAddon, WORKFLOW } from '../addons/addon.ts';
import { learnTokens } from '../context/learned-thresholds.io.ts';
import type { Env, ProjectPaths } from '../platform/project/paths.ts';
import { ensureStateFolder } from '../platform/project/state-folder.ts';
import { replaceFile } from '../platform/write.ts';
import { patchSessionState, readSessionState } from '../sessions/session-states.io.ts';
import { BUDGETS, estimateTokens } from '../text/budget.ts';
import type { Action, Effect, EffectOrFactory, EffectResults, HookResult } from './action.ts';
import { takeClaim } from './claim.io.ts';
import type { FastContext } from './snapshot.io.ts';

/** The most checkpoints that a hook examines when it prunes. */
const MOST_IN_A_HOOK = 200;

/**
 * Applies one effect; the result is for the effects and messages after it.
 * Checkpoint code (hashing, canonical JSON) is loaded only when one is written.
 * @throws what the file system throws; the caller decides what still goes on
 */
export async function apply(
  keep: Effect,
  place: { paths: ProjectPaths; env: Env; now: number },
): Promise<Partial<EffectResults> | null> {
  const { paths, env, now } = place;
  switch (keep.do) {
    case 'patch-session':
      patchSessionState(paths, keep.session, keep.patch);
      return null;
    case 'save-ledger':
      ensureStateFolder(paths);
      replaceFile(paths.session(keep.session).ledger, keep.text);
      return null;
    case 'learn-point':
      learnTokens(env, keep.kind, keep.key, keep.tokens);
      return null;
    case 'save-settings':
      ensureStateFolder(paths);
      replaceFile(paths.snapshot, keep.text);
      return null;
    case 'write-checkpoint': {
      const { writeCheckpoint } = await import('../compaction/checkpoint/checkpoint-store.io.ts');
      const { id, at } = writeCheckpoint(paths, keep.draft, now);
      return { checkpoint: { id, at } };
    }
    case 'merge-checkpoint': {
      const merged = await WORKFLOW?.merge(paths, keep.checkpoint);
      return merged == null ? null : { merged };
    }
    case 'prune': {
      const { prune } = await import('../sessions/retention/remove-old.io.ts');
      const { failed } = prune({ paths, now, cwd: keep.cwd, orchestration: keep.orchestration }, keep.keep, {
        most: MOST_IN_A_HOOK,
      });
      if (failed[0]) throw new Error(`Cannot remove "${failed[0].name}": ${failed[0].error}`);
      return null;
    }
    case 'note-violations':
      return null;
    case 'apply-in-addon':
      await applyInAddon(keep, paths);
      return null;
    case 'append-events':
      (await import('../sessions/record.io.ts')).recordEvents(paths, keep, now);
      return null;
    case 'acknowledge': {
      const { acknowledge } = await import('../compaction/checkpoint/checkpoint-files.io.ts');
      acknowledge(paths, keep.session, keep.checkpoint, keep.evidence, now);
      return null;
    }
  }
}

type Patch = Extract<Effect, { do: 'patch-session' }>;
/** Effects for which it does not matter whether the state is written: writing it takes longer, so patches wait for each other. */
const BESIDE_STATE: Effect['do'][] = ['write-checkpoint', 'save-ledger', 'learn-point', 'acknowledge'];

/** The part of a hook's input that effects need. */
export type ActionContext = Pick<FastContext, 'host' | 'paths' | 'env' | 'now' | 'onFailure'> & {
  event: Pick<FastContext['event'], 'session'>;
};

function isOurs(hook: ActionContext, action: Action): boolean {
  if (!action.claim) return true;
  const { name, of = hook.event.session, isLeased } = action.claim;
  try {
    return takeClaim(hook.paths, of, name, hook.now, () => {
      const newest = readSessionState(hook.paths, of);
      return newest !== null && isLeased(newest);
    });
  } catch (error) {
    // When no claim can be made, a message is rather repeated than lost.
    hook.onFailure(action.name, error);
    return true;
  }
}

/**
 * Runs the actions of a hook. They are independent: one that throws is logged and dropped, and a failed write never
 * suppresses a message. A lost claim drops its action.
 *
 * @returns the actions whose message was not given, by name, and why
 */
export async function runActions(
  hook: ActionContext,
  name: string,
  result: HookResult,
  print: (text: string) => void,
): Promise<Record<string, 'claimed' | 'failed'>> {
  const dropped: Record<string, 'claimed' | 'failed'> = {};
  let results: EffectResults = { checkpoint: null, done: [] };
  const said = { context: [] as string[], person: [] as string[], blockStop: null as string | null };
  const later: { part: string; step: EffectOrFactory }[] = [];
  // Patches of the event's own session, which are written together.
  const waiting: { part: string; effect: Patch }[] = [];
  const writePatches = (): void => {
    const written = waiting.splice(0);
    if (written.length === 0) return;
    try {
      patchSessionState(hook.paths, hook.event.session, ...written.map(({ effect }) => effect.patch));
    } catch (error) {
      for (const { part } of written) hook.onFailure(part, error);
      const done = results.done.filter(({ effect }) => !written.some((each) => each.effect === effect));
      results = { ...results, done };
    }
  };
  const isPatch = (effect: Effect): effect is Patch =>
    effect.do === 'patch-session' && effect.session === hook.event.session;
  const applyEffect = async (part: string, step: EffectOrFactory): Promise<void> => {
    const make = (): Effect | null => (typeof step === 'function' ? step(results) : step);
    try {
      let effect = make();
      if (effect !== null && waiting.length > 0 && !isPatch(effect) && !BESIDE_STATE.includes(effect.do)) {
        writePatches();
        // It is made of what was written.
        effect = make();
      }
      if (effect === null) return;
      if (isPatch(effect)) waiting.push({ part, effect });
      const back = isPatch(effect) ? null : await apply(effect, hook);
      results = { ...results, ...back, done: [...results.done, { effect, ...back }] };
    } catch (error) {
      hook.onFailure(part, error);
    }
  };

  // Counted only for the messages that depend on it.
  const tokens = (): number => said.context.reduce((sum, text) => sum + estimateTokens(text), 0);
  let room: number = BUDGETS.answerCharacters;
  for (const action of result) {
    if (!isOurs(hook, action)) {
      dropped[action.name] = 'claimed';
      continue;
    }
    for (const step of action.effects ?? []) await applyEffect(action.name, step);
    try {
      const message = action.render?.({ ...results, tokens }) ?? null;
      if (message?.context !== undefined) {
        // A message that is not printed must not be noted as announced.
        if (message.context.length + 2 > room)
          throw new Error(`${message.context.length} characters do not fit`);
        said.context.push(message.context);
        room -= message.context.length + 2;
      }
      if (message?.person !== undefined) said.person.push(message.person);
      if (message?.blockStop !== undefined) said.blockStop = message.blockStop;
      for (const step of action.afterReply ?? []) later.push({ part: action.name, step });
    } catch (error) {
      dropped[action.name] = 'failed';
      hook.onFailure(action.name, error);
    }
  }
  const reply = hook.host.formatReply(name, said);
  writePatches();
  if (reply !== null) print(reply);
  for (const { part, step } of later) await applyEffect(part, step);
  writePatches();
  return dropped;
}
