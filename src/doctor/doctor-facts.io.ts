// Collects all facts that `plimsoll doctor` looks at, and turns them into findings.

import { displayPath, type ProjectContext } from '../cli/project.io.ts';
import { readAcknowledgement } from '../compaction/checkpoint/checkpoint-files.io.ts';
import { readSample } from '../context/usage-samples.io.ts';
import { checkHooks, type InstallFacts } from '../hosts/claude-code/install/install-findings.ts';
import type { SessionFacts, TraceFacts } from '../hosts/claude-code/install/session-findings.ts';
import { checkSession, checkTraces } from '../hosts/claude-code/install/session-findings.ts';
import { checkStatusLine, type LineFacts } from '../hosts/claude-code/statusline.ts';
import { readTimeline } from '../hosts/claude-code/transcript/timeline.io.ts';
import { createTimeline } from '../hosts/claude-code/transcript/timeline.ts';
import type { HostEntry } from '../hosts/host-entry.ts';
import { HOSTS, locateTranscript } from '../hosts/registry.io.ts';
import { scanWhole } from '../hosts/scan-facts.io.ts';
import { readAllSettings, type ScopeSettings } from '../install/settings-file.io.ts';
import { readLineFacts } from '../install/settings-statusline.io.ts';
import { exists, readStamp } from '../platform/look.ts';
import { isRunning } from '../platform/process.ts';
import { tryOrNull } from '../platform/project/try-step.ts';
import { findHostOf, findNewestHere } from '../sessions/commands/find-session.io.ts';
import { readHookRuns } from '../sessions/last-runs.io.ts';
import type { SessionState } from '../sessions/session-state.ts';
import { readSessionState } from '../sessions/session-states.io.ts';
import { estimateTokens } from '../text/budget.ts';
import { formatAge } from '../text/time.ts';
import { checkPrograms, installFacts, type ProgramFacts, readProgramFacts } from './doctor-install.io.ts';
import { readPluginRegistration } from './doctor-plugin.io.ts';
import { readFailureFacts, stateFacts } from './doctor-state.io.ts';
import { type DoctorFinding, error, type Formatter, ok } from './finding.ts';
import { checkExtensions, checkInsideSession } from './inside-findings.io.ts';
import { checkFailures, type FailureFacts, type StateFacts, stateFindings } from './state-findings.io.ts';

/** Finds the session that is meant: its id, and its transcript's path if any; null where there is no such session. */
function sessionMeant(
  place: ProjectContext,
  session: string | undefined,
): { id: string; path: string | null; by: HostEntry } | null {
  if (session === undefined) return tryOrNull(() => findNewestHere(place));
  const found = tryOrNull(() => locateTranscript(session, place.env));
  if (found !== null) return found;
  return exists(place.paths.session(session).state)
    ? { id: session, path: null, by: findHostOf(place, session) }
    : null;
}

const timeOf = (at: string | null | undefined): number | null => {
  const time = at == null ? Number.NaN : Date.parse(at);
  return Number.isNaN(time) ? null : time;
};

function sessionFacts(
  place: ProjectContext,
  session: string | undefined,
  all: readonly ScopeSettings[],
): SessionFacts | null {
  const meant = sessionMeant(place, session);
  if (meant === null || meant.by.setup !== undefined) return null;
  const { id, path, by } = meant;
  const state: SessionState | null = tryOrNull(() => readSessionState(place.paths, id));
  const facts = path === null ? null : (tryOrNull(() => scanWhole(path, by.host.facts))?.facts ?? null);
  const withHooks = all.filter((each) => each.installed.length > 0);
  // Compactions before a fork belong to another session.
  const own = (facts?.boundaries ?? []).filter((each) => (timeOf(each.at) ?? 0) >= (state?.forked_at ?? 0));
  const told = state?.alert?.checkpoint ?? null;
  const times = withHooks.map((each) => readStamp(each.path).mtimeMs);
  // Where settings hold our hooks, those of the plugin stay silent.
  const plugin = withHooks.length === 0 ? readPluginRegistration(place, all) : null;
  return {
    id,
    transcript: path,
    isKnown: exists(place.paths.session(id).state),
    off: state?.off ?? false,
    registered: plugin?.events ?? [
      ...new Set(withHooks.flatMap((each) => each.installed.map((hook) => hook.event))),
    ],
    registeredAt: plugin?.at ?? (times.length === 0 ? null : Math.max(...times)),
    hookRuns: readHookRuns(place.paths, id),
    startedAt: timeOf(facts?.first?.at),
    answeredAt: timeOf(facts?.usage?.at),
    compactedAt: timeOf(own.at(-1)?.at),
    compactions: own.length,
    alert: state?.alert ?? null,
    evidence: told === null ? null : (readAcknowledgement(place.paths, told)?.evidence ?? null),
    handoff: state?.received_handoff ?? null,
  };
}

/** Whether a session goes on, as far as its client can be looked at. */
function isOpen({ paths }: ProjectContext, id: string): boolean {
  const state = tryOrNull(() => readSessionState(paths, id));
  return state !== null && state.ended === null && (state.process === null || isRunning(state.process));
}

const WRITERS = ['module', 'statusline'] as const;

/** @param of the facts of the examined session; null where there is none */
function traceFacts(place: ProjectContext, of: SessionFacts | null): TraceFacts {
  if (of === null) return { troubles: [], arrived: {}, hookRuns: [], answeredAt: null, feeds: [] };
  const read = of.transcript === null ? null : readTimeline(of.transcript, estimateTokens);
  const { troubles, arrived } = read ?? createTimeline();
  const feeds = WRITERS.map((from) => ({ from, path: place.paths.session(of.id).feed(from) }))
    .filter(({ path }) => exists(path))
    .map(({ from, path }) => ({ from, path, at: readSample(place.paths, of.id, from)?.at ?? null }));
  return { troubles, arrived, hookRuns: of.hookRuns, answeredAt: of.answeredAt, feeds };
}

/** The facts of each area; null where they could not be read. */
export interface DoctorFacts {
  install: InstallFacts | null;
  status_line: LineFacts | null;
  programs: ProgramFacts | null;
  session: SessionFacts | null;
  traces: TraceFacts | null;
  state: StateFacts | null;
  failures: FailureFacts[] | null;
}

const wordsFor = (place: ProjectContext): Formatter => ({
  path: (path) => displayPath(path, place),
  ago: (at) => formatAge((place.now - (typeof at === 'number' ? at : Date.parse(at))) / 1000),
});

/** Reads one area and turns it into findings. A failure to read it is a finding too, and the other areas still follow. */
function examine<F>(
  about: string,
  look: () => F,
  judge: (facts: F) => DoctorFinding[],
): { facts: F | null; findings: DoctorFinding[] } {
  try {
    const facts = look();
    return { facts, findings: judge(facts) };
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return {
      facts: null,
      findings: [error(about, `could not be looked at: ${message}`, 'check the path and its permissions')],
    };
  }
}

/**
 * Examines everything that can be wrong, and changes nothing.
 * @param session id of a session; the newest of this folder unless given
 * @param dist folder with the built chunks
 */
export function examineAll(
  place: ProjectContext,
  session: string | undefined,
  dist: string,
): { findings: DoctorFinding[]; facts: DoctorFacts } {
  const words = wordsFor(place);
  const all = readAllSettings(place);
  const state = examine(
    'state',
    () => stateFacts(place),
    (facts) => stateFindings(facts, words),
  );
  const examined = examine(
    'session',
    () => sessionFacts(place, session, all),
    (facts) => {
      const others = (state.facts?.sessions.count ?? 0) - (facts?.isKnown ? 1 : 0);
      const rest =
        others > 0 ? [ok('session', `${others} more with state here: plimsoll doctor --session ID`)] : [];
      if (facts !== null) return [...checkSession(facts, words), ...rest];
      const meant = sessionMeant(place, session);
      if (meant !== null) return [...checkInsideSession(place, meant, words), ...rest];
      return session === undefined
        ? [ok('session', 'none was found for this folder'), ...rest]
        : [
            error('session', `no transcript and no state of "${session}"`, 'plimsoll session list shows ids'),
            ...rest,
          ];
    },
  );
  const traces = examine(
    'delivery',
    () => traceFacts(place, examined.facts),
    (facts) => checkTraces(facts, place.now, words),
  );
  const ran = {
    hasRun: (examined.facts?.hookRuns.length ?? 0) > 0,
    hasModule:
      examined.facts !== null &&
      isOpen(place, examined.facts.id) &&
      traces.facts?.feeds.some((each) => each.from === 'module') === true,
  };
  const extensions = checkExtensions(place);
  const install = examine(
    'hooks',
    () => installFacts(place, all, ran),
    (facts) => {
      const isElsewhere = extensions.length > 0 && facts.plugin === null && !ran.hasRun;
      return isElsewhere && all.every(({ installed }) => installed.length === 0)
        ? [ok('hooks', `none are registered with ${HOSTS[0].title}`)]
        : checkHooks(facts, words);
    },
  );
  const line = examine(
    'status line',
    () => readLineFacts(place, all),
    (facts) => checkStatusLine(facts, words),
  );
  const programs = examine(
    'programs',
    () => readProgramFacts(place, all, dist),
    (facts) => checkPrograms(facts, words),
  );
  const failures = examine(
    'failures',
    () => readFailureFacts(place),
    (facts) => checkFailures(facts, place.now, words),
  );
  return {
    findings: [install, { findings: extensions }, line, programs, examined, traces, state, failures].flatMap(
      (each) => each.findings,
    ),
    facts: {
      install: install.facts,
      status_line: line.facts,
      programs: programs.facts,
      session: examined.facts,
      traces: traces.facts,
      state: state.facts,
      failures: failures.facts,
    },
  };
}
