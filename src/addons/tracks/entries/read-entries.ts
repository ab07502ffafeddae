// Reads the entries of a Markdown file: bullets that begin with the label of a kind; all else is foreign text.

import { isUuid } from '../../../text/json.ts';
import { isTrackId } from '../layout.ts';
import type { EntryViolation, Field, FieldName, Kind, TaskState, TrackEntry } from './entry.ts';
import { BOXES, FIELDS, findLabel, KINDS, TASK_STATES } from './entry.ts';
import { type Scanned, scanLines } from './markdown.ts';
import { type EntryDraft, parseDrafts } from './parse-entries.ts';

export interface Entries {
  /** In the order in which they stand. */
  entries: TrackEntry[];
  violations: EntryViolation[];
}

interface LocatedEntries extends Entries {
  /** For each entry the numbers of the lines of which it was read. */
  lines: (readonly number[])[];
  /** What hides the end of the text: see `scanLines`. */
  open: Scanned['open'];
}

/** Words of which one stands in every text that holds an entry. */
export const ENTRY_WORDS: readonly string[] = KINDS.map((kind) => `${findLabel(kind)}:`);

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** A time that the schema takes and that the calendar knows. */
export const isTime = (text: string): boolean =>
  TIME.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().slice(0, 19) === text.slice(0, 19);

function checkField(draft: EntryDraft, field: Field, faults: EntryDraft['faults']): void {
  const found = draft.fields.filter((each) => each.name === field.name);
  const label = findLabel(field.name);
  const { line } = draft;
  if (found.length === 0 && field.isNeeded && !draft.nearly.has(field.name)) {
    const words = field.words ? field.words.join(' | ') : '…';
    faults.push({ line, found: `no ${label}`, expected: `"  - ${label}: ${words}" below it` });
  }
  for (const { value, line: at } of found) {
    if (value === '')
      faults.push({ line: at, found: `an empty ${label}`, expected: `a text behind "${label}:"` });
    else if (field.words && !field.words.includes(value))
      faults.push({ line: at, found: `${label} "${value}"`, expected: `one of ${field.words.join(', ')}` });
    else if (field.name === 'at' && !isTime(value))
      faults.push({ line: at, found: `At "${value}"`, expected: 'a time like 2026-01-31T09:00:00Z' });
    else if (field.name === 'transcript' && !isUuid(value))
      faults.push({ line: at, found: `Transcript "${value}"`, expected: 'the id of a message' });
    else if (field.name === 'track' && !isTrackId(value))
      faults.push({ line: at, found: `Track "${value}"`, expected: 'the id of a track' });
  }
}

/** The state that a box means; null for none of ours. */
export const parseBox = (box: string): TaskState | null =>
  TASK_STATES.find((state) => BOXES[state] === box.toLowerCase()) ?? null;

function checkTask(draft: EntryDraft, faults: EntryDraft['faults']): void {
  const { line, box, fields } = draft;
  const state = fields.find((each) => each.name === 'state')?.value;
  if (box === undefined) return;
  const boxed = parseBox(box);
  if (draft.kind !== 'task') faults.push({ line, found: `a box at a ${draft.kind}`, expected: 'no box' });
  else if (boxed === null) faults.push({ line, found: `box [${box}]`, expected: '[ ], [~], [x] or [!]' });
  else if (state !== undefined && state !== boxed)
    faults.push({ line, found: `box [${box}] and State: ${state}`, expected: 'one of the two' });
}

function entryOf(draft: EntryDraft, file: string): TrackEntry {
  const value = (name: FieldName): string | null =>
    draft.fields.find((each) => each.name === name)?.value ?? null;
  const common = {
    text: draft.text,
    id: draft.id,
    at: value('at'),
    transcript: value('transcript'),
    track: value('track'),
    source: { file, line: draft.line },
  };
  switch (draft.kind) {
    case 'decision':
      return { kind: 'decision', ...common, reason: value('reason') ?? '', impact: value('impact') ?? '' };
    case 'risk':
      return {
        kind: 'risk',
        ...common,
        severity: value('severity') as 'low',
        mitigation: value('mitigation'),
        status: (value('status') ?? 'open') as 'open',
      };
    case 'task':
      return {
        kind: 'task',
        ...common,
        state:
          (draft.box === undefined ? null : parseBox(draft.box)) ?? ((value('state') ?? 'todo') as TaskState),
        acceptance: draft.fields.filter((each) => each.name === 'acceptance').map((each) => each.value),
      };
    case 'invariant':
      return { kind: 'invariant', ...common };
  }
}

/**
 * All entries of a text, and what is wrong with those that the schema does not take. Code blocks and HTML comments hold
 * examples, no entries. An entry with a violation is not among the entries.
 *
 * @param file the path as evidence names it
 */
export function parseEntries(file: string, text: string): Entries {
  const { entries, violations } = locateEntries(file, text);
  return { entries, violations };
}

/**
 * The same, with the lines of each entry, for whoever writes it anew in its place.
 *
 * @param more fields that stand elsewhere in the file, which every entry has besides its own
 */
export function locateEntries(
  file: string,
  text: string,
  more: readonly EntryDraft['fields'][number][] = [],
): LocatedEntries {
  const entries: TrackEntry[] = [];
  const lines: (readonly number[])[] = [];
  const violations: EntryViolation[] = [];
  const scanned = scanLines(text);
  // Most files hold none, and need not be looked at line by line.
  const drafts = ENTRY_WORDS.some((word) => text.includes(word)) ? parseDrafts(scanned.lines) : [];
  for (const draft of drafts) {
    const faults = [...draft.faults];
    for (const field of more) {
      const label = findLabel(field.name);
      if (draft.fields.some(({ name }) => name === field.name))
        faults.push({ line: field.line, found: `a second "${label}"`, expected: `one "${label}"` });
      draft.fields.push(field);
    }
    if (draft.text === '') {
      const label = findLabel(draft.kind);
      faults.push({ line: draft.line, found: `an empty ${label}`, expected: `a text behind "${label}:"` });
    }
    for (const field of FIELDS[draft.kind]) checkField(draft, field, faults);
    checkTask(draft, faults);
    if (faults.length === 0) {
      entries.push(entryOf(draft, file));
      lines.push(draft.lines);
    } else violations.push(...faults.map((fault) => ({ file, ...fault })));
  }
  return { entries, violations, lines, open: scanned.open };
}

/** How an entry of a kind is written, for messages and help. */
export const formatExample = (kind: Kind): string =>
  [
    `- ${kind === 'task' ? '[ ] ' : ''}${findLabel(kind)}: …`,
    ...FIELDS[kind]
      .filter((field) => field.isNeeded || field.isList)
      .map((field) => `  - ${findLabel(field.name)}: ${field.words?.join(' | ') ?? '…'}`),
  ].join('\n');
