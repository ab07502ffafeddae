import { describe, expect, test } from 'vitest';
import { needsLook } from './needs-look.ts';
import { readsPlainly } from './reading.ts';

describe('readsPlainly() knows of plain commands that they only read', () => {
  test.each([
    'ls',
    'ls -la src',
    'cd src && ls',
    'cat a | grep b | wc -l',
    'git status',
    'git log; git diff',
    'pwd\nls',
  ])('%s', (command) => {
    expect(needsLook(command)).toBe(false);
    expect(readsPlainly(command)).toBe(true);
  });

  test.each([
    'npm test',
    'ls && make',
    'make | cat',
    'ls\nmake',
    'ls & make',
    'git push-something',
    'FOO=1 make',
    'docker ps',
    'fd -x make',
  ])('not of %s', (command) => {
    expect(readsPlainly(command)).toBe(false);
  });
});
