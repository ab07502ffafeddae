// Tests that a change of a state file touches nothing but what it is about, whatever the file looks like.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCollection, isMap, isPair, Lexer, type Node, type Pair, parseDocument, type Scalar } from 'yaml';
import { changeText } from '../../src/addons/orchestration/orchestration-file.io.ts';
import { type Data, type DataMap, isMap as isDataMap, isSameData, type Path } from '../../src/text/json.ts';
import { runs } from '../kit/effort.ts';
import { notRun } from '../kit/not-run.ts';
import { type Edit, editsBetween, mayRefuse } from './data-edits.ts';
import { type Hand, keys, scalars, values, words, written } from './yaml-drafts.ts';

const SAMPLES = fileURLToPath(new URL('../../../shared/state-samples/', import.meta.url));
const LENIENT = { uniqueKeys: false, merge: true, logLevel: 'silent' } as const;

const read = (text: string): Data => parseDocument(text, LENIENT).toJS() as Data;
/** The comments of a text, but for those on some of its lines. */
function commentsOf(text: string, gone: ReadonlySet<number> = new Set()): string[] {
  let line = 0;
  return [...new Lexer().lex(text)].flatMap((token) => {
    const at = line;
    line += token.split('\n').length - 1;
    return token.startsWith('#') && !gone.has(at) ? token.trimEnd() : [];
  });
}
const linesOf = (text: string): string[] => text.replace(/^\uFEFF/, '').match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Lines of a text, by number, that the places of edits stand on: from a key or dash to the last character below it. */
function linesMeant(text: string, edits: readonly Edit[]): Set<number> {
  const { contents } = parseDocument(text, LENIENT);
  const lines = linesOf(text);
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length - 1;
  const meant = new Set<number>();
  const step = (holder: unknown, key: string | number): { key: Node | null; value: Node | null } => {
    if (!isCollection(holder)) return { key: null, value: null };
    if (!isMap(holder)) return { key: null, value: (holder.items[Number(key)] ?? null) as Node | null };
    const pairs = holder.items.filter((each): each is Pair<Node, Node | null> => isPair(each));
    const pair = pairs.findLast(
      (each) => String((each.key as { value?: unknown }).value ?? '') === String(key),
    );
    return { key: pair?.key ?? null, value: pair?.value ?? null };
  };
  const touch = (path: Path): void => {
    let holder: unknown = null;
    let found: { key: Node | null; value: Node | null } = { key: null, value: contents as Node | null };
    for (const each of path) {
      holder = found.value;
      found = step(holder, each);
    }
    const from = found.key?.range?.[0] ?? found.value?.range?.[0] ?? 0;
    const to = Math.max(from, (found.value?.range?.[1] ?? found.key?.range?.[1] ?? from + 1) - 1);
    let first = lineAt(from);
    // An item begins at its dash, which may stand on a line above it.
    if (found.key === null && isCollection(holder) && holder.flow !== true)
      while (first > 0 && !/^\s*-/.test(lines[first] ?? '')) first--;
    for (let line = first; line <= lineAt(to); line++) meant.add(line);
  };
  for (const edit of edits) {
    if (edit.kind === 'remove') for (const key of edit.keys) touch([...edit.path, key]);
    else if (edit.kind === 'set') touch(edit.path);
    else {
      // What is put in between lines touches none; in brackets, and behind a last line without an end, it does.
      const node = edit.path.reduce<Node | null>(
        (each, key) => step(each, key).value,
        contents as Node | null,
      );
      if (isCollection(node) && (node.flow || node.items.length === 0)) touch(edit.path);
      if (!text.endsWith('\n')) meant.add(lines.length - 1);
    }
  }
  return meant;
}

/** Lines of some sections: from the key to the next one, blank lines and comments at the left edge before that aside. */
function sectionLines(text: string, keys: readonly string[]): Set<number> {
  const { contents } = parseDocument(text, LENIENT);
  const lines = linesOf(text);
  if (!isMap(contents) || contents.flow) return new Set(lines.keys());
  const starts = contents.items.map(({ key }) => {
    const { range, value } = key as Scalar;
    return { key: String(value), line: text.slice(0, range?.[0]).split('\n').length - 1 };
  });
  const found = new Set<number>();
  starts.forEach(({ key, line }, index) => {
    let end = starts[index + 1]?.line ?? lines.length;
    while (end > line + 1 && /^(?:#|\s*$)/.test(lines[end - 1] ?? '')) end--;
    for (let each = line; keys.includes(key) && each < end; each++) found.add(each);
  });
  return found;
}

/** Whether all given lines are still there, in their order. */
function holdsLines(after: string, lines: readonly string[]): boolean {
  const now = linesOf(after);
  let at = 0;
  return lines.every((line) => {
    at = now.indexOf(line, at) + 1;
    return at > 0;
  });
}

/** Whether any list holds the same item twice. */
function holdsTwins(data: Data): boolean {
  if (typeof data !== 'object' || data === null) return false;
  const items = Object.values(data);
  const isTwin = (item: Data, at: number): boolean => items.findIndex((each) => isSameData(each, item)) < at;
  return (Array.isArray(data) && items.some(isTwin)) || items.some(holdsTwins);
}

/**
 * Checks everything that has to hold of one change.
 * @returns whether every line is as it was but those that the edits are about; else their section was rendered anew
 */
function check(before: string, after: string, meant: DataMap): boolean {
  if (!isSameData(read(after), meant)) throw new Error('The text does not say what was meant');
  if (before.startsWith('\uFEFF') !== after.startsWith('\uFEFF'))
    throw new Error('The byte order mark is gone');
  const data = read(before) as DataMap;
  const edits = editsBetween(data, meant);
  const lines = linesOf(before);
  const changed = Object.keys(data).filter((key) => !isSameData(data[key], meant[key]));
  const inSections = sectionLines(before, changed);
  // A last line without an end gets one, where something comes below it.
  if (!before.endsWith('\n')) inSections.add(lines.length - 1);
  if (
    !holdsLines(
      after,
      lines.filter((_, index) => !inSections.has(index)),
    )
  )
    throw new Error(
      `A line outside of the sections that change is another one: from ${JSON.stringify(before)} to ${JSON.stringify(after)}`,
    );
  // Comments beside and in what is taken out go with it; what loses all of its keys is set anew.
  const takesOut = (edit: Edit): boolean =>
    edit.kind === 'remove' || (edit.kind === 'set' && typeof edit.value === 'object');
  const isAll = edits.some(({ kind, path }) => kind === 'set' && path.length === 0);
  const gone = isAll ? inSections : linesMeant(before, edits.filter(takesOut));
  for (const line of sectionLines(
    before,
    changed.filter((key) => !Object.hasOwn(meant, key)),
  ))
    gone.add(line);
  const left = commentsOf(after);
  const lost = commentsOf(before, gone).filter((comment) => {
    const index = left.indexOf(comment);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
  if (left.length > commentsOf(before).length - commentsOf(before, gone).length + lost.length)
    throw new Error(`Comments are doubled: ${JSON.stringify(before)} to ${JSON.stringify(after)}`);
  // Of two equal items either can be the one that is taken out.
  if (lost.length > (holdsTwins(data) ? edits.length : 0))
    throw new Error(`Comments are gone: ${lost} from ${JSON.stringify(before)} to ${JSON.stringify(after)}`);
  const touched = linesMeant(before, edits);
  return holdsLines(
    after,
    lines.filter((_, index) => !touched.has(index)),
  );
}

interface Step {
  kind: number;
  way: number[];
  key: string;
  value: Data;
}
const steps: fc.Arbitrary<Step> = fc.record({
  kind: fc.nat({ max: 5 }),
  way: fc.array(fc.nat({ max: 30 }), { minLength: 4, maxLength: 4 }),
  key: fc.oneof(keys, words).filter((key) => key !== '__proto__'),
  value: fc.oneof(scalars, values),
});

/** One random change of data: another value, a new key, a new item, something gone. */
function changed(data: Data, { way: [here = 0, ...way], ...step }: Step): Data {
  const deeper = (value: Data): Data => changed(value, { ...step, way });
  const goesOn = (way[0] ?? 0) % 3 !== 0;
  if (Array.isArray(data) && data.length > 0) {
    const index = here % data.length;
    if (goesOn) return data.map((each, at) => (at === index ? deeper(each) : each));
    if (step.kind < 2) return data.map((each, at) => (at === index ? step.value : each));
    return step.kind < 4 ? [...data, step.value] : data.filter((_, at) => at !== index);
  }
  if (isDataMap(data) && Object.keys(data).length > 0) {
    const name = Object.keys(data)[here % Object.keys(data).length] ?? '';
    if (goesOn) return { ...data, [name]: deeper(data[name] ?? null) };
    if (step.kind < 2) return { ...data, [name]: step.value };
    if (step.kind < 4) return { ...data, [step.key]: step.value };
    const { [name]: _, ...rest } = data;
    return rest;
  }
  if (Array.isArray(data)) return [...data, step.value];
  return isDataMap(data) ? { ...data, [step.key]: step.value } : step.value;
}

const hands: fc.Arbitrary<Hand> = fc
  .tuple(
    fc.array(fc.nat({ max: 1000 }), { minLength: 60, maxLength: 60 }),
    fc.constantFrom(2, 2, 3, 4),
    fc.boolean(),
    fc.nat({ max: 3 }),
  )
  .map(([choices, step, isDashed, end]) => {
    let at = 0;
    return {
      pick: (n) => (choices[at++ % choices.length] ?? 0) % n,
      step,
      dash: isDashed ? step : 0,
      eol: end === 0 ? '\r\n' : '\n',
    };
  });

interface Tally {
  done: number;
  /** Those that changed no line but the ones that they are about. */
  kept: number;
  refused: number;
}

/** Makes changes one after the other, each of one or several steps, and checks each of them. */
function edit(start: string, all: readonly Step[][], tally: Tally): void {
  let text = start;
  for (const batch of all) {
    const data = read(text);
    const meant = batch.reduce(changed, data);
    if (!isDataMap(data) || !isDataMap(meant) || Object.keys(meant).length === 0) continue;
    try {
      const after = changeText(text, () => ({ data: meant }));
      if (check(text, after, meant)) tally.kept++;
      if (isSameData(data, meant)) expect(after).toBe(text);
      text = after;
      tally.done++;
    } catch (error) {
      if (!mayRefuse(text, error)) throw error;
      tally.refused++;
    }
  }
}

const sequences = fc.array(fc.array(steps, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });

describe('a change of a YAML text', () => {
  test('says what was meant and keeps all else, in random files', () => {
    const tally: Tally = { done: 0, kept: 0, refused: 0 };
    fc.assert(
      fc.property(
        fc.dictionary(keys, values, { minKeys: 1, maxKeys: 4 }),
        hands,
        sequences,
        (draft, hand, all) => edit(written(draft as DataMap, hand), all, tally),
      ),
      { numRuns: runs(1_000), endOnFailure: true },
    );
    // Hardly any change is refused, and in most of them no other line is written anew.
    expect(tally.refused).toBeLessThan(0.02 * tally.done);
    expect(tally.kept).toBeGreaterThan(0.95 * tally.done);
  });

  test('says what was meant and keeps all else, in state files of people', (ctx) => {
    if (!existsSync(SAMPLES)) {
      notRun('edits of state samples', `no folder ${SAMPLES}`);
      ctx.skip();
    }
    // A file of 110 KB takes too long for a hundred rounds, faulty ones are refused; both have tests of their own.
    const texts = readdirSync(SAMPLES)
      .filter((name) => /^orchestration.*\.yaml$|crlf/.test(name) && !/huge/.test(name))
      .map((name) => readFileSync(join(SAMPLES, name), 'utf8'));
    const tally: Tally = { done: 0, kept: 0, refused: 0 };
    fc.assert(
      fc.property(
        fc.nat({ max: texts.length - 1 }),
        fc.array(steps, { minLength: 1, maxLength: 2 }),
        (which, all) => {
          const text = texts[which] ?? '';
          const data = read(text) as DataMap;
          const section = Object.hasOwn(data, 'resumption') ? 'resumption' : (Object.keys(data)[0] ?? '');
          const meant = { ...data, [section]: all.reduce(changed, data[section] ?? null) };
          try {
            const after = changeText(text, () => ({ data: meant }));
            if (check(text, after, meant)) tally.kept++;
            tally.done++;
          } catch (error) {
            if (!mayRefuse(text, error)) throw error;
            tally.refused++;
          }
        },
      ),
      { numRuns: runs(100) },
    );
    expect(tally.done).toBeGreaterThan(0.9 * runs(100));
    expect(tally.kept).toBeGreaterThan(0.5 * runs(100));
  });
});
