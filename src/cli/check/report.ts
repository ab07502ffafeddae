// What does a report of a check hold, whatever it is printed as?
import type { Finding } from '../../model/check/finding.ts';

export const FORMATS = ['text', 'json', 'sarif', 'github'] as const;
export type Format = (typeof FORMATS)[number];

export interface Report {
  /** In order. */
  findings: readonly Finding[];
  passes: boolean;
  /** Files that were looked at. */
  files: number;
  /** Which they are, in words: "staged", "that differ from HEAD". */
  which: string;
  /** The project's root from the top of its repository on: `packages/a/`, or ''. */
  prefix: string;
}
