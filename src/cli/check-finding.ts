// A finding of `plimsoll check` about a project's files, with its level, its place and its order.

/** From weakest to strongest: an error fails the check, a warning only when it is asked to be strict. */
const LEVELS = ['note', 'warning', 'error'] as const;
export type Level = (typeof LEVELS)[number];

export interface CheckFinding {
  /** Which check found it, and by which of its rules. */
  check: string;
  rule: string;
  level: Level;
  /** Below the project's root, with `/`; null for what is about no file of the project. */
  file: string | null;
  line: number | null;
  /** A clause that is read behind the name of the file. */
  message: string;
  /** What to do about it. */
  next: string | null;
}

export const formatRuleId = ({ check, rule }: Pick<CheckFinding, 'check' | 'rule'>): string =>
  `${check}/${rule}`;

/** How many there are of each level. */
export function tally(findings: readonly CheckFinding[]): Record<Level, number> {
  const count = { note: 0, warning: 0, error: 0 };
  for (const { level } of findings) count[level]++;
  return count;
}

/** By file and line; what is about no file comes last. The order of equal ones stays. */
export const sortFindings = (findings: readonly CheckFinding[]): CheckFinding[] =>
  [...findings].sort((a, b) => {
    if (a.file !== b.file) return b.file === null || (a.file !== null && a.file < b.file) ? -1 : 1;
    return (a.line ?? 0) - (b.line ?? 0);
  });

/** The rule that a check reports when it failed itself. */
export const FAILED = 'failed';
