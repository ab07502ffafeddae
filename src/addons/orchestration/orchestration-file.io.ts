// Reads an ORCHESTRATION.yaml leniently for commands, with its faults by line, and changes it under its lock.

import { changeUserFile, readUserFile } from '../../platform/user-file.ts';
import { type Data, type DataMap, isMap, own, type Path } from '../../text/json.ts';
import { checkSection } from './state/check-section.ts';
import { buildRemarks } from './state/remarks.ts';
import { listKeyOrder, SECTION } from './state/section.ts';
import { type Changed, changeYaml } from './yaml/yaml-edit.ts';
import { findOffset, findRepeatedKeys, readYaml, type YamlText } from './yaml/yaml-text.ts';
import { readOutline } from './yaml-lite.ts';

const SECTIONS = [SECTION, 'workflow', 'header'];
/** The sections that are read without a parser when the parser fails. */
const OUTLINED = [SECTION, 'workflow', 'header', 'checkpoints', 'pipelines', 'pipeline'];

export interface FileFault {
  line: number;
  found: string;
  expected: string;
  fix: string;
}

export interface OrchestrationFile {
  top: DataMap;
  /** Faults of the text itself, by line. */
  faults: FileFault[];
  /** Things that other readers of the file may fail on, though this one does not. */
  notes: FileFault[];
  /** Line of a path, or of the nearest existing one above it. */
  lineOf(path: Path): number;
}

/** Repeated keys; `isRead` if we read their values. */
function repetitions(file: YamlText): (FileFault & { isRead: boolean })[] {
  return findRepeatedKeys(file.main).map(({ path, key, offsets }) => {
    const lines = offsets.map((offset) => file.lineAt(offset));
    const holder = path.join('.');
    return {
      line: lines.at(-1) ?? 1,
      found: `"${[...path, key].join('.')}" again, first in line ${lines[0]}`,
      expected: 'each key once: readers disagree on which one counts',
      fix: 'merge the two by hand',
      isRead: ['', SECTION, `${SECTION}.recovery_state`].includes(holder),
    };
  });
}

function documentFaults(file: YamlText): FileFault[] {
  const { main, parts } = file;
  if (main === null || parts.length < 2) return [];
  const others = parts.filter((part) => part !== main && part.document.contents !== null);
  return others.map((part) => ({
    line: file.lineAt(part.document.range[0]),
    found: 'another YAML document in the same file',
    expected: `one document: only the one from line ${file.lineAt(main.document.range[0])} on is read`,
    fix: 'put it into a file of its own',
  }));
}

/** Numbers as they are written, and blanks at the ends of lines, are no matter here. */
const plain = (value: Data): string =>
  String(value)
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();

function differ(read: Data, whole: Data, path: Path): Path[] {
  if (isMap(whole) && isMap(read))
    return Object.keys(whole).flatMap((key) =>
      differ(own(read, key) ?? null, whole[key] ?? null, [...path, key]),
    );
  if (Array.isArray(whole) && Array.isArray(read) && whole.length === read.length)
    return whole.flatMap((each, index) => differ(read[index] ?? null, each, [...path, index]));
  const isPlain = [read, whole].every((each) => each === null || typeof each !== 'object');
  return isPlain && plain(read) === plain(whole) ? [] : [path];
}

/** The places of the section that hooks read otherwise than they are meant; empty where there is none, or no section. */
function unreadIn(text: string, top: DataMap): Path[] {
  const section = top[SECTION];
  return isMap(section)
    ? differ((readOutline(text, [SECTION])[SECTION] ?? {}) as Data, section, [SECTION])
    : [];
}

/** Values that hooks, which have no time for a parser, cannot read. */
const unread = (file: YamlText, top: DataMap): FileFault[] =>
  unreadIn(file.text, top).map((path) => ({
    line: file.lineAt(findOffset(file.main, path)),
    found: `"${path.join('.')}" as hooks do not read it`,
    expected: 'a value that stands where it is used: no alias, merge key or "?"',
    fix: 'write it out by hand; commands read it all the same',
  }));

/** Replaces each tab of an indentation by two spaces, as was probably meant, because YAML allows no tabs there. */
const withoutTabs = (text: string): string =>
  text.replace(/^[ \t]+/gm, (indent) => indent.replaceAll('\t', '  '));

/** Reads a text as well as it can be read; never throws on content. */
export function parseOrchestration(text: string): OrchestrationFile {
  const strict = readYaml(text, SECTIONS);
  const isTabbed = strict.faults.some(({ message }) => message.startsWith('Tabs'));
  const file = isTabbed ? { ...readYaml(withoutTabs(text), SECTIONS), faults: strict.faults } : strict;
  const data = file.main?.data ?? null;
  const parsed = isMap(data) ? data : {};
  // If the parser lost the section, its plain lines are still read.
  const top =
    file.faults.length > 0 && !isMap(parsed[SECTION])
      ? { ...readOutline(text, OUTLINED), ...parsed }
      : parsed;
  const faults = file.faults.map(({ offset, message }) => ({
    line: strict.lineAt(offset),
    found: message,
    expected: 'sound YAML',
    fix: 'repair it by hand; until then no command changes this file',
  }));
  // Later faults on the same line only follow from the first.
  const first = faults.filter(({ line }, index) => faults.findIndex((each) => each.line === line) === index);
  if (file.faults.length === 0 && file.parts.length > 0 && !isMap(data)) {
    first.push({
      line: 1,
      found: 'no map of sections',
      expected: '"workflow:" and "resumption:" at the beginning of a line',
      fix: 'write it as a map by hand',
    });
  }
  const repeated = repetitions(file);
  const those = (isRead: boolean): FileFault[] =>
    repeated.flatMap(({ isRead: has, ...fault }) => (has === isRead ? [fault] : []));
  return {
    top,
    faults: [...first, ...those(true), ...documentFaults(file)].sort((a, b) => a.line - b.line),
    notes: [...those(false), ...(faults.length > 0 ? [] : unread(file, top))].sort((a, b) => a.line - b.line),
    lineOf: (path) => file.lineAt(findOffset(file.main, path)),
  };
}

/**
 * Reads a file.
 * @throws PlimsollError `unusable-file`
 */
export const readOrchestrationFile = (path: string): OrchestrationFile =>
  parseOrchestration(readUserFile(path));

const options = (withRemarks: boolean) => ({
  sections: SECTIONS,
  order: listKeyOrder,
  remarks: withRemarks ? buildRemarks : () => undefined,
});

/** Changes the data of a text; with remarks, comments explain new keys. */
export const changeText = (
  text: string,
  change: (top: DataMap, text: string) => Changed,
  withRemarks = false,
): string => changeYaml(text, change, options(withRemarks));

/**
 * Changes a file under its lock: only the lines that have to change, checked before it is replaced.
 * @param wait the most milliseconds to wait for the lock
 * @returns whether anything was written
 * @throws `change-refused`, PlimsollError `unusable-file`, `locked`
 */
export const changeOrchestrationFile = (
  path: string,
  change: (top: DataMap, text: string) => Changed,
  withRemarks = false,
  wait?: number,
): boolean => changeUserFile(path, (text) => changeText(text, change, withRemarks), wait);

/** A problem or a note of a file, in its line. */
export interface ProblemLine {
  level: 'problem' | 'note';
  line: number;
  path: string;
  found: string;
  expected: string;
  fix: string;
}

/** All problems and notes of a file, ordered by line. */
export const listProblems = ({ top, faults, notes, lineOf }: OrchestrationFile): ProblemLine[] =>
  [
    ...faults.map((each): ProblemLine => ({ level: 'problem', path: '', ...each })),
    ...notes.map((each): ProblemLine => ({ level: 'note', path: '', ...each })),
    ...checkSection(top).map(
      (each): ProblemLine => ({ ...each, line: lineOf(each.path), path: each.path.join('.') }),
    ),
  ].sort((a, b) => a.line - b.line);
