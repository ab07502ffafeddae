// The usage that the client itself reports, through the plugin's module or the status line, and which sample to trust.

import { isObject } from '../text/json.ts';
import { makeSafeName } from '../text/path-text.ts';

export const SAMPLE_VERSION = 1;

/** Who writes samples: the module inside the client, after every answer, or the status line, whenever it is drawn. */
export type SampleWriter = 'module' | 'statusline';

/** What a writer saw at one moment. */
export interface UsageSample {
  v: typeof SAMPLE_VERSION;
  session: string;
  from: SampleWriter;
  /** When it was written, in ms since the epoch. */
  at: number;
  /** Tokens in the context, or null where the client does not know (before the first answer, after a compaction). */
  tokens: number | null;
  /** Window in tokens. */
  window: number;
  /** Model id, or null. */
  model: string | null;
  /** Usage in tokens above which the client compacts by itself; null: never; not given: it does not say. */
  compacts_at?: number | null;
}

/** How much later a sample of the status line has to be, to be believed instead of the module's: that one is gone then. */
const SILENT_MS = 10_000;
/** A sample from further ahead than this was written by a clock that was set back since. */
const AHEAD_MS = 60_000;
/** An answer that is hardly newer is the one that the sample tells of, whatever the API calls its model. */
const NEAR_MS = 60_000;
/** One answer takes less: a sample that is so much older than the last answer was written by a writer that is gone. */
const GONE_MS = 3_600_000;

/** A writer's file below the state folder, in the folder of its session; `listProjectPaths` gives the same. */
export const sampleFile = (session: string, writer: SampleWriter): string =>
  `sessions/${makeSafeName(session)}/${writer}.feed`;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

/** The sample that a text states about a session; null for anything else, also for the sample of another one. */
export function parseUsageSample(text: string, session: string): UsageSample | null {
  try {
    return toUsageSample(JSON.parse(text), session);
  } catch {
    return null;
  }
}

/** The sample that a parsed value states. */
export function toUsageSample(value: unknown, session: string): UsageSample | null {
  if (!isObject(value)) return null;
  const { v, from, at, tokens, window, model, compacts_at } = value;
  if (v !== SAMPLE_VERSION || value.session !== session || !isCount(at) || !isCount(window)) return null;
  return {
    v,
    session,
    from: from === 'module' ? from : 'statusline',
    at,
    // Zero is what a client says that does not know.
    tokens: isCount(tokens) ? tokens : null,
    window,
    model: typeof model === 'string' && model !== '' ? model : null,
    ...(compacts_at === null || isCount(compacts_at) ? { compacts_at } : {}),
  };
}

/** The sample that is believed: the module's, unless the status line has gone on without it. */
export function chooseSample(module: UsageSample | null, statusLine: UsageSample | null): UsageSample | null {
  if (module === null || statusLine === null) return module ?? statusLine;
  return statusLine.at > module.at + SILENT_MS ? statusLine : module;
}

/** What a sample says beyond the transcript. */
export interface ClientUsage {
  /** The usage, where nothing in the transcript is as new; else null. */
  reading: { tokens: number; at: number; model: string | null } | null;
  /** Window in tokens; null where it is not known, or may be another one by now. */
  window: number | null;
  /** Usage above which the client compacts by itself, as it told with the window; null: never. */
  compactsAt?: number | null | undefined;
}

/** What is seen of the transcript. */
export interface TranscriptState {
  /** The last answer, or null; `at` as an ISO time. */
  usage: { at: string | null; model: string } | null;
  /** When the last compaction was, in ms; 0 for none. */
  compacted: number;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * What a sample adds to what the transcript shows.
 * Its usage counts where it is newer than the last answer and the last compaction; the status line is drawn some time
 * after what it shows, so its usage counts only where there is no answer to see. The window counts unless an answer of
 * another model has come long after, or the sample is so old that its writer must be gone.
 */
export function findClientUsage(sample: UsageSample | null, seen: TranscriptState): ClientUsage {
  const { usage, now } = seen;
  if (sample === null || sample.at > now + AHEAD_MS) return { reading: null, window: null };
  const { at, tokens, window } = sample;
  // The API may give the client's name a date, and knows nothing of its mark.
  const name = sample.model?.replace('[1m]', '') ?? null;
  const isSame = usage === null || name === null || usage.model.includes(name);
  // An answer without a time of its own may be newer than any sample.
  const answered = usage === null ? 0 : Date.parse(usage.at ?? '') || now;
  const isNewest = at > answered && at > seen.compacted && (sample.from === 'module' || usage === null);
  return {
    reading: isNewest && tokens !== null ? { tokens, at, model: isSame && usage ? usage.model : name } : null,
    ...(answered - at < (isSame ? GONE_MS : NEAR_MS)
      ? { window, compactsAt: sample.compacts_at }
      : { window: null }),
  };
}
