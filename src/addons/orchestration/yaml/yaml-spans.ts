// Plans the text edits that give a YAML text other data; an edit that cannot be made in place is refused.
import type { Node, YAMLSeq } from 'yaml';
import type { Data, Edit, Path } from '../../../text/data-diff.ts';
import { lineStart, linesAt, type Span } from '../../../text/text-edits.ts';
import { type EditContext, type FoundNode, type Holder, named, YamlEditRefused } from './yaml-draft.ts';
import { addEntries, appendItems, removeParts } from './yaml-entries.ts';
import { isAlias, isBlock, isFirstOnLine, isMap, isSeq, rangeOf } from './yaml-nodes.ts';
import type { Remarks } from './yaml-render.ts';
import { detectStyle } from './yaml-style.ts';
import { pairsOf, type YamlText } from './yaml-text.ts';
import { setValue } from './yaml-values.ts';

function refuseAlias(node: unknown, path: Path): void {
  if (!isAlias(node)) return;
  throw new YamlEditRefused(
    `${named(path)} is an alias (*${node.source}): a change would change what it points to`,
    rangeOf(node)[0],
    'write the values out here in place of the alias',
  );
}

function find(file: YamlText, path: Path): FoundNode {
  let node = (file.main?.document.contents ?? null) as Node | null;
  let holder: Holder | null = null;
  let inBrackets = false;
  path.forEach((step, depth) => {
    const here = path.slice(0, depth);
    const [offset] = rangeOf(node);
    refuseAlias(node, here);
    inBrackets ||= (isMap(node) || isSeq(node)) && !isBlock(node);
    const entries = pairsOf(node, step);
    if (entries.length > 1) {
      const lines = entries.map((each) => file.lineAt(rangeOf(each.key)[0])).join(' and ');
      throw new YamlEditRefused(
        `${named([...here, step])} stands twice (lines ${lines}), and readers disagree on which one counts`,
        rangeOf(entries.at(-1)?.key)[0],
        'merge the two into one by hand, then run this again',
      );
    }
    const entry = entries[0] ?? null;
    const index = Number(step);
    if (
      (isMap(node) && entry === null) ||
      (isSeq(node) && !(index < node.items.length)) ||
      !(isMap(node) || isSeq(node))
    ) {
      throw new YamlEditRefused(
        `${named([...here, step])} is not written in the file itself`,
        offset,
        'it comes from a merge key (<<): write it out where it is used',
      );
    }
    holder = { node, entry, index };
    node = (entry === null ? ((node as YAMLSeq).items[index] as Node | null) : entry.value) ?? null;
  });
  return { node, holder, inBrackets: inBrackets || ((isMap(node) || isSeq(node)) && !isBlock(node)) };
}

function remarkAbove(draft: EditContext, { holder }: FoundNode, lines: readonly string[]): Span[] {
  const offset = holder?.entry ? rangeOf(holder.entry.key)[0] : -1;
  if (offset < 0 || !isFirstOnLine(draft.text, offset)) return [];
  const start = lineStart(draft.text, offset);
  const pad = draft.text.slice(start, offset).replace('\uFEFF', '');
  const above = lines.map((line) => (line === '' ? '' : `${pad}${line}`));
  // A byte order mark stays the first character of the file.
  return [
    linesAt(draft.text, draft.text.startsWith('\uFEFF') && start === 0 ? 1 : start, above, draft.style.eol),
  ];
}

/** Adds a key that the map has only by a merge key, or not at all; null when the map has it itself. */
function override(draft: EditContext, file: YamlText, path: Path, value: Data): Span[] | null {
  const holder = path.length > 0 ? find(file, path.slice(0, -1)) : null;
  const key = path.at(-1) ?? '';
  if (!isMap(holder?.node) || pairsOf(holder.node, key).length > 0) return null;
  return addEntries(draft, path.slice(0, -1), holder, [[String(key), value]]);
}

function spansOf(draft: EditContext, file: YamlText, edit: Edit): Span[] {
  const added = edit.kind === 'set' ? override(draft, file, edit.path, edit.value) : null;
  if (added !== null) return added;
  const found = find(file, edit.path);
  if (edit.kind !== 'set') refuseAlias(found.node, edit.path);
  switch (edit.kind) {
    case 'set':
      return setValue(draft, edit.path, found, edit.value);
    case 'add':
      return addEntries(draft, edit.path, found, edit.entries);
    case 'append':
      return appendItems(draft, edit.path, found, edit.items);
    case 'remove':
      return removeParts(draft, edit.path, found, edit.keys);
    case 'remark':
      return remarkAbove(draft, found, edit.lines);
  }
}

export interface PlanOptions {
  /** The section whose style new text follows. */
  section: string;
  order: (path: Path) => readonly string[];
  remarks: Remarks;
}

/**
 * Plans edits against one text.
 * @throws YamlEditRefused when the text does not allow one of them
 */
export function planSpans(file: YamlText, edits: readonly Edit[], options: PlanOptions): Span[] {
  const section = pairsOf(file.main?.document.contents, options.section).at(-1)?.value ?? null;
  const draft: EditContext = {
    text: file.text,
    style: detectStyle(file.text, file.main?.document ?? null, section),
    order: options.order,
    remarks: options.remarks,
  };
  return edits.flatMap((edit) => spansOf(draft, file, edit));
}
