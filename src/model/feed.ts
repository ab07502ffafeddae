// What do the plugin's module and the status line tell of a conversation, and which of them is believed?
import { isObject } from './json.ts';
import { safeName } from './safe-name.ts';

export const FEED_VERSION = 1;

/** Who writes frames: the module inside the client, after every answer, or the status line, whenever it is drawn. */
export type FeedWriter = 'module' | 'statusline';

/** What a writer saw at one moment. */
export interface Frame {
  v: typeof FEED_VERSION;
  conversation: string;
  from: FeedWriter;
  /** When it was written, in ms since the epoch. */
  at: number;
  /** Tokens in the context, or null where the client does not know (before the first answer, after a compaction). */
  tokens: number | null;
  /** Window in tokens. */
  window: number;
  /** Model id, or null. */
  model: string | null;
}

/** The status line is drawn some time after what it shows; the module writes at once. */
const LAG_MS = 2_000;
/** How much later a frame of the status line has to be, to be believed instead of the module's: that one is gone then. */
const SILENT_MS = 10_000;
/** A frame from further ahead than this was written by a clock that was set back since. */
const AHEAD_MS = 60_000;
/** One answer takes less: a frame that is so much older than the last answer was written by a writer that is gone. */
const GONE_MS = 3_600_000;

/** The name of a writer's file, beside the state of its conversation. */
export const feedName = (conversation: string, writer: FeedWriter): string =>
  `${safeName(conversation)}.${writer}.feed`;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

/** The frame that a text states about a conversation; null for anything else, also for the frame of another one. */
export function parseFrame(text: string, conversation: string): Frame | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(value)) return null;
  const { v, from, at, tokens, window, model } = value;
  if (v !== FEED_VERSION || value.conversation !== conversation || !isCount(at) || !isCount(window))
    return null;
  return {
    v,
    conversation,
    from: from === 'module' ? from : 'statusline',
    at,
    // Zero is what a client says that does not know.
    tokens: isCount(tokens) ? tokens : null,
    window,
    model: typeof model === 'string' && model !== '' ? model : null,
  };
}

/** The frame that is believed: the module's, unless the status line has gone on without it. */
export function trustedFrame(module: Frame | null, statusLine: Frame | null): Frame | null {
  if (module === null || statusLine === null) return module ?? statusLine;
  return statusLine.at > module.at + SILENT_MS ? statusLine : module;
}

/**
 * What a frame adds to what the transcript shows; null for a figure that it does not add, or that the transcript
 * contradicts.
 * Tokens count where the frame is newer than the last answer and the last compaction. The window counts unless the
 * frame is so old that its writer must be gone, or an answer of another model has come since.
 *
 * @param usage the last answer in the transcript, or null; `at` as an ISO time
 * @param compacted when the last compaction was, in ms; 0 for none
 * @param now milliseconds since the epoch
 */
export function feedAgainst(
  frame: Frame | null,
  seen: { usage: { at: string | null; model: string } | null; compacted: number; now: number },
): { tokens: number | null; window: number | null } {
  const { usage, now } = seen;
  if (frame === null || frame.at > now + AHEAD_MS) return { tokens: null, window: null };
  const { at, model } = frame;
  // Without a time of its own an answer cannot be older than the frame.
  const answered = usage === null ? 0 : Date.parse(usage.at ?? '') || now;
  const isSame = usage === null || model === null || isSameModel(model, usage.model);
  const isNewer = at > answered + (frame.from === 'module' ? 0 : LAG_MS) && at > seen.compacted;
  return {
    tokens: isNewer ? frame.tokens : null,
    window: at > answered || (isSame && answered - at < GONE_MS) ? frame.window : null,
  };
}

/** Whether two ids name one model: the client's own may carry the mark of its window, the API's a date. */
function isSameModel(one: string, other: string): boolean {
  const plain = one.replace('[1m]', '');
  return plain.includes(other) || other.includes(plain);
}
