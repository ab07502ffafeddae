// The verdict of a guardrail: one of four decisions with its trace; never "allow".

/** From weakest to strongest. There is no "allow": it would skip the permission prompts of the user. */
export const DECISIONS = ['abstain', 'warn', 'ask', 'deny'] as const;
export type VerdictDecision = (typeof DECISIONS)[number];

export const RULE_NAMES = ['own', 'tools', 'paths', 'governance', 'architecture', 'tracks'] as const;
export type RuleName = (typeof RULE_NAMES)[number];

/** One look of one rule: at what, what it saw, what followed from it. `guard explain` prints these. */
export interface Step {
  rule: RuleName | 'guardrails';
  at: string;
  saw: string;
  decision: VerdictDecision;
}

export interface Verdict {
  decision: VerdictDecision;
  /** The rule that decided; null when every rule passed. */
  rule: RuleName | null;
  /** What was refused, by what, where that is configured and what to do instead; null when nothing was. */
  reason: string | null;
  /** The files that it is about, as `Finding.files`: of these nothing is said again when the call has run. */
  files: string[];
  trace: Step[];
}

/** What a rule found: a step, and for all but `abstain` the sentences that say why. */
export interface GuardrailFinding extends Step {
  rule: RuleName;
  reason: string | null;
  /** The places that are meant, absolute, symbolic links resolved; a folder with all below it ends with `/`. */
  files?: string[];
  /** Of a line of a file: which one, what is wrong with it, and what to do instead. */
  breach?: { line: number; what: string; next: string };
}

const strength = (decision: VerdictDecision): number => DECISIONS.indexOf(decision);

export const isStronger = (one: VerdictDecision, other: VerdictDecision): boolean =>
  strength(one) > strength(other);

/** The strongest of the findings decides; reasons of the same strength are told together, at most three. */
export function buildVerdict(findings: readonly GuardrailFinding[]): Verdict {
  let strongest: GuardrailFinding | null = null;
  for (const each of findings) {
    if (each.decision === 'abstain') continue;
    if (strongest === null || isStronger(each.decision, strongest.decision)) strongest = each;
  }
  const trace = findings.map(({ rule, at, saw, decision }) => ({ rule, at, saw, decision }));
  if (strongest === null) return { decision: 'abstain', rule: null, reason: null, files: [], trace };
  const { decision, rule } = strongest;
  const reasons = [
    ...new Set(findings.filter((each) => each.decision === decision).map((each) => each.reason ?? each.saw)),
  ];
  const rest = reasons.length > 3 ? [`And ${reasons.length - 3} more of this kind.`] : [];
  const files = [
    ...new Set(findings.flatMap((each) => (each.decision === 'abstain' ? [] : (each.files ?? [])))),
  ];
  return { decision, rule, reason: [...reasons.slice(0, 3), ...rest].join('\n'), files, trace };
}
