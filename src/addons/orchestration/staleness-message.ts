// Messages about a resumption section that was not updated with the work: after a tool, and at the end of a turn.

import { type SectionMarks, timeIn } from '../../compaction/workflow/staleness.ts';
import { formatAge } from '../../text/ago.ts';
import { inline } from '../../text/escape.ts';
import { fitInline } from '../../text/lines.ts';

/** One line after a tool that changed the file but, as far as can be told, not its resumption section. */
export function stalenessWarning(path: string, marks: SectionMarks, now: number): string {
  const at = timeIn(marks.updated_at);
  const what =
    at === null
      ? 'was changed; no updated_at of its resumption section can be read ("plimsoll state validate" says why)'
      : `was changed, its resumption section was not (${fitInline(`updated_at ${inline(marks.updated_at ?? '')}, ${formatAge((now - at) / 1000)}`, 40)})`;
  return `<context-monitor>${fitInline(path, 60)} ${what}.</context-monitor>`;
}

/** Tells why the turn is blocked from ending, and what lets it end. */
export function staleAtStop(path: string, marks: SectionMarks, tier: string): string {
  const since = marks.updated_at === null ? 'has no updated_at' : `was updated ${inline(marks.updated_at)}`;
  return `The context is at ${tier}, and the resumption section of ${fitInline(path, 60)} ${fitInline(since, 40)}, before that: what was done since would be lost in a compaction. Bring it up to date, e.g. plimsoll state activity "…" and plimsoll state next "…" (plimsoll state show prints it); the turn then ends. This is asked once.`;
}
