// Check "rules": every rule marked with L2-REINJECT is read, and so repeated at prompts.

import type { CheckFinding } from '../../cli/check-finding.ts';
import type { Check } from '../../cli/check-port.io.ts';
import { qualityPath, relativeTo } from '../../platform/project/paths.ts';
import { ruleFiles } from './read-rules.io.ts';
import { markersIn } from './reinforcement.ts';

const about = (file: string, line: number, message: string, next: string): CheckFinding => ({
  check: 'rules',
  rule: 'marker',
  level: 'warning',
  file,
  line,
  message,
  next,
});
const lineOf = (where: string): number => Number(/:(\d+)$/.exec(where)?.[1] ?? 1);

/** @param isRead whether the markers of this file are read at all */
export function markerFindings(file: string, text: string, isRead: boolean): CheckFinding[] {
  const { found, faults } = markersIn(text, file);
  const bad = faults.map(({ where, message }) =>
    about(
      file,
      lineOf(where),
      `${message}: its words are not said`,
      'write it as <!-- L2-REINJECT: rank=1, content="…" -->; an example belongs in a code block',
    ),
  );
  if (isRead) return bad;
  const unheard = found.map(({ where }) =>
    about(
      file,
      lineOf(where),
      'has a marker, and markers of this file are not read',
      'move the rule to a file in .plimsoll/rules/',
    ),
  );
  return [...bad, ...unheard];
}

export const rulesCheck: Check = {
  name: 'rules',
  rules: { marker: 'A rule is marked with L2-REINJECT and is not said again.' },
  look: ({ files, place, root }) => {
    const quality = relativeTo(qualityPath(place.paths), root);
    const read = new Set(ruleFiles(place.paths).files.map((path) => relativeTo(path, root)));
    return files
      .filter(({ path }) => read.has(path) || path === quality)
      .flatMap((file) => markerFindings(file.path, file.text() ?? '', read.has(file.path)));
  },
};
