// Runs `plimsoll note decision`, `risk`, `task` and `invariant`: appends an entry of a track to a session's work log.

import { type Output, stripControls, toJson } from '../../../cli/output.io.ts';
import type { ProjectContext } from '../../../cli/project.io.ts';
import { findLastMessageId } from '../../../hosts/claude-code/transcript/timeline.io.ts';
import { readInProject } from '../../../platform/in-project.ts';
import { tryStep } from '../../../platform/project/try-step.ts';
import { readSessionState } from '../../../sessions/session-states.io.ts';
import { isError, PlimsollError } from '../../../text/plimsoll-error.ts';
import { redact } from '../../../text/redact.ts';
import type { FieldName, Kind, TrackEntry } from '../entries/entry.ts';
import { FIELDS, formatEntry, formatUtc, joinLines } from '../entries/entry.ts';
import { scanLines } from '../entries/markdown.ts';
import { formatExample, isTime, parseEntries } from '../entries/read-entries.ts';
import { transientFile } from '../layout.ts';
import { appendWorkLog } from '../work-log/session-artifacts.io.ts';
import { readActiveHere, requireRoot, resolveTrack } from './name-track.io.ts';

export interface NoteOptions {
  reason?: string;
  impact?: string;
  severity?: string;
  mitigation?: string;
  status?: string;
  state?: string;
  acceptance?: string[];
  id?: string;
  at?: string;
  track?: string;
  session?: string;
  json?: boolean;
}

/** The name of the work log for notes outside of any session. */
const NOBODY = 'notes';

/**
 * The session that is named, else the one in whose shell this runs, else none: the same call always writes to the same
 * file.
 */
function sessionOf(
  place: ProjectContext,
  given: string | undefined,
): { session: string; by: 'option' | 'shell' | 'none' } {
  if (given !== undefined && given.trim() !== '') return { session: given.trim(), by: 'option' };
  if (given !== undefined)
    throw new PlimsollError('usage', 'The session has no id', { hint: 'give it as --session ID' });
  const own = place.env.HOST_SESSION;
  return own ? { session: own, by: 'shell' } : { session: NOBODY, by: 'none' };
}

/** The id of the session's last message, which the entry names as its evidence; null outside of any session. */
function messageOf({ paths }: ProjectContext, { session, by }: ReturnType<typeof sessionOf>): string | null {
  if (by === 'none') return null;
  const onFailure = (): void => {};
  return tryStep({ onFailure }, 'transcript', () => {
    const path = readSessionState(paths, session)?.transcript;
    return path ? findLastMessageId(path) : null;
  });
}

function fieldsOf(
  options: NoteOptions,
  at: string,
  transcript: string | null,
): Partial<Record<FieldName, string | string[]>> {
  const { reason, impact, severity, mitigation, status, state, acceptance } = options;
  const given = { reason, impact, severity, mitigation, status, state, acceptance };
  const fields: Partial<Record<FieldName, string | string[]>> = {};
  for (const [name, value] of Object.entries(given) as [FieldName, string | string[] | undefined][])
    if (value !== undefined) fields[name] = typeof value === 'string' ? redact(value) : value.map(redact);
  return { ...fields, at, ...(transcript === null ? {} : { transcript }) };
}

/** Runs a step on a work log. @throws PlimsollError where a link leads out of the project */
function inProject<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (isError(error, 'leads-out'))
      throw new PlimsollError(error.code, `Nothing was noted. ${error.message}`, { hint: error.hint });
    throw error;
  }
}

/** Appends one entry to a work log in one write, or changes nothing and throws what is wrong. */
export function noteEntry(
  place: ProjectContext,
  kind: Kind,
  text: string,
  options: NoteOptions,
  output: Output,
): void {
  const root = requireRoot(place);
  const at = options.at === undefined ? formatUtc(place.now) : parseTimeOption(options.at.trim());
  if (at === null)
    throw new PlimsollError('usage', `"${stripControls(options.at ?? '')}" is no time`, {
      hint: 'give it with its zone: --at 2026-01-31T09:00:00Z',
    });
  const whose = sessionOf(place, options.session);
  const fields = fieldsOf(options, at, messageOf(place, whose));
  const noted = parseNote({ kind, text: redact(text), id: options.id ?? null, fields });
  if ('found' in noted)
    throw new PlimsollError(
      'usage',
      `Not as the schema has it: ${stripControls(noted.found)}; expected: ${noted.expected}`,
      {
        hint: `plimsoll note ${kind} --help lists the options that give these lines:\n${formatExample(kind)}`,
      },
    );
  const track = resolveTrack(place, options.track);
  const { session, by } = whose;
  const path = transientFile(session, 'work_log.md');
  const { open } = inProject(() => scanLines(readInProject(root, path) ?? ''));
  if (open !== null)
    throw new PlimsollError(
      'invalid',
      `${path}:${open.line} begins a ${open.kind === 'code' ? 'code block' : 'comment'} that never ends; what is noted below it would not be seen`,
      {
        hint: 'end it, then run the command again; nothing was written',
      },
    );
  inProject(() => appendWorkLog(root, session, track, noted.lines));
  if (options.json) {
    output.print(
      toJson({ track, session, session_by: by, file: path, entry: { ...noted.entry, source: undefined } }),
    );
    return;
  }
  const isActive = readActiveHere(place).track === track;
  const from = { option: '', shell: ', of this session', none: ', outside of any session' }[by];
  output.print(
    [
      `Noted for ${track} in ${path}${from}:`,
      ...noted.lines.map((line) => `  ${stripControls(line)}`),
      isActive
        ? 'Next: the next compaction takes it into the files of the track; "plimsoll track sync" does so now.'
        : `Next: "plimsoll track sync ${track}" takes it into the files of the track, which is not the one that is worked on here.`,
    ].join('\n'),
  );
}

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
  return (value === undefined ? [] : typeof value === 'string' ? [value] : [...value]).map(joinLines);
};

/** The lines that the schema has for it, whatever is right or wrong with them. */
function linesOf(given: Given): string[] {
  const { kind, id, text } = given;
  const fields = FIELDS[kind].map(({ name }) => [name, valuesOf(given, name)]);
  const entry = { kind, id: id === null ? null : joinLines(id), text: joinLines(text) };
  const [state = 'todo'] = valuesOf(given, 'state');
  return formatEntry({ ...entry, ...Object.fromEntries(fields), state } as unknown as TrackEntry);
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
    entry.text === joinLines(given.text) &&
    entry.id === (given.id === null ? null : joinLines(given.id)) &&
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
  return formatUtc(at);
}
