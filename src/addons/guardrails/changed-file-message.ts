// The message about a protected file that was changed already.

import type { GuardrailFinding } from '../../hosts/verdict.ts';
import { type GuardrailOptions, setBy } from '../../settings/guardrail-options.ts';

const TABLES = { paths: 'guardrails.paths', governance: 'guardrails.governance' } as const;

/** The key of whose patterns a rule about places has said what it saw. */
export const findPatternKey = (saw: string): string | undefined =>
  /\b((?:paths|governance)\.\w+)/.exec(saw)?.[1];

/** `is changed, and "gen/**" of paths.protected matches (guardrails.paths.protected)`, to be read behind a file's name. */
export function describeChangedFile(
  { rule, saw }: GuardrailFinding & { rule: keyof typeof TABLES },
  isGone: boolean,
  options: GuardrailOptions,
): string {
  const key = findPatternKey(saw);
  const set = key === undefined ? TABLES[rule] : setBy(options, key);
  return `is ${isGone ? 'removed' : 'changed'}, and ${saw} (${set})`;
}
