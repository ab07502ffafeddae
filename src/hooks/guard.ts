// A tool is about to be called: does anything have to be looked at?

import { attemptAsync } from '../model/attempt.ts';
import type { Evaluation } from '../model/guardrails/call.ts';
import { needsLook } from '../model/guardrails/needs-look.ts';
import { readsPlainly } from '../model/guardrails/reading.ts';
import { isObject } from '../model/json.ts';
import { TRACKS_FOLDER } from '../model/tracks/layout.ts';
import { isFolder } from '../store/files.ts';
import type { GuardCall } from './look.ts';

/** Tools that only look: unless the project names tools, nothing of theirs is judged. */
const HARMLESS =
  /^(?:Read|Glob|Grep|LS|NotebookRead|WebFetch|WebSearch|TodoWrite|Task\w*|Agent|ToolSearch|BashOutput|KillShell|ExitPlanMode|AskUserQuestion|Skill)$/;

/** The evaluator of the active track, where there are tracks and they are to be ready first. */
async function gateOf(call: GuardCall): Promise<(() => Evaluation | null) | null> {
  const { paths, event, env, resolved } = call;
  const { 'tracks.enabled': tracks, 'tracks.gate': isWanted } = resolved.settings;
  const { root } = paths;
  if (root === null || tracks === 'off' || !isWanted || !isFolder(`${root}/${TRACKS_FOLDER}`)) return null;
  return attemptAsync(call, 'track gate', async () => {
    const { evaluationOf } = await import('../store/track-gate.ts');
    return evaluationOf(root, { env, paths, conversation: event.conversation });
  });
}

/**
 * Judges a call before it runs; says nothing where it may go on, which leaves it to the user's own permissions.
 * Calls of subagents are judged like all others.
 */
export async function guard(call: GuardCall, print: (text: string) => void): Promise<void> {
  const { settings } = call.resolved;
  if (settings['guardrails.mode'] === 'off' || call.paths.root === null) return;
  const { tool_name: tool, tool_input: input } = call.event.payload;
  if (typeof tool !== 'string' || !isObject(input)) {
    call.fail('event', 'not understood: a tool call without a name or an input');
    return;
  }
  const { allow = [], deny = [] } = settings['guardrails.tools'];
  const isEveryToolJudged = allow.length + deny.length > 0;
  if (!isEveryToolJudged && HARMLESS.test(tool)) return;
  const isPlain = tool === 'Bash' && typeof input.command === 'string' && !needsLook(input.command);
  const isReading = isPlain && readsPlainly(input.command as string);
  const evaluation = isReading ? null : await gateOf(call);
  // A command that changes no file may still run something, which has to wait for the plan.
  if (!isEveryToolJudged && isPlain && (evaluation === null || evaluation() === null)) return;
  const { judgeCall } = await import('./guard-verdict.ts');
  await judgeCall(call, { tool, input }, print, evaluation);
}
