// The report of `plimsoll check` and its output formats.
import type { CheckFinding } from '../../cli/check-finding.ts';

export const FORMATS = ['text', 'json', 'sarif', 'github'] as const;
export type Format = (typeof FORMATS)[number];

export interface Report {
  /** In order. */
  findings: readonly CheckFinding[];
  passes: boolean;
  /** The number of checked files. */
  files: number;
  /** Which files these are, in words: "staged", "changed since main". */
  which: string;
  /** The project's root from the top of its repository on: `packages/a/`, or ''. */
  prefix: string;
}
