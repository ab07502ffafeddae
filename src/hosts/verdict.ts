// The verdict of a guardrail: one of four decisions with its trace; never "allow".

/** From weakest to strongest. There is no "allow": it would skip the permission prompts of the user. */
export const DECISIONS = ['abstain', 'warn', 'ask', 'deny'] as const;
export type VerdictDecision = (typeof DECISIONS)[number];

export const RULE_NAMES = [
  'own',
  'tools',
  'commands',
  'paths',
  'governance',
  'architecture',
  'tracks',
] as const;
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
  /** What the call does, which rule is against it and where that is configured; to whom it is written follows from the decision. */
  reason: string | null;
  /** The files that it is about, as `Finding.files`: of these nothing is said again when the call has run. */
  files: string[];
  trace: Step[];
}

/** What a rule found: a step, and for all but `abstain` the sentences that say why. */
export interface GuardrailFinding extends Step {
  rule: RuleName;
  /** True of the call whatever the decision is. */
  reason: string | null;
  /** What the agent does instead; a person who is asked does not read it. */
  next?: string;
  /** The places that are meant, absolute, symbolic links resolved; a folder with all below it ends with `/`. */
  files?: string[];
  /** Of a line of a file: which one, what is wrong with it, and what to do instead. */
  breach?: { line: number; what: string; next: string };
}

/** Builds the findings of a rule. */
export const createFinder =
  (rule: RuleName) =>
  (
    decision: VerdictDecision,
    at: string,
    saw: string,
    reason: string | null = null,
    next?: string,
  ): GuardrailFinding => ({
    ...{ rule, at, saw, decision, reason },
    ...(next === undefined ? {} : { next }),
  });

const strength = (decision: VerdictDecision): number => DECISIONS.indexOf(decision);

export const isStronger = (one: VerdictDecision, other: VerdictDecision): boolean =>
  strength(one) > strength(other);

/** `enforce`: the decisions hold. `warn`: every call is made, and the agent is told. `after`: a file has changed already. */
export type Telling = 'enforce' | 'warn' | 'after';

/** A client shows the text of a question to the person alone, and that of a refusal to the agent. */
const TO_PERSON = 'The agent asks to do this. Allow it only if it is what you want.';

/** What stands before the reasons, and behind them: what has become of the call, where the answer does not say so. */
function describeOutcome({ decision, rule, next }: GuardrailFinding, telling: Telling): [string[], string[]] {
  const isChange = rule !== 'tools' && rule !== 'commands' && rule !== 'tracks';
  // It is written before the call, which may fail or be declined.
  const made = `The ${isChange ? 'change' : 'call'} was made, unless the call itself failed`;
  if (telling === 'enforce' && decision === 'ask') return [[], [TO_PERSON]];
  if (telling === 'warn' && decision !== 'warn') {
    const otherwise =
      decision === 'deny' ? 'it would have been refused' : 'the user would have been asked first';
    const lead = `${made}: guardrails.mode is "warn"; with "enforce" ${otherwise}.`;
    const undo = 'Nothing was undone: of what was changed, put back what the user does not want.';
    return [[lead], isChange ? [undo] : []];
  }
  const isWarned = telling !== 'after' && decision === 'warn' && next !== undefined;
  return [isWarned ? [`${made}, and a rule warns of it.`] : [], []];
}

/** The strongest of the findings decides; reasons of the same strength are told together, at most three. */
export function buildVerdict(findings: readonly GuardrailFinding[], telling: Telling = 'enforce'): Verdict {
  let strongest: GuardrailFinding | null = null;
  for (const each of findings) {
    if (each.decision === 'abstain') continue;
    if (strongest === null || isStronger(each.decision, strongest.decision)) strongest = each;
  }
  const trace: Step[] = findings.map(({ rule, at, saw, decision }) => ({ rule, at, saw, decision }));
  if (strongest === null) return { decision: 'abstain', rule: null, reason: null, files: [], trace };
  const { decision, rule } = strongest;
  // What was to be done instead is said to the agent alone, and not where the call was made.
  const hasNext = telling === 'enforce' ? decision !== 'ask' : telling === 'after' || decision === 'warn';
  const reasons = [
    ...new Set(
      findings
        .filter((each) => each.decision === decision)
        .map((each) => [each.reason ?? each.saw, ...(each.next && hasNext ? [each.next] : [])].join(' ')),
    ),
  ];
  const rest = reasons.length > 3 ? [`And ${reasons.length - 3} more of this kind.`] : [];
  const files = [
    ...new Set(findings.flatMap((each) => (each.decision === 'abstain' ? [] : (each.files ?? [])))),
  ];
  const [lead, end] = describeOutcome(strongest, telling);
  const reason = [...lead, ...reasons.slice(0, 3), ...rest, ...end].join('\n');
  if (telling !== 'warn' || !isStronger(decision, 'warn')) return { decision, rule, reason, files, trace };
  const saw = `guardrails.mode is "warn": ${decision} becomes a warning`;
  const step: Step = { rule: 'guardrails', at: 'mode', saw, decision: 'warn' };
  return { decision: 'warn', rule, reason, files, trace: [...trace, step] };
}

/** Characters of a reason: hosts cut at 10,000. */
const MOST_REASON = 4_000;

/**
 * The output of a hook before a tool call, in Claude Code's form, which other hosts took over; null for none, which leaves the
 * call to the user's own permissions.
 * @param canAsk whether the host can ask the person; where it cannot, what would be asked is refused
 */
export function formatHookVerdict(
  { decision, reason }: Pick<Verdict, 'decision' | 'reason'>,
  canAsk: boolean,
): string | null {
  if (decision === 'abstain' || reason === null) return null;
  const text = `Plimsoll: ${reason.slice(0, MOST_REASON)}`;
  const output =
    decision === 'warn'
      ? { hookEventName: 'PreToolUse', additionalContext: text }
      : {
          hookEventName: 'PreToolUse',
          permissionDecision: canAsk ? decision : 'deny',
          permissionDecisionReason: text,
        };
  return JSON.stringify({ hookSpecificOutput: output });
}
