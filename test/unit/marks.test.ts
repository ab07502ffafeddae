// Tests that the lines that a hook reads off an ORCHESTRATION.yaml say what the full parser says.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseOrchestration } from '../../src/addons/orchestration/orchestration-file.io.ts';
import {
  readRecoveryField,
  readScalarText,
  readSection,
} from '../../src/addons/orchestration/state/section.ts';
import { readMarks } from '../../src/addons/orchestration/yaml-fields.ts';
import type { DataMap } from '../../src/text/json.ts';
import { runs } from '../kit/effort.ts';

const NAMES = ['updated_at', 'last_checkpoint', 'current_phase'] as const;

/** What a reader of the whole file takes the fields to be. */
function parsed(text: string): { marks: Record<string, string | null>; isSound: boolean } {
  const { top, faults } = parseOrchestration(text);
  let section: DataMap = {};
  try {
    section = readSection(top);
  } catch {
    // No map: then nothing stands in it.
  }
  const marks = Object.fromEntries(
    NAMES.map((name) => [name, readScalarText(readRecoveryField(section, name)) ?? null]),
  );
  return { marks, isSound: faults.length === 0 };
}

const plain = fc.constantFrom(
  'CP-001',
  '2026-02-17T12:34:56Z',
  'phase two',
  '3',
  "it's",
  'a#b',
  'x: y'.slice(0, 1),
);
const scalar = fc.oneof(
  plain,
  plain.map((text) => `"${text}"`),
  plain.map((text) => `'${text.replaceAll("'", "''")}'`).filter((text) => !/''./.test(text.slice(1))),
  fc.constantFrom('null', '~', ''),
);
const comment = fc.constantFrom('', ' # now', '  # updated_at: never');
const noise = fc.constantFrom('', '# updated_at: x', '  # a remark', '    # last_checkpoint: y');
const field = fc.constantFrom(...NAMES, 'next_step', 'workflow_status');
/** Things beside the fields that look like them. */
const decoy = fc.constantFrom(
  'decisions:\n~- id: RD-001\n~  updated_at: x\n~- updated_at: y',
  'agent_summaries:\n~updated_at: x',
  'current_activity: |\n~updated_at: x\n~  last_checkpoint: y',
  'note: >-\n~current_phase: 9\n\n~end',
  'files_to_read: [a, "updated_at: b"]',
  'quality_trajectory: { updated_at: x, current_phase: 4 }',
  'empty:',
);
const line = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(field, scalar, comment)
      .map(([name, value, after]) => `${name}:${value && ` ${value}`}${after}`),
  },
  { weight: 1, arbitrary: noise },
  { weight: 2, arbitrary: decoy },
);
const block = (lines: string[], indent: string): string =>
  lines
    .flatMap((each) => each.split('\n'))
    .map((each) => (each === '' ? '' : indent + each.replace(/^~/, '    ')))
    .join('\n');

const usual = fc
  .record({
    before: fc.constantFrom(
      '',
      '# head\n',
      'workflow:\n  id: w\n  updated_at: "never"\n',
      '---\nworkflow: {}\n',
    ),
    direct: fc.array(line, { minLength: 1, maxLength: 6 }),
    nested: fc.option(fc.array(line, { minLength: 1, maxLength: 5 })),
    isNestedFirst: fc.boolean(),
    indent: fc.constantFrom('  ', '    ', ' '),
    after: fc.constantFrom('', 'next_actions:\n  updated_at: other\n', '...\n'),
    end: fc.constantFrom('\n', '\r\n'),
    mark: fc.constantFrom('', '\uFEFF'),
  })
  .map(({ before, direct, nested, isNestedFirst, indent, after, end, mark }) => {
    const own = block(direct, indent);
    const below =
      nested === null
        ? ''
        : `${indent}recovery_state:${nested.length % 2 === 0 ? '  # where' : ''}\n${block(nested, indent + indent)}`;
    const body = (isNestedFirst ? [below, own] : [own, below]).filter((each) => each !== '').join('\n');
    return mark + `${before}resumption:\n${body}\n${after}`.replaceAll('\n', end);
  });

describe('readMarks()', () => {
  test('says what the full parser says of any section as people and commands write it', () => {
    let seen = 0;
    fc.assert(
      fc.property(usual, (text) => {
        const { marks, isSound } = parsed(text);
        // A repeated key is a fault of its own, and both read the last one.
        seen += Object.values(marks).some((each) => each !== null) ? 1 : 0;
        if (isSound || /again, first/.test(parseOrchestration(text).faults[0]?.found ?? ''))
          expect(readMarks(text, 'resumption', NAMES)).toEqual(marks);
      }),
      { numRuns: runs(1500) },
    );
    expect(seen).toBeGreaterThan(0.3 * runs(1500));
  });

  test.each<[string, string]>([
    ['anchors', 'resumption:\n  updated_at: &t "2026"\n'],
    ['tags', 'resumption:\n  updated_at: !!str 2026\n'],
    ['escapes', 'resumption:\n  updated_at: "20\\u0032"\n'],
    ['a quote in quotes', "resumption:\n  current_phase: 'it''s'\n"],
    ['a value on its own line', 'resumption:\n  updated_at:\n    2026\n'],
    ['a flow map', 'resumption: { updated_at: 2026 }\n'],
    [
      'a flow map over lines',
      'resumption:\n  recovery_state: {\n    updated_at: 2026,\n    current_phase: 1 }\n',
    ],
    ['a text that looks like a recovery state', 'resumption:\n  recovery_state: |\n    updated_at: 2026\n'],
    ['a quoted key', '"resumption":\n  updated_at: 2026\n'],
    ['a quoted field', 'resumption:\n  "updated_at": 2026\n'],
    ['two documents', 'resumption:\n  updated_at: a\n---\nresumption:\n  updated_at: b\n'],
    ['a list', 'resumption:\n  - updated_at: a\n'],
    ['a flow map below', 'resumption:\n  {\n    updated_at: 2026,\n    current_phase: 1\n  }\n'],
    ['yes and no', 'resumption:\n  updated_at: true\n  last_checkpoint: False\n'],
    [
      'a field over two lines',
      'resumption:\n  updated_at: "2026\n    -01"\n  last_checkpoint: the\n    last\n',
    ],
    ['JSON', '{\n  "resumption": {\n    "updated_at": "a"\n  }\n}'],
    ['words over two lines', 'resumption:\n  next_step: go on\n    updated_at here\n  updated_at: 2026\n'],
  ])('says what the full parser says where a section is odd: %s', (_, text) => {
    expect(readMarks(text, 'resumption', NAMES)).toEqual(parsed(text).marks);
  });

  test.each<[string, string]>([
    ['an alias', 'resumption:\n  updated_at: &t "2026"\n  last_checkpoint: *t\n'],
    ['a merge key', 'base: &b\n  updated_at: 2026\nresumption:\n  <<: *b\n'],
    ['a question mark key', 'resumption:\n  ? updated_at\n  : 2026\n'],
  ])('says nothing rather than another value where it would have to look elsewhere: %s', (_, text) => {
    const { marks } = parsed(text);
    const found = readMarks(text, 'resumption', NAMES);
    for (const name of NAMES) expect([null, marks[name]], name).toContain(found[name]);
  });
});
