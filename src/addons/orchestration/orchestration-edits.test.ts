import { describe, expect, test } from 'vitest';
import { change, next } from '../../../test/unit/state-changes.ts';
import type { DataMap } from '../../text/json.ts';
import { noteAgentDone } from './state/agent-entries.ts';
import { addDecision } from './state/decisions.ts';
import { enterGate, scoreGate } from './state/gates.ts';
import { stampSection } from './state/recovery.ts';

const decide =
  (decision: string) =>
  (top: DataMap): DataMap =>
    addDecision(top, { decision, at: '2026-02-17T12:00:00Z', phases: [3] }).top;

describe('changeText()', () => {
  // [what, text before, change, text after]
  const edits: [string, string, (top: DataMap) => DataMap, string][] = [
    [
      'nothing where nothing changes',
      'resumption: {next_step:   "a"}   # odd\n',
      next('a'),
      'resumption: {next_step:   "a"}   # odd\n',
    ],
    [
      'a value, not its comment',
      'resumption:\n  next_step: "a"    # b\n',
      next('c'),
      'resumption:\n  next_step: "c"    # b\n',
    ],
    [
      'a plain value',
      'resumption:\n  next_step: a\n',
      next('go on: now'),
      'resumption:\n  next_step: "go on: now"\n',
    ],
    [
      'a single-quoted value',
      "resumption:\n  next_step: 'a'\n",
      next("it's"),
      "resumption:\n  next_step: 'it''s'\n",
    ],
    [
      'a text in lines of its own, and what comes instead keeps its last blank',
      'resumption:\n  next_step: >-\n    a b \n',
      next('c '),
      'resumption:\n  next_step: >-\n    c \n',
    ],
    [
      'a file whose last value the parser would take for a part of a key behind it',
      'x: 2\n# about a\na:\n\n# b\n  1\n',
      (top) => ({ ...top, c: true }),
      'x: 2\nc: true\n# about a\na:\n\n# b\n  1\n',
    ],
    [
      'the same in a file of one section',
      '\ufeff# head\na:\n\n# b\n  1\n',
      (top) => ({ ...top, c: true }),
      '\ufeff# head\nc: true\na:\n\n# b\n  1\n',
    ],
    [
      'a list that loses an empty item: what stands above and below that stays',
      'a:\n- 1\n\n# above\n- # beside\n# below\n- 2\n',
      (top) => ({ ...top, a: [1, 2] }),
      'a:\n- 1\n\n# above\n# below\n- 2\n',
    ],
    [
      'a map that loses an empty value: what stands below it stays',
      'a:\n  b: # beside\n  # below\n  c: 1\n',
      (top) => ({ ...top, a: { c: 1 } }),
      'a:\n\n  # below\n  c: 1\n',
    ],
    ['null', 'resumption:\n  next_step: null # x\n', next('a'), 'resumption:\n  next_step: "a" # x\n'],
    [
      'nothing behind a colon',
      "resumption:\n  a: 'b'\n  next_step:   # x\n",
      next('c'),
      'resumption:\n  a: \'b\'\n  next_step: "c"   # x\n',
    ],
    [
      'a text of several lines',
      'resumption:\n  next_step: "a"\n',
      next('a\nb "c"'),
      'resumption:\n  next_step: "a\\nb \\"c\\""\n',
    ],
    [
      'a plain value over several lines',
      'resumption:\n  next_step: a\n    b\n  z: 1\n',
      next('c'),
      'resumption:\n  next_step: c\n  z: 1\n',
    ],
    [
      'a text under |',
      'resumption:\n  next_step: |  # x\n    a\n    b\n\n  z: 1\n',
      next('c\nd\n'),
      'resumption:\n  next_step: |  # x\n    c\n    d\n\n  z: 1\n',
    ],
    [
      'a text under > by one line',
      'resumption:\n  next_step: >\n    a\n    b\n',
      next('c'),
      'resumption:\n  next_step: >-\n    c\n',
    ],
    [
      'a text under | by one that | cannot hold',
      'resumption:\n  next_step: |\n    a\n  z: 1\n',
      next(' b'),
      'resumption:\n  next_step: " b"\n  z: 1\n',
    ],
    [
      'a new key beside its neighbour',
      'resumption:\n  last_checkpoint: null\n  z: 1\n',
      next('a'),
      'resumption:\n  last_checkpoint: null\n  next_step: "a"\n  z: 1\n',
    ],
    [
      'a new key with CRLF and four columns',
      '\uFEFFw: {}\r\nresumption:\r\n    last_checkpoint: null\r\n',
      next('a'),
      '\uFEFFw: {}\r\nresumption:\r\n    last_checkpoint: null\r\n    next_step: "a"\r\n',
    ],
    [
      'a new key at the end of a file without a last line end',
      'resumption:\n  updated_at: "x"',
      next('a'),
      'resumption:\n  updated_at: "x"\n  next_step: "a"',
    ],
    [
      'a new key in brackets',
      '{"resumption": {"a": "b"}}\n',
      next('c'),
      '{"resumption": {"a": "b", next_step: "c"}}\n',
    ],
    [
      'a section that is empty',
      'resumption:\nother: 1\n',
      next('a'),
      'resumption:\n  next_step: "a"\nother: 1\n',
    ],
    [
      'below recovery_state',
      'resumption:\n  recovery_state:\n    updated_at: "x"\n  z: 1\n',
      next('a'),
      'resumption:\n  recovery_state:\n    updated_at: "x"\n    next_step: "a"\n  z: 1\n',
    ],
    [
      'an alias',
      'a: &a "x"\nresumption:\n  next_step: *a\n',
      next('b'),
      'a: &a "x"\nresumption:\n  next_step: "b"\n',
    ],
    [
      'a first item in place of []',
      'resumption:\n  decisions: []   # none\n  # more\n  z: 1\n',
      decide('d'),
      'resumption:\n  decisions:\n    # none\n    - id: "RD-001"\n      at: "2026-02-17T12:00:00Z"\n      decision: "d"\n      affects_phases: [3]\n      applied: false\n  # more\n  z: 1\n',
    ],
    [
      'an item below others in another layout',
      "resumption:\n  decisions:\n  -   id: 'RD-007'\n      decision: 'c'\n  # behind\n",
      decide('d'),
      'resumption:\n  decisions:\n  -   id: \'RD-007\'\n      decision: \'c\'\n  - id: "RD-008"\n    at: "2026-02-17T12:00:00Z"\n    decision: "d"\n    affects_phases: [3]\n    applied: false\n  # behind\n',
    ],
    [
      'a score in brackets',
      'resumption:\n  quality_trajectory:\n    gates_completed: []\n    gates_remaining: ["qg-1"]\n    current_gate: "qg-1"\n    current_gate_iteration: 2\n    score_history:\n      qg-1: [0.90]  # x\n    total_iterations_used: 1\n  current_activity: "qg-1-iteration-2"\n',
      (top) => scoreGate(top, 'qg-1', { score: 0.95, iteration: 2 }).top,
      'resumption:\n  quality_trajectory:\n    gates_completed: []\n    gates_remaining: ["qg-1"]\n    current_gate: "qg-1"\n    current_gate_iteration: 2\n    score_history:\n      qg-1: [0.90, 0.95]  # x\n    total_iterations_used: 2\n  current_activity: "qg-1-iteration-2"\n',
    ],
    [
      'a new sub-section with a blank line, as the others have one',
      'resumption:\n  current_activity: "a"\n\n  files_to_read:\n    - "x/of/a/file/that/stands/rather/deep/in/the/tree/of/the/project.md"\n\n  agent_summaries:\n    a: "b"\n',
      (top) => enterGate(top, 'qg-1').top,
      'resumption:\n  current_activity: "qg-1-iteration-1"\n\n  files_to_read:\n    - "x/of/a/file/that/stands/rather/deep/in/the/tree/of/the/project.md"\n\n  quality_trajectory:\n    gates_completed: []\n    gates_remaining: ["qg-1"]\n    current_gate: "qg-1"\n    current_gate_iteration: 1\n    score_history: {}\n    lowest_dimension: null\n    total_iterations_used: 0\n\n  agent_summaries:\n    a: "b"\n',
    ],
    [
      'a new key behind the comments that belong to its neighbour',
      'resumption:\n  last_checkpoint:\n    # of the checkpoint\n\n  # of all\n',
      next('a'),
      'resumption:\n  last_checkpoint:\n    # of the checkpoint\n\n  # of all\n  next_step: "a"\n',
    ],
    [
      'a text under | at the end of a file without a last line end',
      'resumption:\n  next_step: |-\n    a',
      next('b'),
      'resumption:\n  next_step: |-\n    b',
    ],
    [
      'an empty value on a line of its own',
      'resumption:\n  updated_at:\n    # when\n    null  # unknown\n  agent_summaries: # who\n      {} # none\n  x: 1\n',
      (top) => stampSection(noteAgentDone(top, 'a', 'b'), '2026-02-17T12:00:00Z', null),
      'resumption:\n  updated_at:\n    # when\n    "2026-02-17T12:00:00Z"  # unknown\n  agent_summaries: # who\n    # none\n    a: "b"\n  x: 1\n',
    ],
    [
      'a plain time stays plain',
      'resumption:\n  next_step: a b\n  updated_at: 2026-01-06T21:00:00Z\n',
      (top) => stampSection(top, '2026-02-17T12:00:00Z', null),
      'resumption:\n  next_step: a b\n  updated_at: 2026-02-17T12:00:00Z\n',
    ],
    [
      'the document that has the section',
      'x: 1\n---\nresumption:\n  next_step: "a"\n---\ny: 2\n',
      next('b'),
      'x: 1\n---\nresumption:\n  next_step: "b"\n---\ny: 2\n',
    ],
    [
      'before an end mark',
      'resumption:\n  updated_at: "x"\n...\n',
      next('a'),
      'resumption:\n  updated_at: "x"\n  next_step: "a"\n...\n',
    ],
    [
      'a key that stands twice elsewhere stays',
      'resumption:\n  next_step: "a"\nw:\n  b: 1\n  b: 2\n',
      next('c'),
      'resumption:\n  next_step: "c"\nw:\n  b: 1\n  b: 2\n',
    ],
    [
      'brackets by a text, their comments kept',
      'resumption:\n  next_step: [a, # b\n    c] # d\n  z: {} # e\n',
      (top) => stampSection(next('n')(top), '2026-02-17T12:00:00Z', null),
      'resumption:\n  next_step:\n    # b\n    "n" # d\n  updated_at: "2026-02-17T12:00:00Z"\n  z: {} # e\n',
    ],
    [
      'an empty section, and leaves the comment at the left edge behind it there',
      'resumption:  # todo\n# end\nother: 1\n',
      next('a'),
      'resumption:\n  # todo\n  next_step: "a"\n# end\nother: 1\n',
    ],
    [
      'a section with comments of its own and others behind it, at the end of the file',
      'resumption:\n      decisions:\n       - id: "RD-001"\n         decision: \'c\'\n      # tail of the section\n\n# behind\n\n# the end\n',
      decide('d'),
      'resumption:\n      decisions:\n       - id: "RD-001"\n         decision: \'c\'\n       - id: "RD-002"\n         at: "2026-02-17T12:00:00Z"\n         decision: "d"\n         affects_phases: [3]\n         applied: false\n      # tail of the section\n\n# behind\n\n# the end\n',
    ],
    [
      'a list at the column of its key, in a section of four columns',
      'resumption: # sec\n    current_phase:   1   # cp\n    decisions:\n    - id: RD-001\n      decision: a\n# after\nother: 1\n',
      decide('d'),
      'resumption: # sec\n    current_phase:   1   # cp\n    decisions:\n    - id: RD-001\n      decision: a\n    - id: "RD-002"\n      at: "2026-02-17T12:00:00Z"\n      decision: "d"\n      affects_phases: [3]\n      applied: false\n# after\nother: 1\n',
    ],
    [
      'a list two columns right of its key, in a section of four columns',
      'resumption: # sec\n    current_phase:   1   # cp\n    decisions:\n      - id: RD-001\n        decision: a\n# after\nother: 1\n',
      decide('d'),
      'resumption: # sec\n    current_phase:   1   # cp\n    decisions:\n      - id: RD-001\n        decision: a\n      - id: "RD-002"\n        at: "2026-02-17T12:00:00Z"\n        decision: "d"\n        affects_phases: [3]\n        applied: false\n# after\nother: 1\n',
    ],
    [
      'a list many columns right of its key, and no blanks beside other values',
      '# head\nresumption:\n  a:  1  # one\n\n  # of them\n  decisions:\n       - id: "RD-001"\n         decision: \'c\'   # why\n# behind\nother:   {x: 1}\n',
      decide('d'),
      '# head\nresumption:\n  a:  1  # one\n\n  # of them\n  decisions:\n       - id: "RD-001"\n         decision: \'c\'   # why\n       - id: "RD-002"\n         at: "2026-02-17T12:00:00Z"\n         decision: "d"\n         affects_phases: [3]\n         applied: false\n# behind\nother:   {x: 1}\n',
    ],
    [
      'a list in brackets with a comment on each line',
      'resumption:\n  decisions: [\n    {id: RD-001, decision: a},  # one\n    {id: RD-002, decision: b},  # two\n  ]\n  z: 1\n',
      decide('d'),
      'resumption:\n  decisions: [\n    {id: RD-001, decision: a},  # one\n    {id: RD-002, decision: b},  # two\n    {id: "RD-003", at: "2026-02-17T12:00:00Z", decision: "d", affects_phases: [3], applied: false}\n  ]\n  z: 1\n',
    ],
    [
      'a list in brackets with a comment on each line and one below',
      'resumption:\n  quality_trajectory:\n    gates_remaining: [\n      qg-1,  # one\n      qg-2,  # two\n      # more\n    ]\n',
      (top) => enterGate(top, 'qg-3').top,
      'resumption:\n  quality_trajectory:\n    gates_remaining: [\n      qg-1,  # one\n      qg-2,  # two\n      # more\n      "qg-3"\n    ]\n    current_gate: "qg-3"\n    current_gate_iteration: 1\n    gates_completed: []\n  current_activity: "qg-3-iteration-1"\n',
    ],
    [
      'a list in brackets that is empty, its comment kept beside it',
      'resumption:\n  quality_trajectory:\n    gates_remaining: []   # c\n    current_gate: null\n    current_gate_iteration: 0\n    gates_completed: []\n  current_activity: a\n',
      (top) => enterGate(top, 'qg-1').top,
      'resumption:\n  quality_trajectory:\n    gates_remaining: ["qg-1"]   # c\n    current_gate: "qg-1"\n    current_gate_iteration: 1\n    gates_completed: []\n  current_activity: qg-1-iteration-1\n',
    ],
    [
      'what stands beside numbers, and leaves these as they are written',
      'resumption:\n  a: 0x1F\n  b: 1e3\n  c: +1\n  decisions: []\n  z: 0x1F\n',
      decide('d'),
      'resumption:\n  a: 0x1F\n  b: 1e3\n  c: +1\n  decisions:\n    - id: "RD-001"\n      at: "2026-02-17T12:00:00Z"\n      decision: "d"\n      affects_phases: [3]\n      applied: false\n  z: 0x1F\n',
    ],
  ];
  test.each(edits)('changes %s', (_, before, by, after) => {
    expect(change(before, by)).toBe(after);
    expect(change(after, by)).toBe(after);
  });
});
