// Checks "state" and "staleness": every ORCHESTRATION.yaml is valid, and its resumption section is up to date.

import type { CheckFinding } from '../../cli/check-finding.ts';
import type { Check } from '../../cli/check-port.io.ts';
import { type SectionMarks, sectionStanding, updatedAt } from '../../compaction/workflow/staleness.ts';
import { isActive } from '../../compaction/workflow/workflow.ts';
import { workedAt } from '../../platform/git/git-files.ts';
import { stampOf } from '../../platform/look.ts';
import { relativeTo } from '../../platform/project/paths.ts';
import { findOwnSession } from '../../sessions/commands/find-session.io.ts';
import { readUsableState } from '../../sessions/session-states.io.ts';
import { allOrchestrations, readOrchestration, readWorkflowStatus } from './find-workflow.io.ts';
import { listProblems, parseOrchestration } from './orchestration-file.io.ts';
import { sectionMarks } from './yaml-fields.ts';

// Check "staleness": the resumption section of every active workflow is as new as the work.
interface Section {
  /** Below the root, with `/`. */
  file: string;
  marks: SectionMarks;
  /** Line of `resumption:`. */
  line: number;
  mtimeMs: number;
  /** When the present phase and the session began, as ISO times; null where unknown. */
  phase_since: string | null;
  started: string | null;
}

/**
 * @param worked when the work that is checked was done, in ms: a repository that is only looked at, hours later, is not
 *   stale for that
 */
export function stalenessFindings(section: Section, worked: number, now: number): CheckFinding[] {
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

export const stalenessCheck: Check = {
  name: 'staleness',
  rules: { resumption: 'The resumption section of an active workflow is older than the work.' },
  look: ({ place, root, git, read }) => {
    const configured = place.resolved.settings['orchestration.path'];
    const active = allOrchestrations({ root, cwd: root, configured }).flatMap((path) => {
      const file = relativeTo(path, root);
      const text = read(file) ?? readOrchestration(path) ?? '';
      const at = text.search(/^resumption:/m);
      return at < 0 || !isActive(readWorkflowStatus(text)) ? [] : [{ path, file, text, at }];
    });
    if (active.length === 0) return [];
    const session = findOwnSession(place);
    const state = session === undefined ? null : readUsableState(place.paths, session);
    const worked = workedAt(git) ?? place.now;
    return active.flatMap(({ path, file, text, at }) =>
      stalenessFindings(
        {
          file,
          marks: sectionMarks(text),
          line: text.slice(0, at).split('\n').length,
          mtimeMs: stampOf(path).mtimeMs,
          phase_since: state?.workflow_file?.path === path ? state.workflow_file.phase_since : null,
          started: state?.started ?? null,
        },
        worked,
        place.now,
      ),
    );
  },
};

export const stateCheck: Check = {
  name: 'state',
  rules: {
    problem: 'An ORCHESTRATION.yaml is read wrongly, or not at all.',
    note: 'An ORCHESTRATION.yaml is read well, and is not as the specification has it.',
  },
  look: ({ files, place, root }) => {
    const configured = place.resolved.settings['orchestration.path'];
    const known = new Set(
      allOrchestrations({ root, cwd: root, configured }).map((path) => relativeTo(path, root)),
    );
    return files.flatMap((file) => {
      const text = known.has(file.path) ? file.text() : null;
      if (text === null) return [];
      return listProblems(parseOrchestration(text)).map(
        ({ level, line, path, found, expected, fix }): CheckFinding => ({
          check: 'state',
          rule: level,
          level: level === 'problem' ? 'error' : 'note',
          file: file.path,
          line,
          message: `${path === '' ? '' : `${path}: `}${found}; expected ${expected}`,
          next: fix,
        }),
      );
    });
  },
};
