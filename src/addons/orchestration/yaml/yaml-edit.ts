// Changes a YAML text so that it holds exactly the given data: the changed sections alone, and there as little as can be.
import { Document, isPair, isMap as isYamlMap, Lexer, type Node, type Scalar, visit, YAMLMap } from 'yaml';
import { type Data, type DataMap, isMap, isSameData, own } from '../../../text/json.ts';
import { isError, PlimsollError } from '../../../text/plimsoll-error.ts';
import type { Span } from '../../../text/text-edits.ts';
import { applySpans, detectEol, findLineEnd, findLineStart, findLines } from '../../../text/text-edits.ts';
import { refuseChange } from '../state/section.ts';
import { type Entry, type NodeOptions, updateNode } from './yaml-nodes.ts';
import { findOffset, listPairs, patchText, readYaml, type YamlText } from './yaml-text.ts';

/** The result of a change: the new data, and comment lines to put above a section that is there. */
export interface Changed {
  data: DataMap;
  remark?: { section: string; lines: readonly string[] };
}

type Options = NodeOptions & { sections: readonly string[] };
type Sections = YAMLMap<Node, Node | null>;

const startOf = (node: Node): number => node.range?.[0] ?? 0;

/**
 * Where a section stands in the text: from its key to its last character, comments indented below it included; and where
 * what comes behind it begins.
 */
function stretchOf(
  text: string,
  document: Document,
  section: Entry,
): { from: number; to: number; end: number } {
  const { items } = document.contents as Sections;
  const from = startOf(section.key);
  const next = items[items.findIndex(({ key }) => startOf(key) === from) + 1];
  const end =
    next === undefined ? (document.range?.[1] ?? text.length) : findLineStart(text, startOf(next.key));
  const lines = text.slice(from, end).split('\n');
  while (lines.length > 1 && /^(?:#|\s*$)/.test(lines.at(-1) ?? '')) lines.pop();
  // Blanks at the end may be those of a text in lines of its own.
  return { from, to: from + lines.join('\n').replace(/\r$/, '').length, end };
}

/** Characters that other parsers take for line ends, or do not take; texts with them stand in double quotes. */
const LINE_ENDS = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Renders a section, or all of a document in brackets, indented as some text is. */
function render(document: Document, part: Entry | Node, like: string): string {
  const shell = document.clone();
  const sections: Sections = new YAMLMap();
  if (isPair(part)) sections.items.push(part as Entry);
  shell.contents = isPair(part) ? sections : part;
  shell.commentBefore = null;
  shell.comment = null;
  // Numbers stay as they are written.
  shell.schema.tags = shell.schema.tags.map((tag) =>
    tag.collection === undefined && /(?:int|float)$/.test(tag.tag)
      ? {
          ...tag,
          stringify: (item, ...rest) => (item as Scalar).source ?? tag.stringify?.(item, ...rest) ?? '',
        }
      : tag,
  );
  const text = shell.toString({
    directives: false,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    flowCollectionPadding: false,
    indent: /\n( +)[^\s#]/.exec(like)?.[1]?.length ?? 2,
    indentSeq: !/^( *)[^\s#-].*:\s*?\n\1- /m.test(like),
    lineWidth: 0,
    verifyAliasOrder: false,
  });
  // Comments come with the line ends that they were read with, and a blank line above a first key with blanks.
  return text
    .replace(/\r|^ +$/gm, '')
    .replace(/\n+$/, '')
    .replace(LINE_ENDS, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const commentsOf = (text: string): string[] =>
  [...new Lexer().lex(text)].flatMap((token) => (token.startsWith('#') ? token.trimEnd() : []));

/** The main document without the comments at the left edge below a section, which the parser takes for a part of it. */
function withoutTail(file: YamlText, key: string, sections: readonly string[]): YamlText['main'] {
  const { text, main } = file;
  const section = listPairs(main?.document.contents, key).at(-1);
  const root = main?.document.contents;
  if (main === null || section === undefined || (root as Sections).flow) return main;
  const { to, end } = stretchOf(text, main.document, section);
  const tail = text.slice(to, end).search(/^#/m);
  if (tail < 0) return main;
  const without = readYaml(text.slice(0, to + tail) + text.slice(end), sections);
  return without.faults.length > 0 ? main : (without.parts[file.parts.indexOf(main)] ?? main);
}

/** Gives comments between the last item in brackets and the closing one to that item: the parser puts them behind both. */
function ownComments(document: Document, text: string): void {
  visit(document, {
    Collection: (_, node) => {
      const part = node.items.at(-1) as Entry | Node | undefined;
      const last = isPair(part) ? (part.value ?? part.key) : part;
      if (!node.flow || !last?.range || !node.range || !node.comment) return;
      const lines = node.comment.split('\n');
      const inside = text.slice(last.range[1], node.range[1]).match(/#.*/g)?.length ?? 0;
      last.comment = [last.comment, ...lines.splice(0, inside)].filter(Boolean).join('\n') || null;
      node.comment = lines.join('\n') || null;
    },
  });
}

interface Way {
  span: Span;
  /** The comments that go with what is removed. */
  dropped: string[];
  /** The comments of new keys. */
  added: string[];
}

/** The ways to give a section other data, the gentlest first. */
function* waysToChange(file: YamlText, key: string, meant: DataMap, options: Options): Generator<Way> {
  const { text } = file;
  const eol = detectEol(text);
  const main = withoutTail(file, key, options.sections);
  const before: Document = main?.document.clone() ?? new Document();
  if (!isYamlMap(before.contents)) before.contents = new YAMLMap();
  ownComments(before, text);
  const after = before.clone();
  const dropped: string[] = [];
  const added: string[] = [];
  const context = { ...options, text, dropped, added, lineOf: (node: Node) => file.lineAt(startOf(node)) };
  updateNode(after.contents as Node, main?.data ?? {}, meant, [], context);
  const root = before.contents as Sections;
  const partOf = (document: Document): Entry | Node | undefined =>
    root.flow ? (document.contents as Node) : listPairs(document.contents, key).at(-1);
  // A byte order mark stays the first character of the file.
  const lineStart = (offset: number): number =>
    Math.max(findLineStart(text, offset), text.startsWith('\uFEFF') ? 1 : 0);
  const [old, now] = [partOf(before), partOf(after)];
  if (old === undefined) {
    const lines = now === undefined ? [] : render(after, now, text).split('\n');
    const put = (at: number): Way => ({ span: findLines(text, at, lines, eol), dropped, added });
    const behind = (section: Entry): number => findLineEnd(text, stretchOf(text, before, section).to);
    const [above, last] = [root.items.at(-2), root.items.at(-1)];
    yield put(last === undefined ? text.length : behind(last));
    // The parser takes some values and the key behind them for one: those below a blank line and a comment at the left edge.
    if (last !== undefined) yield put(above === undefined ? lineStart(startOf(last.key)) : behind(above));
    return;
  }
  const { from, to } = isPair(old)
    ? stretchOf(text, before, old as Entry)
    : { from: startOf(old), to: old.range?.[1] ?? 0 };
  const written = text.slice(from, to);
  if (now === undefined) {
    dropped.push(...commentsOf(written));
    yield { span: { from: lineStart(from), to: findLineEnd(text, to), text: '' }, dropped, added };
    return;
  }
  // What stands above the section is no part of it.
  for (const part of [old, now])
    Object.assign(isPair(part) ? part.key : part, { commentBefore: null, spaceBefore: false });
  const [was, is] = [render(before, old, written), render(after, now, written)];
  const patched = patchText(written, was, is, eol);
  if (patched !== null) yield { span: { from, to, text: patched }, dropped, added };
  yield { span: { from, to, text: is.replaceAll('\n', eol) }, dropped, added };
}

/** Whether a new text holds the intended data in every document. */
const isMeant = (before: YamlText, after: YamlText, meant: Data): boolean =>
  after.faults.length === 0 &&
  after.parts.length === Math.max(1, before.parts.length) &&
  after.parts.every((part, index) => {
    const isMain = before.main === null || before.parts[index] === before.main;
    return isSameData(part.data, isMain ? meant : (before.parts[index]?.data ?? null));
  });

/** What is wrong with the comments of a new text: one is lost that was not to go, or stands there more than once. */
function faultOfComments(before: string, after: string, { dropped, added }: Way): string | undefined {
  const count = (all: readonly string[]): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const comment of all) counts.set(comment.trimEnd(), (counts.get(comment.trimEnd()) ?? 0) + 1);
    return counts;
  };
  const [was, is, gone, come] = [commentsOf(before), commentsOf(after), dropped, added].map(count);
  for (const comment of new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])) {
    const [most, now] = [(was?.get(comment) ?? 0) + (come?.get(comment) ?? 0), is?.get(comment) ?? 0];
    if (now > most) return `holds a comment that would stand there twice: ${comment}`;
    if (now < most - (gone?.get(comment) ?? 0)) return `holds a comment that would be lost: ${comment}`;
  }
  return undefined;
}

/** Changes one section, and reads the new text to see that it says what is meant, and that each comment is there as often as before. */
function changeSection(file: YamlText, key: string, meant: DataMap, options: Options): YamlText {
  let because = 'has no place in the file';
  for (const way of waysToChange(file, key, meant, options)) {
    const after = readYaml(applySpans(file.text, [way.span]), options.sections);
    const fault = faultOfComments(file.text, after.text, way);
    if (!isMeant(file, after, meant))
      because =
        'cannot be changed alone: it would have altered something else in the file as well (an anchor that is used elsewhere?)';
    else if (fault === undefined) return after;
    else because = fault;
  }
  throw refuseChange(`"${key}" ${because}`, [key], 'change it by hand');
}

/** Puts comment lines above a section; none where something else stands before it on its line. */
function addRemark(file: YamlText, { section, lines }: NonNullable<Changed['remark']>): string {
  const { text } = file;
  const at = findOffset(file.main, [section]);
  const pad = text.slice(findLineStart(text, at), at).replace('\uFEFF', '');
  if (pad.trim() !== '') return text;
  return applySpans(text, [
    { from: at, to: at, text: lines.map((line) => line + detectEol(text) + pad).join('') },
  ]);
}

/**
 * The text with its data changed. Only sections that change are touched, and in these what has to change; where that is
 * not possible the section alone is rendered anew, with its comments.
 * @returns the same text when nothing changes
 * @throws PlimsollError `change-refused`At when that is not possible
 */
export function changeYaml(
  text: string,
  change: (data: DataMap, text: string) => Changed,
  options: Options,
): string {
  const original = readYaml(text, options.sections);
  const [fault] = original.faults;
  if (fault !== undefined)
    throw new PlimsollError('change-refused', `This is no sound YAML: ${fault.message}`, {
      line: original.lineAt(fault.offset),
      hint: 'plimsoll state validate lists all places; repair them by hand, then run this again',
    });
  const data = original.main?.data ?? {};
  if (!isMap(data))
    throw new PlimsollError('change-refused', 'The file is no map of sections', {
      line: 1,
      hint: 'plimsoll state validate says what is expected',
    });
  try {
    const { data: meant, remark } = change(data, text);
    const changed = [...new Set([...Object.keys(data), ...Object.keys(meant)])].filter(
      (key) => !isSameData(own(data, key), own(meant, key)),
    );
    // New sections go to the end, the others follow from the last to the first: so the lines above one stay as they are.
    const placeOf = (key: string): number =>
      own(data, key) === undefined ? text.length + 1 : findOffset(original.main, [key]);
    let file = original;
    let present = data;
    for (const key of changed.sort((a, b) => placeOf(b) - placeOf(a))) {
      const { [key]: _, ...rest } = present;
      const value = own(meant, key);
      present = value === undefined ? rest : { ...present, [key]: value };
      file = changeSection(file, key, present, options);
    }
    const remarked = remark === undefined ? file.text : addRemark(file, remark);
    return isMeant(file, readYaml(remarked, options.sections), meant) ? remarked : file.text;
  } catch (error) {
    if (!isError(error, 'change-refused')) throw error;
    const line = error.keys.length === 0 ? null : original.lineAt(findOffset(original.main, error.keys));
    throw new PlimsollError('change-refused', error.message, { line, hint: error.hint });
  }
}
