// Check "state": every ORCHESTRATION.yaml among the checked files is valid.

import type { CheckFinding } from '../../cli/check-finding.ts';
import type { Check } from '../../cli/check-port.io.ts';
import { relativeTo } from '../../platform/project/paths.ts';

import { allOrchestrations } from './find-workflow.io.ts';
import { listProblems, parseOrchestration } from './orchestration-file.io.ts';

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
