import { describe, expect, test } from 'vitest';
import type { TrackEntry } from './entry.ts';
import { parseEntries } from './read-entries.ts';

const FILE = 'docs/tracks/cache/PLAN.md';
const read = (text: string) => parseEntries(FILE, text);

/** What is said in the fields of one entry. */
function said(text: string) {
  const { entries, violations } = read(text);
  expect(violations).toEqual([]);
  return entries.map((entry) => {
    if (entry.kind === 'task') return [entry.text, ...entry.acceptance];
    if (entry.kind === 'risk') return [entry.text, entry.mitigation, entry.status];
    if (entry.kind === 'decision') return [entry.text, entry.reason, entry.impact];
    return [entry.text];
  });
}

describe('a field belongs to the entry above it, whatever else stands between them', () => {
  test.each([
    [
      'empty lines, as in a loose list',
      '- [ ] Task: x\n\n  - Acceptance: a\n\n  - Acceptance: b',
      [['x', 'a', 'b']],
    ],
    ['an item of its own', '- [ ] Task: x\n  - [ ] a part\n  - Acceptance: a', [['x', 'a']]],
    [
      'an item and what belongs to it',
      '- [ ] Task: x\n  - see\n    - Acceptance: no\n    more\n  - Acceptance: a',
      [['x', 'a']],
    ],
    ['words behind an item', '- [ ] Task: x\n  - see this\n  and that\n  - Acceptance: a', [['x', 'a']]],
    ['a paragraph', '- [ ] Task: x\n\n  Words.\n  More: words.\n\n  - Acceptance: a', [['x', 'a']]],
    ['a code block', '- [ ] Task: x\n  ```\n  - Acceptance: no\n  ```\n  - Acceptance: a', [['x', 'a']]],
    [
      'a task of its own',
      '- [ ] Task: x\n  - [ ] Task: y\n    - Acceptance: b\n  - Acceptance: a',
      [
        ['x', 'a'],
        ['y', 'b'],
      ],
    ],
    ['tabs', '  - [ ] Task: x\n\t- Acceptance: a', [['x', 'a']]],
    ['empty lines in a decision', '- Decision: x\n\n  - Reason: r\n\n  - Impact: i', [['x', 'r', 'i']]],
  ])('%s', (_, text, expected) => {
    expect(said(text)).toEqual(expected);
    expect(said(text.replaceAll('\n', '\r\n'))).toEqual(expected);
  });
});

describe('what is behind something else is a field only by its very label, and no part of a text', () => {
  test.each([
    ['- [ ] Task: x\n\n  - Note: y', [['x']]],
    ['- [ ] Task: x\n  - see\n  - Note: y', [['x']]],
    ['- [ ] Task: x\n\n- Acceptance: y', [['x']]],
    ['- [ ] Task: x\n\n  y', [['x']]],
    ['- [ ] Task: x\n\nAcceptance: y', [['x']]],
    ['- [ ] Task: x\n- other\n  - Acceptance: y', [['x']]],
  ])('%j', (text, expected) => {
    expect(said(text)).toEqual(expected);
  });
});

describe('what is nearly a field is a violation on its own line, never a part of another text', () => {
  const of = (kind: TrackEntry['kind'], label: string) => `"  - ${label}: …", indented below its ${kind}`;
  test.each([
    ['- [ ] Task: x\n  Acceptance: a', 2, '"Acceptance:"', of('task', 'Acceptance')],
    ['- [ ] Task: x\n- Acceptance: a', 2, '"- Acceptance:"', of('task', 'Acceptance')],
    ['- [ ] Task: x\n  - **Acceptance:** a', 2, '"- **Acceptance:**"', of('task', 'Acceptance')],
    ['- [ ] Task: x\n  - **Acceptance**: a', 2, '"- **Acceptance**:"', of('task', 'Acceptance')],
    ['- [ ] Task: x\n  - Acceptance criteria: a', 2, '"- Acceptance criteria:"', of('task', 'Acceptance')],
    ['- [ ] Task: x\n  - acceptance: a', 2, '"- acceptance:"', of('task', 'Acceptance')],
    ['- [ ] Task: x\n  1. Acceptance: a', 2, '"1. Acceptance:"', of('task', 'Acceptance')],
    ['- [ ] Task: x\n  - see\n  - Acceptance : a', 3, '"- Acceptance :"', of('task', 'Acceptance')],
    [
      '- Risk: x\n  - Severity: low\n  - Mitigation: m\n  Status: mitigated',
      4,
      '"Status:"',
      of('risk', 'Status'),
    ],
    ['- Risk: x\n  - severity: low', 2, '"- severity:"', of('risk', 'Severity')],
    ['- Decision: x\n  - Reason: r\n- Impact: i', 3, '"- Impact:"', of('decision', 'Impact')],
    ['- Decision: x\n  - Reason: r\nImpact: i', 3, '"Impact:"', of('decision', 'Impact')],
  ])('%j', (text, line, found, expected) => {
    expect(read(text)).toEqual({ entries: [], violations: [{ file: FILE, line, found, expected }] });
  });

  test('each of several is named, and none is said to be missing', () => {
    const { violations } = read('- Decision: x\n- Reason: r\n- Impact: i\n');
    expect(violations.map(({ line, found }) => [line, found])).toEqual([
      [2, '"- Reason:"'],
      [3, '"- Impact:"'],
    ]);
  });

  test('words that go on are words', () => {
    expect(said('- Decision: x\n  - Reason: r because\n    of this: y\n  - Impact: i')).toEqual([
      ['x', 'r because of this: y', 'i'],
    ]);
  });
});
