// A path leads where the system says it does.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/unit/temporary.ts';
import { expandPattern, foldsCase, listRealPaths, readText } from './real-paths.ts';

function project(): string {
  const top = temporaryFolder();
  for (const folder of ['p/.git/worktrees/w', 'p/docs', 'p/src', 'w/src', 'q/.git', 'p/sub/.git'])
    mkdirSync(join(top, folder), { recursive: true });
  writeFileSync(join(top, 'p/src/a.ts'), 'a');
  writeFileSync(join(top, 'p/src/b.ts'), 'b');
  writeFileSync(join(top, 'p/src/.hidden.ts'), '');
  writeFileSync(join(top, 'w/.git'), `gitdir: ${join(top, 'p/.git/worktrees/w')}\n`);
  writeFileSync(join(top, 'p/.git/worktrees/w/commondir'), '../..\n');
  symlinkSync('../src', join(top, 'p/docs/link'));
  symlinkSync('../src/new.ts', join(top, 'p/docs/dangling'));
  symlinkSync('round', join(top, 'p/docs/about'));
  symlinkSync('about', join(top, 'p/docs/round'));
  symlinkSync(join(top, 'q'), join(top, 'p/docs/far'));
  return top;
}

describe('a path really leads', () => {
  const top = { path: '' };
  // [path below the folder, through a last link, where]
  const cases: [string, boolean, string, string][] = [
    ['p/src/a.ts', true, 'p/src/a.ts', 'file'],
    ['p/docs/../src//./a.ts', true, 'p/src/a.ts', 'file'],
    ['p/docs/link/a.ts', true, 'p/src/a.ts', 'file'],
    ['p/docs/link', true, 'p/src', 'folder'],
    ['p/docs/link', false, 'p/docs/link', 'file'],
    ['p/docs/link/', false, 'p/docs/link', 'file'],
    // `..` behind a link is that of its target.
    ['p/docs/link/../x', true, 'p/x', 'missing'],
    ['p/docs/far/../x', true, 'x', 'missing'],
    ['p/docs/dangling', true, 'p/src/new.ts', 'missing'],
    ['p/new/deep/er.ts', true, 'p/new/deep/er.ts', 'missing'],
    ['p/new/../docs/link/x', true, 'p/src/x', 'missing'],
    ['p/docs/round/x', true, 'p/docs/round/x', 'missing'],
    ['p/back\\slash', true, 'p/back\\slash', 'missing'],
  ];
  test.each(cases)('%s (through a last link: %s) to %s', (path, follow, real, kind) => {
    top.path = project();
    const found = listRealPaths(join(top.path, 'p'))(`${top.path}/${path}`, follow);
    if (!path.includes('round')) expect(found.path).toBe(join(top.path, real));
    expect(found.kind === 'missing' || found.kind === kind).toBe(true);
    if (!path.includes('round')) expect(found.kind).toBe(kind);
  });

  test('into another worktree of the repository, and into no other repository', () => {
    const folder = project();
    const resolve = listRealPaths(join(folder, 'p'));
    expect(resolve(join(folder, 'w/src/x.ts'), true).worktree).toBe(join(folder, 'w'));
    expect(resolve(join(folder, 'q/x.ts'), true).worktree).toBe(null);
    expect(resolve(join(folder, 'p/sub/x.ts'), true).worktree).toBe(null);
    expect(resolve(join(folder, 'p/src/x.ts'), true).worktree).toBe(null);
  });

  test('from a worktree into the main one', () => {
    const folder = project();
    expect(listRealPaths(join(folder, 'w'))(join(folder, 'p/src/a.ts'), true).worktree).toBe(
      join(folder, 'p'),
    );
  });
});

describe('a file system', () => {
  test('folds case when both spellings name the same file', () => {
    const folder = temporaryFolder();
    const asked: string[][] = [];
    const same = (one: string, other: string): boolean => {
      asked.push([one, other]);
      return true;
    };
    expect(foldsCase(join(folder, 'missing/123'), same)).toBe(true);
    const [one = '', other = ''] = asked[0] ?? [];
    expect(other).not.toBe(one);
    expect(other.toLowerCase()).toBe(one.toLowerCase());
  });

  test('keeps case where they do not', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'abc'));
    writeFileSync(join(folder, 'ABC'), '');
    expect(foldsCase(join(folder, 'abc'))).toBe(false);
  });
});

describe('a pattern of the shell', () => {
  test('stands for what is there, hidden files only when it says so', () => {
    const folder = project();
    const names = (pattern: string) =>
      expandPattern(`${folder}/${pattern}`)
        ?.map((each) => each.slice(folder.length + 1))
        .sort();
    expect(names('p/src/*.ts')).toEqual(['p/src/a.ts', 'p/src/b.ts']);
    expect(names('p/src/.*.ts')).toEqual(['p/src/.hidden.ts']);
    expect(names('p/s?c/[a].ts')).toEqual(['p/src/a.ts']);
    expect(names('*/src')).toEqual(['p/src', 'w/src']);
    expect(names('p/none/*')).toEqual([]);
    expect(names('p/src/\\*.ts')).toEqual([]);
  });
});

test('a text is read from a file, and from nothing else', () => {
  const folder = project();
  expect(readText(join(folder, 'p/src/a.ts'))).toBe('a');
  expect(readText(join(folder, 'p/src'))).toBe(null);
  expect(readText(join(folder, 'p/none'))).toBe(null);
});
