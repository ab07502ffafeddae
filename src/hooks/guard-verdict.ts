// What is answered to a tool call that has to be looked at?
import { guardReply } from '../agents/claude-code-guard.ts';
import { guardrailOptions } from '../config/guardrails.ts';
import { attempt, attemptAsync } from '../model/attempt.ts';
import type { Sight, ToolCall } from '../model/guardrails/call.ts';
import { fileOf } from '../model/guardrails/changes.ts';
import { judge } from '../model/guardrails/index.ts';
import type { Decision } from '../model/guardrails/verdict.ts';
import { readCurrent } from '../store/conversation-file.ts';
import { noteJudged } from '../store/looked.ts';
import { homeOf } from '../store/paths.ts';
import { guardSight } from './guard-sight.ts';
import type { GuardCall } from './look.ts';

/** Whether this conversation alone is switched off: asked only where there is something to say. */
const isSilenced = (call: GuardCall): boolean =>
  attempt(call, 'state', () => readCurrent(call.paths, call.event.conversation))?.off === true;

/** Verdict, answer, and then a line in the stream of the session where something was not let through. */
export async function judgeCall(
  call: GuardCall,
  { tool, input }: Pick<ToolCall, 'tool' | 'input'>,
  print: (text: string) => void,
  evaluation: Sight['evaluation'] = null,
): Promise<Decision> {
  const { paths, event, env, resolved } = call;
  const root = paths.root ?? event.cwd;
  const options = guardrailOptions(resolved.settings);
  const isShell = tool === 'Bash' || tool === 'PowerShell';
  const sight = { ...(await guardSight(call, root, options, isShell)), evaluation };
  const toolCall = { tool, input, cwd: event.cwd, root, home: homeOf(env) };
  const verdict = judge(toolCall, options, sight);
  if (verdict.decision !== 'pass' && isSilenced(call)) return 'pass';
  const reply = guardReply(verdict);
  if (reply !== null) print(reply);
  if (verdict.decision !== 'deny') {
    // What is told of it before is not told again after it.
    const file = fileOf(toolCall, options.paths.fields);
    attempt(call, 'changed files', () =>
      noteJudged(paths, event.conversation, file === null ? verdict.files : [sight.resolve(file, true).path]),
    );
  }
  if (verdict.decision !== 'ask' && verdict.decision !== 'deny') return verdict.decision;
  await attemptAsync(call, 'events', async () => {
    const { recordViolation } = await import('../store/record.ts');
    recordViolation(
      paths,
      event.conversation,
      { rule: verdict.rule ?? '', tool, verdict: verdict.decision },
      call.now,
    );
  });
  return verdict.decision;
}
