// Computes what our status line shows, from the client's frame, our state and the transcript's tail.

import { WORKFLOW } from '../addons/addon.ts';
import { readSectionStanding } from '../compaction/workflow/staleness.ts';
import { buildAssessmentData } from '../context/assessment.ts';
import { findClientUsage, SAMPLE_VERSION, type UsageSample } from '../context/client-usage.ts';
import { buildContextStatus, type ContextStatus } from '../context/context-status.ts';
import { readLearned } from '../context/learned-thresholds.io.ts';
import type { TranscriptFacts } from '../context/usage.ts';
import { readBestSample, readSample, writeSample } from '../context/usage-samples.io.ts';
import { readEnvironment } from '../hosts/claude-code/environment.io.ts';
import { claudeCodeHook } from '../hosts/claude-code/hook.io.ts';
import { type StatusFrame, statusFrame } from '../hosts/claude-code/statusline.ts';
import { scanHead, scanTail } from '../hosts/scan-facts.io.ts';
import { runWrapped } from '../platform/inner-program.ts';
import { exists } from '../platform/look.ts';
import type { Env, ProjectPaths } from '../platform/project/paths.ts';
import { findProject } from '../platform/project/root.ts';
import { type FailureSink, tryStep } from '../platform/project/try-step.ts';
import { printAll, processIo, readPayload } from '../platform/stdio.ts';
import type { SessionState } from '../sessions/session-state.ts';
import { readSessionState } from '../sessions/session-states.io.ts';
import { listSettingsPaths } from '../settings/layers.io.ts';
import { hasOwnVariables, type Resolved } from '../settings/resolved.ts';
import { readSettingsSnapshot } from '../settings/settings-snapshot.io.ts';
import { STATUS_FORMAT, type StatusFacts, statusLine, statusParts } from './status-parts.ts';

/** How long we wait for the client's whole frame. */
const STDIN_MS = 2_000;
/** How long we wait for the wrapped status line; after that ours is printed without it. */
const WRAPPED_MS = 3_000;

const ESCAPE = '\u001b';

/** Joins their status line, unchanged, with ours below it; ends colours that theirs leaves on. */
function together(theirs: string, ours: string | null): string {
  const above = theirs.replace(/[\r\n]+$/, '');
  if (above === '') return ours ?? '';
  const end = above.includes(ESCAPE) ? `${ESCAPE}[0m` : '';
  return ours === null ? `${above}${end}` : `${above}${end}\n${ours}`;
}

/** Formats our status as a line, or as data for programs. */
const shown = (own: OwnStatus | null, isData: boolean): string | null =>
  isData
    ? JSON.stringify({
        line: own && statusLine(own.facts, { ...own.look, colours: false }),
        parts: own && statusParts(own.facts),
        ...(own?.facts.assessment ? buildAssessmentData(own.facts.assessment) : {}),
      })
    : own && statusLine(own.facts, own.look);

/**
 * Reads a frame, runs the wrapped command with the same bytes, and prints both. Neither blocks the other. Never throws.
 *
 * @param wrap shell command of the user's earlier status line
 * @param ca NODE_EXTRA_CA_CERTS as the client had it, which our own start has cleared; undefined: it was not cleared
 * @param nodeOptions NODE_OPTIONS, likewise
 */
export async function runStatusLine(
  options: {
    wrap?: string | undefined;
    ca?: string | undefined;
    nodeOptions?: string | undefined;
    json?: boolean;
  },
  given: { env: Env; now: () => number },
): Promise<void> {
  const { env, now } = given;
  const theirEnv = { ...env };
  for (const [name, value] of [
    ['NODE_EXTRA_CA_CERTS', options.ca],
    ['NODE_OPTIONS', options.nodeOptions],
  ] as const) {
    if (value === '') delete theirEnv[name];
    else if (value !== undefined) theirEnv[name] = value;
  }
  const failures: { paths: ProjectPaths | null; part: string; error: unknown }[] = [];
  try {
    const chunks: Buffer[] = [];
    const payload = readPayload(now, STDIN_MS, chunks);
    const running = options.wrap
      ? runWrapped(options.wrap, { input: Buffer.concat(chunks), env: theirEnv, ms: WRAPPED_MS })
      : '';
    const own = await ownStatus(payload, {
      env: readEnvironment(env, processIo.cwd()),
      now: now(),
      note: (paths, part, error) => void failures.push({ paths, part, error }),
    });
    const text = together(await running, shown(own, options.json ?? false));
    if (text !== '') printAll(`${text}\n`);
  } catch (error) {
    failures.push({ paths: null, part: 'output', error });
  }
  if (failures.length === 0) return;
  const { logFailures } = await import('../platform/project/failures.ts');
  for (const { paths, part, error } of failures)
    logFailures(paths, env, { hook: 'statusline', now: now(), failures: [{ part, error }] });
}

/** Columns that the client leaves empty of those that it names (2.1.332). */
const MARGIN = 4;
/** How much of a transcript is read where no hook has a state of it. */
const UNKNOWN_BYTES = 4 * 1024 * 1024;

interface Place extends FailureSink {
  env: Env;
  /** Milliseconds since the epoch. */
  now: number;
  paths: ProjectPaths;
  resolved: Resolved;
}

/** Reads the settings as the hooks do; only the hooks write the snapshot. */
async function settingsFor(paths: ProjectPaths, env: Env): Promise<Resolved> {
  const snapshot = hasOwnVariables(env)
    ? null
    : readSettingsSnapshot(paths.snapshot, listSettingsPaths(paths, env));
  if (snapshot) return snapshot;
  const { loadSettings } = await import('../settings/load.io.ts');
  return loadSettings(paths.root, env);
}

/**
 * The client's figures as a usage frame; null where it names no window that can be true. After a compaction in the middle
 * of a turn the client still reports the old figure, which is dropped.
 */
function ownFrame(frame: StatusFrame, before: ContextStatus, now: number): UsageSample | null {
  const { estimated, last_seen } = before.assessment.reading;
  const isOld = estimated && frame.tokens === last_seen?.tokens;
  return frame.window === null
    ? null
    : {
        v: SAMPLE_VERSION,
        session: frame.session,
        from: 'statusline',
        at: now,
        tokens: isOld ? null : frame.tokens,
        window: frame.window,
        model: frame.model.id,
      };
}

/**
 * Saves a frame where hooks can read it, and returns the stored frame that they would use; after a change of the model it
 * returns ours, for the module writes only with the next answer.
 */
function believed(
  place: Place,
  session: string,
  own: UsageSample | null,
  isStale: boolean,
): UsageSample | null {
  // Without a state folder no hooks run here that could read the frame, and we create none.
  if (!exists(place.paths.state)) return own;
  // Zeros come between two measurements as well as after a compaction: only then are they news.
  const last = own?.tokens === null && !isStale ? readSample(place.paths, session, 'statusline') : null;
  const isNoNews = last?.tokens != null && last.window === own?.window && last.model === own.model;
  if (own !== null && !isNoNews) tryStep(place, 'feed', () => writeSample(place.paths, own));
  const stored = readBestSample(place.paths, session);
  return stored === null || (own !== null && stored.model !== own.model) ? own : stored;
}

function workflowIn(place: Place, state: SessionState | null): StatusFacts['workflow'] {
  const file = state?.workflow_file ?? null;
  if (file === null) return null;
  const id = tryStep(place, 'orchestration file', () => WORKFLOW?.readMarks(file.path)?.id) ?? null;
  const { level } = readSectionStanding(file, place.now, state?.started ?? null);
  return id === null ? null : { id, freshness: level };
}

function factsOf(place: Place, frame: StatusFrame, state: SessionState | null): StatusFacts {
  const { transcript } = frame;
  const options = {
    until: state?.transcript_position.offset ?? 0,
    isUsageKnown: state === null || state.last_seen !== null,
    ...(state === null ? { cap: UNKNOWN_BYTES } : {}),
  };
  const scan =
    transcript === null
      ? null
      : tryStep(place, 'transcript', () => scanTail(transcript, claudeCodeHook.facts, options));
  const learned = tryStep(place, 'learned points', () => readLearned(place.env)) ?? { points: {}, sizes: {} };
  // Computed as in the hooks: the same state, the same tail, the same functions.
  const judged = (feed: UsageSample | null, head: TranscriptFacts | null): ContextStatus =>
    buildContextStatus({
      state,
      facts: scan?.facts ?? null,
      head,
      now: place.now,
      env: place.env,
      limits: claudeCodeHook.limits,
      client: place.resolved.client,
      learned,
      settings: place.resolved.assessment,
      // A tail holds only the last answer.
      isWhole: false,
      feed: feed && ((seen) => findClientUsage(feed, seen)),
    });
  const before = judged(null, null);
  // An estimate begins with the first answer.
  const head =
    transcript !== null && before.assessment.reading.estimated && before.firstAnswerTokens === null
      ? tryStep(place, 'transcript', () => scanHead(transcript, claudeCodeHook.facts))
      : null;
  const own = ownFrame(frame, before, place.now);
  const { assessment, epoch } = judged(
    believed(place, frame.session, own, before.assessment.reading.stale),
    head,
  );
  const checkpoint = state?.last_checkpoint ?? null;
  return {
    model: frame.model.name ?? frame.model.id ?? assessment.reading.model,
    assessment,
    // Without a state the compactions before the tail are not counted.
    compactions: state === null && scan?.from !== 0 ? null : epoch.number,
    checkpoint:
      state === null
        ? undefined
        : checkpoint && {
            id: checkpoint.id,
            age_s: Math.max(0, (place.now - Date.parse(checkpoint.at)) / 1000),
          },
    workflow: workflowIn(place, state),
  };
}

const hasColours = (env: Env, wish: 'auto' | 'always' | 'never'): boolean =>
  wish === 'auto' ? !env.NO_COLOR && env.TERM !== 'dumb' : wish === 'always';

const widthIn = (env: Env): number => {
  const named = Number(env.COLUMNS);
  return Number.isSafeInteger(named) && named > 0 ? Math.max(1, named - MARGIN) : Number.POSITIVE_INFINITY;
};

const NOTHING: StatusFacts = {
  model: null,
  assessment: null,
  compactions: null,
  checkpoint: undefined,
  workflow: null,
};

export interface OwnStatus {
  facts: StatusFacts;
  look: { format: string; width: number; colours: boolean };
}

/**
 * Computes what to show for the client's payload; null where Plimsoll is switched off. Never throws: a failure is noted,
 * and the context usage is unknown.
 */
export async function ownStatus(
  payload: unknown,
  given: { env: Env; now: number; note: (paths: ProjectPaths | null, part: string, error: unknown) => void },
): Promise<OwnStatus | null> {
  const { env, now, note } = given;
  if (env.PLIMSOLL === 'off') return null;
  let paths: ProjectPaths | null = null;
  // A failure creates no state folder in a project that has none.
  const onFailure = (part: string, error: unknown): void =>
    note(paths !== null && exists(paths.state) ? paths : null, part, error);
  let look = { format: STATUS_FORMAT, width: widthIn(env), colours: hasColours(env, 'auto') };
  try {
    const frame = statusFrame(payload);
    if (frame === null) return { facts: NOTHING, look };
    const started = { ...env, HOST_PROJECT: env.HOST_PROJECT || (frame.project ?? undefined) };
    const known = findProject(frame.cwd ?? '.', started);
    paths = known;
    const resolved = await settingsFor(known, env);
    const { settings } = resolved;
    if (!settings.enabled || exists(known.off)) return null;
    look = {
      ...look,
      format: settings['statusline.format'],
      colours: hasColours(env, settings['statusline.colors']),
    };
    const place: Place = { env, now, paths: known, resolved, onFailure };
    const state = tryStep(place, 'state', () => readSessionState(known, frame.session));
    return state?.off ? null : { facts: factsOf(place, frame, state), look };
  } catch (error) {
    onFailure('status line', error);
    return { facts: NOTHING, look };
  }
}
