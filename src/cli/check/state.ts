// Check "state": every ORCHESTRATION.yaml among the checked files is valid.
import type { Finding } from '../../model/check/finding.ts';
import { allOrchestrations } from '../../store/orchestration.ts';
import { orchestrationIn } from '../../store/orchestration-file.ts';
import { shownBelow } from '../../store/paths.ts';
import { linesOf } from '../state-validate.ts';
import type { Check } from './check.ts';

export const state: Check = {
  name: 'state',
  rules: {
    problem: 'An ORCHESTRATION.yaml is read wrongly, or not at all.',
    note: 'An ORCHESTRATION.yaml is read well, and is not as the specification has it.',
  },
  look: ({ files, place, root }) => {
    const configured = place.resolved.settings['orchestration.path'];
    const known = new Set(allOrchestrations(root, root, configured).map((path) => shownBelow(path, root)));
    return files.flatMap((file) => {
      const text = known.has(file.path) ? file.text() : null;
      if (text === null) return [];
      return linesOf(orchestrationIn(text)).map(
        ({ level, line, path, found, expected, fix }): Finding => ({
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
