// Runs `plimsoll guard explain`: shows the verdict that the hook would give on a tool call, with its trace.

import { type Output, toJson } from '../../../cli/output.io.ts';
import type { ProjectContext } from '../../../cli/project.io.ts';
import { CALL_EXAMPLE } from '../../../hosts/claude-code/names.ts';
import { readToolCalls } from '../../../hosts/claude-code/tools/calls.ts';
import { asCommand, asWrite } from '../../../hosts/claude-code/tools/kinds.ts';
import type { VerdictDecision } from '../../../hosts/verdict.ts';
import { guardrailOptions } from '../../../settings/read-guardrails.ts';
import { isObject } from '../../../text/json.ts';
import { PlimsollError } from '../../../text/plimsoll-error.ts';
import type { GuardedCall } from '../guard-call.ts';
import { traceLines, verdictOn } from './compute-verdict.io.ts';

export interface GuardExplainOptions {
  path?: string;
  command?: string;
  json?: boolean;
}

/** What each decision leads to, in words. */
const MEANS: Record<VerdictDecision, string> = {
  abstain: "nothing is said; the client's own permissions decide",
  warn: 'it goes on, and the agent is told',
  ask: 'a person is asked',
  deny: 'the call is refused',
};

/** Builds the tool call from the options: as the client would send it, a file that is written, or a command. */
function callOf(
  given: string | undefined,
  options: GuardExplainOptions,
): Pick<GuardedCall, 'tool' | 'input'> {
  const { path, command } = options;
  if ([given, path, command].filter((each) => each !== undefined).length !== 1)
    throw new PlimsollError('usage', 'Nothing to explain, or more than one thing', {
      hint: 'give one: --path FILE, --command TEXT, or a tool call as JSON',
    });
  if (path !== undefined) return asWrite(path, '');
  if (command !== undefined) return asCommand(command);
  let call: unknown = null;
  try {
    call = JSON.parse(given ?? '');
  } catch {
    // said below
  }
  const [found] = isObject(call) ? readToolCalls(call) : [];
  if (found !== undefined) return found;
  throw new PlimsollError('usage', 'This is no tool call', {
    hint: `as the client sends it: ${CALL_EXAMPLE}`,
  });
}

/** Prints the verdict, and what each rule saw. Where guardrails are off, the verdict that "enforce" would give. */
export async function guardExplain(
  place: ProjectContext,
  given: string | undefined,
  options: GuardExplainOptions,
  output: Output,
): Promise<void> {
  const { mode, preset } = guardrailOptions(place.resolved.settings);
  const isOff = mode === 'off';
  const verdict = await verdictOn(place, callOf(given, options), isOff ? 'enforce' : mode);
  if (options.json) {
    output.print(toJson({ mode, preset, ...verdict }));
    return;
  }
  output.print(
    [
      ...(isOff ? ['guardrails.mode is "off": nothing is judged. With "enforce" it would be:'] : []),
      `${verdict.decision.toUpperCase()}${verdict.rule === null ? '' : `, by ${verdict.rule}`}: ${MEANS[verdict.decision]}`,
      ...(verdict.reason === null ? [] : [verdict.reason]),
      ...traceLines(verdict),
    ].join('\n'),
  );
}
