// Checks for `doctor` whether the client took what hooks said, and whether the sources of client usage are alive.
import type { SampleWriter } from '../../../context/client-usage.ts';
import { type DoctorFinding, error, type Formatter, fixable, info, ok } from '../../../doctor/finding.ts';
import type { Trouble } from '../transcript/timeline.ts';

export interface TraceFacts {
  troubles: Trouble[];
  /** When words of ours arrived last, by event. */
  arrived: Record<string, string>;
  /** When each hook ran to its end last. */
  beats: { name: string; at: string }[];
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

const RESTART = 'plimsoll init, then restart the client';

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
  cancelled: RESTART,
  failed: RESTART,
  cut: 'plimsoll export, and report it: no answer may be so long',
};

function troubleFinding(trouble: Trouble, facts: TraceFacts, now: number, words: Formatter): DoctorFinding[] {
  const { kind, event, isOurs, times } = trouble;
  // Esc breaks hooks off as well; where the client says that no time ran out, it was that.
  if (isOurs === false || (kind === 'cancelled' && isOurs !== null)) return [];
  const runsHere = facts.beats.some((each) => each.name === event) || facts.arrived[event] !== undefined;
  // The client does not say whose hook it was; for an event without hooks of ours it was not ours.
  if (isOurs === null && !runsHere) return [];
  const dated = times.filter((at): at is string => at !== null);
  const recent = dated.filter((at) => now - Date.parse(at) < DAY_MS);
  const last = recent.at(-1);
  if (last === undefined) return [];
  const since = [facts.arrived[event], facts.beats.find((each) => each.name === event)?.at];
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

export const traceFindings = (facts: TraceFacts, now: number, words: Formatter): DoctorFinding[] => [
  ...facts.troubles.flatMap((each) => troubleFinding(each, facts, now, words)),
  ...facts.feeds.map((each) => feedFinding(each, facts, words)),
];
