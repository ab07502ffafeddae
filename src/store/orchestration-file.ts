// What does an ORCHESTRATION.yaml hold for a command, and how does a command change it?
import { type DataMap, isMap, type Path } from '../model/edits.ts';
import { outlineOf } from '../model/outline.ts';
import { remarksFor } from '../model/state/remarks.ts';
import { orderOf, SECTION } from '../model/state/section.ts';
import { unreadIn } from '../model/state/unread.ts';
import { changeStateFile, readStateFile } from './state-file.ts';
import { type Changed, changeYaml } from './yaml-edit.ts';
import { offsetAt, readYaml, repeatedKeys, type YamlText } from './yaml-text.ts';

const SECTIONS = [SECTION, 'workflow'];
/** What is read without a parser when the parser cannot. */
const OUTLINED = [SECTION, 'workflow', 'checkpoints', 'pipelines', 'pipeline'];

export interface FileFault {
  line: number;
  found: string;
  expected: string;
  fix: string;
}

export interface OrchestrationFile {
  top: DataMap;
  /** What was not understood of the text itself, by line. */
  faults: FileFault[];
  /** What other readers of the file stumble over, and this one does not. */
  notes: FileFault[];
  /** Line of a place, or of the nearest one above it. */
  lineOf(path: Path): number;
}

/** Keys that stand twice: `isRead` where their value is read from. */
function repetitions(file: YamlText): (FileFault & { isRead: boolean })[] {
  return repeatedKeys(file.main).map(({ path, key, offsets }) => {
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

/** What hooks, which have no time for a parser, do not make out. */
const unread = (file: YamlText, top: DataMap): FileFault[] =>
  unreadIn(file.text, top).map((path) => ({
    line: file.lineAt(offsetAt(file.main, path)),
    found: `"${path.join('.')}" as hooks do not read it`,
    expected: 'a value that stands where it is used: no alias, merge key or "?"',
    fix: 'write it out by hand; commands read it all the same',
  }));

/** Tabs at the beginning of lines as two columns each: what was meant, where YAML allows none. */
const withoutTabs = (text: string): string =>
  text.replace(/^[ \t]+/gm, (indent) => indent.replaceAll('\t', '  '));

/** Reads a text as well as it can be read; never throws on content. */
export function orchestrationIn(text: string): OrchestrationFile {
  const strict = readYaml(text, SECTIONS);
  const isTabbed = strict.faults.some(({ message }) => message.startsWith('Tabs'));
  const file = isTabbed ? { ...readYaml(withoutTabs(text), SECTIONS), faults: strict.faults } : strict;
  const data = file.main?.data ?? null;
  const parsed = isMap(data) ? data : {};
  // Where the parser lost the section, the plain lines of it still say something.
  const top =
    file.faults.length > 0 && !isMap(parsed[SECTION]) ? { ...outlineOf(text, OUTLINED), ...parsed } : parsed;
  const faults = file.faults.map(({ offset, message }) => ({
    line: strict.lineAt(offset),
    found: message,
    expected: 'sound YAML',
    fix: 'repair it by hand; until then no command changes this file',
  }));
  // What follows from a fault on the same line is no news.
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
    lineOf: (path) => file.lineAt(offsetAt(file.main, path)),
  };
}

/**
 * Reads a file.
 * @throws FileRefused
 */
export const readOrchestrationFile = (path: string): OrchestrationFile =>
  orchestrationIn(readStateFile(path));

const options = (withRemarks: boolean) => ({
  section: SECTION,
  sections: SECTIONS,
  order: orderOf,
  remarks: withRemarks ? remarksFor : () => undefined,
});

/** A text with its data changed; a change with remarks explains new keys to their reader. */
export const changeText = (
  text: string,
  change: (top: DataMap, text: string) => Changed,
  withRemarks = false,
): string => changeYaml(text, change, options(withRemarks));

/**
 * Changes a file: only the lines that have to change, under its lock, checked before it is replaced.
 * @param wait milliseconds to wait for the lock at the most
 * @returns whether anything was written
 * @throws ChangeRefusedAt, FileRefused, Locked
 */
export const changeOrchestrationFile = (
  path: string,
  change: (top: DataMap, text: string) => Changed,
  withRemarks = false,
  wait?: number,
): boolean => changeStateFile(path, (text) => changeText(text, change, withRemarks), wait);
