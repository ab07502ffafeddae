// Tests what becomes of an entry: said again, changed, dropped, deleted, edited in the block, merged by git.
import { describe, expect, test } from 'vitest';
import {
  blockIn,
  compacted,
  DECISIONS,
  entryFile,
  type Files,
  INVARIANTS,
  LOG,
  log,
  PLAN,
  planned,
  RISKS,
  unnamed,
} from '../../../test/unit/tracks/workspace.ts';

const AT = '- 2026-11-28T10:00:00Z Edit a: ok';
const LATER = '- 2026-11-28T12:00:00Z Edit a: ok';
const first = compacted({ [LOG]: log(AT, '- [ ] Task: read', '  - Acceptance: BOM') });
const said = (...lines: string[]): Files => ({ ...first, [LOG]: `${first[LOG]}${lines.join('\n')}\n` });
const tasks = (files: Files): string[] =>
  unnamed(blockIn(files))
    .split('\n')
    .filter((line) => /Task|Acceptance/.test(line));
/** Once more: nothing changes. */
function settled(files: Files): Files {
  const after = compacted(files);
  expect(planned(after).changes).toEqual([]);
  return after;
}
const edited = (files: Files, path: string, from: string | RegExp, to: string): Files => ({
  ...files,
  [path]: (files[path] ?? '').replace(from, to),
});

describe('a task is brought up to date', () => {
  test('by its id, with a new text; what must be accepted stays, and so does its file', () => {
    const id = /T-[0-9a-f]{10}/.exec(first[PLAN] ?? '')?.[0];
    const after = settled(said(LATER, `- [x] Task: [${id}] read all`));
    expect(tasks(after)).toEqual(['- [x] Task: [T-#] read all', '  - Acceptance: BOM']);
    expect(entryFile(after, 'read all')).toBe(entryFile(first, 'read'));
  });
  test('by its words', () => {
    expect(tasks(settled(said('- [x] Task: read', '  - Acceptance: CRLF')))).toEqual([
      '- [x] Task: [T-#] read',
      '  - Acceptance: CRLF',
    ]);
  });
  test('an id that is given is another task', () => {
    expect(tasks(settled(said('- [ ] Task: [T-007] read', '- [ ] Task: write'))).sort()).toEqual([
      '  - Acceptance: BOM',
      '- [ ] Task: [T-#] read',
      '- [ ] Task: [T-#] write',
      '- [ ] Task: [T-007] read',
    ]);
  });
  test('a status that was set in its file stays until something new is said, and its words stay', () => {
    const path = entryFile(first, 'read');
    const ticked = edited(first, path, 'status: todo', 'status: done');
    const noted = settled({ ...ticked, [path]: `${ticked[path]}\nWords of somebody.\n` });
    expect(tasks(noted)[0]).toBe('- [x] Task: [T-#] read');
    const later = settled({ ...noted, [LOG]: `${first[LOG]}- [!] Task: read\n` });
    expect(tasks(later)[0]).toBe('- [!] Task: [T-#] read');
    expect(later[path]).toMatch(/- Task: read\n {2}- Acceptance: BOM\n\nWords of somebody\.\n$/);
  });
  test('an older word changes nothing of it', () => {
    const done = compacted(said(LATER, '- [x] Task: read'));
    const other = {
      'artifacts/sessions/s-0/work_log.md': log('- 2026-11-28T11:00:00Z Edit a: ok', '- [!] Task: read'),
    };
    expect(tasks(settled({ ...done, ...other }))[0]).toBe('- [x] Task: [T-#] read');
  });
});

test('a risk that is said again keeps its mitigation, and takes severity and status', () => {
  const known = compacted({
    [LOG]: log(AT, '- Risk: [R-1] full', '  - Severity: low', '  - Mitigation: say so'),
  });
  const again = {
    ...known,
    [LOG]: `${known[LOG]}- Risk: [R-1] full\n  - Severity: high\n  - Status: mitigated\n`,
  };
  expect(settled(again)[RISKS]).toContain(
    '- Risk: [R-1] full\n  - Severity: high\n  - Mitigation: say so\n  - Status: mitigated\n',
  );
});

const decision = (text: string, at: string): string[] => [
  `- Decision: ${text}`,
  '  - Reason: r',
  '  - Impact: i',
  `  - At: ${at}`,
];

describe('a decision', () => {
  const files = compacted({
    [LOG]: log(...decision('late', '2026-11-28T12:00:00Z'), ...decision('early', '2026-11-28T09:00:00Z')),
  });
  const names = (from: Files): (string | undefined)[] =>
    [...blockIn(from, DECISIONS).matchAll(/Decision: \S+ (.*)/g)].map(([, name]) => name);

  test('stands by its time, wherever it was said', () => {
    const more = log(...decision('first of all', '2026-11-28T08:00:00Z'));
    const later = settled({ ...files, 'artifacts/sessions/s-0/work_log.md': more });
    expect(names(later)).toEqual(['first of all', 'early', 'late']);
    expect(later[entryFile(files, 'early')]).toBe(files[entryFile(files, 'early')]);
  });
  test('that two sessions noted in the same words stands once', () => {
    const again = log(...decision('late', '2026-11-28T13:00:00Z'));
    const after = settled({ ...files, 'artifacts/sessions/s-2/work_log.md': again });
    expect(after[entryFile(files, 'late')]).toBe(files[entryFile(files, 'late')]);
    expect(names(after)).toEqual(['early', 'late']);
  });
  test('stays: its file cannot drop it', () => {
    const path = entryFile(files, 'early');
    const { violations } = planned(edited(files, path, 'session:', 'status: dropped\nsession:'));
    expect(violations).toEqual([
      { file: path, line: 5, found: 'status "dropped"', expected: 'no status: a decision stays' },
    ]);
  });
  test('that is made anew under its id is another one', () => {
    const both = log(
      ...decision('[D-1] a', '2026-11-28T09:00:00Z'),
      ...decision('[D-1] b', '2026-11-28T10:00:00Z'),
    );
    expect(names(settled({ [LOG]: both }))).toEqual(['a', 'b']);
  });
});

describe('an entry that somebody takes out', () => {
  const files = compacted({
    [LOG]: log(AT, '- [ ] Task: One', '- Risk: Full', '  - Severity: low', '- Invariant: Never block'),
  });
  const dropped = ['One', 'Full', 'Never block'].reduce((all, words) => {
    const path = entryFile(all, words);
    return edited(
      all,
      path,
      /status: .*|(?=session:)/,
      words === 'Never block' ? 'status: dropped\n' : 'status: dropped',
    );
  }, files);

  test('by its status stays out of the blocks, in every clone, and its file stays', () => {
    const after = settled(dropped);
    for (const path of [PLAN, RISKS, INVARIANTS]) expect([path, blockIn(after, path)]).toEqual([path, '']);
    const { [LOG]: _, ...clone } = after;
    expect(planned(clone).changes).toEqual([]);
    expect(entryFile(after, 'One')).toBe(entryFile(files, 'One'));
  });
  test('comes back when it is said anew', () => {
    const again = settled({ ...settled(dropped), [LOG]: `${files[LOG]}${LATER}\n- [x] Task: One\n` });
    expect(tasks(again)).toEqual(['- [x] Task: [T-#] One']);
  });
  test('by removing its file comes back only while a work log of this machine says it', () => {
    const { [entryFile(files, 'One')]: __, ...removed } = files;
    expect(settled(removed)).toEqual(files);
    const { [LOG]: _, ...clone } = removed;
    expect(blockIn(settled(clone))).toBe('');
  });
});

describe('what somebody writes into a block', () => {
  const block = blockIn(first);
  const moved = /<!-- plimsoll: moved out [^>]*-->\n~~~\n([\s\S]*?)\n~~~\n/;

  test('stands below it, is told, and is no entry', () => {
    const written = edited(
      first,
      PLAN,
      block,
      `${block.replace('[ ]', '[x]')}- [ ] Task: mine\n  - Acceptance: a\n\nProse.\n`,
    );
    const plan = planned(written);
    expect(plan.notes).toEqual([
      expect.stringMatching(
        /^docs\/tracks\/cache\/PLAN\.md: its block is generated, and was edited\. What was written into it stands below it now: /,
      ),
    ]);
    const after = settled(written);
    expect(blockIn(after)).toBe(block);
    expect(moved.exec(after[PLAN] ?? '')?.[1]).toBe(
      `${block.replace('[ ]', '[x]')}- [ ] Task: mine\n  - Acceptance: a\nProse.`,
    );
    expect(Object.keys(after)).toEqual(Object.keys(first));
  });
  test('is told where something was taken out of it, and the block is as the entries have it', () => {
    const written = edited(first, PLAN, block, '');
    // An empty block is one that waits for its entries.
    expect(settled(written)).toEqual(first);
    const less = edited(first, PLAN, /.*Acceptance.*\n/, '');
    expect(planned(less).notes).toHaveLength(1);
    expect(blockIn(settled(less))).toBe(block);
  });
  test('stays whole though it holds a code block and marks', () => {
    const text = '~~~~\n<!-- /plimsoll:plan -->\n~~~~\n';
    const after = settled(edited(first, PLAN, block, `${block}${text}`));
    expect(after[PLAN]).toContain(`~~~~~\n${text}~~~~~\n`);
  });
  test('and what is said meanwhile is no edit', () => {
    const after = settled(said(LATER, '- [x] Task: read'));
    expect(after[PLAN]).not.toContain('moved out');
  });
});

/** A text as git leaves it where two versions of lines meet. */
const conflict = (before: string, ours: string, theirs: string, behind: string): string =>
  `${before}<<<<<<< HEAD\n${ours}=======\n${theirs}>>>>>>> other\n${behind}`;

describe('where git could not merge', () => {
  const theirs = compacted({ ...first, [LOG]: log(AT, '- [ ] Task: write') });

  test('a block is generated anew, and nobody is asked', () => {
    const [head = '', ours = ''] = (first[PLAN] ?? '').split(/(?=<!-- plimsoll:entries)/);
    const other = (theirs[PLAN] ?? '').slice(head.length);
    const merged = { ...first, ...theirs, [PLAN]: conflict(head, ours, other, '') };
    expect(settled(merged)[PLAN]).toBe(theirs[PLAN]);
    expect(planned(merged).notes).toEqual([]);
  });
  test('words of somebody are left to them', () => {
    const text = conflict('# Plan\n', 'one\n', 'two\n', '');
    const { violations, changes } = planned({ ...first, [PLAN]: text });
    expect([violations, changes]).toEqual([
      [{ file: PLAN, line: 2, found: 'a merge conflict', expected: expect.any(String) }],
      [],
    ]);
  });
  test('an entry is as it was first noted and last changed, whichever side it comes from', () => {
    const path = entryFile(first, 'read');
    const one = first[path] ?? '';
    const two = one
      .replace('date: 2026-11-28T10', 'date: 2026-11-28T09')
      .replace('status: todo', 'changed: 2026-11-28T13:00:00Z\nstatus: done')
      .replace('s-1\n', 's-0\n');
    const whole = (a: string, b: string): string | undefined =>
      settled({ ...first, [LOG]: '', [path]: conflict('', a, b, '') })[path];
    expect(whole(one, two)).toBe(whole(two, one));
    // Also where neither was changed later than the other.
    const other = one.replace('status: todo', 'status: blocked');
    expect(whole(one, other)).toBe(whole(other, one));
    expect(whole(one, two)).toMatch(
      /date: 2026-11-28T09[\s\S]*changed: 2026-11-28T13[\s\S]*status: done\nsession: s-0\n/,
    );
  });
  test('latest.json is written anew', () => {
    const path = 'artifacts/checkpoints/cache/latest.json';
    expect(compacted({ ...first, [path]: conflict('', '{}\n', '{"a":1}\n', '') })[path]).toBe(first[path]);
  });
});

describe('an entry that its file does not say as the schema has it refuses everything', () => {
  const path = entryFile(first, 'read');
  test.each<[string, string | RegExp, string, number, string]>([
    ['no front matter', '---\n', '', 1, 'no front matter'],
    ['another kind', 'kind: task', 'kind: risk', 2, 'kind "risk"'],
    ['an id of another kind', 'id: T-', 'id: R-', 3, 'id "R-'],
    ['a status that there is not', 'status: todo', 'status: later', 5, 'status "later"'],
    ['a key that there is not', 'status: todo', 'state: todo', 5, '"state: todo"'],
    ['a date that is none', /date: .*/, 'date: yesterday', 4, 'At "yesterday"'],
    ['no text', /- Task[\s\S]*/, '', 11, 'no entry as the front matter says it'],
    ['two entries', '- Task: read', '- Task: one\n- Task: read', 12, 'a second entry'],
    ['a field twice', '- Task: read', '- Task: read\n  - State: done', 5, 'a second "State"'],
    ['an entry of another track', '- Task: read', '- Task: read\n  - Track: net', 11, 'no entry as'],
  ])('%s', (_, from, to, line, found) => {
    const { violations, changes } = planned(edited(first, path, from, to));
    expect([violations[0]?.file, violations[0]?.line, changes]).toEqual([path, line, []]);
    expect(violations[0]?.found).toContain(found);
  });

  test('but one of another track keeps nobody from working, and its invariants hold here too', () => {
    const other = (name: string): string => `docs/tracks/net/entries/invariant-${name}.md`;
    const text = '---\nkind: invariant\nid: I-1\n---\n\n- Invariant: One writer\n';
    const files = { ...first, [other('0123456789')]: text, [other('0123456780')]: 'odd\n' };
    expect(blockIn(settled(files), INVARIANTS)).toBe('- Invariant: [I-1] One writer\n');
    expect(planned(files).notes).toEqual([
      expect.stringMatching(/invariant-0123456780\.md:1 is left aside: no front matter/),
    ]);
  });
  test('an invariant that one track dropped is dropped in all', () => {
    const text = (more: string): string =>
      `---\nkind: invariant\nid: I-1\n${more}---\n\n- Invariant: One writer\n`;
    const path = (track: string): string => `docs/tracks/${track}/entries/invariant-0123456789.md`;
    const files = { [path('cache')]: text(''), [path('net')]: text('status: dropped\n') };
    expect(blockIn(settled(files), INVARIANTS)).toBe('');
  });
  test('one that a power cut left empty is written again', () => {
    expect(settled({ ...first, [path]: '' })).toEqual(first);
  });
  test('two of one id are told of', () => {
    const files = settled({ [LOG]: log(AT, '- [ ] Task: [T-1] a', '- [ ] Task: b') });
    const twice = edited(files, entryFile(files, 'b'), /id: .*/, 'id: T-1');
    expect(planned(twice).notes).toEqual([expect.stringMatching(/^T-1 is the id of two entries: /)]);
  });
});
