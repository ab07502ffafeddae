// A finding of a check, for tests of how findings are written.
import type { CheckFinding } from '../../src/cli/check-finding.ts';

export const finding = (given: Partial<CheckFinding> = {}): CheckFinding => ({
  check: 'guardrails',
  rule: 'architecture',
  level: 'error',
  file: 'src/a.ts',
  line: 3,
  message: 'imports x',
  next: 'pass it in',
  ...given,
});
