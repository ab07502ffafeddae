// What is said of a resumption section that lags behind?
import type { SectionMarks } from '../model/staleness.ts';
import { ago } from './ago.ts';
import { inline } from './escape.ts';
import { say } from './lines.ts';

/** One line after a tool that changed the file and not its section. */
export function stalenessWarning(path: string, marks: SectionMarks, now: number): string {
  const at = Date.parse(marks.updated_at ?? '');
  const when = Number.isNaN(at)
    ? 'it has no readable updated_at'
    : `updated_at ${inline(marks.updated_at ?? '')}, ${ago((now - at) / 1000)}`;
  return `<context-monitor>${say(path, 60)} was changed, its resumption section was not (${say(when, 40)}).</context-monitor>`;
}
