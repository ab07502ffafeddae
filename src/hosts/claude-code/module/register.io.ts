// Registers what our module does inside the client: it answers prompts and tool calls, and writes the client's own usage down.

import { isObject } from '../../../text/json.ts';
import { addAnswer, answerClassic, answerEnd, finish, judgeCall, keepSubagentEnd } from './answer.io.ts';
import { hasNoVariables } from './ask-process.io.ts';
import type { HookAnswer, On } from './client.ts';
import { serveCompaction, tellCompacted } from './compaction.io.ts';
import { createDoor } from './door.io.ts';
import { createMemory, noteSample } from './sample.io.ts';

/** Registers our hooks; the client calls it once, when it loads the plugin. Subagents have their own context. */
export function register(on: On): void {
  const memory = createMemory();
  const door = createDoor(memory);
  /** Lets the event go on as it came, beside our answer, and whatever becomes of that. */
  const beside = async <E>(
    e: E,
    next: (e: E) => Promise<unknown>,
    answer: () => Promise<HookAnswer | null>,
  ): Promise<unknown> => {
    const ours = answer().catch(() => null);
    return addAnswer(await next(e), await ours);
  };
  on('session.start', async ($, e, next) => {
    door.isPlain ??= hasNoVariables($).catch(() => false);
    await noteSample($, memory, 'start');
    return next(e);
  });
  on('classic.UserPromptSubmit', ($, e, next) =>
    beside(e, next, () => answerClassic($, door, 'UserPromptSubmit', e)),
  );
  on('classic.PostToolBatch', ($, e, next) =>
    beside(e, next, () => answerClassic($, door, 'PostToolBatch', e)),
  );
  on('classic.PreToolUse', ($, e, next) => beside(e, next, () => judgeCall($, door, e)));
  on('classic.SessionStart', ($, e, next) =>
    e.source === 'compact' ? beside(e, next, () => tellCompacted($, door, e)) : next(e),
  );
  on('classic.Stop', ($, e, next) => beside(e, next, () => answerEnd($, door, e)));
  on('classic.SubagentStop', ($, e, next) => beside(e, next, () => keepSubagentEnd($, door, e)));
  // An end of a turn that is kept after the end of the session would take that back.
  on('classic.SessionEnd', async ($, e, next) => {
    await finish($, door, e).catch(() => undefined);
    return next(e);
  });
  on('session.compact', async ($, e, next) => {
    const result = await serveCompaction($, door, e, next);
    const isDone = isObject(result) && result.skip === undefined && e.trigger !== 'precompute';
    if (e.agentId === undefined && isDone) await noteSample($, memory, 'compaction');
    return result;
  });
}
