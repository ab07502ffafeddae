// Tests that a hook reads from an ORCHESTRATION.yaml what the full parser reads, however the file is written.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Document, isCollection, isScalar, parse, visit } from 'yaml';
import { readOutline } from '../../src/addons/orchestration/yaml-lite.ts';
import type { Data } from '../../src/text/json.ts';
import { runs } from '../kit/effort.ts';
import { keys, values } from './yaml-drafts.ts';

const sentence = fc
  .array(
    fc.constantFrom(
      'Align',
      'the',
      'across:',
      '#1',
      "it's",
      '"q"',
      '[b]',
      '{c}',
      '-',
      '|',
      'key: v',
      'é',
      'a,b',
    ),
    { minLength: 1, maxLength: 40 },
  )
  .map((parts) => parts.join(' '));
const data = fc.dictionary(keys, fc.oneof(values, sentence, fc.array(sentence, { maxLength: 3 })), {
  maxKeys: 5,
});

const STYLES = [null, 'QUOTE_SINGLE', 'QUOTE_DOUBLE', 'BLOCK_FOLDED', 'BLOCK_LITERAL', 'PLAIN'] as const;
const hand = fc.record({
  lineWidth: fc.constantFrom(0, 40, 80),
  indent: fc.constantFrom(2, 4),
  indentSeq: fc.boolean(),
  flowCollectionPadding: fc.boolean(),
  eol: fc.constantFrom('\n', '\n', '\r\n'),
  picks: fc.array(fc.nat({ max: 59 }), { minLength: 40, maxLength: 40 }),
});

/** The data as somebody writes them who folds at a width, and takes brackets, quotes, blocks and comments as they come. */
function written(
  value: unknown,
  { eol, picks, ...options }: { eol: string; picks: number[]; [option: string]: unknown },
) {
  const document = new Document(value);
  let at = 0;
  const pick = (): number => picks[at++ % picks.length] ?? 0;
  visit(document, {
    Node: (key, node) => {
      if (isCollection(node) && node !== document.contents && pick() < 12) node.flow = true;
      if (!isScalar(node) || key === 'key') return;
      const style = STYLES[pick() % STYLES.length];
      if (typeof node.value === 'string' && style) node.type = style;
      if (pick() < 6) node.comment = ' beside';
      if (pick() < 4) node.commentBefore = ' above: it';
    },
  });
  return document.toString(options).replaceAll('\n', eol);
}

/** Blanks at the ends of lines and empty lines at the end of a text are nothing that a reader needs. */
function trimmed(value: Data): Data {
  if (typeof value === 'string') return value.replace(/[ \t]+(?=\n|$)/g, '').replace(/\n+$/, '');
  if (Array.isArray(value)) return value.map(trimmed);
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, trimmed(each)]))
    : value;
}

test('A hook reads what the full parser reads, in 2,000 random files', () => {
  fc.assert(
    fc.property(data, hand, (resumption, how) => {
      const text = written({ workflow: { id: 'w' }, resumption, after: { x: 1 } }, how);
      const found = readOutline(text, ['resumption', 'after']);
      const full = parse(text, { uniqueKeys: false, logLevel: 'silent' }) as Record<string, Data>;
      expect(trimmed(found.resumption as Data)).toEqual(trimmed(full.resumption ?? null));
      expect(found.after).toEqual({ x: 1 });
    }),
    { numRuns: runs(2000) },
  );
});
