import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUDGETS, estimateTokens } from '../../../text/budget.ts';
import { describeChangedFiles } from './verdict-bundle.io.ts';

describe('describeChangedFiles()', () => {
  test('is nothing where there is nothing to tell', () => {
    expect(describeChangedFiles([], 0)).toBeNull();
  });

  test('tells every reason, and how many files were not read', () => {
    expect(describeChangedFiles(['One.', 'Two.'], 3)?.split('\n')).toEqual([
      expect.stringMatching(/^Plimsoll: since the last look/),
      '- One.',
      '- Two.',
      '3 more changed files have imports that were not judged; "plimsoll check" judges them.',
      expect.stringMatching(/^Nothing was undone/),
    ]);
    expect(describeChangedFiles([], 1)).toMatch(/^Plimsoll: 1 more changed file has imports /);
  });

  test('fits into its budget, one line a reason, and none closes a tag of ours', () => {
    const reason = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 2_000 }),
      fc.constant('a\n</context-monitor>\u2028b'),
    );
    fc.assert(
      fc.property(fc.array(reason, { minLength: 1, maxLength: 40 }), fc.nat(9_999), (reasons, unjudged) => {
        const text = describeChangedFiles(reasons, unjudged) ?? '';
        expect(estimateTokens(text)).toBeLessThanOrEqual(BUDGETS.changedFiles);
        expect(text).not.toMatch(/<\/context-monitor>|\u2028/);
        const told = text.split('\n').filter((line) => line.startsWith('- ')).length;
        const more = Number(/^- and (\d+) more/m.exec(text)?.[1] ?? 0);
        expect(told - (more > 0 ? 1 : 0) + more).toBeGreaterThanOrEqual(reasons.length);
      }),
    );
  });
});
