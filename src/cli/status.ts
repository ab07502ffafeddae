// How full is the context, how sure are we, and what happens next?
import { exists } from '../store/files.ts';
import { ago } from '../tags/ago.ts';
import { thousands } from '../tags/short-monitor.ts';
import { type Standing, standingOf } from './conversation.ts';
import { type Output, percent, table, toJson } from './output.ts';
import { type Place, shown } from './place.ts';

export interface StatusOptions {
  transcript?: string;
  session?: string;
  json?: boolean;
}

/** The figures as data: tokens, fractions and seconds; unknown is null, never 0. */
export function statusData(place: Place, standing: Standing) {
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
    off: exists(place.paths.off) ? 'project' : state?.off ? 'conversation' : null,
    problems: [
      ...place.resolved.problems.map((each) => ({ where: each.where, message: each.message })),
      ...(standing.fault === null ? [] : [{ where: 'conversation state', message: standing.fault }]),
    ],
  };
}

const WINDOW: Record<Standing['assessment']['window']['source'], string> = {
  config: 'from your configuration',
  feed: 'told by the client',
  fill: 'proved by the fill',
  mark: 'named by the model id',
  table: 'from the model table',
  default: 'assumed: the model is unknown',
};
const POINT: Record<Standing['assessment']['point']['source'], string> = {
  config: 'from your configuration',
  learned: 'median of earlier automatic compactions',
  client: "from the client's settings",
  off: 'automatic compaction is off',
  reactive: 'the client compacts only when the API refuses',
  default: 'assumed: window − 33,000',
};

function statusText(place: Place, standing: Standing): string {
  const { assessment, epoch, state } = standing;
  const { reading, window, point } = assessment;
  const share =
    point.tokens === null
      ? `${percent(assessment.window_fill)} of the window`
      : `${percent(assessment.usable_fill)} of the way to auto-compaction, ${percent(assessment.window_fill)} of the window`;
  const age = reading.age_s === null ? '' : `, ${ago(reading.age_s)}`;
  const tokens = (): string => {
    if (standing.transcript === '') return 'unknown: no answer has come yet';
    if (reading.tokens === null) return 'unknown: the transcript holds no usable token counts';
    if (reading.estimated) {
      return `about ${thousands(reading.tokens)}, estimated: the context was compacted and no answer has come since (before: ${thousands(reading.last_seen?.tokens ?? 0)})`;
    }
    return `${thousands(reading.tokens)} used, ${thousands(assessment.headroom ?? 0)} left (${reading.source === 'feed' ? 'told by the client' : 'measured'}${age})`;
  };
  const alert = state?.alert ?? null;
  const off = exists(place.paths.off) ? 'this project' : state?.off ? 'this conversation' : null;
  return table([
    ['Context', assessment.tier === null ? 'unknown' : `${assessment.tier}, ${share}`],
    ['Tokens', tokens()],
    ['Window', `${thousands(window.tokens)} (${WINDOW[window.source]})`],
    [
      'Compaction',
      point.tokens === null ? POINT.off : `at about ${thousands(point.tokens)} (${POINT[point.source]})`,
    ],
    [
      'If 200,000',
      assessment.tier_if_standard === null || assessment.tier_if_standard === 'NOMINAL'
        ? null
        : `${assessment.tier_if_standard}: nothing but the model table says that the window is larger`,
    ],
    ['Compactions', String(epoch.number)],
    [
      'Checkpoint',
      state?.last_checkpoint
        ? `${state.last_checkpoint.id}, ${ago((place.now - Date.parse(state.last_checkpoint.at)) / 1000)}`
        : 'none',
    ],
    ['Alert', alert === null ? null : `about compaction ${alert.epoch}: ${alert.status} (${alert.channel})`],
    ['Model', reading.model],
    [
      'Conversation',
      standing.transcript === '' ? standing.id : `${standing.id}, ${shown(standing.transcript, place)}`,
    ],
    ['Silenced', off === null ? null : `for ${off}; plimsoll on ends it`],
    ...place.resolved.problems.map((each): [string, string] => [
      'Problem',
      `${shown(each.where, place)}: ${each.message}`,
    ]),
    ['Problem', standing.fault],
  ]);
}

export function status(place: Place, options: StatusOptions, output: Output): void {
  const standing = standingOf(place, { ...options, mayBeOwn: true });
  output.print(options.json ? toJson(statusData(place, standing)) : statusText(place, standing));
}
