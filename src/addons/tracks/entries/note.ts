// Turns what somebody notes into an entry, and makes sure that it is read back as it was meant.
import {
  BOXES,
  FIELDS,
  type FieldName,
  findLabel,
  type Kind,
  oneLine,
  type TaskState,
  type TrackEntry,
  timeText,
} from './entry.ts';
import { isTime, parseEntries } from './read-entries.ts';

/** What was given, as text; several values where a field takes several. */
export interface Given {
  kind: Kind;
  text: string;
  id: string | null;
  fields: Readonly<Partial<Record<FieldName, string | readonly string[]>>>;
}

export type Noted = { entry: TrackEntry; lines: string[] } | { found: string; expected: string };

const valuesOf = ({ fields }: Given, name: FieldName): string[] => {
  const value = fields[name];
  return (value === undefined ? [] : typeof value === 'string' ? [value] : [...value]).map(oneLine);
};

/** The lines that the schema has for it, whatever is right or wrong with them. */
function linesOf(given: Given): string[] {
  const { kind, id } = given;
  const [state = 'todo'] = valuesOf(given, 'state');
  const sign = Object.hasOwn(BOXES, state) ? BOXES[state as TaskState] : state;
  const box = kind === 'task' ? `[${sign}] ` : '';
  return [
    `- ${box}${findLabel(kind)}: ${id === null ? '' : `[${oneLine(id)}] `}${oneLine(given.text)}`,
    ...FIELDS[kind].flatMap(({ name }) =>
      name === 'state' ? [] : valuesOf(given, name).map((value) => `  - ${findLabel(name)}: ${value}`),
    ),
  ];
}

/**
 * The entry and its lines, or what the schema does not take. What would be read back as something else (a text with the
 * sign of a comment, or one that begins with an id of its own) is not taken either.
 */
export function parseNote(given: Given): Noted {
  const { kind } = given;
  const [state] = valuesOf(given, 'state');
  const words = FIELDS[kind].find(({ name }) => name === 'state')?.words ?? [];
  if (state !== undefined && !words.includes(state))
    return { found: `State "${state}"`, expected: `one of ${words.join(', ')}` };
  const lines = linesOf(given);
  const { entries, violations } = parseEntries('', lines.join('\n'));
  const [violation] = violations;
  if (violation) return { found: violation.found, expected: violation.expected };
  const [entry, more] = entries;
  const isAsMeant =
    entry !== undefined &&
    more === undefined &&
    entry.text === oneLine(given.text) &&
    entry.id === (given.id === null ? null : oneLine(given.id)) &&
    FIELDS[kind].every(({ name }) => {
      const said =
        (entry as unknown as Partial<Record<FieldName, string | readonly string[] | null>>)[name] ?? [];
      const meant = valuesOf(given, name);
      return meant.length === 0 || [said].flat().join('\n') === meant.join('\n');
    });
  if (!isAsMeant)
    return {
      found: 'a text that would be read back as another one',
      expected: 'words without "<!--", "-->" and an id in brackets at their beginning',
    };
  return { entry, lines };
}

/** A time as people give it, as the schema has it: UTC with seconds; null when it is none. */
export function parseTimeOption(text: string): string | null {
  if (isTime(text)) return text;
  const [, day, seconds] =
    /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.exec(text) ?? [];
  const at = Date.parse(text);
  if (day === undefined || Number.isNaN(at) || !isTime(`${day}T00:00:00Z`) || seconds?.startsWith(':60'))
    return null;
  return timeText(at);
}
