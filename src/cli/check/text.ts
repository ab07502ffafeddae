// Formats the findings of a check as text for people.
import { type Finding, idOf, tally } from '../../model/check/finding.ts';
import { shown } from '../../model/guardrails/path-text.ts';
import { count, printable } from '../output.ts';
import type { Report } from './report.ts';

/** Puts text on one line, without anything that a terminal or a log takes for a command. */
const plain = (text: string): string => printable(shown(text.replace(/\s*\n\s*/g, ' '), 600));

/** "1 error, 2 warnings and 1 note in 14 files, staged". */
export function summaryOf({ findings, files, which }: Report): string {
  const { error, warning, note } = tally(findings);
  const parts = [
    ...(error > 0 ? [count(error, 'error')] : []),
    ...(warning > 0 ? [count(warning, 'warning')] : []),
    ...(note > 0 ? [count(note, 'note')] : []),
  ];
  const found = parts.length === 0 ? 'Nothing found' : parts.join(', ');
  return `${found}; ${count(files, 'file')} looked at, ${which}.`;
}

/** @param pathOf a file of the project as it is typed from where the command runs */
export function asText(report: Report, pathOf: (file: string) => string): string {
  const lines: string[] = [];
  let last: Finding | null = null;
  for (const finding of report.findings) {
    const { file, line, level, message, next } = finding;
    const where = file === null ? 'plimsoll' : [pathOf(file), ...(line === null ? [] : [line])].join(':');
    if (last !== null && last.file !== file) lines.push('');
    // The same advice for several lines of a file is given once, after the last of them.
    if (last?.file === file && last.next === next && next !== null) lines.pop();
    lines.push(plain(`${where}: ${level}: ${message} [${idOf(finding)}]`));
    if (next !== null) lines.push(plain(`  Next: ${next}`));
    last = finding;
  }
  return [...lines, ...(lines.length > 0 ? [''] : []), summaryOf(report)].join('\n');
}
