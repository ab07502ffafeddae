// Tests what becomes of entries that somebody wrote in the same words.
import { describe, expect, test } from 'vitest';
import {
  compacted,
  DECISIONS,
  type Files,
  INVARIANTS,
  LOG,
  log,
  PLAN,
  planned,
  RISKS,
  SPEC,
} from '../../../test/unit/tracks/workspace.ts';
import { findBlocks } from './entries/blocks.ts';

const blockOf = (files: Files, path = PLAN): string =>
  findBlocks(path, files[path] ?? '')
    .blocks.map(({ text }) => text)
    .join('');
const entries = (files: Files, path = PLAN): string[] =>
  blockOf(files, path)
    .split('\n')
    .filter((line) => /^- |Acceptance|Severity/.test(line));
/** Once more: nothing changes. */
function settled(files: Files): Files {
  const after = compacted(files);
  expect(planned(after).changes).toEqual([]);
  return after;
}

/** With another list above the block. */
function relisted(text: string, files: Files): Files {
  const block = /<!-- plimsoll:plan -->[\s\S]*/.exec(files[PLAN] ?? '')?.[0] ?? '';
  return settled({ ...files, [PLAN]: `${text}\n${block}` });
}

const TWO = `# Plan

## Phase 1

- [ ] Task: Write tests
  - Acceptance: of reading

## Phase 2

- [ ] Task: Write tests
  - Acceptance: of writing
`;

describe('in one document they are two', () => {
  test('tasks of two phases, each with what it must do to be accepted', () => {
    expect(entries(settled({ [PLAN]: TWO }))).toEqual([
      '- [ ] Task: [T-001] Write tests',
      '  - Acceptance: of reading',
      '- [ ] Task: [T-002] Write tests',
      '  - Acceptance: of writing',
    ]);
  });

  test('tasks that are the same in everything', () => {
    const same = TWO.replaceAll(/ {2}- Acc.*\n/g, '');
    expect(entries(settled({ [PLAN]: same }))).toEqual([
      '- [ ] Task: [T-001] Write tests',
      '- [ ] Task: [T-002] Write tests',
    ]);
  });

  test('one with an id and one without', () => {
    const text = '- [x] Task: [T-7] Write tests\n- [ ] Task: Write tests\n';
    expect(entries(settled({ [PLAN]: text }))).toEqual([
      '- [x] Task: [T-7] Write tests',
      '- [ ] Task: [T-008] Write tests',
    ]);
  });

  test('one whose id belongs to an entry that is called otherwise elsewhere', () => {
    const files = settled({
      [SPEC]:
        '- Risk: b\n  - Severity: low\n- Risk: [R-x] a\n  - Severity: low\n  - At: 2026-10-24T00:00:00Z\n',
      [DECISIONS]: '- Risk: [R-x] b\n  - Severity: low\n',
    });
    expect(entries(files, RISKS).filter((line) => line.includes('Risk'))).toEqual([
      '- Risk: [R-x] a',
      '- Risk: [R-001] b',
    ]);
  });

  test('one whose id is given by another document, and by another item', () => {
    const files = settled({
      [SPEC]: '- [ ] Task: [T-1] a\n  - At: 2026-10-24T00:00:00Z\n',
      [PLAN]: '- [ ] Task: a\n- [x] Task: [T-1] a\n  - At: 2026-10-24T01:00:00Z\n',
    });
    expect(entries(files)).toEqual(['- [ ] Task: [T-002] a', '- [x] Task: [T-1] a']);
  });

  test('risks', () => {
    const text = '- Risk: Full\n  - Severity: high\n- Risk: Full\n  - Severity: low\n';
    expect(entries(settled({ [RISKS]: text }), RISKS)).toEqual([
      '- Risk: [R-001] Full',
      '  - Severity: high',
      '- Risk: [R-002] Full',
      '  - Severity: low',
    ]);
  });

  test('also where an earlier compaction took them for one', () => {
    const one = compacted({ [PLAN]: TWO.replace(/\n## Phase 2[\s\S]*/, '') });
    const [, block = ''] = /(\n<!-- plimsoll:plan -->[\s\S]*)/.exec(one[PLAN] ?? '') ?? [];
    const after = settled({ ...one, [PLAN]: `${TWO.replaceAll('writing', 'reading')}${block}` });
    expect(entries(after).filter((line) => line.includes('Task'))).toEqual([
      '- [ ] Task: [T-001] Write tests',
      '- [ ] Task: [T-002] Write tests',
    ]);
  });
});

describe('each goes its own way', () => {
  const first = compacted({ [PLAN]: TWO });
  const edited = (from: string | RegExp, to: string): Files => ({
    ...first,
    [PLAN]: (first[PLAN] ?? '').replace(from, to),
  });
  const states = (files: Files): string[] =>
    entries(files).flatMap((line) => /^- \[(.)\] Task: (\[T-\d+\])/.exec(line)?.slice(1).join(' ') ?? []);

  test.each([
    ['the first', 'of reading', ['x [T-001]', '  [T-002]']],
    ['the second', 'of writing', ['  [T-001]', 'x [T-002]']],
  ])('%s is ticked', (_, which, expected) => {
    const ticked = edited(new RegExp(`\\[ \\]( Task: Write tests\\n {2}- Acceptance: ${which})`), '[x]$1');
    expect(states(settled(ticked))).toEqual(expected);
  });

  test('one is struck from the block, and stays out', () => {
    const struck = edited(/- \[ \] Task: \[T-002\][\s\S]*?-->\n/, '');
    expect(states(settled(struck))).toEqual(['  [T-001]']);
  });

  test('one is as it was at first while another one is as it was meanwhile', () => {
    const once = compacted({ [PLAN]: '- [ ] Task: a\n' });
    const ticked = relisted('- [x] Task: a\n', once);
    expect(states(relisted('- [ ] Task: a\n- [x] Task: a\n', ticked))).toEqual(['  [T-001]', 'x [T-002]']);
  });

  test('a third one comes, also as one of them was once', () => {
    const same = compacted({ [PLAN]: '- [ ] Task: a\n- [ ] Task: a\n' });
    const ticked = relisted('- [ ] Task: a\n- [x] Task: a\n', same);
    const back = relisted('- [ ] Task: a\n- [ ] Task: a\n', ticked);
    expect(states(back)).toEqual(['  [T-001]', '  [T-002]']);
    const third = relisted('- [ ] Task: a\n- [ ] Task: a\n- [x] Task: a\n', back);
    expect(states(third).sort()).toEqual(['  [T-001]', '  [T-002]', 'x [T-003]']);
  });
});

describe('they are one', () => {
  test('in two documents, and in a log, where the later word counts', () => {
    const files = settled({
      [SPEC]: '- [ ] Task: a\n',
      [PLAN]: '- [ ] Task: a\n',
      [LOG]: log('- 2026-11-28T10:00:00Z Edit a: ok', '- [~] Task: a', '- [x] Task: a'),
    });
    expect(entries(files)).toEqual(['- [x] Task: [T-001] a']);
  });

  test('invariants, which have nothing but their words', () => {
    const files = settled({ [SPEC]: '- Invariant: a\n- Invariant: a\n' });
    expect(entries(files, INVARIANTS)).toEqual(['- Invariant: [I-001] a']);
  });

  test('decisions that are the same in everything, their time too; else they are two', () => {
    const decision = (hour: string): string =>
      `- Decision: a\n  - Reason: r\n  - Impact: i\n  - At: 2026-11-28T${hour}:00:00Z\n`;
    const text = [decision('10'), decision('10'), decision('11')].join('');
    expect(entries(settled({ [DECISIONS]: text }), DECISIONS)).toEqual([
      '- Decision: [D-001] a',
      '- Decision: [D-002] a',
    ]);
  });
});
