// Runs `plimsoll guard explain` and `guard test`: the verdict that the hook would give, on one call and on the examples.

import { formatCount, type Output, stripControls, toJson } from '../../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../../cli/project.io.ts';
import { CALL_EXAMPLE, CLIENT_SETTINGS_FILE } from '../../../hosts/claude-code/names.ts';
import { asCommand, asWrite, readToolCalls } from '../../../hosts/claude-code/tools/kinds.ts';
import type { Verdict, VerdictDecision } from '../../../hosts/verdict.ts';
import type { GuardrailExample } from '../../../settings/guardrail-schemas.ts';
import { readGuardrailOptions } from '../../../settings/read-guardrails.ts';
import { isObject } from '../../../text/json.ts';
import { PlimsollError } from '../../../text/plimsoll-error.ts';
import type { GuardedCall } from '../guard-call.ts';
import { computeVerdict, formatTrace } from './compute-verdict.io.ts';

// Runs `plimsoll guard test`: checks that the guardrails decide as the project's own examples say.
const HINT = `add one to .plimsoll/config.toml:
    [[guardrails.examples]]
    command = "echo x > ${CLIENT_SETTINGS_FILE}"
    expect = "ask"
    rule = "own"
    note = "what the hooks of this project are"`;

/** Builds the tool call of an example, which has exactly one of the three fields: the settings are checked. */
function exampleCall({ path, command, call }: GuardrailExample): Pick<GuardedCall, 'tool' | 'input'> {
  if (path !== undefined) return asWrite(path, '');
  if (command !== undefined) return asCommand(command);
  return call ?? { tool: '', input: {} };
}

const nameOf = ({ path, command, call }: GuardrailExample): string => {
  if (path !== undefined) return `path ${path}`;
  return command === undefined ? `call ${call?.tool} ${JSON.stringify(call?.input)}` : `command ${command}`;
};

const words = (decision: string, rule: string | null | undefined): string =>
  `${decision}${rule ? ` by ${rule}` : ''}`;

const isMet = ({ expect, rule }: GuardrailExample, verdict: Verdict): boolean =>
  verdict.decision === expect && (rule === undefined || verdict.rule === rule);

/** Formats an example as one line; adds the trace where it is not met. */
function linesOf(example: GuardrailExample, verdict: Verdict, number: number): string[] {
  const { expect, rule, note } = example;
  const isOk = isMet(example, verdict);
  const is = words(verdict.decision, verdict.rule);
  const result = isOk ? is : `expected ${words(expect, rule)}, but it is ${is}`;
  const name = nameOf(example).replace(/\s+/g, ' ');
  const line = `${isOk ? 'ok  ' : 'FAIL'}  ${number}  ${name}: ${result}${note === undefined ? '' : ` (${note})`}`;
  return isOk ? [line] : [line, ...formatTrace(verdict).map((each) => `      ${each}`)];
}

/**
 * Runs every example of `guardrails.examples` as "enforce" would decide, whatever the mode.
 * @throws PlimsollError when one is not met, and where there are none
 */
export async function guardTest(
  place: ProjectContext,
  options: { json?: boolean },
  output: Output,
): Promise<void> {
  const problem = place.resolved.problems.find(({ key }) => key === 'guardrails.examples');
  if (problem !== undefined)
    throw new PlimsollError(
      'invalid',
      `The examples cannot be used: ${displayPath(problem.where, place)}: ${problem.message}`,
      {
        hint: 'plimsoll config validate shows the place',
      },
    );
  const examples = place.resolved.settings['guardrails.examples'];
  if (examples.length === 0)
    throw new PlimsollError('usage', 'There are no examples of what the guardrails are to decide', {
      hint: HINT,
    });
  const results = await Promise.all(
    examples.map(async (example) => {
      const verdict = await computeVerdict(place, exampleCall(example), 'enforce');
      return { ...example, met: isMet(example, verdict), verdict };
    }),
  );
  const failed = results.filter(({ met }) => !met).length;
  if (!options.json)
    output.print(
      stripControls(results.flatMap((each, index) => linesOf(each, each.verdict, index + 1)).join('\n')),
    );
  if (failed > 0)
    throw new PlimsollError(
      'invalid',
      `${failed} of ${formatCount(examples.length, 'example')} ${failed === 1 ? 'is' : 'are'} not met`,
      {
        hint: 'change the rule, or what the example expects; the trace says which rule saw what',
        found: { examples: results },
      },
    );
  output.print(
    options.json ? toJson({ examples: results }) : `${formatCount(examples.length, 'example')}: all met`,
  );
}

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
  const { mode, preset } = readGuardrailOptions(place.resolved.settings);
  const isOff = mode === 'off';
  const verdict = await computeVerdict(place, callOf(given, options), isOff ? 'enforce' : mode);
  if (options.json) {
    output.print(toJson({ mode, preset, ...verdict }));
    return;
  }
  output.print(
    [
      ...(isOff ? ['guardrails.mode is "off": nothing is judged. With "enforce" it would be:'] : []),
      `${verdict.decision.toUpperCase()}${verdict.rule === null ? '' : `, by ${verdict.rule}`}: ${MEANS[verdict.decision]}`,
      ...(verdict.reason === null ? [] : [verdict.reason]),
      ...formatTrace(verdict),
    ].join('\n'),
  );
}
