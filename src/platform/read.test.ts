import { spawnSync } from 'node:child_process';
import {
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { notRun } from '../../test/kit/not-run.ts';
import { temporaryFolder } from '../../test/unit/temporary.ts';
import { isNamed, mkdirInProject, readInProject, readInProjectOrNull, readNamed } from './in-project.ts';
import {
  FOREIGN_FILE,
  LOG_FILE,
  RULES_FILE,
  readTextOrNull,
  readUntrusted,
  SETTINGS_FILE,
  STATE_FILE,
} from './read.ts';
import { takeUnsafe } from './unsafe-file.ts';

const SECRET = 'Host secret-of-the-person';

/** A project in a folder, beside a file that is none of its business. */
function place(): { root: string; secret: string; at: string } {
  const base = realpathSync(temporaryFolder());
  const root = join(base, 'project');
  mkdirSync(root);
  writeFileSync(join(base, 'secret'), SECRET);
  return { root, secret: join(base, 'secret'), at: join(root, 'file') };
}
function sparse(path: string, size: number): void {
  writeFileSync(path, '');
  truncateSync(path, size);
}
const fifo = (path: string): void => void expect(spawnSync('mkfifo', [path]).status).toBe(0);

// [what is at the path, whether it is followed where links may be]
const ODD: [string, (at: string, secret: string) => void, boolean][] = [
  ['a link to a device without an end', (at) => symlinkSync('/dev/zero', at), false],
  ['a link to a terminal', (at) => symlinkSync('/dev/tty', at), false],
  ['a FIFO', (at) => fifo(at), false],
  ['a folder', (at) => mkdirSync(at), false],
  ['a link to itself', (at) => symlinkSync(at, at), false],
  ['a file of 1 GB', (at) => sparse(at, 1024 ** 3), false],
  ['a link to a file elsewhere', (at, secret) => symlinkSync(secret, at), true],
  [
    'a chain of links to a file elsewhere',
    (at, secret) => {
      symlinkSync(secret, `${at}.1`);
      symlinkSync(`${at}.1`, `${at}.2`);
      symlinkSync(`${at}.2`, at);
    },
    true,
  ],
];

describe.each(ODD)('%s', (_, make, isFollowed) => {
  test('is not read as ours, as rules, or as a file of the project, and is noted', () => {
    const { root, secret, at } = place();
    make(at, secret);
    takeUnsafe();
    expect(() => readUntrusted(at, STATE_FILE)).toThrow();
    expect(readTextOrNull(at, STATE_FILE)).toBeNull();
    expect(readTextOrNull(at, RULES_FILE)).toBeNull();
    expect(readInProjectOrNull(root, at, RULES_FILE)).toBeNull();
    expect(readInProjectOrNull(root, 'file')).toBeNull();
    expect(takeUnsafe().length).toBeGreaterThan(1);
  });

  test('is a file of a person where it leads to one', () => {
    const { at, secret } = place();
    make(at, secret);
    if (isFollowed) expect(readUntrusted(at, SETTINGS_FILE)).toBe(SECRET);
    else expect(readTextOrNull(at, SETTINGS_FILE)).toBeNull();
  });
});

describe('readUntrusted()', () => {
  test.each([
    ['nothing', ''],
    ['text', 'text'],
    ['a BOM', '\uFEFFtext'],
    ['characters of several bytes', 'ä€😀'.repeat(10_000)],
  ])('reads %s as it is', (_, text) => {
    const { at } = place();
    writeFileSync(at, text);
    for (const kind of [STATE_FILE, SETTINGS_FILE, FOREIGN_FILE, LOG_FILE])
      expect(readUntrusted(at, kind)).toBe(text);
  });

  test('is null where nothing is, also behind a link to nowhere and below a file', () => {
    const { at, secret } = place();
    expect(readUntrusted(at, STATE_FILE)).toBeNull();
    expect(readUntrusted(join(secret, 'x'), STATE_FILE)).toBeNull();
    symlinkSync('/nowhere/at/all', at);
    expect(readUntrusted(at, SETTINGS_FILE)).toBeNull();
  });

  test('holds a file to its size, to the byte', () => {
    const { at } = place();
    writeFileSync(at, 'x'.repeat(RULES_FILE.most));
    expect(readUntrusted(at, RULES_FILE)).toHaveLength(RULES_FILE.most);
    writeFileSync(at, 'x'.repeat(RULES_FILE.most + 1));
    expect(() => readUntrusted(at, RULES_FILE)).toThrow(expect.objectContaining({ code: 'too-large' }));
  });

  test('does not believe a state file of another user', () => {
    const { at } = place();
    writeFileSync(at, 'theirs');
    if (process.getuid?.() !== 0) return notRun('files of another user', 'only root can give files away');
    chownSync(at, 4711, 4711);
    expect(() => readUntrusted(at, STATE_FILE)).toThrow("Somebody else's file");
    expect(readUntrusted(at, SETTINGS_FILE)).toBe('theirs');
  });
});

describe('readInProject()', () => {
  test('follows links to the inside of the project, folders too', () => {
    const { root, at } = place();
    mkdirSync(join(root, 'docs'));
    writeFileSync(join(root, 'docs', 'rules.md'), 'rules');
    symlinkSync('docs/rules.md', at);
    symlinkSync('docs', join(root, 'linked'));
    for (const path of ['file', at, 'linked/rules.md']) expect(readInProject(root, path)).toBe('rules');
  });

  test('throws for a folder that leads out, and makes none behind it', () => {
    const { root, secret } = place();
    const outside = mkdtempSync(`${secret}-`);
    writeFileSync(join(outside, 'a'), SECRET);
    symlinkSync(outside, join(root, 'linked'));
    expect(() => readInProject(root, 'linked/a')).toThrow(expect.objectContaining({ code: 'leads-out' }));
    expect(() => mkdirInProject(root, 'linked/new')).toThrow(expect.objectContaining({ code: 'leads-out' }));
    expect(isNamed(root, join(root, 'linked', 'a'))).toBe(false);
  });

  test('readNamed() takes a path elsewhere for a person’s own, links and all', () => {
    const { root, secret, at } = place();
    symlinkSync(secret, `${secret}.linked`);
    expect(readNamed(root, `${secret}.linked`)).toBe(SECRET);
    expect(readNamed(null, `${secret}.linked`)).toBe(SECRET);
    symlinkSync(secret, at);
    expect(() => readNamed(root, at)).toThrow(expect.objectContaining({ code: 'leads-out' }));
  });

  test('a hard link is read like any file: nobody can ship one', () => {
    const { root, at } = place();
    writeFileSync(`${at}.1`, 'one');
    linkSync(`${at}.1`, at);
    expect(readInProject(root, 'file')).toBe(readFileSync(at, 'utf8'));
  });
});
