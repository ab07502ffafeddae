import { describe, expect, test } from 'vitest';
import { readSectionMarks, readWorkflowId } from './yaml-fields.ts';

const marks = (updated_at: string | null, last_checkpoint: string | null, current_phase: string | null) => ({
  updated_at,
  last_checkpoint,
  current_phase,
});
const NOTHING = marks(null, null, null);

describe('readSectionMarks()', () => {
  test.each<[string, string, object]>([
    [
      'directly in the section',
      'workflow:\n  updated_at: "2020"\nresumption:\n  last_checkpoint: "CP-002"\n  current_phase: 3   # now\n  updated_at: 2026-02-17T12:34:56Z\nnext:\n  updated_at: x\n',
      marks('2026-02-17T12:34:56Z', 'CP-002', '3'),
    ],
    [
      'in recovery_state',
      "resumption:\n  # v2\n  recovery_state:\n    current_phase: two\n    updated_at: '2026-02-17'\n  defect_summary:\n    updated_at: no\n",
      marks('2026-02-17', null, 'two'),
    ],
    ['with CRLF and BOM', '\uFEFFresumption:\r\n  updated_at: "a"\r\n', marks('a', null, null)],
    ['in an entry of a list, which is not it', 'resumption:\n  decisions:\n    - updated_at: x\n', NOTHING],
    ['deeper down, which is not it', 'resumption:\n  a:\n    b:\n      updated_at: x\n', NOTHING],
    ['as null', 'resumption:\n  updated_at: null\n  last_checkpoint: ~\n', NOTHING],
    ['as an alias', 'resumption:\n  updated_at: *t\n', NOTHING],
    ['as a block', 'resumption:\n  updated_at: a\n  last_checkpoint: |\n    b\n', marks('a', 'b', null)],
    ['in brackets', 'resumption: {updated_at: "a", current_phase: 2}\n', marks('a', null, '2')],
    ['in JSON', '{"resumption": {"updated_at": "a"}}', marks('a', null, null)],
    ['in a section in quotes', '"resumption":\n  updated_at: a\n', marks('a', null, null)],
    ['over two lines', 'resumption:\n  current_phase: the\n    second\n', marks(null, null, 'the second')],
    ['twice', 'resumption:\n  updated_at: a\nresumption:\n  updated_at: b\n', marks('b', null, null)],
    ['with tabs', 'resumption:\n\tupdated_at: a\n', marks('a', null, null)],
    [
      'behind a row of blanks',
      `resumption:\n  updated_at: a${' '.repeat(1_000_000)}# b\n`,
      marks('a', null, null),
    ],
    [
      'and blanks between words are none the slower',
      `resumption:\n  updated_at: a${' '.repeat(1_000_000)}b\n`,
      marks(`a${' '.repeat(1_000_000)}b`, null, null),
    ],
    [
      'with no-break spaces, which are no blanks',
      'resumption:\n  current_phase: Corriger\u00a0#\u00a0ici\u00a0\n  updated_at: a\n',
      marks('a', null, 'Corriger\u00a0#\u00a0ici\u00a0'),
    ],
    ['nowhere', 'workflow:\n  id: a\n', NOTHING],
    ['in nothing', '', NOTHING],
  ])('finds them %s', (_, source, expected) => {
    expect(readSectionMarks(source)).toEqual(expected);
  });
});

describe('readWorkflowId()', () => {
  test.each<[string, string, string | null]>([
    ['quoted', 'workflow:\n  id: "flow-1"\n  status: ACTIVE\n', 'flow-1'],
    [
      'plain, with a comment',
      '# x\nworkflow: # w\n  # c\n\n  status: ACTIVE\n  id: flow-1  # it\nphases: []\n',
      'flow-1',
    ],
    ['with the line ends of Windows', 'workflow:\r\n  id: flow-1\r\n  status: x\r\n', 'flow-1'],
    ['at the end, without a line break', 'workflow:\n    id: flow-1', 'flow-1'],
    ['not the id of something in it', 'workflow:\n  owner:\n    id: nobody\n  status: x\n', null],
    ['not the id of something after it', 'workflow:\n  status: x\nphase:\n  id: 3\n', null],
    ['not of another section', 'other:\n  id: x\n', null],
    ['nothing', '', null],
    ['an anchor', 'workflow:\n  id: &a x\n', 'x'],
  ])('%s', (_, source, expected) => {
    expect(readWorkflowId(source)).toBe(expected);
  });
});
