// Checks "state" and "staleness": every ORCHESTRATION.yaml is valid, and its resumption section is up to date.

import type { CheckFinding } from '../../cli/check-finding.ts';
import type { Check } from '../../cli/check-port.io.ts';
import type { SectionMarks } from '../../compaction/workflow/staleness.ts';
import { readSectionStanding, readUpdatedAt } from '../../compaction/workflow/staleness.ts';
import { isActive } from '../../compaction/workflow/workflow.ts';
import { findLastWork } from '../../platform/git/git-files.ts';
import { readStamp } from '../../platform/look.ts';
import { makeRelative } from '../../platform/project/paths.ts';
import { findOwnSession } from '../../sessions/commands/find-session.io.ts';
import { readUsableState } from '../../sessions/session-states.io.ts';
import { listOrchestrations, readOrchestration, readWorkflowStatus } from './find-workflow.io.ts';
import { listProblems, parseOrchestration } from './orchestration-file.io.ts';
import { readSectionMarks } from './yaml-fields.ts';

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
export function findStaleSections(section: Section, worked: number, now: number): CheckFinding[] {
  const { file, line, marks, started } = section;
  const updated = readUpdatedAt(marks.updated_at, section.mtimeMs);
  const asOf = Math.max(worked, Math.min(updated, now));
  const { level, why } = readSectionStanding({ ...section, ...marks }, asOf, started);
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
    const active = listOrchestrations({ root, cwd: root, configured }).flatMap((path) => {
      const file = makeRelative(path, root);
      const text = read(file) ?? readOrchestration(path) ?? '';
      const at = text.search(/^resumption:/m);
      return at < 0 || !isActive(readWorkflowStatus(text)) ? [] : [{ path, file, text, at }];
    });
    if (active.length === 0) return [];
    const session = findOwnSession(place);
    const state = session === undefined ? null : readUsableState(place.paths, session);
    const worked = findLastWork(git) ?? place.now;
    return active.flatMap(({ path, file, text, at }) =>
      findStaleSections(
        {
          file,
          marks: readSectionMarks(text),
          line: text.slice(0, at).split('\n').length,
          mtimeMs: readStamp(path).mtimeMs,
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
      listOrchestrations({ root, cwd: root, configured }).map((path) => makeRelative(path, root)),
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
