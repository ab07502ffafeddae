// Judges a tool call by the guardrails, prints the answer, and records the call when it was not let through.

import { takeClaim } from '../../../hook/claim.io.ts';
import { findTimeLeft, type GuardContext } from '../../../hook/snapshot.io.ts';
import { isShellTool } from '../../../hosts/claude-code/tools/kinds.ts';
import type { Verdict, VerdictDecision } from '../../../hosts/verdict.ts';
import { inTime } from '../../../platform/in-time.ts';
import { homeOf } from '../../../platform/project/paths.ts';
import { tryStep, tryStepAsync } from '../../../platform/project/try-step.ts';
import { readCurrent } from '../../../sessions/session-state-file.io.ts';
import type { GuardrailOptions } from '../../../settings/guardrail-options.ts';
import { guardrailOptions } from '../../../settings/read-guardrails.ts';
import { inlineEach } from '../../../text/escape.ts';
import { safeName } from '../../../text/file-slug.ts';
import { readFileField } from '../find-changes.ts';
import type { FileSystemPort, GuardedCall } from '../guard-call.ts';
import { checkGuardedCall, undecided } from '../judge.ts';
import { buildGuardFs } from './guard-fs.io.ts';
import { recordApproved } from './kept-snapshot.io.ts';

/**
 * Whether a verdict is not reported: because this session is switched off, or because it only repeats a warning of an
 * unready track. The same findings about a track are reported once, and again after a compaction.
 */
function isUnsaid(hook: GuardContext, { decision, trace, reason }: Verdict): boolean {
  const { paths, event, now } = hook;
  const state = tryStep(hook, 'state', () => readCurrent(paths, event.conversation));
  if (state?.off === true) return true;
  const rules = trace.filter((step) => step.decision !== 'abstain' && step.rule !== 'guardrails');
  if (decision !== 'warn' || !rules.every(({ rule }) => rule === 'tracks')) return false;
  const findings = safeName((reason ?? '').split('\n').slice(1).join())
    .split('-')
    .at(-1);
  const name = `e${state?.transcript_position.boundaries ?? 0}-track-${findings}`;
  return !(
    tryStep(hook, 'track gate', () => takeClaim(paths, event.conversation, name, now, () => true)) ?? true
  );
}

/** The verdict of the rules; when they fail or take too long, the call counts as undecided. */
function verdictOn(
  hook: GuardContext,
  toolCall: GuardedCall,
  options: GuardrailOptions,
  sight: FileSystemPort,
): Verdict {
  const tell = (error: unknown, doubt: string): Verdict => {
    hook.onFailure('guardrails', error);
    return undecided(toolCall, doubt, options);
  };
  try {
    const found = inTime(findTimeLeft(hook), () => checkGuardedCall(toolCall, options, sight));
    if ('done' in found) return found.done;
    return tell(`a call of ${toolCall.tool} was not judged in time`, 'judging it takes too long');
  } catch (error) {
    return tell(error, 'the guardrails have failed over it');
  }
}

/** Judges a call and prints the answer; a call that is asked about or denied also becomes an event of the session. */
export async function checkCall(
  hook: GuardContext,
  { tool, input }: Pick<GuardedCall, 'tool' | 'input'>,
  print: (text: string) => void,
  evaluation: FileSystemPort['evaluation'] = null,
): Promise<VerdictDecision> {
  const { paths, event, env, resolved } = hook;
  const root = paths.root ?? event.cwd;
  const options = guardrailOptions(resolved.settings);
  const sight = { ...(await buildGuardFs(hook, root, options, isShellTool(tool))), evaluation };
  const toolCall = { tool, input, cwd: event.cwd, root, home: homeOf(env) };
  const verdict = verdictOn(hook, toolCall, options, sight);
  if (verdict.decision !== 'abstain' && isUnsaid(hook, verdict)) return 'abstain';
  const reply = hook.host.formatVerdict({ ...verdict, reason: verdict.reason && inlineEach(verdict.reason) });
  if (reply !== null) print(reply);
  if (verdict.decision !== 'deny') {
    // What was said of a file before the call is not repeated after it.
    const file = readFileField(toolCall, options.paths.fields);
    tryStep(hook, 'changed files', () =>
      recordApproved(
        paths,
        event.conversation,
        file === null ? verdict.files : [sight.resolve(file, true).path],
      ),
    );
  }
  if (verdict.decision !== 'ask' && verdict.decision !== 'deny') return verdict.decision;
  await tryStepAsync(hook, 'events', async () => {
    const { recordViolation } = await import('../../../sessions/record.io.ts');
    recordViolation(
      paths,
      event.conversation,
      { rule: verdict.rule ?? '', tool, verdict: verdict.decision },
      hook.now,
    );
  });
  return verdict.decision;
}
