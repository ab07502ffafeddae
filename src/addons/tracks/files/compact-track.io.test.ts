import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test/unit/temporary.ts';
import { DECISIONS, LOG, log, PLAN, RISKS } from '../../../../test/unit/tracks/workspace.ts';
import { applyChanges, compactTrack, previewCompaction } from './compact-track.io.ts';

const SAID = log('- [ ] Task: x', '- Risk: y', '  - Severity: low');

/** A project on disk, and what a compaction of it would change. */
function projectWith(files: Record<string, string | Buffer>) {
  const root = temporaryFolder();
  const write = (path: string, text: string | Buffer): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const options = { root, track: 'cache', session: null, coreWrites: false };
  return {
    root,
    write,
    options,
    read: (path: string): string => readFileSync(join(root, path), 'utf8'),
    changes: () => previewCompaction(options).changes,
  };
}

test('a file that was changed between plan and apply is left alone, and so are all others', () => {
  const { root, write, read, changes } = projectWith({
    [LOG]: SAID,
    [PLAN]: '# Plan\n',
    [RISKS]: '# Risks\n',
  });
  const planned = changes();
  write(RISKS, '# Risks\n\nWords of somebody.\n');
  expect(() => applyChanges(root, 'cache', planned)).toThrow(
    `${RISKS} was changed while it was compacted. Nothing was changed`,
  );
  expect([read(PLAN), read(RISKS)]).toEqual(['# Plan\n', '# Risks\n\nWords of somebody.\n']);
  expect(readdirSync(dirname(join(root, PLAN))).sort()).toEqual(['PLAN.md', 'RISKS.md']);
  expect(readdirSync(join(root, 'artifacts/checkpoints/cache'))).toEqual([]);
});

test('a file that has come meanwhile, or gone, is such a change too', () => {
  const come = projectWith({ [LOG]: SAID });
  const planned = come.changes();
  come.write(PLAN, '# Mine\n');
  expect(() => applyChanges(come.root, 'cache', planned)).toThrow('PLAN.md was changed');
  expect(come.read(PLAN)).toBe('# Mine\n');
  expect(existsSync(join(come.root, RISKS))).toBe(false);
});

test('where the lock was lost nothing is changed', () => {
  const { root, read, changes } = projectWith({ [LOG]: SAID, [PLAN]: '# Plan\n' });
  expect(() => applyChanges(root, 'cache', changes(), () => false)).toThrow('Nothing was changed');
  expect(read(PLAN)).toBe('# Plan\n');
});

test('the mode of a file is kept; what we keep for the next one is for the user alone', () => {
  const { root, options } = projectWith({ [LOG]: SAID, [PLAN]: '# Plan\n' });
  chmodSync(join(root, PLAN), 0o640);
  compactTrack(options);
  const mode = (path: string): number => statSync(join(root, path)).mode & 0o777;
  expect(mode(PLAN)).toBe(0o640);
  expect(mode(RISKS) & 0o600).toBe(0o600);
  for (const name of readdirSync(join(root, 'artifacts/checkpoints/cache')))
    expect(mode(`artifacts/checkpoints/cache/${name}`)).toBe(0o600);
});

test.each([
  ['bytes that are no text', { [PLAN]: Buffer.from('# Plan\n\n\xff\n', 'latin1') }, PLAN, 3],
  ['something that is no file', { [`${DECISIONS}/x`]: '' }, DECISIONS, 1],
])('%s: a violation, and nothing is changed', (found, files, file, line) => {
  const { options, root } = projectWith({ [LOG]: SAID, ...files });
  const { violations } = compactTrack(options);
  expect(violations).toEqual([{ file, line, found, expected: expect.any(String) }]);
  expect(existsSync(join(root, RISKS))).toBe(false);
});

test('a plan that was so before is copied once', () => {
  const { write, options, root, read } = projectWith({ [PLAN]: '# One\n' });
  const copies = (): string[] =>
    readdirSync(join(root, 'artifacts/checkpoints/cache')).filter((name) => name.startsWith('plan-'));
  for (const text of ['# One\n', '# Two\n', '# One\n']) {
    write(PLAN, text);
    compactTrack(options);
  }
  expect(
    copies()
      .map((name) => read(`artifacts/checkpoints/cache/${name}`))
      .sort(),
  ).toEqual(['# One\n', '# Two\n']);
});

const COPIES = 'artifacts/checkpoints/cache';
const oldCopy = (at: number): string => `${COPIES}/plan-${String(at).padStart(16, '0')}.md`;

/** A track with copies of many plans of before, the first one the oldest. */
function withOldCopies(count: number) {
  const made = projectWith({ [PLAN]: '# One\n' });
  for (let at = 0; at < count; at++) {
    made.write(oldCopy(at), `# ${at}\n`);
    utimesSync(join(made.root, oldCopy(at)), 1_000_000 + at, 1_000_000 + at);
  }
  const copies = (): string[] =>
    readdirSync(join(made.root, COPIES))
      .filter((name) => name.startsWith('plan-'))
      .sort();
  return { ...made, copies };
}

test('of the copies of plans the newest ten stay, and always the one that latest.json names', () => {
  const { options, write, root, copies, read } = withOldCopies(30);
  compactTrack(options);
  const named = (): string => {
    const { plan } = JSON.parse(read(`${COPIES}/latest.json`)) as { plan: { path: string } };
    return plan.path.slice(COPIES.length + 1);
  };
  const first = named();
  // The one that is named is among the newest.
  expect(copies()).toEqual(
    [...[21, 22, 23, 24, 25, 26, 27, 28, 29].map((at) => oldCopy(at).slice(COPIES.length + 1)), first].sort(),
  );
  // However old it is.
  utimesSync(join(root, COPIES, first), 1, 1);
  for (let at = 40; at < 60; at++) write(oldCopy(at), '# later\n');
  compactTrack(options);
  expect(named()).toBe(first);
  expect(copies()).toHaveLength(11);
  expect(read(`${COPIES}/${first}`)).toBe('# One\n');
});

test('what is no copy of ours, and another track, is left alone', () => {
  const { options, write, root } = withOldCopies(30);
  const others = [`${COPIES}/plan-mine.md`, `${COPIES}/notes.md`, oldCopy(3).replace('/cache/', '/net/')];
  for (const path of others) write(path, 'mine\n');
  compactTrack(options);
  for (const path of others) expect([path, existsSync(join(root, path))]).toEqual([path, true]);
});

test('a copy that latest.json does not name is not read', () => {
  const { options, write, copies } = withOldCopies(3);
  write(oldCopy(7), Buffer.alloc(5 * 1024 * 1024, 0xff));
  expect(compactTrack(options).violations).toEqual([]);
  expect(copies()).toHaveLength(5);
});

test('nothing is removed where the compaction is refused', () => {
  const { options, write, copies } = withOldCopies(30);
  write(RISKS, '- Risk: without severity\n');
  expect(compactTrack(options).violations).toHaveLength(1);
  expect(copies()).toHaveLength(30);
});
