// The generated block of a document, also of one that git could not merge: found, rendered from entries, and replaced.
import { detectEol } from '../../../text/text-edits.ts';
import { CORE_FILE, INVARIANTS_FILE, taskFile } from '../layout.ts';
import type { EntryViolation, Kind, TrackEntry } from './entry.ts';
import { formatEntry, RISK_STATES, SEVERITIES, TASK_STATES } from './entry.ts';
import { compareByDate, type Hash, type StoredEntry } from './entry-file.ts';
import { listTextLines, scanLines } from './markdown.ts';

/** A document that holds a block of entries of one kind; `title` heads it where we have to make it. */
export interface TargetFile {
  path: string;
  kind: Kind;
  title: string;
}

/** The documents of a track's blocks; invariants go to CONTEXT_CORE.md only where it may be written. */
export const listTargetFiles = (track: string, coreWrites: boolean): TargetFile[] => [
  { path: taskFile(track, 'PLAN.md'), kind: 'task', title: 'Plan' },
  { path: taskFile(track, 'RISKS.md'), kind: 'risk', title: 'Risks' },
  { path: taskFile(track, 'DECISIONS.md'), kind: 'decision', title: 'Decisions' },
  { path: INVARIANTS_FILE, kind: 'invariant', title: 'Invariants' },
  ...(coreWrites ? [{ path: CORE_FILE, kind: 'invariant' as const, title: 'Context core' }] : []),
];

const OPEN = '<!-- plimsoll:entries -->';
const CLOSE = '<!-- /plimsoll:entries -->';
/** A block without entries, by which a person says where it is to stand. */
export const EMPTY_BLOCK = `${OPEN}\n${CLOSE}`;

const MARK = /^ {0,3}<!--\s{0,20}(\/?)plimsoll:entries(?: ([0-9a-f]{12}))?(?:: [^<>]{0,200}|\s{0,20})-->\s*$/;

export interface Block {
  /** Offsets of the whole block: from its first mark to behind its last one, without the line end there. */
  from: number;
  to: number;
  /** Offsets of what stands between the marks. */
  start: number;
  end: number;
  /** Number of the first line between the marks. */
  line: number;
  /** What stands there, with `\n`. */
  text: string;
  /** What its first mark says of it. */
  hash: string | null;
}

/**
 * The block of a text; null where it has none. A mark in a code block is an example; one behind a code block that never
 * ends is none: it is how a block stands that was put at the end of such a file.
 */
export function findBlock(file: string, text: string): { block: Block | null; violations: EntryViolation[] } {
  if (!text.includes('plimsoll:entries')) return { block: null, violations: [] };
  const { lines, open } = scanLines(text);
  let block: Block | null = null;
  const violations: EntryViolation[] = [];
  let begun: Pick<Block, 'from' | 'start' | 'line' | 'hash'> | null = null;
  const fault = (line: number, found: string, expected: string): void =>
    void violations.push({ file, line, found, expected });
  const unended = (line: number): void => fault(line, `${OPEN} without end`, `${CLOSE} behind it`);
  lines.forEach(({ text: own, kind, line, from }, index) => {
    const mark = own.includes('plimsoll:entries') ? MARK.exec(own) : null;
    if (mark === null || (kind === 'code' && !(open?.kind === 'code' && line > open.line))) return;
    const [, slash, hash = null] = mark;
    if (slash === '') {
      if (begun !== null) unended(begun.line - 1);
      if (block !== null) fault(line, `a second ${OPEN}`, 'one in a file');
      begun = {
        from: from + (text[from] === '\uFEFF' ? 1 : 0),
        start: lines[index + 1]?.from ?? text.length,
        line: line + 1,
        hash,
      };
    } else if (begun !== null) {
      const { start } = begun;
      const inside = text.slice(start, from).replaceAll('\r\n', '\n');
      block ??= { ...begun, end: from, to: from + own.length, text: inside };
      begun = null;
    } else fault(line, `${CLOSE} without a beginning`, `${OPEN} before it`);
  });
  if (begun !== null) unended((begun as Block).line - 1);
  return { block, violations };
}

/** The text without what stands in its block; every line keeps its number. */
export function buildBlankBlock(file: string, text: string): string {
  const { block } = findBlock(file, text);
  if (block === null) return text;
  return `${text.slice(0, block.start)}${text.slice(block.start, block.end).replace(/[^\n]/g, '')}${text.slice(block.end)}`;
}

/** The text with an empty block in the place of its own. */
export function buildEmptyBlock(file: string, text: string): string {
  const { block } = findBlock(file, text);
  if (block === null) return text;
  const eol = detectEol(text.slice(block.from));
  return `${text.slice(0, block.from)}${OPEN}${eol}${CLOSE}${text.slice(block.to)}`;
}

const formatItem = ({ entry }: StoredEntry): string =>
  formatEntry(entry, ['track', 'transcript'])
    .map((line) => `${line}\n`)
    .join('');

/** The entries of a kind as they stand in a block, by date and id; those that were dropped are left out. */
export const formatItems = (kind: Kind, entries: readonly StoredEntry[]): string[] =>
  entries
    .filter((each) => each.entry.kind === kind && !each.isDropped)
    .sort(compareByDate)
    .map(formatItem);

/** What a block holds in items: each with what is indented below it. */
const splitItems = (text: string): string[] => text.split(/^(?=\S)/m).map((item) => item.trimEnd());

const hashOf = (text: string, hash: Hash): string => hash(text).slice(0, 12);

/** Whether a block holds what we wrote into it. */
export const isAsGenerated = (block: Block, hash: Hash): boolean =>
  block.text.trim() === '' || block.hash === hashOf(block.text, hash);

/** Every line that entries of a kind have in a block, whatever their status and severity. */
export function listOwnLines(kind: Kind, entries: readonly StoredEntry[]): Set<string> {
  const lines = new Set<string>();
  for (const stored of entries) {
    const { entry } = stored;
    if (entry.kind !== kind) continue;
    const any: TrackEntry[] =
      entry.kind === 'task'
        ? TASK_STATES.map((state) => ({ ...entry, state }))
        : entry.kind === 'risk'
          ? RISK_STATES.flatMap((status) => SEVERITIES.map((severity) => ({ ...entry, status, severity })))
          : [entry];
    for (const each of any)
      for (const line of formatItem({ ...stored, entry: { ...each, id: entry.id } }).split('\n'))
        lines.add(line);
  }
  return lines;
}

/**
 * What somebody wrote into a block: all that is no item of ours, nor made of lines of ours alone.
 *
 * @param lines lines of which git may have put an item together
 */
export function findEdited(
  block: Block,
  ours: readonly string[],
  lines: ReadonlySet<string> = new Set(),
): string[] {
  const own = new Set(ours.map((item) => item.trimEnd()));
  return splitItems(block.text).filter(
    (item) => item !== '' && !own.has(item) && !item.split('\n').every((line) => lines.has(line)),
  );
}

const MOVED =
  '<!-- plimsoll: moved out of the generated block above, where it was edited; put it where it belongs, or take it out -->';

/** Lines of somebody below the block, as a code block: kept, and no entries. */
function formatMoved(items: readonly string[]): string {
  const text = items.join('\n');
  const longest = (text.match(/~+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);
  const fence = '~'.repeat(Math.max(3, longest + 1));
  return `\n\n${MOVED}\n${fence}\n${text}\n${fence}`;
}

/**
 * The text with a block that holds these items. Where the block is missing it is put at the end, behind an empty line; a
 * file that is not there yet (null) begins with a title. Nothing to say and no block: the text as it is.
 *
 * @param moved what somebody wrote into the block, which is put below it
 */
export function writeBlock(
  text: string | null,
  { path, title }: TargetFile,
  { items, moved, hash }: { items: readonly string[]; moved: readonly string[]; hash: Hash },
): string | null {
  const { block } = findBlock(path, text ?? '');
  if (block === null && items.length === 0) return text;
  const before = text ?? `# ${title}\n`;
  const content = items.join('');
  const first =
    content === ''
      ? OPEN
      : `<!-- plimsoll:entries ${hashOf(content, hash)}: generated from entries/; write above or below it -->`;
  const below = moved.length === 0 ? '' : formatMoved(moved);
  const eol = detectEol(block === null ? before : before.slice(block.from));
  const whole = `${first}\n${content}${CLOSE}${below}`.replaceAll('\n', eol);
  if (block !== null) return `${before.slice(0, block.from)}${whole}${before.slice(block.to)}`;
  const isOpen = before !== '' && !/^\uFEFF$|\n$/.test(before);
  const isApart = before.replace(/^\uFEFF/, '') === '' || /\n\r?\n$/.test(before);
  return `${before}${isOpen ? eol : ''}${isApart ? '' : eol}${whole}${eol}`;
}

/** The first mark of git that nobody has taken out yet; null where there is none. */
export function findConflict(file: string, text: string): EntryViolation | null {
  if (!text.includes('<<<<<<< ')) return null;
  const mark = listTextLines(text).find((each) => each.text.startsWith('<<<<<<< '));
  if (mark === undefined) return null;
  const expected = 'one version of these lines, without the marks of git';
  return { file, line: mark.line, found: 'a merge conflict', expected };
}

/** The text as either side has it; null where the marks do not come in the order of git. */
export function splitConflict(text: string): [ours: string, theirs: string] | null {
  const sides: [string[], string[]] = [[], []];
  let part: 'both' | 'ours' | 'base' | 'theirs' = 'both';
  for (const line of text.split('\n')) {
    const sign = /^(?:<{7} |\|{7}(?: |\r?$)|={7}\r?$|>{7} )/.exec(line)?.[0][0];
    if (sign === '<' && part === 'both') part = 'ours';
    else if (sign === '|' && part === 'ours') part = 'base';
    else if (sign === '=' && (part === 'ours' || part === 'base')) part = 'theirs';
    else if (sign === '>' && part === 'theirs') part = 'both';
    else if (sign !== undefined && sign !== '=') return null;
    else {
      if (part === 'both' || part === 'ours') sides[0].push(line);
      if (part === 'both' || part === 'theirs') sides[1].push(line);
    }
  }
  return part === 'both' ? [sides[0].join('\n'), sides[1].join('\n')] : null;
}

interface TargetDocument {
  target: TargetFile;
  /** Without marks of git; null where it is not there yet. */
  text: string | null;
  /** What its block holds, on either side of a conflict. */
  blocks: Block[];
  /** Git could not merge it: its lines may come from either side. */
  isMerged: boolean;
  violations: EntryViolation[];
}

const cutBlock = (text: string, block: Block | null): string =>
  block === null ? text.trimEnd() : `${text.slice(0, block.from)}${text.slice(block.to)}`.trimEnd();

/** Reads a document. A conflict within its block needs nobody: what is generated is generated anew. */
export function readDocument(target: TargetFile, text: string | null): TargetDocument {
  const { path } = target;
  const conflict = text === null ? null : findConflict(path, text);
  const sides = conflict === null || text === null ? null : splitConflict(text);
  const found = (sides ?? (text === null ? [] : [text])).map((side) => ({ side, ...findBlock(path, side) }));
  const [ours, theirs] = found;
  const isOneOutside =
    sides === null ||
    (ours !== undefined &&
      theirs !== undefined &&
      cutBlock(ours.side, ours.block) === cutBlock(theirs.side, theirs.block));
  if (conflict !== null && (sides === null || !isOneOutside))
    return { target, text, blocks: [], isMerged: false, violations: [conflict] };
  const base = ours?.block === null ? (theirs ?? ours) : ours;
  return {
    target,
    text: base?.side ?? null,
    blocks: found.flatMap(({ block }) => block ?? []),
    isMerged: conflict !== null,
    violations: found.flatMap((each) => each.violations),
  };
}
