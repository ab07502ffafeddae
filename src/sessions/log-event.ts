// The events of a session's audit stream: their schema, and how one line of a stream is read.
import { isObject, type JsonObject } from '../text/json.ts';
import { redact } from '../text/redact.ts';
import { isNewer } from '../text/version-order.ts';

/** Of every line. A new field or event raises the minor number; whatever else changes, the major one and the table below. */
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
  /** A first prompt or tool call came. `previous`: the session that this conversation had before, and that was given up. */
  SessionStarted: { conversation: 'text?', entrypoint: 'text?', forked: 'flag', previous: 'text?' },
  /** A conversation goes on with a session: of another conversation (`from`), or with its own that had ended (`reopened`). */
  SessionLinked: { conversation: 'text', from: 'text?', reopened: 'flag' },
  /** The usage rose to a tier for the first time in a segment; `fill` is a fraction of the window. */
  ContextThresholdReached: {
    conversation: 'text',
    tier: 'text',
    tokens: 'number?',
    window: 'number',
    fill: 'number?',
    epoch: 'number',
  },
  CheckpointCreated: { conversation: 'text', checkpoint: 'text', trigger: 'text', epoch: 'number' },
  /** `tokens`: the usage before it. */
  CompactionDetected: { conversation: 'text', epoch: 'number', trigger: 'text?', tokens: 'number?' },
  AlertLeased: { conversation: 'text', epoch: 'number', checkpoint: 'text?', channel: 'text' },
  /** Said again, because no trace of it was found. */
  AlertRepeated: {
    conversation: 'text',
    epoch: 'number',
    checkpoint: 'text?',
    channel: 'text',
    tries: 'number',
  },
  /** The fate of an alert is known: `delivered`, `unverified`, or `undelivered` after all tries. */
  AlertDelivered: {
    conversation: 'text',
    epoch: 'number',
    checkpoint: 'text?',
    status: 'text',
    tries: 'number',
  },
  /** The same of what a new conversation was told of the one before it. */
  ResumptionDelivered: { conversation: 'text', from: 'text', status: 'text', tries: 'number' },
  AgentCompleted: { conversation: 'text', agent: 'text', agent_type: 'text' },
  /** `verdict`: `scored`, `passed` or `failed`. */
  GateScored: {
    conversation: 'text?',
    gate: 'text',
    iteration: 'number?',
    score: 'number?',
    verdict: 'text',
  },
  GuardrailViolated: { conversation: 'text', rule: 'text', tool: 'text?', verdict: 'text' },
  /** `cause`: the end of a `conversation`, or a `person`. */
  SessionCompleted: { conversation: 'text?', reason: 'text', cause: 'text' },
  /** `cause`: a `person`, `emergency` or `compaction` (the setting session.abandon_on), or `died`: nothing ended it. */
  SessionAbandoned: { conversation: 'text?', reason: 'text', cause: 'text' },
} as const satisfies Record<string, Record<string, keyof Kinds>>;

export type EventType = keyof typeof EVENTS;
export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];

type FieldsOf<T extends EventType> = {
  -readonly [F in keyof (typeof EVENTS)[T]]: (typeof EVENTS)[T][F] extends keyof Kinds
    ? Kinds[(typeof EVENTS)[T][F]]
    : never;
};

/** An event before it has its place in a stream. `id`: the same id is appended to a stream once only. */
export type LogEvent = { [T in EventType]: { type: T; id?: string } & FieldsOf<T> }[EventType];

interface Place {
  schema_version: string;
  stream: string;
  /** Counts from 1 in every stream. */
  version: number;
  /** ISO time. */
  at: string;
}

/** An event as it stands in a stream. */
export type LoggedEvent = LogEvent & Place;

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

/** What an older schema's line becomes in the next one, by the older major number. There is no older schema yet. */
export type Migrations = Readonly<Record<number, (line: JsonObject) => JsonObject>>;
const MIGRATIONS: Migrations = {};

/** What is wrong with a line that is another one's to read. */
export const FROM_NEWER = 'written by a newer version of Plimsoll';

const majorOf = (version: unknown): number => Number.parseInt(String(version), 10);

/** A line of an older schema brought forward step by step; null where a step is not known. */
function migrated(line: JsonObject, table: Migrations): JsonObject | null {
  const present = majorOf(LOG_VERSION);
  let found = line;
  for (let major = majorOf(line.schema_version); major < present; major++) {
    const step = table[major];
    if (step === undefined) return null;
    found = { ...step(found), schema_version: `${major + 1}.0.0` };
  }
  return found;
}

const isKind = (value: unknown, kind: string): boolean => {
  if (kind.endsWith('?') && value === null) return true;
  if (kind === 'flag') return typeof value === 'boolean';
  return kind.startsWith('number') ? Number.isFinite(value) : typeof value === 'string';
};

/** No stream is so long: a larger number is garbage, and must not become the place to go on from. */
const MOST_EVENTS = 1e9;

/** The place that a line takes in a stream, whatever else is wrong with it; 0 for one that takes none. */
export function readLineVersion(line: unknown, stream: string): number {
  if (!isObject(line) || line.stream !== stream) return 0;
  const version = Number.isSafeInteger(line.version) ? Number(line.version) : 0;
  return version > 0 && version <= MOST_EVENTS ? version : 0;
}

/** The event that a line states, or what is wrong with it, in words. */
export function parseLogEvent(
  value: unknown,
  stream: string,
  table: Migrations = MIGRATIONS,
): LoggedEvent | string {
  if (!isObject(value)) return 'no JSON object';
  if (typeof value.schema_version !== 'string' || Number.isNaN(majorOf(value.schema_version)))
    return 'no schema version';
  if (isNewer(value.schema_version, LOG_VERSION)) return FROM_NEWER;
  if (value.stream !== stream) return 'of another stream';
  if (readLineVersion(value, stream) === 0) return 'no version';
  const line = migrated(value, table);
  if (line === null)
    return `of an older version that is not known (${String(value.schema_version).slice(0, 20)})`;
  const { type, at, id } = line;
  if (typeof at !== 'string' || Number.isNaN(Date.parse(at))) return 'no time';
  if (id !== undefined && typeof id !== 'string') return 'an id that is no text';
  if (typeof type !== 'string' || !Object.hasOwn(EVENTS, type)) return 'an event that is not known';
  const fields: Record<string, string> = EVENTS[type as EventType];
  const wrong = Object.keys(fields).find((field) => !isKind(line[field], fields[field] ?? ''));
  return wrong === undefined ? (line as unknown as LoggedEvent) : `${type}: "${wrong}" is missing or odd`;
}
