// The schema of track entries: four kinds, each a structured bullet with labelled fields; written here as text.

export const KINDS = ['decision', 'risk', 'task', 'invariant'] as const;
export type Kind = (typeof KINDS)[number];

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];
export const RISK_STATES = ['open', 'mitigated', 'accepted', 'closed'] as const;
type RiskState = (typeof RISK_STATES)[number];
export const TASK_STATES = ['todo', 'doing', 'done', 'blocked'] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** The box of a task in a list: `[ ]`, `[~]`, `[x]`, `[!]`. */
export const BOXES: Readonly<Record<TaskState, string>> = { todo: ' ', doing: '~', done: 'x', blocked: '!' };

/** Where an entry stands: its evidence. Line from 1. */
export interface Source {
  file: string;
  line: number;
}

interface Common {
  /** In one line, blanks run together. */
  text: string;
  /** `R-001`, `T-2`; null when none is given. */
  id: string | null;
  /** When it was noted, ISO 8601 in UTC with seconds; null when the entry does not say. */
  at: string | null;
  /** Id of the message of the session behind which it was noted; null when the entry does not say. */
  transcript: string | null;
  /** The track that it belongs to; null: the one of the file, or the active one. */
  track: string | null;
  source: Source;
}

export interface DecisionEntry extends Common {
  kind: 'decision';
  reason: string;
  impact: string;
}

export interface RiskEntry extends Common {
  kind: 'risk';
  severity: Severity;
  mitigation: string | null;
  status: RiskState;
}

interface TaskEntry extends Common {
  kind: 'task';
  state: TaskState;
  acceptance: readonly string[];
}

interface InvariantEntry extends Common {
  kind: 'invariant';
}

export type TrackEntry = DecisionEntry | RiskEntry | TaskEntry | InvariantEntry;

/** An entry that is not as the schema has it. */
export interface EntryViolation extends Source {
  /** What was found, in a few words. */
  found: string;
  /** What the schema wants there. */
  expected: string;
}

export type FieldName =
  | 'reason'
  | 'impact'
  | 'severity'
  | 'mitigation'
  | 'status'
  | 'state'
  | 'acceptance'
  | 'at'
  | 'transcript'
  | 'track';

/** A field of a kind: must it be there, may it come more than once, which words may it hold. */
export interface Field {
  name: FieldName;
  isNeeded: boolean;
  isList?: boolean;
  words?: readonly string[];
}

const AT: Field = { name: 'at', isNeeded: false };
const TRANSCRIPT: Field = { name: 'transcript', isNeeded: false };
const TRACK: Field = { name: 'track', isNeeded: false };
/** What every kind may say. */
const COMMON = [AT, TRANSCRIPT, TRACK];

/** A time in milliseconds since the epoch as the schema has it: UTC with seconds. */
export const formatUtc = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** Blanks and line ends run together, none at the ends. */
export const joinLines = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** The schema, field by field in the order in which they are written. */
export const FIELDS: Readonly<Record<Kind, readonly Field[]>> = {
  decision: [{ name: 'reason', isNeeded: true }, { name: 'impact', isNeeded: true }, ...COMMON],
  risk: [
    { name: 'severity', isNeeded: true, words: SEVERITIES },
    { name: 'mitigation', isNeeded: false },
    { name: 'status', isNeeded: false, words: RISK_STATES },
    ...COMMON,
  ],
  task: [
    { name: 'state', isNeeded: false, words: TASK_STATES },
    { name: 'acceptance', isNeeded: false, isList: true },
    ...COMMON,
  ],
  invariant: COMMON,
};

/** Letters by which ids of a kind begin. */
export const ID_LETTERS: Readonly<Record<Kind, string>> = {
  decision: 'D',
  risk: 'R',
  task: 'T',
  invariant: 'I',
};

/** `reason` as it stands in a file: `Reason`. */
export const findLabel = (name: Kind | FieldName): string => name[0]?.toUpperCase() + name.slice(1);

/** What a field of an entry says, none when it says nothing. */
function listValues(entry: TrackEntry, name: FieldName): readonly string[] {
  const value = (entry as unknown as Partial<Record<FieldName, string | readonly string[] | null>>)[name];
  if (value === undefined || value === null) return [];
  return typeof value === 'string' ? [value] : value;
}

/**
 * Lines of an entry, without line ends: the bullet, then one indented bullet for each field. A task's state is its box.
 * `but`: fields that are not written.
 */
export function formatEntry(entry: TrackEntry, but: readonly FieldName[] = []): string[] {
  const box = entry.kind === 'task' ? `[${BOXES[entry.state]}] ` : '';
  const id = entry.id === null ? '' : `[${entry.id}] `;
  const lines = [`- ${box}${findLabel(entry.kind)}: ${id}${entry.text}`];
  for (const { name } of FIELDS[entry.kind]) {
    if (name === 'state' || but.includes(name)) continue;
    for (const value of listValues(entry, name)) lines.push(`  - ${findLabel(name)}: ${value}`);
  }
  return lines;
}
