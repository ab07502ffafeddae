// Tests that compaction is deterministic on any project, ends, changes nothing of others and loses nothing.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findBlock } from '../../../src/addons/tracks/entries/block.ts';
import { planCompaction } from '../../../src/addons/tracks/plan-compaction.ts';
import { runs } from '../../kit/effort.ts';
import { change, project } from './projects.ts';
import { changed, compacted, type Files, PLAN, planned, sha256 } from './workspace.ts';

const RUNS = { numRuns: runs(500) };
const FEWER = { numRuns: runs(200) };
const coreWrites = fc.boolean();

/** A text without our block, and without what was put before and behind a new one. */
function foreignIn(path: string, text: string): string {
  const { block } = findBlock(path, text);
  return block === null ? text : `${text.slice(0, block.from)}${text.slice(block.to)}`;
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

const MOVED = /(?:\r?\n){2}<!-- plimsoll: moved out [^>]*-->\r?\n~~~\r?\n[\s\S]*?\n~~~(?=\r?\n|$)/;

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
        if (path.startsWith('docs/') && !path.includes('/entries/')) {
          // What was ticked in the block stands below it now.
          const kept = (later[path] ?? '').replace(MOVED, '');
          expect(foreignIn(path, kept).startsWith(foreignIn(path, text))).toBe(true);
        }
    }),
    FEWER,
  );
});

/** Entries by path. */
const entriesIn = (files: Files): Files =>
  Object.fromEntries(Object.entries(files).filter(([path]) => path.includes('/entries/')));

test('what is done in steps, and in a clone without logs, leaves what was done: no entry goes, no decision changes', () => {
  fc.assert(
    fc.property(project, change, (files, next) => {
      const first = compacted(files);
      const later = compacted(next(first));
      for (const [path, text] of Object.entries(entriesIn(first))) {
        expect(later[path]).toBeDefined();
        if (path.includes('/decision-')) expect(later[path]).toBe(text);
      }
      const clone = Object.fromEntries(
        Object.entries(later).filter(([path]) => !path.includes('/sessions/')),
      );
      expect(planned(clone).changes).toEqual([]);
    }),
    FEWER,
  );
});

test('whatever was written when a compaction died, the next one ends with the same bytes', () => {
  fc.assert(
    fc.property(project, change, fc.nat(30), (files, next, at) => {
      const before = next(compacted(files));
      const { changes } = planned(before);
      const ordered = [...changes].sort(
        (a, b) => Number(!a.path.includes('/entries/')) - Number(!b.path.includes('/entries/')),
      );
      const died = { ...before };
      for (const { path, after } of ordered.slice(0, at)) died[path] = after;
      expect(compacted(died)).toEqual(compacted(before));
    }),
    FEWER,
  );
});

test('what two branches noted gives the same bytes in either order of their merge', () => {
  fc.assert(
    fc.property(project, project, project, (base, one, other) => {
      const docs = (files: Files): Files =>
        Object.fromEntries(Object.entries(files).filter(([path]) => path.startsWith('docs/')));
      // Both start from the same documents, and neither has the work logs of the other.
      const start = docs(compacted(base));
      const logs = (files: Files): Files =>
        Object.fromEntries(Object.entries(files).filter(([path]) => path.startsWith('artifacts/')));
      const ours = compacted({ ...start, ...logs(one) });
      const theirs = compacted({ ...start, ...logs(other) });
      const merged = (a: Files, b: Files): Files => {
        const all = { ...docs(a), ...entriesIn(b) };
        for (const [path, text] of Object.entries(entriesIn(b))) {
          const here = a[path];
          // As git has it: what one side changed is taken, what both changed is a conflict.
          if (here !== undefined && here !== text && here !== start[path])
            all[path] = text === start[path] ? here : conflictOf(here, text);
        }
        return all;
      };
      const result = compacted(merged(ours, theirs));
      const entriesOnly = (files: Files): Files => ({ ...entriesIn(files), [PLAN]: files[PLAN] ?? '' });
      expect(entriesOnly(compacted(merged(theirs, ours)))).toEqual(entriesOnly(result));
      expect(planned(result).changes).toEqual([]);
    }),
    FEWER,
  );
});

const conflictOf = (ours: string, theirs: string): string =>
  `<<<<<<< HEAD\n${ours}=======\n${theirs}>>>>>>> other\n`;

test('every item of a block is an entry with an id, and every entry that was not dropped is an item', () => {
  fc.assert(
    fc.property(project, change, (files, next) => {
      const after = compacted(next(compacted(files)));
      const items =
        (findBlock(PLAN, after[PLAN] ?? '').block?.text ?? '').match(/^- \[.\] Task: \[T-\w+\]/gm) ?? [];
      const tasks = Object.keys(entriesIn(after)).filter((path) => path.includes('/task-'));
      expect(items).toHaveLength(tasks.length);
    }),
    FEWER,
  );
});
