// Tests that two versions of an entry become one field by field, and that nothing that a person wrote is lost.
import { expect, test } from 'vitest';
import { compacted, entryFile, type Files, LOG, log, planned } from '../../../test/unit/tracks/workspace.ts';

const AT = '- 2026-11-28T10:00:00Z Edit a: ok';
const LATER = '- 2026-11-28T12:00:00Z Edit a: ok';

/** The first entry of a log, its file, and both versions of it as git leaves them where nothing is in common. */
function twoVersions(
  lines: readonly string[],
  words: string,
  change: (text: string, again: Files) => [ours: string, theirs: string],
  more: readonly string[] = [],
): { text: string; notes: string[] } {
  const first = compacted({ [LOG]: log(AT, ...lines) });
  const path = entryFile(first, words);
  const again = compacted({ ...first, [LOG]: `${first[LOG]}${[LATER, ...more].join('\n')}\n` });
  const [ours, theirs] = change(first[path] ?? '', { ...again, said: again[path] ?? '' });
  const outcomes = [
    [ours, theirs],
    [theirs, ours],
  ].map(([a, b]) => {
    const files = { ...first, [LOG]: '', [path]: `<<<<<<< HEAD\n${a}=======\n${b}>>>>>>> other\n` };
    const after = compacted(files);
    expect(planned(after).changes).toEqual([]);
    return { text: after[path] ?? '', notes: planned(files).notes };
  });
  // Either order of the merge gives the same bytes.
  expect(outcomes[1]).toEqual(outcomes[0]);
  return outcomes[0] as { text: string; notes: string[] };
}

const RISK = ['- Risk: full', '  - Severity: low'];
const TASK = ['- [ ] Task: read', '  - Acceptance: BOM'];

test('fields that one side has and words of both sides stay, and nothing is told', () => {
  const { text, notes } = twoVersions(RISK, 'full', (base) => [
    `${base}  - Mitigation: say so\n\nWords of Anna\n`,
    `${base}\nWords of Bob\n`,
  ]);
  const body = text.slice(text.indexOf('\n---\n') + 5).split('\n');
  expect(body.slice(0, 3)).toEqual(['', '- Risk: full', '  - Mitigation: say so']);
  expect(body.slice(3).sort()).toEqual(['', '', '', 'Words of Anna', 'Words of Bob']);
  expect(notes).toEqual([]);
});

test('words that both sides have stand once', () => {
  const { text } = twoVersions(TASK, 'read', (base) => [
    `${base}\nFirst words\nof Anna\n\nEnd\n`,
    `${base}\nFirst words\n\nEnd\n`,
  ]);
  expect(text).toMatch(/BOM\n\nFirst words\nof Anna\n\nEnd\n$/);
});

test('words between two places where the sides differ stand once', () => {
  const { text } = twoVersions(TASK, 'read', (base) => [
    `${base}\nOne of Anna\n\nThe middle\nof both\n\nTwo of Anna\n`,
    `${base}\nOne of Bob\n\nThe middle\nof both\n\nTwo of Bob\n`,
  ]);
  expect(text.match(/The middle/g)).toHaveLength(1);
  expect(text.match(/(?:One|Two) of (?:Anna|Bob)/g)?.sort()).toEqual([
    'One of Anna',
    'One of Bob',
    'Two of Anna',
    'Two of Bob',
  ]);
  expect(text).toMatch(/One of[\s\S]*The middle\nof both\n[\s\S]*Two of/);
});

test('a status that a person set stands before one that was noted later, and is told', () => {
  const { text, notes } = twoVersions(
    TASK,
    'read',
    (base, { said = '' }) => [base.replace('status: todo', 'status: done'), said],
    ['- [~] Task: read'],
  );
  expect(text).toMatch(/\nchanged: 2026-11-28T12:00:00Z\nstatus: done\n/);
  expect(notes).toEqual([
    expect.stringMatching(
      /task-\w+\.md: two branches set its status\. "done", which was set in its file, stands, and not "doing"$/,
    ),
  ]);
});

test('an entry that a person dropped stays dropped', () => {
  const { text } = twoVersions(
    TASK,
    'read',
    (base, { said = '' }) => [base.replace('status: todo', 'status: dropped'), said],
    ['- [~] Task: read'],
  );
  expect(text).toContain('\nstatus: dropped\n');
});

test('of two statuses that were noted the later one stands, and is told', () => {
  const { text, notes } = twoVersions(TASK, 'read', (base, { said = '' }) => [base, said], [
    '- [~] Task: read',
  ]);
  expect(text).toContain('\nstatus: doing\n');
  expect(notes).toEqual([expect.stringContaining('"doing", which was said later, stands, and not "todo"')]);
});

test('a text that a person corrected stands before the first one', () => {
  const { text } = twoVersions(
    TASK,
    'read',
    (base, { said = '' }) => [base.replace('Task: read', 'Task: read all'), said],
    ['- [~] Task: read'],
  );
  expect(text).toContain('\nstatus: doing\n');
  expect(text).toContain('\n- Task: read all\n');
});

test('words of a field that yield stand below the entry', () => {
  // Without its digest a version does not say what of it was noted.
  const { text, notes } = twoVersions(RISK, 'full', (base) => [
    `${base.replace(/said: .*/, 'said: x')}  - Mitigation: one\n`,
    `${base.replace('status:', 'changed: 2026-11-28T12:00:00Z\nstatus:')}  - Mitigation: two\n`,
  ]);
  expect(text).toMatch(/ {2}- Mitigation: two\n\nThe mitigation of the other branch: one\n$/);
  expect(notes).toEqual([expect.stringContaining('"two", which was said later, stands, and not "one"')]);
});

test('what must be accepted is kept of both sides', () => {
  const { text } = twoVersions(TASK, 'read', (base) => [
    `${base}  - Acceptance: CRLF\n`,
    `${base}  - Acceptance: empty file\n`,
  ]);
  expect(text.match(/Acceptance: .*/g)?.sort()).toEqual([
    'Acceptance: BOM',
    'Acceptance: CRLF',
    'Acceptance: empty file',
  ]);
});
