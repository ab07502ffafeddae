// Tests that a pattern matches exactly the paths that it says.
import { describe, expect, test } from 'vitest';
import { expandBraces, findHeldPlace, findMatch, matchesGlob, matchesName } from './globs.ts';

describe('a pattern', () => {
  // [pattern, what it matches, what it does not]
  const cases: [string, string[], string[]][] = [
    ['docs/**', ['docs/a', 'docs/a/b.md', 'docs'], ['doc/a', 'docsX/a', 'src/docs/a', 'Docs/a']],
    ['docs/', ['docs/a', 'docs/a/b'], ['docsX/a', 'x/docs/a']],
    ['./docs/*', ['docs/a'], ['docs/a/b']],
    ['*.ts', ['a.ts', 'x/y/a.ts'], ['a.tsx', 'a.ts/b']],
    ['.env', ['.env', 'a/.env'], ['.envrc', 'a.env', '.env/x']],
    ['src/*/a.ts', ['src/x/a.ts'], ['src/a.ts', 'src/x/y/a.ts']],
    ['src/**/a.ts', ['src/a.ts', 'src/x/a.ts', 'src/x/y/a.ts'], ['src/x/b.ts']],
    ['**/.ssh/**', ['.ssh/a', '~/.ssh/a', '/home/u/.ssh/x/y'], ['ssh/a']],
    ['{a,b}/{c,d}.md', ['a/c.md', 'b/d.md'], ['a/e.md', 'c/a.md']],
    ['settings{,.local}.json', ['settings.json', 'x/settings.local.json'], ['settings.x.json']],
    ['a[0-9].ts', ['a0.ts'], ['ab.ts', 'a.ts']],
    ['a[!0-9].ts', ['ab.ts'], ['a1.ts']],
    ['a?.ts', ['ab.ts'], ['a.ts', 'abc.ts']],
    ['a\\*.ts', ['a*.ts'], ['ab.ts']],
    ['a.ts', ['a.ts'], ['aXts']],
    ['d\u00f3cs/**', ['do\u0301cs/a'], ['docs/a']],
  ];
  test.each(cases)('%s', (pattern, yes, no) => {
    for (const path of yes) expect(matchesGlob(pattern, path), path).toBe(true);
    for (const path of no) expect(matchesGlob(pattern, path), path).toBe(false);
  });

  test('matches in any case where the file system does', () => {
    expect(matchesGlob('Docs/**', 'dOCS/a', true)).toBe(true);
    expect(matchesGlob('.env', '.ENV', true)).toBe(true);
    expect(matchesGlob('.env', '.ENV', false)).toBe(false);
  });

  test('with many stars takes time that grows with pattern and path only', () => {
    expect(matchesName(`${'*a'.repeat(40)}b`, 'a'.repeat(20_000))).toBe(false);
    expect(matchesGlob(`${'**/a/'.repeat(40)}b`, 'a/'.repeat(5000))).toBe(false);
  });

  test('behind a ! takes back what one before it matched', () => {
    const patterns = ['.env.*', '!.env.example', '.env.example.old'];
    expect(findMatch(patterns, ['.env.local'])).toBe('.env.*');
    expect(findMatch(patterns, ['x/.env.example'])).toBe(null);
    expect(findMatch(patterns, ['.env.example.old'])).toBe('.env.example.old');
  });

  // [folder, pattern, only visible ones, the place]
  const held: [string, string, boolean, string | null][] = [
    ['docs', 'docs/governance/**', false, 'docs/governance'],
    ['', 'docs/governance/**', false, 'docs/governance'],
    ['docs/governance', 'docs/governance/**', false, 'docs/governance'],
    ['doc', 'docs/governance/**', false, null],
    ['', '.claude/rules/**', false, '.claude/rules'],
    ['', '.claude/rules/**', true, null],
    ['.claude', '.claude/rules/**', true, '.claude/rules'],
    ['src', '**/.env', false, null],
    ['', '.env', false, null],
    ['', '~/.ssh/x', false, null],
    ['docs', '!docs/governance/**', false, null],
  ];
  test.each(held)(
    'a folder "%s" holds the place of %s (visible %s): %s',
    (folder, pattern, visible, place) => {
      expect(findHeldPlace(folder, pattern, false, visible)).toBe(place);
    },
  );
});

describe('braces', () => {
  const cases: [string, string[]][] = [
    ['a{b,c}d', ['abd', 'acd']],
    ['{a,b}{c,d}', ['ac', 'ad', 'bc', 'bd']],
    ['a{b,{c,d}}', ['ab', 'ac', 'ad']],
    ['{1..3}', ['1', '2', '3']],
    ['{08..10}', ['08', '09', '10']],
    ['{c..a}', ['c', 'b', 'a']],
    ['{a}', ['{a}']],
    ['${a,b}', ['${a,b}']],
    ['a{,b}', ['a', 'ab']],
    ['{a', ['{a']],
    ['{1..100000}', ['{1..100000}']],
    ['\\{a,b}', ['\\{a,b}']],
  ];
  test.each(cases)('%s', (text, all) => expect(expandBraces(text)).toEqual(all));

  test('that would become very many are left as they are', () => {
    const many = '{a,b}'.repeat(30);
    expect(expandBraces(many)).toEqual([many]);
  });
});
