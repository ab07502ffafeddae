// Formats findings as GitHub Actions workflow commands, one per line, which GitHub shows as annotations of the change.
import { type Finding, idOf, type Level } from '../../model/check/finding.ts';
import type { Report } from './report.ts';
import { summaryOf } from './text.ts';

const COMMANDS: Record<Level, string> = { error: 'error', warning: 'warning', note: 'notice' };

/** Escapes the text of a command: characters that would end it or mean something else. */
const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
/** Escapes the value of a property, which a comma or colon ends too. */
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

function commandOf(finding: Finding, prefix: string): string {
  const { level, file, line, message, next } = finding;
  const properties = [
    ...(file === null ? [] : [`file=${property(prefix + file)}`]),
    ...(line === null ? [] : [`line=${line}`]),
    `title=${property(`plimsoll ${idOf(finding)}`)}`,
  ];
  return `::${COMMANDS[level]} ${properties.join(',')}::${data(next === null ? message : `${message}\nNext: ${next}`)}`;
}

export const asGitHub = (report: Report): string =>
  [...report.findings.map((each) => commandOf(each, report.prefix)), summaryOf(report)].join('\n');
