// Groups lines into draft entries: a head and what is indented below it (fields and their continuations).
import type { EntryViolation, FieldName, Kind } from './entry.ts';
import { FIELDS, findLabel, ID_LETTERS, joinLines } from './entry.ts';
import type { AnyLine } from './markdown.ts';

// A label in bold or in other letters is prose of somebody: only the plain label makes an entry.
const HEAD = /^(\s*)[-*+] +(?:\[(.)\] +)?(Decision|Risk|Task|Invariant):(?: +(.*))?$/;
const FIELD = /^\s+[-*+] +([A-Z][a-z]+):(?: +(.*))?$/;
const ITEM = /^\s*(?:[-*+]|\d+[.)]) /;
const ID = /^\[([A-Z]-[A-Za-z0-9]{1,12})\](?: +(.*))?$/;
/** Below an entry nothing but a field begins like this: in bold, in other letters, without its dash or its indentation. */
const NEAR =
  /^\s*(?:[-*+•–—] *|\d+[.)] +)?[*_]{0,3}([A-Za-z]{2,12})(?: (?:criteria|criterion))?[*_]{0,3} ?[:：][*_]{0,3}(?=\s|$)/i;

/** Whether a line begins an entry. */
export const isHead = (text: string): boolean => HEAD.test(text);

/** An entry as it stands, right or wrong. */
export interface EntryDraft {
  kind: Kind;
  box: string | undefined;
  text: string;
  id: string | null;
  line: number;
  /** All lines that were taken into it. */
  lines: number[];
  fields: { name: FieldName; value: string; line: number }[];
  /** Fields that are there in a form that the schema does not take; each is a fault already. */
  nearly: Set<FieldName>;
  faults: Omit<EntryViolation, 'file'>[];
}

/** A draft to which lines may still belong. */
interface Open {
  draft: EntryDraft;
  /** Column of its head. */
  indent: number;
  /** Something else was said below it: words no longer go on with it, only a field of its own does. */
  isOff: boolean;
  /** Column of an item of somebody's below it, to which what is indented deeper belongs. */
  aside: number | null;
}

/** Column of the first character that is no blank; a tab leads to the next fourth one. */
function columnOf(text: string): number {
  let column = 0;
  for (const sign of text) {
    if (sign === '\t') column += 4 - (column % 4);
    else if (sign === ' ') column++;
    else break;
  }
  return column;
}

function begin([, , box, label = '', rest = '']: RegExpExecArray, line: number): EntryDraft {
  const kind = label.toLowerCase() as Kind;
  const [, id = null, named = ''] = ID.exec(rest) ?? [];
  const draft: EntryDraft = {
    kind,
    box,
    text: joinLines(id === null ? rest : named),
    id,
    line,
    lines: [line],
    fields: [],
    nearly: new Set(),
    faults: [],
  };
  const letter = ID_LETTERS[kind];
  if (id !== null && !id.startsWith(`${letter}-`))
    draft.faults.push({ line, found: `id ${id} of a ${kind}`, expected: `an id like ${letter}-001` });
  return draft;
}

const fieldOf = ({ kind }: EntryDraft, label: string) =>
  FIELDS[kind].find((each) => findLabel(each.name) === label);

/** Takes a field's line into a draft. */
function addField(draft: EntryDraft, label: string, value: string, line: number): void {
  const field = fieldOf(draft, label);
  if (!field) {
    const known = FIELDS[draft.kind].map((each) => findLabel(each.name)).join(', ');
    draft.faults.push({ line, found: `field "${label}" of a ${draft.kind}`, expected: `one of ${known}` });
    return;
  }
  if (!field.isList && draft.fields.some((each) => each.name === field.name))
    draft.faults.push({ line, found: `a second "${label}"`, expected: `one "${label}"` });
  draft.fields.push({ name: field.name, value: joinLines(value), line });
}

/** Notes a line that is nearly a field of the draft: left out, the entry would say something else than was meant. */
function isNearField(draft: EntryDraft, text: string, line: number): boolean {
  const [found, word = ''] = text.includes(':') || text.includes('：') ? (NEAR.exec(text) ?? []) : [];
  const name = FIELDS[draft.kind].find((each) => each.name === word.toLowerCase())?.name;
  if (found === undefined || name === undefined) return false;
  draft.nearly.add(name);
  const expected = `"  - ${findLabel(name)}: …", indented below its ${draft.kind}`;
  draft.faults.push({ line, found: `"${found.trim()}"`, expected });
  return true;
}

/** Drafts as they stand: a head, and what is indented deeper until a line comes that is not. */
export function parseDrafts(lines: readonly AnyLine[]): EntryDraft[] {
  const drafts: EntryDraft[] = [];
  const open: Open[] = [];
  let isApart = false;
  for (const { text, line, kind } of lines) {
    if (kind !== 'text') continue;
    const head = text.includes(':') ? HEAD.exec(text) : null;
    if (head === null && open.length === 0) continue;
    if (text.trim() === '') {
      isApart = true;
      continue;
    }
    const wasApart = isApart;
    isApart = false;
    const indent = columnOf(text);
    const last = open.at(-1);
    // Below the last entry, and below no other one: who wrote it there meant a field of that entry.
    const isRightBelow = !wasApart && last?.isOff === false && open.every((each) => each.indent >= indent);
    if (head === null && isRightBelow && isNearField(last.draft, text, line)) continue;
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    if (head !== null) {
      const draft = begin(head, line);
      drafts.push(draft);
      const above = open.at(-1);
      if (above !== undefined) above.isOff = true;
      open.push({ draft, indent, isOff: false, aside: null });
      continue;
    }
    const own = open.at(-1);
    if (own === undefined || (own.aside !== null && indent > own.aside)) continue;
    own.aside = null;
    const { draft } = own;
    const [, label = '', value = ''] = FIELD.exec(text) ?? [];
    const isOther = wasApart || own.isOff;
    if (label !== '' && (!isOther || fieldOf(draft, label) !== undefined)) {
      addField(draft, label, value, line);
      draft.lines.push(line);
      own.isOff = false;
      continue;
    }
    if (isNearField(draft, text, line)) continue;
    // A line that is indented deeper goes on with what stands before it, as Markdown has it.
    const isItem = ITEM.test(text);
    if (isItem) own.aside = indent;
    own.isOff = isOther || isItem;
    if (own.isOff) continue;
    draft.lines.push(line);
    const before = draft.fields.at(-1);
    if (before) before.value = joinLines(`${before.value} ${text}`);
    else draft.text = joinLines(`${draft.text} ${text}`);
  }
  return drafts;
}
