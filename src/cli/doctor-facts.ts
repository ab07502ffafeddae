// Collects all facts that `plimsoll doctor` looks at, and turns them into findings.

import {
  type ConversationFacts,
  conversationFindings,
} from '../hosts/claude-code/install/conversation-findings.ts';
import { hookFindings, type InstallFacts } from '../hosts/claude-code/install/install-findings.ts';
import { type LineFacts, lineFindings } from '../hosts/claude-code/install/line-findings.ts';
import { type TraceFacts, traceFindings } from '../hosts/claude-code/install/trace-findings.ts';
import { type Finding, fault, ok, type Words } from '../model/finding.ts';
import { type ProgramFacts, programFindings } from '../model/program-findings.ts';
import {
  type FailureFacts,
  failureFindings,
  type StateFacts,
  stateFindings,
} from '../model/state-findings.ts';
import { ago } from '../tags/ago.ts';
import { conversationFacts } from './doctor-conversation.ts';
import { installFacts, programFacts } from './doctor-install.ts';
import { failureFacts, stateFacts } from './doctor-state.ts';
import { traceFacts } from './doctor-traces.ts';
import { type Place, shown } from './place.ts';
import { allSettings } from './settings-file.ts';
import { lineFacts } from './settings-statusline.ts';

/** The facts of each area; null where they could not be read. */
export interface DoctorFacts {
  install: InstallFacts | null;
  status_line: LineFacts | null;
  programs: ProgramFacts | null;
  conversation: ConversationFacts | null;
  traces: TraceFacts | null;
  state: StateFacts | null;
  failures: FailureFacts[] | null;
}

const wordsFor = (place: Place): Words => ({
  path: (path) => shown(path, place),
  ago: (at) => ago((place.now - (typeof at === 'number' ? at : Date.parse(at))) / 1000),
});

/** Reads one area and turns it into findings. A failure to read it is a finding too, and the other areas still follow. */
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

/**
 * Examines everything that can be wrong, and changes nothing.
 * @param session id of a session; the newest of this folder unless given
 * @param dist folder with the built chunks
 */
export function examineAll(
  place: Place,
  session: string | undefined,
  dist: string,
): { findings: Finding[]; facts: DoctorFacts } {
  const words = wordsFor(place);
  const all = allSettings(place);
  const state = examine(
    'state',
    () => stateFacts(place),
    (facts) => stateFindings(facts, words),
  );
  const conversation = examine(
    'conversation',
    () => conversationFacts(place, session, all),
    (facts) => {
      const others = (state.facts?.conversations.count ?? 0) - (facts?.isKnown ? 1 : 0);
      const rest =
        others > 0
          ? [ok('conversation', `${others} more with state here: plimsoll doctor --session ID`)]
          : [];
      if (facts !== null) return [...conversationFindings(facts, words), ...rest];
      return session === undefined
        ? [ok('conversation', 'none of Claude Code was found for this folder'), ...rest]
        : [
            fault('conversation', `no transcript and no state of "${session}"`, 'plimsoll status shows ids'),
            ...rest,
          ];
    },
  );
  const traces = examine(
    'delivery',
    () => traceFacts(place, conversation.facts),
    (facts) => traceFindings(facts, place.now, words),
  );
  const ran = {
    hasRun: (conversation.facts?.beats.length ?? 0) > 0,
    hasModule: traces.facts?.feeds.some((each) => each.from === 'module') ?? false,
  };
  const install = examine(
    'hooks',
    () => installFacts(place, all, ran),
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
  return {
    findings: [install, line, programs, conversation, traces, state, failures].flatMap(
      (each) => each.findings,
    ),
    facts: {
      install: install.facts,
      status_line: line.facts,
      programs: programs.facts,
      conversation: conversation.facts,
      traces: traces.facts,
      state: state.facts,
      failures: failures.facts,
    },
  };
}
