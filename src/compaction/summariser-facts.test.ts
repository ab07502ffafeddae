// Tests the facts for the summariser: those of the alert, within their bytes; what does not fit is named.
import { describe, expect, test } from 'vitest';
import { draft, orchestration } from '../../test/unit/drafts.ts';
import { asked, evidence, ledger, touched, voyage } from '../../test/unit/ledger-facts.ts';
import { composeSummariserFacts } from './compose.ts';
import type { Ledger } from './ledger/ledger.ts';
import { composeSummary } from './messages.ts';

describe('the facts for the summariser', () => {
  const summary = (known: Ledger): string =>
    composeSummary(draft({ ledger: known }), 'cx-001', '/project') ?? '';

  test('are the same facts as plain text', () => {
    expect(summary(voyage())).toMatchSnapshot();
  });

  test('are nothing where nothing is known', () => {
    expect(composeSummary(draft({ ledger: ledger() }), 'cx-001', null)).toBeNull();
  });

  test('tell the next of a list where the first does not fit', () => {
    const note = (text: string): Ledger['notes'][number] => ({
      ...evidence(),
      text,
      cut: 0,
      kind: 'note',
      by: 'agent',
    });
    const text = summary(
      ledger({
        requests: [asked(`Build the parser ${'and its tests '.repeat(40)}`, { kind: 'goal' })],
        requirements: Array.from({ length: 3 }, (_, index) => ({
          ...note(`Never let module ${index} import ${'anything '.repeat(9)}`),
          kind: 'rule' as const,
        })),
        notes: [note('the port is 4173'), note(`the cache ${'is kept for a day '.repeat(9)}`)],
      }),
    );
    expect(text).toContain('DECISIONS AND ANSWERS (newest first):\n- noted: the port is 4173');
    expect(text).not.toContain('the cache');
    expect(text).toMatch(/\nLeft out for length: decisions \(1\); whole: plimsoll checkpoint show cx-001$/);
  });

  test('never leave anything out without a word, whatever there is room for', () => {
    const known = ledger({
      ...voyage(),
      notes: Array.from({ length: 14 }, (_, index) => ({
        ...evidence(),
        text: `decision ${index} is to keep the ${'old '.repeat(index)}format`,
        cut: 0,
        kind: 'decision' as const,
        by: 'agent' as const,
      })),
    });
    const decisions = 15;
    for (let bytes = 400; bytes <= 4_000; bytes += 7) {
      const text = composeSummariserFacts(known, { root: '/project', checkpoint: 'cx-004', bytes }) ?? '';
      expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(bytes);
      const told = text.split('\n').filter((line) => /^- noted: |→ the user: JSON/.test(line)).length;
      const [, left = '0'] =
        /^Left out for length: .*\bdecisions \((\d+)\).*; whole: plimsoll checkpoint show cx-004$/m.exec(
          text,
        ) ?? [];
      expect(told + Number(left), text).toBe(decisions);
      // What is worth more is not left out for what is worth less.
      if (bytes >= 1_000)
        expect(text).not.toMatch(/Left out for length:.*(?:goal|requirements|latest task|open tasks)/);
    }
  });

  test('leave out what is worth less before a decision', () => {
    const long = ['first', 'second'].map((each) =>
      touched(`/project/src/${`${each}-part-`.repeat(5)}x.ts`, { writes: 1 }),
    );
    const known = ledger({ ...voyage(), files: long });
    const textIn = (bytes: number): string =>
      composeSummariserFacts(known, { root: '/project', checkpoint: 'cx-004', bytes }) ?? '';
    const whole = textIn(4_000);
    const text = textIn(new TextEncoder().encode(whole).length - 1);
    expect(whole).toContain('FILES CHANGED');
    expect(text).toContain('- Which format? → the user: JSON lines');
    expect(text).toMatch(
      /\nLeft out for length: files changed \(2\); whole: plimsoll checkpoint show cx-004$/,
    );
  });

  test('never tell of a workflow as a fact', () => {
    const text = composeSummary(draft({ ledger: voyage(), orchestration: orchestration() }), 'cx-001', null);
    expect(text).not.toMatch(/WORKFLOW|qg-2/);
  });
});
