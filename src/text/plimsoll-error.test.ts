import { expect, test } from 'vitest';
import { buildNewerFile, isError, PlimsollError } from './plimsoll-error.ts';

test('an error of ours is known by its code, also where another bundle made it', () => {
  const locked = new PlimsollError('locked', 'held by process 7', { path: '/a' });
  const copy = Object.assign(new Error(locked.message), { name: locked.name, code: locked.code });
  for (const each of [locked, copy]) {
    expect([isError(each), isError(each, 'locked', 'lost-lock'), isError(each, 'overtaken')]).toEqual([
      true,
      true,
      false,
    ]);
  }
  const foreign = Object.assign(new Error('no such file'), { code: 'ENOENT' });
  expect([isError(foreign), isError('locked'), isError(null)]).toEqual([false, false, false]);
});

test('a file of a newer version is named, with the way to read it', () => {
  const { code, message, path, hint } = buildNewerFile('/a');
  expect([code, message, path]).toEqual(['newer-file', 'Written by a newer version: "/a"', '/a']);
  expect(hint).toContain('npm install --global plimsoll@latest');
});
