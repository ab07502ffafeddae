// Describes what was announced in a session and why, or why nothing was, in plain sentences.
import { formatPercent } from '../cli/output.io.ts';
import type { ProjectContext } from '../cli/project.io.ts';
import { exists } from '../platform/look.ts';
import { readDecisions } from '../sessions/last-runs.io.ts';
import type { SessionState } from '../sessions/session-state.ts';
import type { Announcement } from './announcement.ts';
import type { AnnouncementRecord } from './decision-log.ts';
import { isAtLeast } from './tier.ts';

const REASONS: Record<Announcement['reason'], string | ((from: string) => string)> = {
  'first-report': 'nothing was announced before in this context',
  'tier-rose': (from) => `the tier rose${from}`,
  'tier-changed': (from) => `the tier changed${from}`,
  'window-unconfirmed': 'only the model table says that the window is larger than 200,000',
  'every-prompt': 'context_monitor.emit = "always" repeats the line at every prompt',
  off: 'Plimsoll is off',
  subagent: 'the tool ran in a subagent, which has a context of its own',
  'usage-unknown': 'the transcript shows no token counts yet',
  'monitor-off': 'context_monitor.enabled = false',
  'emit-setting': 'context_monitor.emit = "off"',
  unchanged: 'nothing has changed, and context_monitor.emit = "on-change" reports changes only',
  'client-notice': 'the client itself wrote this prompt, and nothing has changed',
  'below-lowest-tier': 'the usage is below LOW, the lowest tier that is announced in the middle of a turn',
  'already-said': 'this tier, or a higher one, was announced before in this context',
  estimate: 'the usage is an estimate until the next answer',
  'estimate-by-text': 'the provider reports no usage, and what the text comes to is below WARNING',
  'compaction-due': 'the client compacts before its next request, and the message would arrive after it',
  claimed: 'another process said it at the same time',
  failed: 'the message could not be given; plimsoll doctor shows the failure',
};

/** How much was said: below WARNING the full message is one line as well, unless it warns of the window too. */
function describeLength({ said, tier, reason }: AnnouncementRecord): string {
  if (said === null) return 'nothing said';
  const isLong =
    said === 'full' && (isAtLeast(tier ?? 'NOMINAL', 'WARNING') || reason === 'window-unconfirmed');
  return isLong ? 'said in full' : 'said in one line';
}

/** The time of a moment on this machine, with its date where that is not today's: `10:42`. */
function formatTime(at: number, now: number): string {
  const [date, time] = [new Date(at), new Date(now)].map((each) => {
    const two = (value: number): string => String(value).padStart(2, '0');
    const day = `${each.getFullYear()}-${two(each.getMonth() + 1)}-${two(each.getDate())}`;
    return { day, clock: `${two(each.getHours())}:${two(each.getMinutes())}` };
  }) as [{ day: string; clock: string }, { day: string; clock: string }];
  return date.day === time.day ? date.clock : `${date.day} ${date.clock}`;
}

/** A decision in one sentence. */
export function describeDecision(decision: AnnouncementRecord, now: number): string {
  const { event, since, at, times, tier, from, fractionOfLimit } = decision;
  const [first, last] = [formatTime(since, now), formatTime(at, now)];
  const reason = REASONS[decision.reason];
  return [
    `${first === last ? last : `${first} to ${last}`} ${event}`,
    ...(tier === null ? [] : [`${formatPercent(fractionOfLimit)} of the limit (${tier})`]),
    ...(times === 1 ? [] : [`${times} times`]),
  ]
    .join(', ')
    .concat(`: ${describeLength(decision)}, because `)
    .concat(typeof reason === 'string' ? reason : reason(from === null ? '' : ` from ${from}`), '.');
}

/** What silences Plimsoll now for a session, in words; null for nothing. */
export function findSilencer(place: ProjectContext, state: Pick<SessionState, 'off'> | null): string | null {
  if (place.env.PLIMSOLL === 'off') return 'PLIMSOLL=off is set in the environment';
  if (!place.resolved.settings.enabled) return 'enabled = false';
  if (exists(place.paths.off)) return 'plimsoll off silences this project';
  return state?.off ? 'plimsoll off silences this session' : null;
}

/** The last decision of a session as data; what silences Plimsoll now goes first. */
export function buildAnnouncementData(
  place: ProjectContext,
  id: string,
  state: Pick<SessionState, 'off'> | null,
) {
  if (findSilencer(place, state) !== null) return { said: null, reason: 'off' as const };
  const last = readDecisions(place.paths, id).at(-1) ?? null;
  return last === null ? { said: null, reason: 'no-hook-ran' as const } : buildDecisionData(last, place.now);
}

/** A decision as data, with its sentence. */
export function buildDecisionData(decision: AnnouncementRecord, now: number) {
  const { said, reason, event, tier, from, times } = decision;
  return {
    said,
    reason,
    event,
    at: new Date(decision.at).toISOString(),
    since: new Date(decision.since).toISOString(),
    times,
    tier,
    from,
    fraction_of_limit: decision.fractionOfLimit,
    text: describeDecision(decision, now),
  };
}
