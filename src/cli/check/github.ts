// How does GitHub Actions take what a check found, as annotations of the change? Its workflow commands, one a line.
import { type Finding, idOf, type Level } from '../../model/check/finding.ts';
import type { Report } from './report.ts';
import { summaryOf } from './text.ts';

const COMMANDS: Record<Level, string> = { error: 'error', warning: 'warning', note: 'notice' };

/** The text of a command: what would end it, or stand for something else. */
const data = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
/** The value of a property, which ends at a comma or colon too. */
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
