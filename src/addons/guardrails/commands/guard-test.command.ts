// Runs `plimsoll guard test`: checks that the guardrails decide as the project's own examples say.

import { formatCount, type Output, stripControls, toJson } from '../../../cli/output.io.ts';
import { displayPath, type ProjectContext } from '../../../cli/project.io.ts';
import { CLIENT_SETTINGS_FILE } from '../../../hosts/claude-code/names.ts';
import { asCommand, asWrite } from '../../../hosts/claude-code/tools/kinds.ts';
import type { Verdict } from '../../../hosts/verdict.ts';
import type { GuardrailExample } from '../../../settings/guardrail-schemas.ts';
import { PlimsollError } from '../../../text/plimsoll-error.ts';
import type { GuardedCall } from '../guard-call.ts';
import { traceLines, verdictOn } from './compute-verdict.io.ts';

const HINT = `add one to .plimsoll/config.toml:
    [[guardrails.examples]]
    command = "echo x > ${CLIENT_SETTINGS_FILE}"
    expect = "ask"
    rule = "own"
    note = "what the hooks of this project are"`;

/** Builds the tool call of an example, which has exactly one of the three fields: the settings are checked. */
function callOf({ path, command, call }: GuardrailExample): Pick<GuardedCall, 'tool' | 'input'> {
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
  return isOk ? [line] : [line, ...traceLines(verdict).map((each) => `      ${each}`)];
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
      const verdict = await verdictOn(place, callOf(example), 'enforce');
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
