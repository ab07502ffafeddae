// Runs `plimsoll doctor`: reports whether everything works here, and what to do where it does not.
import type { Finding } from '../model/finding.ts';
import { VERSION } from '../version.ts';
import { examineAll } from './doctor-facts.ts';
import { type Mending, mendAll } from './doctor-fix.ts';
import { count, type Output, printable, toJson } from './output.ts';
import type { Place } from './place.ts';

export interface DoctorOptions {
  session?: string;
  all?: boolean;
  fix?: boolean;
  json?: boolean;
}

const LATEST_FAILURES = 20;

const line = (text: string): string => printable(text).replaceAll('\n', ' ');

/** Formats the problems, or with `all` every finding, and then counts them. */
function textOf(findings: readonly Finding[], all: boolean): string {
  const marks = { ok: 'ok', note: 'note', fault: 'FAULT' };
  const shown = all ? findings : findings.filter((each) => each.level !== 'ok');
  const width = Math.max(0, ...shown.map((each) => each.about.length)) + 2;
  const numberOf = (level: Finding['level']): number =>
    findings.filter((each) => each.level === level).length;
  const wrong = (['fault', 'note'] as const)
    .filter((level) => numberOf(level) > 0)
    .map((level) => count(numberOf(level), level))
    .join(', ');
  const checks = count(numberOf('ok'), 'check');
  const rest = all ? '' : ` (${checks} in order: plimsoll doctor --all)`;
  return [
    ...shown.flatMap(({ level, about, finding, fix, mend }) => [
      `${marks[level].padEnd(7)}${about.padEnd(width)}${line(finding)}`,
      ...(fix === null
        ? []
        : [
            `${' '.repeat(7 + width)}Next: ${fix}${mend && !fix.includes('--fix') ? ' (--fix does it)' : ''}`,
          ]),
    ]),
    ...(shown.length === 0 ? [] : ['']),
    wrong === ''
      ? `All is in order: ${checks}${all ? '' : ', shown by plimsoll doctor --all'}.`
      : `${wrong}${rest}`,
  ].join('\n');
}

const mendedText = (done: readonly Mending[]): string =>
  [
    ...(done.length === 0 ? ['Nothing to mend.'] : []),
    ...done.map((each) =>
      each.error === null ? `Mended: ${each.done}` : `Could not mend (${each.mend}): ${line(each.error)}`,
    ),
    '',
  ].join('\n');

/**
 * Reports what is wrong; with --fix it first fixes what needs no decision.
 * @param dist folder with the built chunks
 * @returns false when there is a fault
 */
export async function doctor(
  place: Place,
  options: DoctorOptions,
  output: Output,
  dist: string,
): Promise<boolean> {
  let { findings, facts } = examineAll(place, options.session, dist);
  let mended: Mending[] | null = null;
  if (options.fix) {
    mended = await mendAll(place, findings, facts, dist);
    ({ findings, facts } = examineAll(place, options.session, dist));
  }
  if (options.json) {
    const { failures, ...rest } = facts;
    output.print(
      toJson({
        findings: findings.map(({ mend, ...each }) => ({ ...each, mendable: mend !== undefined })),
        ...(mended === null ? {} : { mended }),
        version: VERSION,
        root: place.root,
        ...rest,
        failures: failures?.map(({ log, lines }) => ({ log, lines: lines.slice(-LATEST_FAILURES) })),
      }),
    );
  } else {
    if (mended !== null) output.print(mendedText(mended));
    output.print(textOf(findings, options.all === true));
  }
  return !findings.some((each) => each.level === 'fault');
}
