// Checks the markers of rule files: each must be well formed and stand in a file that is read.
import { markersIn } from '../reinforcement.ts';
import type { Finding } from './finding.ts';

const about = (file: string, line: number, message: string, next: string): Finding => ({
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
export function markerFindings(file: string, text: string, isRead: boolean): Finding[] {
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
