// Tests that compaction is deterministic on any project, ends, changes nothing of others and loses nothing.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findBlocks } from '../../../src/addons/tracks/entries/blocks.ts';
import { parseEntries } from '../../../src/addons/tracks/entries/read-entries.ts';
import { planCompaction } from '../../../src/addons/tracks/plan-compaction.ts';
import { runs } from '../../kit/effort.ts';
import { change, project } from './projects.ts';
import { changed, compacted, DECISIONS, type Files, PLAN, planned, sha256 } from './workspace.ts';

const RUNS = { numRuns: runs(500) };
const FEWER = { numRuns: runs(200) };
const coreWrites = fc.boolean();

/** The decisions as they stand in the block. */
const decisionsIn = (files: Files): string =>
  findBlocks(DECISIONS, files[DECISIONS] ?? '').blocks.find((each) => each.name === 'decisions')?.text ?? '';

/** A text without our blocks, marks and all, and without what was put before and behind a new one. */
function foreignIn(path: string, text: string): string {
  const [block] = findBlocks(path, text).blocks.toReversed();
  if (block === undefined) return text;
  const open = text.lastIndexOf('<!--', block.from - 1);
  const close = text.indexOf('-->', block.to) + 3;
  return foreignIn(path, `${text.slice(0, open)}${text.slice(close)}`);
}

test('the order of files has no say', () => {
  fc.assert(
    fc.property(project, coreWrites, fc.infiniteStream(fc.nat(1000)), (files, core, random) => {
      const all = Object.entries(files).map(([path, text]) => ({ path, text }));
      const shuffled = all
        .map((file) => ({ file, at: random.next().value as number }))
        .sort((a, b) => a.at - b.at)
        .map(({ file }) => file);
      const given = {
        track: 'cache',
        transient: Object.keys(files),
        session: null,
        coreWrites: core,
        hash: sha256,
      };
      expect(
        planCompaction({ ...given, files: shuffled, transient: [...given.transient].reverse() }),
      ).toEqual(planCompaction({ ...given, files: all }));
    }),
    RUNS,
  );
});

test('compacting again changes nothing, also after more was said, boxes were ticked, and lines moved', () => {
  fc.assert(
    fc.property(project, fc.array(change, { maxLength: 3 }), coreWrites, (files, changes, core) => {
      let now = files;
      for (const next of [(same: Files) => same, ...changes]) {
        const plan = planned(next(now), { coreWrites: core });
        expect(plan.violations).toEqual([]);
        now = changed(next(now), plan);
        expect(planned(now, { coreWrites: core }).changes).toEqual([]);
      }
    }),
    RUNS,
  );
});

/** A list of tasks as somebody writes it, often in the same words; with ids here and there. */
const list = fc
  .array(
    fc.record({
      box: fc.constantFrom(' ', '~', 'x'),
      id: fc.constantFrom('', '', '', '[T-1] '),
      text: fc.constantFrom('a', 'a', 'b'),
      acceptance: fc.constantFrom('', '', '  - Acceptance: c\n', '  - Acceptance: d\n'),
    }),
    { maxLength: 5 },
  )
  .map((items) =>
    items.map(({ box, id, text, acceptance }) => `- [${box}] Task: ${id}${text}\n${acceptance}`),
  );

const readTasks = (text: string): string[] =>
  parseEntries(PLAN, text).entries.flatMap((each) =>
    each.kind === 'task' ? [[each.text, each.state, ...each.acceptance].join(', ')] : [],
  );

test('what somebody wrote twice stays two: every item of a list has an entry of its own, however the list changes', () => {
  fc.assert(
    fc.property(fc.array(list, { minLength: 1, maxLength: 4 }), (lists) => {
      let block = '';
      for (const items of lists) {
        const after = compacted({ [PLAN]: `${items.join('')}\n${block}` });
        expect(planned(after).changes).toEqual([]);
        block = /<!-- plimsoll:plan -->[\s\S]*/.exec(after[PLAN] ?? '')?.[0] ?? '';
        const found = readTasks(block);
        const own = readTasks(items.filter((each) => !each.includes('[T-1]')).join(''));
        for (const item of own.sort((a, b) => b.length - a.length)) {
          // What must be accepted stays where an item says nothing of it any more.
          const at = Math.max(
            found.indexOf(item),
            found.includes(item) ? -1 : found.findIndex((each) => each.startsWith(`${item}, `)),
          );
          expect([item, at >= 0]).toEqual([item, true]);
          found.splice(at, 1);
        }
      }
    }),
    RUNS,
  );
});

test('no byte of others changes', () => {
  fc.assert(
    fc.property(project, change, (files, next) => {
      const after = compacted(files);
      for (const [path, text] of Object.entries(files)) {
        // What stood there, and behind it nothing but a line end that it lacked, an empty line, and our block.
        expect(after[path]?.startsWith(text)).toBe(true);
        expect(foreignIn(path, after[path] ?? '').slice(text.length)).toMatch(/^(?:\r?\n)*$/);
      }
      const more = next(after);
      const later = compacted(more);
      for (const [path, text] of Object.entries(more))
        if (path.startsWith('docs/'))
          expect(foreignIn(path, later[path] ?? '').startsWith(foreignIn(path, text))).toBe(true);
    }),
    FEWER,
  );
});

test('decisions are appended: what stands in the block stays, also when somebody has edited it', () => {
  const edit = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text.replace('Reason: ', 'Reason: in other words, '),
    (text) => text.replace(/ <!-- from .*/, ''),
    (text) => text.replace(/^- Decision:/m, 'A line of somebody.\n- Decision:'),
  );
  fc.assert(
    fc.property(project, change, edit, (files, next, by) => {
      const first = next(compacted(files));
      const block = decisionsIn(first);
      const edited =
        block === ''
          ? first
          : { ...first, [DECISIONS]: (first[DECISIONS] ?? '').replace(block, () => by(block)) };
      expect(decisionsIn(compacted(edited)).startsWith(decisionsIn(edited))).toBe(true);
    }),
    FEWER,
  );
});

test('every entry of a block has an id of its own, and evidence that names its very line', () => {
  fc.assert(
    fc.property(project, change, (files, next) => {
      const after = compacted(next(compacted(files)));
      const plan =
        findBlocks(PLAN, after[PLAN] ?? '').blocks.find((each) => each.name === 'plan')?.text ?? '';
      const ids = plan.match(/(?<=Task: \[)T-\w+/g) ?? [];
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBe((plan.match(/^\s*- \[.\] Task:/gm) ?? []).length);
      for (const [, file = '', line] of plan.matchAll(/<!-- from (\S+):(\d+) #/g)) {
        const source = after[file]?.split('\n')[Number(line) - 1] ?? '';
        // What was said earlier in the plan may have been edited since.
        if (file.endsWith('work_log.md')) expect(source).toMatch(/^\s*- .*Task: /);
      }
    }),
    FEWER,
  );
});
