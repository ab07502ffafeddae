// Decides by allow list, deny list and policy whether a tool may be used at all.

import type { GuardrailFinding, VerdictDecision } from '../../../hosts/verdict.ts';
import type { GuardrailOptions } from '../../../settings/guardrail-options.ts';
import { setBy } from '../../../settings/guardrail-options.ts';
import { globMatches, nameMatches } from '../../../text/globs.ts';
import { displayText } from '../../../text/path-text.ts';
import type { Changes } from '../change.ts';
import type { GuardedCall } from '../guard-call.ts';
import { readString } from '../guard-call.ts';

/** `Bash(git *)` as a tool and what its argument looks like; `null`: any argument. */
function partsOf(pattern: string): [tool: string, argument: string | null] {
  const found = /^([^(]+)\((.*)\)$/s.exec(pattern);
  return found ? [found[1] as string, found[2] as string] : [pattern, null];
}

/** The texts that an argument pattern is held against: every simple command, or the file, or the address. */
function argumentsOf(call: GuardedCall, changes: Changes): string[] {
  if (changes.commands !== null) return changes.commands.map((words) => words.join(' '));
  const { command, file_path, notebook_path, path, url } = call.input;
  return [command, file_path, notebook_path, path, url].map(readString).filter((each) => each !== null);
}

const argumentMatches = (pattern: string, text: string): boolean =>
  nameMatches(pattern.replace(/:\*$/, '*').replace(/ \*$/, '*'), text) || globMatches(pattern, text);

const find = (
  decision: VerdictDecision,
  at: string,
  saw: string,
  reason: string | null = null,
): GuardrailFinding => ({
  rule: 'tools',
  at,
  saw,
  decision,
  reason,
});

/** Asked only where tools are listed. */
export function checkTool(
  call: GuardedCall,
  changes: Changes,
  options: GuardrailOptions,
): GuardrailFinding[] {
  const { allow, deny, unknown } = options.tools;
  const at = displayText(call.tool, 80);
  const texts = argumentsOf(call, changes);
  const ofTool = (patterns: string[]): [string, string | null][] =>
    patterns
      .filter((each) => nameMatches(partsOf(each)[0], call.tool))
      .map((each) => [each, partsOf(each)[1]]);

  for (const [pattern, argument] of ofTool(deny)) {
    if (argument === null || texts.some((text) => argumentMatches(argument, text))) {
      return [
        find(
          'deny',
          at,
          `"${pattern}" of tools.deny matches`,
          `The tool ${at} was refused by the guardrail rule "tools": "${pattern}" is in ${setBy(options, 'tools.deny')}. Use another way that the task allows, or ask the user.`,
        ),
      ];
    }
  }
  if (allow.length === 0) return [find('abstain', at, 'tools.deny does not match')];

  const candidates = ofTool(allow);
  const plain = candidates.find(([, argument]) => argument === null);
  if (plain) return [find('abstain', at, `"${plain[0]}" of tools.allow matches`)];
  const missing = texts.find(
    (text) => !candidates.some(([, argument]) => argument !== null && argumentMatches(argument, text)),
  );
  if (candidates.length > 0 && texts.length > 0 && missing === undefined && changes.doubt === null) {
    return [find('abstain', at, 'patterns of tools.allow match all of it')];
  }
  const what =
    candidates.length > 0 && missing !== undefined
      ? `"${displayText(missing, 80)}" of ${at}`
      : `the tool ${at}`;
  return [
    find(
      unknown,
      at,
      `tools.allow does not name ${what}; tools.unknown is ${unknown}`,
      `The guardrail rule "tools" does not know ${what}: it is not in ${setBy(options, 'tools.allow')}. Use a tool from that list, or ask the user to add it.`,
    ),
  ];
}
