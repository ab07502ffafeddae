// Checks for `doctor` whether hooks ran in a session, on time and fast enough, what the client logged of them, and whether the alert arrived.

import type { SampleWriter } from '../../../context/client-usage.ts';
import type { DoctorFinding, Formatter } from '../../../doctor/finding.ts';
import { error, fixable, info, joinNames, ok } from '../../../doctor/finding.ts';
import type { Alert, ReceivedHandoff } from '../../../sessions/session-state.ts';
import type { Trouble } from '../transcript/timeline.ts';

// Checks for `doctor` whether the client took what hooks said, and whether the sources of client usage are alive.
export interface TraceFacts {
  troubles: Trouble[];
  /** When words of ours arrived last, by event. */
  arrived: Record<string, string>;
  /** When each hook ran to its end last. */
  hookRuns: { name: string; at: string }[];
  /** Time of the last answer in ms, or null. */
  answeredAt: number | null;
  feeds: {
    from: SampleWriter;
    path: string;
    /** When its last frame was written, in ms; null where it cannot be read. */
    at: number | null;
  }[];
}

const DAY_MS = 86_400_000;
const MANY = 3;
/** A writer gives a frame after every answer, within a second. */
const DEAD_MS = 5 * 60_000;

const REINSTALL = 'plimsoll init, then restart the client';

const WHAT: Record<Trouble['kind'], (each: Trouble) => string> = {
  timeout: ({ event }) => `${event} ran out of its time, and what it said is lost`,
  cancelled: ({ event }) => `${event} was broken off, and what it said is lost`,
  failed: ({ event, text }) =>
    `${event}: the client could not use its answer${text === '' ? '' : ` (${text})`}`,
  cut: ({ event }) =>
    `${event} said more than the client takes: the agent was given the beginning, and the name of a file`,
};
const FIX: Record<Trouble['kind'], string> = {
  timeout: 'plimsoll init gives the hooks their usual time; after that it is a busy machine or a slow disk',
  cancelled: REINSTALL,
  failed: REINSTALL,
  cut: 'plimsoll export, and report it: no answer may be so long',
};

function troubleFinding(trouble: Trouble, facts: TraceFacts, now: number, words: Formatter): DoctorFinding[] {
  const { kind, event, isOurs, times } = trouble;
  // Esc breaks hooks off as well; where the client says that no time ran out, it was that.
  if (isOurs === false || (kind === 'cancelled' && isOurs !== null)) return [];
  const runsHere = facts.hookRuns.some((each) => each.name === event) || facts.arrived[event] !== undefined;
  // The client does not say whose hook it was; for an event without hooks of ours it was not ours.
  if (isOurs === null && !runsHere) return [];
  const dated = times.filter((at): at is string => at !== null);
  const recent = dated.filter((at) => now - Date.parse(at) < DAY_MS);
  const last = recent.at(-1);
  if (last === undefined) return [];
  const since = [facts.arrived[event], facts.hookRuns.find((each) => each.name === event)?.at];
  const isOver = since.some((at) => at !== undefined && Date.parse(at) > Date.parse(last));
  const often = recent.length === 1 ? '' : `; ${recent.length} times in the last 24 hours`;
  const whose = isOurs === null ? ' (it may have been the hook of somebody else)' : '';
  const finding = `${WHAT[kind](trouble)}${whose}, last ${words.ago(last)}${often}`;
  if (isOver && recent.length <= MANY) return [ok('delivery', `${finding}; it has run well since`)];
  return isOver || isOurs === null
    ? [info('delivery', finding, FIX[kind])]
    : [error('delivery', finding, FIX[kind])];
}

const WRITER: Record<SampleWriter, string> = { module: "the plugin's module", statusline: 'the status line' };
const WRITER_FIX: Record<SampleWriter, string> = {
  module: 'restart the client; /plugin shows whether the plugin is on',
  statusline: 'see whether "statusLine" in the settings still runs plimsoll statusline',
};

function feedFinding(feed: TraceFacts['feeds'][number], facts: TraceFacts, words: Formatter): DoctorFinding {
  const who = WRITER[feed.from];
  if (feed.at === null)
    return fixable(
      'feeds',
      info('feed', `${words.path(feed.path)} of ${who} cannot be read`, `remove it; ${who} writes another`),
    );
  const { answeredAt } = facts;
  if (answeredAt !== null && answeredAt - feed.at > DEAD_MS)
    return info(
      'feed',
      `${who} wrote its last figures ${words.ago(feed.at)}, and answers have come since: the context usage is read from the transcript alone`,
      WRITER_FIX[feed.from],
    );
  return ok('feed', `${who} wrote its last figures ${words.ago(feed.at)}`);
}

export const checkTraces = (facts: TraceFacts, now: number, words: Formatter): DoctorFinding[] => [
  ...facts.troubles.flatMap((each) => troubleFinding(each, facts, now, words)),
  ...facts.feeds.map((each) => feedFinding(each, facts, words)),
];

export interface SessionFacts {
  id: string;
  /** Transcript, or null where none was found. */
  transcript: string | null;
  /** Whether state of it is kept here. */
  isKnown: boolean;
  off: boolean;
  /** Events that hooks are registered for. */
  registered: string[];
  /** When they were registered last, in ms, or null. */
  registeredAt: number | null;
  /** What ran, the latest first. */
  hookRuns: { name: string; at: string; ms: number }[];
  /** Times of the first and the last answer, and of the last compaction, in ms, or null. */
  startedAt: number | null;
  answeredAt: number | null;
  compactedAt: number | null;
  compactions: number;
  alert: Alert | null;
  /** What the marker of the alert's checkpoint gives as proof, or null. */
  evidence: string | null;
  handoff: ReceivedHandoff | null;
}

const RESTART = 'restart the client, and see what /hooks shows there';
/** A hook that takes longer is felt. */
const SLOW_MS = 500;
/** PreCompact comes before the summary is made, SessionStart about when the boundary is written. */
const BEFORE_MS = { PreCompact: 30 * 60_000, SessionStart: 60_000 };

function silence(facts: SessionFacts): DoctorFinding[] {
  const { registeredAt, startedAt, answeredAt } = facts;
  // State without a note of runs: written before runs were noted.
  if (facts.isKnown || registeredAt === null || startedAt === null || answeredAt === null) return [];
  if (answeredAt < registeredAt) return [info('runs', 'the hooks are younger than this session', null)];
  return startedAt > registeredAt
    ? [
        error(
          'runs',
          'no hook has run in this session, though they were registered before it began',
          `trust the folder where claude asks; ${RESTART}`,
        ),
      ]
    : [
        info(
          'runs',
          'no hook has run in this session: it began before they were registered',
          'restart the client; claude --continue goes on with the session',
        ),
      ];
}

/** Hooks that the last compaction should have started, and did not. */
function missed(facts: SessionFacts, words: Formatter): DoctorFinding[] {
  const { compactedAt, registeredAt, registered, hookRuns } = facts;
  if (compactedAt === null || registeredAt === null || compactedAt < registeredAt) return [];
  const when = words.ago(compactedAt);
  return (['PreCompact', 'SessionStart'] as const).flatMap((name) => {
    if (!registered.includes(name)) return [];
    const beat = hookRuns.find((each) => each.name === name);
    const at = beat === undefined ? null : Date.parse(beat.at);
    if (at !== null && at >= compactedAt - BEFORE_MS[name]) return [];
    const effect =
      name === 'PreCompact'
        ? 'the checkpoint is written late then, from the transcript'
        : 'the agent is told a step later then, by another hook';
    return [
      at === null
        ? error('runs', `${name} has never run, though the context was compacted ${when}; ${effect}`, RESTART)
        : info('runs', `${name} did not run at the compaction ${when}; ${effect}`, RESTART),
    ];
  });
}

function runFindings(facts: SessionFacts, words: Formatter): DoctorFinding[] {
  const { hookRuns, registered } = facts;
  if (registered.length === 0) return [];
  if (hookRuns.length === 0) return silence(facts);
  const never = registered.filter((name) => !hookRuns.some((each) => each.name === name));
  const last = hookRuns.map(({ name, at, ms }) => `${name} ${words.ago(at)} (${ms} ms)`).join(', ');
  const slow = hookRuns.filter((each) => each.ms > SLOW_MS);
  const missing = missed(facts, words);
  const isStartMissed =
    never.includes('SessionStart') &&
    facts.startedAt !== null &&
    facts.registeredAt !== null &&
    facts.startedAt > facts.registeredAt &&
    !missing.some((each) => each.finding.startsWith('SessionStart'));
  return [
    ok('runs', `${last}${never.length === 0 ? '' : `; not yet: ${never.join(', ')}`}`),
    ...missing,
    ...(isStartMissed
      ? [info('runs', `SessionStart has never run in this session, though ${hookRuns[0]?.name} has`, RESTART)]
      : []),
    ...(slow.length === 0
      ? []
      : [
          info(
            'runs',
            `${joinNames(slow.map((each) => `${each.name} took ${each.ms} ms`))} last time`,
            'a busy machine or a slow disk; where it stays so, plimsoll off ends it',
          ),
        ]),
  ];
}

function deliveryFinding(
  what: string,
  said: Pick<Alert, 'status' | 'tries' | 'at' | 'channel'>,
  evidence: string | null,
  remedy: string,
  words: Formatter,
): DoctorFinding {
  const how = `by ${said.channel} ${words.ago(said.at)}`;
  const tries = said.tries === 1 ? '' : `, in ${said.tries} tries`;
  switch (said.status) {
    case 'delivered':
      return ok(
        'delivery',
        `${what} arrived, said ${how}${tries}${evidence === null ? '' : ` (${evidence})`}`,
      );
    case 'unverified':
      return ok(
        'delivery',
        `${what} was said ${how}; this client keeps no proof of what arrives${evidence === null ? '' : ` (${evidence})`}`,
      );
    case 'leased':
      return ok('delivery', `${what} was said ${how}${tries}; whether it arrived shows with the next event`);
    case 'undelivered':
      return error('delivery', `${what} left no trace, said ${how}${tries}`, remedy);
  }
}

export function checkSession(facts: SessionFacts, words: Formatter): DoctorFinding[] {
  const { alert, handoff: resumption, id } = facts;
  const where = facts.transcript === null ? 'its transcript was not found' : words.path(facts.transcript);
  return [
    ok('session', `${id}, ${where}`),
    ...(facts.off
      ? [info('runs', 'silenced for this session', `plimsoll on --session ${id}`)]
      : runFindings(facts, words)),
    ...(alert === null
      ? []
      : [
          deliveryFinding(
            `the alert about compaction ${alert.epoch} (${alert.checkpoint ?? 'without a checkpoint'})`,
            alert,
            facts.evidence,
            alert.checkpoint === null
              ? RESTART
              : `tell the agent to read "plimsoll checkpoint show ${alert.checkpoint}"; ${RESTART}`,
            words,
          ),
        ]),
    ...(resumption === null
      ? []
      : [deliveryFinding(`the resumption of session ${resumption.from}`, resumption, null, RESTART, words)]),
  ];
}
