import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/kit/effort.ts';
import { formatEntry, KINDS, RISK_STATES, SEVERITIES, TASK_STATES, type TrackEntry } from './entry.ts';
import { formatExample, isTime, parseEntries } from './read-entries.ts';

const FILE = 'docs/tracks/cache/PLAN.md';

test('readEntries() reads each kind with all its fields', () => {
  const text = `# Plan
- Decision: [D-001] Use one file
  - Reason: no server
    is needed
  - Impact: a migration
  - At: 2026-01-31T09:00:00Z
- Risk: The disk is full
  - Severity: high
  - Mitigation: say so
- [~] Task: Write the reader
  - Acceptance: reads a BOM
  - Acceptance: reads CRLF
- Invariant: Hooks never block
`;
  const { entries, violations } = parseEntries(FILE, text);
  expect(violations).toEqual([]);
  expect(entries).toEqual([
    {
      kind: 'decision',
      text: 'Use one file',
      id: 'D-001',
      at: '2026-01-31T09:00:00Z',
      transcript: null,
      track: null,
      reason: 'no server is needed',
      impact: 'a migration',
      source: { file: FILE, line: 2 },
    },
    {
      kind: 'risk',
      text: 'The disk is full',
      id: null,
      at: null,
      transcript: null,
      track: null,
      severity: 'high',
      mitigation: 'say so',
      status: 'open',
      source: { file: FILE, line: 7 },
    },
    {
      kind: 'task',
      text: 'Write the reader',
      id: null,
      at: null,
      transcript: null,
      track: null,
      state: 'doing',
      acceptance: ['reads a BOM', 'reads CRLF'],
      source: { file: FILE, line: 10 },
    },
    {
      kind: 'invariant',
      text: 'Hooks never block',
      id: null,
      at: null,
      transcript: null,
      track: null,
      source: { file: FILE, line: 13 },
    },
  ]);
});

describe('what is no entry', () => {
  test.each([
    ['a label in bold', '- **Decision:** x\n- **Risk:** y'],
    ['a label in other letters', '- decision: x'],
    ['a code block', '```\n- Decision: x\n```'],
    ['a code block with longer ends', '````md\n```\n- Risk: x\n```\n````'],
    ['an HTML comment', '<!--\n- Decision: x\n-->'],
    ['a comment on one line', '<!-- - Decision: x -->'],
    ['a sentence', 'Decision: x'],
    ['a heading', '## Decision: x'],
    ['a table', '| Decision: x | y |'],
  ])('%s', (_, text) => {
    expect(parseEntries(FILE, text)).toEqual({ entries: [], violations: [] });
  });
});

describe('a violation says the line, what was found, and what is expected', () => {
  test.each([
    ['- Decision: x\n  - Reason: y', 1, 'no Impact', '"  - Impact: …" below it'],
    ['- Decision:\n  - Reason: y\n  - Impact: z', 1, 'an empty Decision', 'a text behind "Decision:"'],
    ['- Risk: x', 1, 'no Severity', '"  - Severity: low | medium | high | critical" below it'],
    ['- Risk: x\n  - Severity: grave', 2, 'Severity "grave"', 'one of low, medium, high, critical'],
    [
      '- Task: x\n  - Owner: me',
      2,
      'field "Owner" of a task',
      'one of State, Acceptance, At, Transcript, Track',
    ],
    ['- [?] Task: x', 1, 'box [?]', '[ ], [~], [x] or [!]'],
    ['- [x] Task: x\n  - State: todo', 1, 'box [x] and State: todo', 'one of the two'],
    ['- [x] Invariant: x', 1, 'a box at a invariant', 'no box'],
    ['- Risk: [T-1] x\n  - Severity: low', 1, 'id T-1 of a risk', 'an id like R-001'],
    ['- Invariant: x\n  - At: yesterday', 2, 'At "yesterday"', 'a time like 2026-01-31T09:00:00Z'],
    [
      '- Invariant: x\n  - At: 2026-02-31T09:00:00Z',
      2,
      'At "2026-02-31T09:00:00Z"',
      'a time like 2026-01-31T09:00:00Z',
    ],
    ['- Invariant: x\n  - Transcript: msg', 2, 'Transcript "msg"', 'the id of a message'],
    ['- Invariant: x\n  - Track: ../y', 2, 'Track "../y"', 'the id of a track'],
    ['- Task: x\n  - State: done\n  - State: todo', 3, 'a second "State"', 'one "State"'],
  ])('%j', (text, line, found, expected) => {
    const { entries, violations } = parseEntries(FILE, text);
    expect(entries).toEqual([]);
    expect(violations).toEqual([{ file: FILE, line, found, expected }]);
  });
});

test('the example of a kind is an entry once its dots are words', () => {
  for (const kind of KINDS) {
    const text = formatExample(kind)
      .replaceAll('…', 'words')
      .replace(/(\w+)(?: \| \w+)+/g, '$1');
    expect(parseEntries(FILE, text).entries.map((each) => each.kind)).toEqual([kind]);
  }
});

test.each([
  ['2026-01-31T09:00:00Z', true],
  ['2026-01-31T09:00:00.000Z', false],
  ['2026-01-31T24:00:00Z', false],
  ['2026-13-01T00:00:00Z', false],
  ['2026-01-31 09:00:00Z', false],
])('isTime(%j) is %j', (text, is) => {
  expect(isTime(text)).toBe(is);
});

// Words in one line, as an entry holds them: no id before them, no blank at their ends.
const words = fc
  .stringMatching(/^[A-Za-z0-9äß漢(*_`'"|:.,<>/-][^\n\r\t\v\f]{0,40}$/)
  .map((text) => text.replace(/\s+/g, ' ').trim())
  .filter((text) => text !== '' && !text.includes('<!--'));
const time = fc
  .date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2090-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => `${date.toISOString().slice(0, 19)}Z`);
const common = (letter: string) => ({
  text: words,
  id: fc.option(fc.integer({ min: 1, max: 9999 }).map((n) => `${letter}-${n}`)),
  at: fc.option(time),
  transcript: fc.option(fc.uuid()),
  track: fc.option(fc.constantFrom('cache', 'a.b-c_d')),
});
const entry: fc.Arbitrary<Omit<TrackEntry, 'source'>> = fc.oneof(
  fc.record({ kind: fc.constant('decision' as const), ...common('D'), reason: words, impact: words }),
  fc.record({
    kind: fc.constant('risk' as const),
    ...common('R'),
    severity: fc.constantFrom(...SEVERITIES),
    mitigation: fc.option(words),
    status: fc.constantFrom(...RISK_STATES),
  }),
  fc.record({
    kind: fc.constant('task' as const),
    ...common('T'),
    state: fc.constantFrom(...TASK_STATES),
    acceptance: fc.array(words, { maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant('invariant' as const), ...common('I') }),
);

test('what entryLines() writes is read back to the same entries, between foreign lines, with either line end', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 5 }), fc.constantFrom('\n', '\r\n'), (entries, eol) => {
      const text = entries
        .flatMap((each) => [
          'Some prose.',
          ...formatEntry({ ...each, source: { file: FILE, line: 0 } } as TrackEntry),
          '',
        ])
        .join(eol);
      const back = parseEntries(FILE, `\uFEFF${text}`);
      expect(back.violations).toEqual([]);
      expect(back.entries.map(({ source, ...rest }) => rest)).toEqual(entries);
      const lines = text.split(eol);
      for (const each of back.entries) expect(lines[each.source.line - 1]).toContain(each.text);
    }),
    { numRuns: runs(500) },
  );
});

test('no text makes readEntries() throw', () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom(
      '- Decision: ',
      '- Risk: x',
      '  - Severity: ',
      '\n',
      '```',
      '<!--',
      '-->',
      '[x] Task: y',
      '  ',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const { entries, violations } = parseEntries(FILE, pieces.join(''));
      expect(entries.length + violations.length).toBeGreaterThanOrEqual(0);
    }),
  );
});
