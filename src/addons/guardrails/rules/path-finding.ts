// Builds the findings of the rule "paths".
import type { GuardrailFinding, VerdictDecision } from '../../../hosts/verdict.ts';

export const find = (
  decision: VerdictDecision,
  at: string,
  saw: string,
  reason: string | null = null,
): GuardrailFinding => ({
  rule: 'paths',
  at,
  saw,
  decision,
  reason,
});

export const INSTEAD: Record<'secrets' | 'protected', string> = {
  secrets: 'Name what the file needs and let the user write it; an example file without values is free.',
  protected: 'Leave it as it is, or ask the user to change it or the rule.',
};

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
