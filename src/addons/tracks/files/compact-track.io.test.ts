import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
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

/** Paths of all files below the project's folder of the track. */
const filesOf = (root: string): string[] =>
  readdirSync(join(root, 'docs/tracks/cache'), { recursive: true, encoding: 'utf8' }).sort();

test('a file that was changed between plan and apply is left as it is, and the next one does the rest', () => {
  const { root, write, read, changes, options } = projectWith({
    [LOG]: SAID,
    [PLAN]: '# Plan\n',
    [RISKS]: '# Risks\n',
  });
  const planned = changes();
  write(RISKS, '# Risks\n\nWords of somebody.\n');
  expect(() => applyChanges(root, 'cache', planned)).toThrow(
    `${RISKS} was changed while it was compacted, and is left as it is`,
  );
  expect(read(RISKS)).toBe('# Risks\n\nWords of somebody.\n');
  expect(filesOf(root).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  compactTrack(options);
  expect(read(RISKS)).toMatch(/^# Risks\n\nWords of somebody\.\n\n<!-- plimsoll:entries /);
  expect(changes()).toEqual([]);
});

test('a file that has come meanwhile is such a change too', () => {
  const come = projectWith({ [LOG]: SAID });
  const planned = come.changes();
  come.write(PLAN, '# Mine\n');
  expect(() => applyChanges(come.root, 'cache', planned)).toThrow('PLAN.md was changed');
  expect(come.read(PLAN)).toBe('# Mine\n');
});

test('where the lock was lost nothing more is changed', () => {
  const { root, read, changes } = projectWith({ [LOG]: SAID, [PLAN]: '# Plan\n' });
  expect(() => applyChanges(root, 'cache', changes(), () => false)).toThrow('Another process has taken over');
  expect([read(PLAN), filesOf(root)]).toEqual(['# Plan\n', ['PLAN.md']]);
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

const ENTRIES = 'docs/tracks/cache/entries';
const ENTRY = '---\nkind: task\nid: T-1\nstatus: todo\n---\n\n- Task: by hand\n';

const NO_FILE = 'something that is no file';

describe('odd files among the entries', () => {
  const named = `${ENTRIES}/task-0123456789.md`;
  const compactedWith = (make: (file: string, root: string) => void) => {
    const { root, options, read } = projectWith({ [LOG]: SAID, [`${ENTRIES}/README.md`]: 'Words.\n' });
    make(join(root, named), root);
    return { root, read, ...compactTrack(options) };
  };

  test.each<[string, (file: string, root: string) => void, string]>([
    ['a link out of the project', (file) => symlinkSync('/etc/passwd', file), NO_FILE],
    ['a link in the project', (file) => symlinkSync('../PLAN.md', file), NO_FILE],
    ['a FIFO', (file) => void execFileSync('mkfifo', [file]), NO_FILE],
    ['a folder', (file) => mkdirSync(file), NO_FILE],
    ['a large file', (file) => writeFileSync(file, 'x'.repeat(100_000)), '98 KB, more than 64 KB'],
    [
      'bytes that are no text',
      (file) => writeFileSync(file, Buffer.from('---\n\xff', 'latin1')),
      'bytes that are no text',
    ],
  ])('%s is a violation, and nothing is changed', (_, make, found) => {
    const { violations, root } = compactedWith(make);
    expect(violations).toEqual([
      expect.objectContaining({ file: named, found, expected: expect.any(String) }),
    ]);
    expect(existsSync(join(root, RISKS))).toBe(false);
  });

  test('what has another name is left aside and told of', () => {
    const { violations, notes, read } = compactedWith((file) => writeFileSync(file, ENTRY));
    expect([violations, notes]).toEqual([
      [],
      [`${ENTRIES}: no entries by their names, and left aside: README.md`],
    ]);
    expect(read(PLAN)).toContain('- [ ] Task: [T-1] by hand\n');
  });

  test('a folder of entries that leads out of the project is not read', () => {
    const { root, options } = projectWith({ [LOG]: SAID, [PLAN]: '# Plan\n' });
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'task-0123456789.md'), ENTRY);
    symlinkSync(outside, join(root, ENTRIES));
    expect(compactTrack(options).violations).toEqual([
      expect.objectContaining({ file: ENTRIES, found: 'a link that leads out of the project' }),
    ]);
    expect(readdirSync(outside)).toEqual(['task-0123456789.md']);
  });

  test('those of another track keep nobody from working', () => {
    const other = 'docs/tracks/net/entries';
    const { root, write, options, read } = projectWith({ [LOG]: SAID });
    write(
      `${other}/invariant-0123456789.md`,
      '---\nkind: invariant\nid: I-1\n---\n\n- Invariant: One writer\n',
    );
    execFileSync('mkfifo', [join(root, other, 'invariant-0123456780.md')]);
    expect(compactTrack(options).violations).toEqual([]);
    expect(read('docs/context/INVARIANTS.md')).toContain('- Invariant: [I-1] One writer\n');
  });
});
