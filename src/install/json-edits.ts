// Edits a JSON text as a person would: what is put in stands in lines of its own, and every other byte stays.
import { findNodeAtLocation, type JSONPath, type Node, parseTree } from 'jsonc-parser';

interface Format {
  /** One step of indentation. */
  indent: string;
  eol: string;
}

/** Detects the indentation and the line ends of a text. */
export const detectFormat = (text: string): Format => ({
  indent: /\n([ \t]+)"/.exec(text)?.[1] ?? '  ',
  eol: text.includes('\r\n') ? '\r\n' : '\n',
});

const endOf = (node: Node): number => node.offset + node.length;

/** The node of a value; of a key that is there twice the last, which is the one that counts. */
function nodeAt(text: string, path: JSONPath): Node | undefined {
  let node = parseTree(text);
  for (const part of path) {
    const property =
      typeof part === 'number'
        ? undefined
        : node?.children?.findLast((each) => each.type === 'property' && each.children?.[0]?.value === part);
    node = typeof part === 'number' ? node?.children?.[part] : property?.children?.[1];
  }
  return node;
}

/** A value as text, its lines indented for a place so deep. */
function formatValue(value: unknown, depth: number, { indent, eol }: Format): string {
  return JSON.stringify(value, null, indent).replaceAll('\n', `${eol}${indent.repeat(depth)}`);
}

/** Puts an entry at the end of an object or a list: `,` and a line of its own. */
function insertLast(
  text: string,
  parent: Node,
  depth: number,
  entry: string,
  { indent, eol }: Format,
): string {
  const last = parent.children?.at(-1);
  const line = `${eol}${indent.repeat(depth)}${entry}`;
  const at = last === undefined ? endOf(parent) - 1 : endOf(last);
  const added = last === undefined ? `${line}${eol}${indent.repeat(depth - 1)}` : `,${line}`;
  return text.slice(0, at) + added + text.slice(at);
}

/**
 * Sets a value: of what is there it replaces the value alone, anything else it adds at the end of its object, which has to
 * be there; -1 as last part adds to a list.
 * @param format of the text before any edit of ours, where there is more than one
 */
export function setValue(
  text: string,
  path: JSONPath,
  value: unknown,
  format: Format = detectFormat(text),
): string {
  const known = nodeAt(text, path);
  const formatted = formatValue(value, path.length, format);
  if (known !== undefined) return text.slice(0, known.offset) + formatted + text.slice(endOf(known));
  const parent = nodeAt(text, path.slice(0, -1));
  if (parent === undefined) throw new Error(`Nothing to put "${path.join('.')}" into`);
  const key = path.at(-1);
  const entry = key === -1 ? formatted : `${JSON.stringify(key)}: ${formatted}`;
  return insertLast(text, parent, path.length, entry, format);
}

/** Takes a value out, with its key and its comma: the inverse of `setValue`, byte for byte. */
export function removeValue(text: string, path: JSONPath): string {
  const value = nodeAt(text, path);
  const own = value?.parent?.type === 'property' ? value.parent : value;
  const siblings = own?.parent?.children;
  if (own === undefined || own.parent === undefined || siblings === undefined) return text;
  const index = siblings.indexOf(own);
  const [before, after] = [siblings[index - 1], siblings[index + 1]];
  if (before !== undefined) return text.slice(0, endOf(before)) + text.slice(endOf(own));
  if (after !== undefined) return text.slice(0, own.offset) + text.slice(after.offset);
  const lead = text.slice(own.parent.offset + 1, own.offset).replace(/\r?\n[ \t]*$/, '');
  return text.slice(0, own.parent.offset + 1) + lead + text.slice(endOf(own.parent) - 1);
}

/** The first key that an object holds twice, of those at the root and in the objects named, with its place; null where none does. */
export function findDoubleKey(
  text: string,
  objects: readonly JSONPath[],
): { key: string; offset: number } | null {
  const root = parseTree(text);
  for (const path of objects) {
    const node = root && findNodeAtLocation(root, path as JSONPath);
    const seen = new Set<unknown>();
    for (const property of node?.type === 'object' ? (node.children ?? []) : []) {
      const key = property.children?.[0];
      if (key !== undefined && seen.has(key.value)) return { key: String(key.value), offset: key.offset };
      seen.add(key?.value);
    }
  }
  return null;
}
