import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../test/kit/effort.ts';
import { makeSafeName } from './path-text.ts';

describe('makeSafeName()', () => {
  test.each([
    ['857c5031-0000-4000-8000-000000000002'],
    ['a'],
    ['A_b-9'],
    ['x'.repeat(80)],
    ['console'],
    ['com'],
    ['lpt10x'],
  ])('keeps the id %s as it is', (id) => {
    expect(makeSafeName(id)).toBe(id);
  });

  test.each([
    [''],
    ['.'],
    ['..'],
    ['../../etc/passwd'],
    ['/etc/passwd'],
    ['C:\\Windows\\System32'],
    ['a/b'],
    ['a\\b'],
    ['a\0b'],
    ['a:b'],
    ['a b'],
    ['a.json'],
    ['CON'],
    ['nul'],
    ['Aux'],
    ['com1'],
    ['LPT9'],
    ['x'.repeat(81)],
    ['x'.repeat(10_000)],
    ['世界'],
    ['👋'],
    ['\uD83D'],
    ['~'],
    ['-rf *'],
    ['$(reboot)'],
  ])('makes a safe name of its own of %j', (id) => {
    const name = makeSafeName(id);
    expect(name).toMatch(/^x-[A-Za-z0-9_-]{0,40}-[0-9a-f]{1,8}$/);
    expect(makeSafeName(id)).toBe(name);
  });

  test('gives safe names to any ids, and different ones to different ids', () => {
    const id = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('a', '.', '/', '-') }),
    );
    fc.assert(
      fc.property(id, id, (one, other) => {
        expect(makeSafeName(one)).toMatch(/^[A-Za-z0-9_-]{1,80}$/);
        fc.pre(one !== other);
        expect(makeSafeName(one)).not.toBe(makeSafeName(other));
      }),
      { numRuns: runs(1_000) },
    );
  });
});
