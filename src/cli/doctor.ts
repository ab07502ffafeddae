// Does everything work here, and what is to be done where it does not?
import { conversationFindings } from '../model/conversation-findings.ts';
import { type Finding, fault, note, ok, type Words } from '../model/finding.ts';
import { hookFindings } from '../model/install-findings.ts';
import { lineFindings } from '../model/line-findings.ts';
import { programFindings } from '../model/program-findings.ts';
import { failureFindings, stateFindings } from '../model/state-findings.ts';
import { ago } from '../tags/ago.ts';
import { VERSION } from '../version.ts';
import { conversationFacts } from './doctor-conversation.ts';
import { installFacts, programFacts } from './doctor-install.ts';
import { failureFacts, stateFacts } from './doctor-state.ts';
import { count, type Output, printable, toJson } from './output.ts';
import { type Place, shown } from './place.ts';
import { allSettings } from './settings-file.ts';
import { lineFacts } from './settings-statusline.ts';

export interface DoctorOptions {
  session?: string;
  json?: boolean;
}

const LATEST_FAILURES = 20;

const wordsFor = (place: Place): Words => ({
  path: (path) => shown(path, place),
  ago: (at) => ago((place.now - (typeof at === 'number' ? at : Date.parse(at))) / 1000),
});

/** Looks at one thing and judges it. What cannot be looked at is a finding too: the others still come. */
function examine<F>(
  about: string,
  look: () => F,
  judge: (facts: F) => Finding[],
): { facts: F | null; findings: Finding[] } {
  try {
    const facts = look();
    return { facts, findings: judge(facts) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      facts: null,
      findings: [fault(about, `could not be looked at: ${message}`, 'check the path and its permissions')],
    };
  }
}

function textOf(findings: readonly Finding[]): string {
  const marks = { ok: 'ok', note: 'note', fault: 'FAULT' };
  const width = Math.max(...findings.map((each) => each.about.length)) + 2;
  const sum = (['fault', 'note'] as const)
    .map((level) => ({ level, number: findings.filter((each) => each.level === level).length }))
    .filter(({ number }) => number > 0)
    .map(({ level, number }) => count(number, level))
    .join(', ');
  return [
    ...findings.flatMap(({ level, about, finding, fix }) => [
      `${marks[level].padEnd(7)}${about.padEnd(width)}${printable(finding).replaceAll('\n', ' ')}`,
      ...(fix === null ? [] : [`${' '.repeat(7 + width)}Next: ${fix}`]),
    ]),
    '',
    sum === '' ? 'All is in order.' : sum,
  ].join('\n');
}

/**
 * Looks at everything that can be wrong, anywhere, and changes nothing.
 * @param dist folder with the built chunks
 * @returns false when there is a fault
 */
export function doctor(place: Place, options: DoctorOptions, output: Output, dist: string): boolean {
  const words = wordsFor(place);
  const all = allSettings(place);
  const state = examine(
    'state',
    () => stateFacts(place),
    (facts) => stateFindings(facts, words),
  );
  const conversation = examine(
    'conversation',
    () => conversationFacts(place, options.session, all),
    (facts) => {
      const others = (state.facts?.conversations.count ?? 0) - (facts?.isKnown ? 1 : 0);
      const rest =
        others > 0
          ? [ok('conversation', `${others} more with state here: plimsoll doctor --session ID`)]
          : [];
      if (facts !== null) return [...conversationFindings(facts, words), ...rest];
      return options.session === undefined
        ? [note('conversation', 'none of Claude Code was found for this folder', null), ...rest]
        : [
            fault(
              'conversation',
              `no transcript and no state of "${options.session}"`,
              'plimsoll status shows ids',
            ),
            ...rest,
          ];
    },
  );
  const hasRun = (conversation.facts?.beats.length ?? 0) > 0;
  const install = examine(
    'hooks',
    () => installFacts(place, all, hasRun),
    (facts) => hookFindings(facts, words),
  );
  const line = examine(
    'status line',
    () => lineFacts(place, all),
    (facts) => lineFindings(facts, words),
  );
  const programs = examine(
    'programs',
    () => programFacts(place, all, dist),
    (facts) => programFindings(facts, words),
  );
  const failures = examine(
    'failures',
    () => failureFacts(place),
    (facts) => failureFindings(facts, place.now, words),
  );
  const findings = [install, line, programs, conversation, state, failures].flatMap((each) => each.findings);
  output.print(
    options.json
      ? toJson({
          findings,
          version: VERSION,
          root: place.root,
          install: install.facts,
          status_line: line.facts,
          programs: programs.facts,
          conversation: conversation.facts,
          state: state.facts,
          failures: failures.facts?.map(({ log, lines }) => ({ log, lines: lines.slice(-LATEST_FAILURES) })),
        })
      : textOf(findings),
  );
  return !findings.some((each) => each.level === 'fault');
}
