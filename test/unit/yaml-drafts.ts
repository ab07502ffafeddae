// Generates random YAML files for property tests, printed by hand in many styles, with comments.
import fc from 'fast-check';
import type { Data, DataMap } from '../../src/text/json.ts';

/** Texts that are hard to quote, among plain ones. */
export const words = fc.oneof(
  fc.constantFrom(
    'phase-2-agent-execution',
    "Align the holder to 'Adam Nowak'",
    'say "no": then # go',
    'two\nlines',
    'ends with newline\n',
    '\n leading',
    '- dash',
    '#hash',
    '[x]',
    '{y: 1}',
    'a: b',
    '*star',
    '&and',
    '!bang',
    '|',
    '>',
    '%',
    '@at',
    '`tick',
    'true',
    'null',
    '~',
    'yes',
    '1.0',
    '007',
    '1e3',
    '2026-02-17T12:34:56.000Z',
    '',
    ' space ',
    '\u00a0',
    'Attention\u00a0: #\u3000',
    '\u2028# no comment',
    'tab\there',
    'back\\slash',
    '…—“ä日本',
    '\u0000\u001b[31m',
    '\u0085\u2028\u2029\ufeff\ufffe',
    '\ud800',
    '😀 smile',
    '---',
    '...',
    'trailing:',
    'key: [1, 2]  # no comment',
    'x'.repeat(160),
  ),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

export const scalars: fc.Arbitrary<Data> = fc.oneof(
  { weight: 4, arbitrary: words },
  { weight: 2, arbitrary: fc.integer({ min: -5, max: 4000 }) },
  { weight: 1, arbitrary: fc.constantFrom(0.96, 0.825, 1e21, -0.5) },
  { weight: 1, arbitrary: fc.constantFrom(true, false, null) },
);

export const keys = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom('phase', 'qg-1', 'next_step', 'agent_summaries', 'events', 'a.b', 'x'),
  },
  { weight: 1, arbitrary: fc.constantFrom('with space', 'true', '#', 'a: b', '1', 'ä', '"q"') },
);

export const values: fc.Arbitrary<Data> = fc.letrec<{ value: Data }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalars,
    fc.array(scalars, { maxLength: 3 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 4 }) as fc.Arbitrary<DataMap>,
  ),
})).value;

/** How one file is written; every figure is asked for again and again while it is printed. */
export interface Hand {
  /** A number from 0 to n − 1. */
  pick(n: number): number;
  step: number;
  dash: number;
  eol: string;
}

const plain = /^[A-Za-z][\w-]*(?: [\w-]+)*$/;
const quoted = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function scalarText(value: Data, hand: Hand, inBrackets: boolean): string {
  if (value === null) return hand.pick(2) === 0 && !inBrackets ? '' : 'null';
  if (typeof value !== 'string') return String(value);
  if (plain.test(value) && !/^(?:true|false|null)$/.test(value) && hand.pick(3) === 0) return value;
  if (/^[ -~]*$/.test(value) && hand.pick(3) === 0) return `'${value.replaceAll("'", "''")}'`;
  return quoted(value);
}

function brackets(value: Data, hand: Hand): string {
  const space = hand.pick(2) === 0 ? '' : ' ';
  const comma = hand.pick(6) === 0 ? ',' : '';
  if (Array.isArray(value)) {
    const inner = value.map((each) => brackets(each, hand)).join(`,${space}`);
    return inner === '' ? `[${space}]` : `[${space}${inner}${comma}${space}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const inner = Object.entries(value).map(([key, each]) => `${keyText(key)}: ${brackets(each, hand)}`);
    return inner.length === 0 ? `{${space}}` : `{${space}${inner.join(`,${space}`)}${comma}${space}}`;
  }
  return scalarText(value, hand, true);
}

const keyText = (key: string): string => (/^[a-z][\w.-]*$/.test(key) && key !== 'true' ? key : quoted(key));

let mark = 0;
const comment = (): string => `# c${mark++}`;
const beside = (hand: Hand): string =>
  hand.pick(4) === 0 ? `${' '.repeat(1 + hand.pick(3))}${comment()}` : '';

/** Lines that may stand anywhere between others. */
function between(column: number, hand: Hand): string[] {
  const kind = hand.pick(8);
  if (kind === 0) return [''];
  if (kind === 1) return [`${' '.repeat(column)}${comment()}`];
  return kind === 2 ? ['', `${' '.repeat(column)}${comment()}`] : [];
}

/** What follows a colon or dash in a column: the rest of its line, and lines below. */
function after(value: Data, column: number, hand: Hand): string[] {
  if (
    typeof value === 'string' &&
    hand.pick(3) === 0 &&
    /^[A-Za-z][ -~]*(?:\n[A-Za-z][ -~]*)*\n?$/.test(value)
  ) {
    const body = value.replace(/\n$/, '').split('\n');
    const kind = body.length === 1 && hand.pick(2) === 0 ? '>' : '|';
    const chomp = value.endsWith('\n') ? (hand.pick(3) === 0 ? '+' : '') : '-';
    return [
      ` ${kind}${chomp}${beside(hand)}`,
      ...body.map((line) => `${' '.repeat(column + hand.step)}${line}`),
    ];
  }
  const isSimple = typeof value !== 'object' || value === null;
  if (isSimple || Object.keys(value).length === 0 || hand.pick(4) === 0) {
    const text = isSimple ? scalarText(value, hand, false) : brackets(value, hand);
    return [`${text === '' ? '' : ` ${text}`}${beside(hand)}`];
  }
  const rows = Array.isArray(value)
    ? list(value, column + hand.dash, hand)
    : map(value, column + hand.step, hand);
  return [beside(hand), ...rows];
}

function list(value: Data[], column: number, hand: Hand): string[] {
  const pad = ' '.repeat(column);
  return value.flatMap((item) => {
    const before = between(column, hand);
    if (
      typeof item === 'object' &&
      item !== null &&
      !Array.isArray(item) &&
      Object.keys(item).length > 0 &&
      hand.pick(5) > 0
    ) {
      const [first = '', ...rest] = map(item, column + 2, hand, true);
      return [...before, `${pad}- ${first.trimStart()}`, ...rest];
    }
    const [first = '', ...rest] = Array.isArray(item)
      ? [` ${brackets(item, hand)}`]
      : after(item, column, hand);
    return [...before, `${pad}-${first}`, ...rest];
  });
}

function map(value: DataMap, column: number, hand: Hand, isInItem = false): string[] {
  const pad = ' '.repeat(column);
  return Object.entries(value).flatMap(([key, each], index) => {
    const [first = '', ...rest] = after(each, column, hand);
    return [
      ...(isInItem && index === 0 ? [] : between(column, hand)),
      `${pad}${keyText(key)}:${first}`,
      ...rest,
    ];
  });
}

/** Prints a map of sections as one hand might write it. */
export function written(value: DataMap, hand: Hand): string {
  mark = 0;
  const head = hand.pick(3) === 0 ? ['# head', ''] : [];
  const lines = [...head, ...map(value, 0, hand), ...between(0, hand)];
  return `${hand.pick(6) === 0 ? '\uFEFF' : ''}${lines.join(hand.eol)}${hand.pick(4) === 0 ? '' : hand.eol}`;
}
