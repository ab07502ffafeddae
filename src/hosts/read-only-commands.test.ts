// Tests that a command is known to read only by its programs and words alone.
import { describe, expect, test } from 'vitest';
import { isReadOnlyCommand, isReadOnlyProgram } from './read-only-commands.ts';

describe('a whole command, without parsing it', () => {
  test.each([
    'ls -la',
    'git status && git log --oneline | head -5',
    'cat a.txt; wc -l a.txt\ngrep -n "two words" a.txt',
    'cd src && pwd',
    'sleep 1',
    'ls src/*.ts 2>/dev/null',
    'grep -rn "$NAME" src 2>&1 | tail -3',
    'cat ~/.config/x\\ y',
    'rg "ü [a-z]{2}"',
    '',
    'cat a | grep b | wc -l',
    'jq . a.json',
    'env',
    'date +%F',
  ])('only reads: %j', (command) => expect(isReadOnlyCommand(command)).toBe(true));

  test.each([
    'make',
    'npm run build',
    'npm test',
    'ls && make',
    'ls\nmake',
    'ls & make',
    'git checkout .',
    'git commit -m x',
    'gitx status',
    'cat-file x',
    './ls',
    'echo x > a',
    'cat $(make)',
    'python3 a.py',
    'find . -delete',
    'X=1 make',
    'ls$X',
    'ls"x"',
    'ls{,x} a',
    'git diff --output=a',
    'rg --pre ./x a',
    'git grep -O./x a',
    'cat <(make)',
    'ls `make`',
    'ls > /dev/nullx',
    'ls >& a',
    'ls 2>/dev/null > a',
    'ls\rmake',
    '(make)',
    '{ make; }',
    '! make',
    'ls "a; make"',
    'git push-something',
    'docker ps',
    'fd -x make',
    "rg '--pre' ./x a",
    'rg --p\\re ./x a',
    'rg {--pre,./x} a',
    'env make',
    'tree -o a',
    'less -oa b',
    'date --set x',
  ])('may do more: %j', (command) => expect(isReadOnlyCommand(command)).toBe(false));
});

test.each<[boolean, string, string[]]>([
  [true, 'git', ['commit', '-m', 'x']],
  [true, 'gh', ['pr', 'view']],
  [true, 'npm', ['ls']],
  [true, 'make', ['--version']],
  [false, 'npm', ['audit', 'fix']],
  [false, 'env', ['make']],
  [false, 'git', ['checkout', '.']],
  [false, 'make', []],
])('isReadOnlyProgram() is %s of %s %j', (expected, name, args) => {
  expect(isReadOnlyProgram(name, args)).toBe(expected);
});
