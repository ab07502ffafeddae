// Judges a tool call by the guardrails, prints the answer, and records the call when it was not let through.

import { guardrailOptions } from '../config/guardrails.ts';
import type { Sight, ToolCall } from '../model/guardrails/call.ts';
import { fileOf } from '../model/guardrails/changes.ts';
import { judge, undecided } from '../model/guardrails/index.ts';
import type { GuardrailOptions } from '../model/guardrails/options.ts';
import type { Decision, Verdict } from '../model/guardrails/verdict.ts';
import { safeName } from '../model/safe-name.ts';
import { tryStep, tryStepAsync } from '../model/try-step.ts';
import { readCurrent } from '../store/conversation-file.ts';
import { inTime } from '../store/in-time.ts';
import { noteJudged } from '../store/looked.ts';
import { homeOf } from '../store/paths.ts';
import { isFirstToSay } from '../store/track-gate.ts';
import { inlineEach } from '../tags/escape.ts';
import { guardSight } from './guard-sight.ts';
import { type GuardContext, leftFor } from './snapshot.ts';

/**
 * Whether a verdict is not reported: because this session is switched off, or because it only repeats a warning of an
 * unready track. The same findings about a track are reported once, and again after a compaction.
 */
function isUnsaid(hook: GuardContext, { decision, trace, reason }: Verdict): boolean {
  const { paths, event, now } = hook;
  const state = tryStep(hook, 'state', () => readCurrent(paths, event.conversation));
  if (state?.off === true) return true;
  const rules = trace.filter((step) => step.decision !== 'pass' && step.rule !== 'guardrails');
  if (decision !== 'warn' || !rules.every(({ rule }) => rule === 'tracks')) return false;
  const findings = safeName((reason ?? '').split('\n').slice(1).join())
    .split('-')
    .at(-1);
  const name = `${event.conversation}-e${state?.transcript_position.boundaries ?? 0}-track-${findings}`;
  return !(tryStep(hook, 'track gate', () => isFirstToSay(paths, name, now)) ?? true);
}

/** The verdict of the rules; when they fail or take too long, the call counts as undecided. */
function verdictOn(hook: GuardContext, toolCall: ToolCall, options: GuardrailOptions, sight: Sight): Verdict {
  const tell = (error: unknown, doubt: string): Verdict => {
    hook.onFailure('guardrails', error);
    return undecided(toolCall, doubt, options);
  };
  try {
    const found = inTime(leftFor(hook), () => judge(toolCall, options, sight));
    if ('done' in found) return found.done;
    return tell(`a call of ${toolCall.tool} was not judged in time`, 'judging it takes too long');
  } catch (error) {
    return tell(error, 'the guardrails have failed over it');
  }
}

/** Judges a call and prints the answer; a call that is asked about or denied also becomes an event of the session. */
export async function judgeCall(
  hook: GuardContext,
  { tool, input }: Pick<ToolCall, 'tool' | 'input'>,
  print: (text: string) => void,
  evaluation: Sight['evaluation'] = null,
): Promise<Decision> {
  const { paths, event, env, resolved } = hook;
  const root = paths.root ?? event.cwd;
  const options = guardrailOptions(resolved.settings);
  const isShell = tool === 'Bash' || tool === 'PowerShell';
  const sight = { ...(await guardSight(hook, root, options, isShell)), evaluation };
  const toolCall = { tool, input, cwd: event.cwd, root, home: homeOf(env) };
  const verdict = verdictOn(hook, toolCall, options, sight);
  if (verdict.decision !== 'pass' && isUnsaid(hook, verdict)) return 'pass';
  const reply = hook.host.formatVerdict({ ...verdict, reason: verdict.reason && inlineEach(verdict.reason) });
  if (reply !== null) print(reply);
  if (verdict.decision !== 'deny') {
    // What was said of a file before the call is not repeated after it.
    const file = fileOf(toolCall, options.paths.fields);
    tryStep(hook, 'changed files', () =>
      noteJudged(paths, event.conversation, file === null ? verdict.files : [sight.resolve(file, true).path]),
    );
  }
  if (verdict.decision !== 'ask' && verdict.decision !== 'deny') return verdict.decision;
  await tryStepAsync(hook, 'events', async () => {
    const { recordViolation } = await import('../store/record.ts');
    recordViolation(
      paths,
      event.conversation,
      { rule: verdict.rule ?? '', tool, verdict: verdict.decision },
      hook.now,
    );
  });
  return verdict.decision;
}
