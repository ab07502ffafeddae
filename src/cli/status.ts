// Runs `plimsoll status`: shows the context usage of a session, how certain it is, and what happened so far.
import { notFollowed } from '../config/snapshot.ts';
import { exists } from '../platform/look.ts';
import { type Standing, standingOf } from './conversation.ts';
import { type Output, toJson } from './output.ts';
import type { Place } from './place.ts';
import { type Story, storyOf } from './status-story.ts';
import { statusText } from './status-text.ts';

export interface StatusOptions {
  transcript?: string;
  session?: string;
  json?: boolean;
}

/** The status as data: tokens, fractions and seconds; unknown is null, never 0. */
export function statusData(place: Place, standing: Standing, story: Story) {
  const { assessment, epoch, state } = standing;
  const { model: _model, ...reading } = assessment.reading;
  return {
    conversation: {
      session_id: standing.id,
      transcript_path: standing.transcript || null,
      model: assessment.reading.model,
    },
    reading,
    window: assessment.window,
    compaction_point: assessment.point,
    usable_context: assessment.usable,
    usable_fill: assessment.usable_fill,
    window_fill: assessment.window_fill,
    headroom: assessment.headroom,
    tier: assessment.tier,
    tier_if_window_is_200000: assessment.tier_if_standard,
    epoch: epoch.number,
    compactions: epoch.number,
    last_checkpoint: state?.last_checkpoint ?? null,
    alert: state?.alert ?? null,
    pending: state?.pending ?? null,
    ...story,
    state: { folder: place.paths.state, outside: place.paths.place.outside },
    off: exists(place.paths.off) ? 'project' : state?.off ? 'conversation' : null,
    not_followed: notFollowed(place.resolved),
    problems: [
      ...place.resolved.problems.map((each) => ({ where: each.where, message: each.message })),
      ...(standing.fault === null ? [] : [{ where: 'conversation state', message: standing.fault }]),
    ],
  };
}

export function status(place: Place, options: StatusOptions, output: Output): void {
  const standing = standingOf(place, { ...options, mayBeOwn: true });
  const story = storyOf(place, standing);
  output.print(
    options.json ? toJson(statusData(place, standing, story)) : statusText(place, standing, story),
  );
}
