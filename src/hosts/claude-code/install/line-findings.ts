// Checks that our status line is the one the client shows, and that the program behind it exists.
import { type DoctorFinding, error, type Formatter, info, ok } from '../../../doctor/finding.ts';
import type { SettingsScope } from './registration-findings.ts';

export interface LineFacts {
  /** The status lines of all settings that count here, the nearest first: the first one is shown. */
  lines: {
    scope: SettingsScope;
    path: string;
    isOurs: boolean;
    /** Command that ours is shown below, or null. */
    wraps: string | null;
  }[];
  /** Where the bundle has to have it, and whether it has. */
  program: { path: string; exists: boolean };
}

/** Nobody has to have one: where there is none of ours, there is nothing to say. */
export function lineFindings({ lines, program }: LineFacts, words: Formatter): DoctorFinding[] {
  const [shown] = lines;
  const ours = lines.find((each) => each.isOurs);
  if (shown === undefined || ours === undefined) return [];
  const where = words.path(ours.path);
  if (!program.exists) {
    return [
      error(
        'status line',
        `${where} asks for it, and there is none at ${words.path(program.path)}${ours.wraps === null ? '' : '; the other one is shown alone'}`,
        'plimsoll init --statusline',
      ),
    ];
  }
  if (ours !== shown) {
    return [
      info(
        'status line',
        `that of ${words.path(shown.path)} is nearer and shown instead of ours in ${where}`,
        `plimsoll init --statusline --scope ${shown.scope}`,
      ),
    ];
  }
  return [ok('status line', `in ${where}${ours.wraps === null ? '' : `, below that of: ${ours.wraps}`}`)];
}
