// The ways to insert a key into a TOML text, the best first; the caller takes the first one that proves sound.
import { detectEol, linesAt, type Span } from '../../text/text-edits.ts';
import { isBelow, type TomlLine } from './toml-lines.ts';
import { pairAt, replacing, samePath, type TomlLocation } from './toml-location.io.ts';
import { pathText } from './toml-value.ts';

/** The part of a text below one header, or above the first. */
interface Block {
  path: readonly string[];
  /** Index of the header's line; -1 above the first one. */
  header: number;
  isArray: boolean;
  /** Index after the last line. */
  end: number;
}

function blocksOf(lines: readonly TomlLine[]): Block[] {
  const blocks: Block[] = [{ path: [], header: -1, isArray: false, end: lines.length }];
  for (const [index, line] of lines.entries()) {
    if (line.kind !== 'header') continue;
    const last = blocks.at(-1);
    if (last !== undefined) last.end = index;
    blocks.push({ path: line.path, header: index, isArray: line.isArray, end: lines.length });
  }
  return blocks;
}

const indentOf = (text: string, line: TomlLine | undefined): string =>
  line === undefined ? '' : (/^[ \t]*/.exec(text.slice(line.from, line.to))?.[0] ?? '');

/** Index of the first comment line of those right above a line. */
function commentsAbove(lines: readonly TomlLine[], index: number): number {
  let first = index;
  while (lines[first - 1]?.kind === 'comment') first--;
  return first;
}

/** Inserts a pair after the last pair of a block that `isNear` accepts; null when there is none. */
function behind(
  text: string,
  lines: readonly TomlLine[],
  block: Block,
  written: string,
  isNear: (path: readonly string[]) => boolean,
): Span | null {
  const index = lines.findLastIndex(
    (line, at) => at > block.header && at < block.end && line.kind === 'pair' && isNear(line.pair.path),
  );
  const line = lines[index];
  if (line === undefined) return null;
  return linesAt(text, line.to, [`${indentOf(text, line)}${written}`], detectEol(text));
}

/** Inserts a pair into a block without pairs, after its header and the comments that belong to it. */
function atHead(text: string, lines: readonly TomlLine[], block: Block, written: string): Span {
  const eol = detectEol(text);
  if (block.header < 0) {
    const next = block.end;
    if (next >= lines.length) return linesAt(text, text.length, [written], eol);
    // Above the first header, with a blank line between; comments at the very top are the file's own.
    const first = commentsAbove(lines, next);
    const at = lines[first === 0 ? next : first]?.from ?? 0;
    return linesAt(text, at, [written, ''], eol);
  }
  let last = block.header;
  while (last + 1 < block.end && lines[last + 1]?.kind === 'comment') last++;
  // Comments that reach down to the next header belong to that one.
  if (last + 1 === block.end && block.end < lines.length) last = block.header;
  return linesAt(
    text,
    lines[last]?.to ?? text.length,
    [`${indentOf(text, lines[block.header])}${written}`],
    eol,
  );
}

/** Inserts a pair into the innermost inline table that the key belongs in; null when there is none. */
function inInline(
  text: string,
  lines: readonly TomlLine[],
  path: readonly string[],
  written: string,
): Span[] | null {
  for (let depth = path.length - 1; depth > 0; depth--) {
    const place = pairAt(lines, path.slice(0, depth));
    if (place?.pair.entries == null) continue;
    const { pair } = place;
    const entry = `${pathText(path.slice(depth))} = ${written}`;
    const last = pair.entries?.at(-1);
    if (last !== undefined) return [{ from: last.value.to, to: last.value.to, text: `, ${entry}` }];
    const line = lines[place.line];
    return line === undefined ? null : replacing(text, line, pair, `{ ${entry} }`, detectEol(text));
  }
  return null;
}

/**
 * The ways to give a key a value.
 * @param written the value as TOML text
 * @param place where the key is now; null when it is missing
 */
export function* insertions(
  text: string,
  lines: readonly TomlLine[],
  path: readonly string[],
  written: string,
  place: TomlLocation | null,
): Generator<readonly Span[]> {
  const eol = detectEol(text);
  if (place !== null) {
    const line = lines[place.line];
    if (line !== undefined) yield replacing(text, line, place.pair, written, eol);
    return;
  }
  const inline = inInline(text, lines, path, written);
  if (inline !== null) {
    yield inline;
    return;
  }
  const parent = path.slice(0, -1);
  const blocks = blocksOf(lines).filter((block) => !block.isArray && isBelow(path, block.path));
  const entry = (block: Block): string => `${pathText(path.slice(block.path.length))} = ${written}`;
  // In its own table.
  for (const block of blocks.filter((each) => samePath(each.path, parent))) {
    const span = behind(text, lines, block, entry(block), (near) => near.length === path.length);
    yield [
      span ??
        behind(text, lines, block, entry(block), () => true) ??
        atHead(text, lines, block, entry(block)),
    ];
  }
  // Beside dotted keys that share the beginning of its path.
  for (let shared = parent.length; shared > 0; shared--) {
    for (const block of blocks.filter((each) => each.path.length < shared)) {
      const span = behind(text, lines, block, entry(block), (near) => isBelow(near, path.slice(0, shared)));
      if (span !== null) yield [span];
    }
  }
  // As a dotted key in the table above its own.
  for (const block of blocks.filter((each) => each.path.length > 0).reverse()) {
    const span = behind(text, lines, block, entry(block), () => true);
    yield [span ?? atHead(text, lines, block, entry(block))];
  }
  const isSpaced = text.trim() === '' || lines.at(-1)?.kind === 'blank';
  const table = [`[${pathText(parent)}]`, `${pathText(path.slice(-1))} = ${written}`];
  if (parent.length > 0) yield [linesAt(text, text.length, isSpaced ? table : ['', ...table], eol)];
  const [top] = blocks;
  if (top !== undefined)
    yield [behind(text, lines, top, entry(top), () => true) ?? atHead(text, lines, top, entry(top))];
}
