// Reports a resumption section of an active workflow that lags behind the work.
import { type SectionMarks, sectionStanding, updatedAt } from '../staleness.ts';
import type { Finding } from './finding.ts';

export interface Section {
  /** Below the root, with `/`. */
  file: string;
  marks: SectionMarks;
  /** Line of `resumption:`. */
  line: number;
  mtimeMs: number;
  /** When the present phase and the conversation began, as ISO times; null where unknown. */
  phase_since: string | null;
  started: string | null;
}

/**
 * @param worked when the work that is checked was done, in ms: a repository that is only looked at, hours later, is not
 *   stale for that
 */
export function stalenessFindings(section: Section, worked: number, now: number): Finding[] {
  const { file, line, marks, started } = section;
  const updated = updatedAt(marks.updated_at, section.mtimeMs);
  const asOf = Math.max(worked, Math.min(updated, now));
  const { level, why } = sectionStanding({ ...section, ...marks }, asOf, started);
  if (level === 'FRESH') return [];
  return [
    {
      check: 'staleness',
      rule: 'resumption',
      level: 'warning',
      file,
      line,
      message: `its resumption section is ${level}: ${why}`,
      next: 'plimsoll state activity "…" and plimsoll state next "…" bring it up to date',
    },
  ];
}
