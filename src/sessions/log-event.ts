// The events of a session: their fields, and how one line of its log is read.
import { isObject } from '../text/json.ts';
import { redact } from '../text/redact.ts';
import { isNewer } from '../text/version-order.ts';

/** Of every line. A new field or event raises the minor number; whatever else changes, the major one. */
export const LOG_VERSION = '1.0.0';

/** Kinds of values: a trailing `?` stands for "or null". */
interface Kinds {
  text: string;
  number: number;
  flag: boolean;
  'text?': string | null;
  'number?': number | null;
}

/** All events by name, with their fields. One place: types, checks and the names that commands know follow from it. */
export const EVENTS = {
  /** A first prompt or tool call came. */
  SessionStarted: { entrypoint: 'text?', forked: 'flag' },
  /** It goes on after an end, or after its work was dropped. */
  SessionResumed: {},
  /** The usage rose to a tier for the first time in a segment; `fill` is a fraction of the window. */
  ContextThresholdReached: {
    tier: 'text',
    tokens: 'number?',
    window: 'number',
    fill: 'number?',
    epoch: 'number',
  },
  CheckpointCreated: { checkpoint: 'text', trigger: 'text', epoch: 'number' },
  /** `tokens`: the usage before it. */
  CompactionDetected: { epoch: 'number', trigger: 'text?', tokens: 'number?' },
  AlertLeased: { epoch: 'number', checkpoint: 'text?', channel: 'text' },
  /** Said again, because no trace of it was found. */
  AlertRepeated: { epoch: 'number', checkpoint: 'text?', channel: 'text', tries: 'number' },
  /** The fate of an alert is known: `delivered`, `unverified`, or `undelivered` after all tries. */
  AlertDelivered: { epoch: 'number', checkpoint: 'text?', status: 'text', tries: 'number' },
  /** The same of what a new session was told of the one before it. */
  ResumptionDelivered: { from: 'text', status: 'text', tries: 'number' },
  AgentCompleted: { agent: 'text', agent_type: 'text' },
  /** `verdict`: `scored`, `passed` or `failed`. */
  GateScored: { gate: 'text', iteration: 'number?', score: 'number?', verdict: 'text' },
  GuardrailViolated: { rule: 'text', tool: 'text?', verdict: 'text' },
  SessionEnded: { reason: 'text' },
  /** Nobody is told of its work again. `cause`: a `person`, or the setting session.abandon_on (`emergency`, `compaction`). */
  SessionAbandoned: { reason: 'text', cause: 'text' },
} as const satisfies Record<string, Record<string, keyof Kinds>>;

export type EventType = keyof typeof EVENTS;
export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];

type FieldsOf<T extends EventType> = {
  -readonly [F in keyof (typeof EVENTS)[T]]: (typeof EVENTS)[T][F] extends keyof Kinds
    ? Kinds[(typeof EVENTS)[T][F]]
    : never;
};

/** An event before it is in a log. `id`: the same id is there once only. */
export type LogEvent = { [T in EventType]: { type: T; id?: string } & FieldsOf<T> }[EventType];

/** An event as it stands in the log of a session; `at` is an ISO time. */
export type LoggedEvent = LogEvent & { schema_version: string; session: string; at: string };

const LONGEST = 200;

/** Words of the client that are said again and again, and hide nothing: looking through them costs a millisecond. */
const USUAL =
  /^(?:clear|resume|logout|prompt_input_exit|other|cli|sdk-cli|general-purpose|Explore|Plan|[0-9a-f]{1,40})$/;

/** Text from outside as it may stand in an event: redacted, on one line, cut. */
export const redactOneLine = (text: string): string =>
  USUAL.test(text)
    ? text
    : redact(text.slice(0, 100 * LONGEST))
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, LONGEST);

const majorOf = (version: unknown): number => Number.parseInt(String(version), 10);

const isKind = (value: unknown, kind: string): boolean => {
  if (kind.endsWith('?') && value === null) return true;
  if (kind === 'flag') return typeof value === 'boolean';
  return kind.startsWith('number') ? Number.isFinite(value) : typeof value === 'string';
};

/** The event that a line of a session's log states, or what is wrong with it, in words. */
export function parseLogEvent(line: unknown, session: string): LoggedEvent | string {
  if (!isObject(line)) return 'no JSON object';
  const { schema_version: version, type, at, id } = line;
  if (typeof version !== 'string' || Number.isNaN(majorOf(version))) return 'no schema version';
  if (isNewer(version, LOG_VERSION)) return 'written by a newer version of Plimsoll';
  if (majorOf(version) < majorOf(LOG_VERSION))
    return `of an older version that is not known (${version.slice(0, 20)})`;
  if (line.session !== session) return 'of another session';
  if (typeof at !== 'string' || Number.isNaN(Date.parse(at))) return 'no time';
  if (id !== undefined && typeof id !== 'string') return 'an id that is no text';
  if (typeof type !== 'string' || !Object.hasOwn(EVENTS, type)) return 'an event that is not known';
  const fields: Record<string, string> = EVENTS[type as EventType];
  const wrong = Object.keys(fields).find((field) => !isKind(line[field], fields[field] ?? ''));
  return wrong === undefined ? (line as unknown as LoggedEvent) : `${type}: "${wrong}" is missing or odd`;
}
