import { describe, expect, test } from 'vitest';
import { draft } from '../../test/unit/drafts.ts';
import { asked, evidence, ledger, voyage } from '../../test/unit/ledger-facts.ts';
import { BUDGETS, estimateTokens } from '../text/budget.ts';
import type { Ledger } from './ledger/ledger.ts';
import {
  composeAlert,
  composeHandoff,
  composePointer,
  composeSummary,
  formatWholeFacts,
  type HandoffInput,
  handoffMarks,
} from './messages.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const alert = (known: Ledger | null, more: Partial<Parameters<typeof composeAlert>[0]> = {}): string =>
  composeAlert({
    event: 1,
    checkpoint: 'cx-001',
    draft: draft({ ledger: known }),
    root: '/project',
    now: NOW,
    ...more,
  });
const handoff = (known: Ledger | null, more: Partial<HandoffInput> = {}): HandoffInput => ({
  draft: draft({ ledger: known }),
  checkpoint: 'cx-001',
  because: ['tasks'],
  age_s: 7_200,
  root: '/project',
  now: NOW,
  ...more,
});

describe('the alert', () => {
  test('tells what is known, the most needed first', () => {
    expect(alert(voyage())).toMatchSnapshot();
  });

  test('is the frame alone where nothing is known', () => {
    expect(alert(ledger())).toMatchSnapshot();
  });

  test('names the checkpoint and the search where the checkpoint cannot be read', () => {
    const text = alert(null, { draft: null });
    expect(text).toContain('CHECKPOINT: cx-001-checkpoint.json (could not be read)');
    expect(text).toContain('plimsoll recall WORDS');
  });

  test('names the first example of a newcomer', () => {
    const known = ledger({
      isTurnOpen: true,
      requests: [
        asked('Build the parser', { kind: 'goal', answered: true }),
        asked('go on', { kind: 'push' }),
      ],
    });
    for (const text of [
      alert(known),
      composeHandoff(handoff(known)),
      composePointer(handoff(known)),
      composeSummary(draft({ ledger: known }), 'cx-001', null),
    ])
      expect(text).toContain('Build the parser');
    expect(alert(known)).toContain(
      "THE USER'S GOAL: Build the parser\nYOU WERE DOING: the last request, not answered yet",
    );
    expect(alert(known)).not.toContain('go on');
  });
});

describe('the words of others', () => {
  test('never stand under a label of the user', () => {
    const known = ledger({
      requests: [
        asked('Delete everything', { by: 'peer', kind: 'goal' }),
        asked('Rotate the keys', { by: 'unknown' }),
      ],
    });
    const text = alert(known);
    expect(text).not.toMatch(/^THE USER/m);
    expect(text).toContain('- a teammate or another session: Delete everything');
  });

  test('a note is the user’s where they noted it, and nothing in it is', () => {
    const note = (by: 'person' | 'agent', text: string): Ledger['notes'][number] => ({
      ...evidence(),
      kind: 'note',
      by,
      text,
      cut: 0,
    });
    const notes = [note('person', 'port 4711 is taken'), note('agent', 'The user noted: push it')];
    const text = alert(ledger({ notes }));
    expect(text).toContain('\n- the user noted: port 4711 is taken\n');
    expect(text).toContain('\n- noted: "The user noted": push it\n');
  });

  test('of a hook or of the host are not told at all', () => {
    const known = ledger({
      requests: [asked('Background task ended', { by: 'notice' }), asked('x', { by: 'hook' })],
    });
    expect(alert(known)).toBe(alert(ledger()));
  });
});

describe('requirements', () => {
  const rules = (count: number): Ledger['requirements'] =>
    Array.from({ length: count }, (_, index) => ({
      ...evidence(),
      kind: index === 0 ? ('rule' as const) : ('correction' as const),
      text: `Never let module ${index} of the compiler import anything from the runtime, whatever a test says.`,
      cut: 0,
    }));

  test('make the alert longer as far as they need it', () => {
    const few = alert(ledger({ ...voyage(), requirements: rules(2) }));
    const many = alert(ledger({ ...voyage(), requirements: rules(14) }));
    expect(estimateTokens(few)).toBeLessThanOrEqual(BUDGETS.alert);
    expect(estimateTokens(many)).toBeGreaterThan(BUDGETS.alert);
    expect(estimateTokens(many)).toBeLessThanOrEqual(BUDGETS.alertMost);
  });

  test('stay within what is configured', () => {
    const text = alert(ledger({ ...voyage(), requirements: rules(30) }), { most: 600 });
    expect(estimateTokens(text)).toBeLessThanOrEqual(600);
  });

  test('that are too many keep the oldest and the newest, and the text says where the others are', () => {
    const text = alert(ledger({ ...voyage(), requirements: rules(60) }));
    for (const index of [0, 1, 2, 3, 57, 58, 59]) expect(text).toContain(`Never let module ${index} of`);
    expect(text).toContain('Left out for length: ');
    expect(text).toContain('plimsoll checkpoint show cx-001');
  });

  test('that were for one task, in so many words, say so once another task was given', () => {
    const first = asked('Build the parser', { kind: 'goal' });
    const required = ['For this fix, do not touch src/api.', 'Never push.', 'No tests for now.'].map(
      (text) => ({
        ...evidence(),
        kind: 'correction' as const,
        text,
        cut: 0,
      }),
    );
    const during = ledger({ requests: [first], requirements: required });
    expect(alert(during)).toContain(
      '- For this fix, do not touch src/api.\n- Never push.\n- No tests for now.\n',
    );
    const after = { ...during, requests: [first, asked('Write the docs'), asked('go on', { kind: 'push' })] };
    for (const text of [
      alert(after),
      composeHandoff(handoff(after)),
      composeSummary(draft({ ledger: after }), null, null),
    ])
      expect(text).toContain(
        '- said for an earlier task: For this fix, do not touch src/api.\n- Never push.\n- said for an earlier task: No tests for now.\n',
      );
  });

  test('are not said once more in the earlier request that held them', () => {
    const known = ledger({
      requests: [
        asked('Build the parser', { kind: 'goal' }),
        asked('Limit the size to 2 GB. Never translate the message.'),
        asked('Add the command line'),
      ],
    });
    const requirement = { kind: 'correction' as const, text: 'Never translate the message.', cut: 0 };
    const [, holder] = known.requests;
    const text = alert({ ...known, requirements: [{ ...evidence(), ...holder, ...requirement }] });
    expect(text).toContain('THE USER REQUIRES (later ones win):\n- Never translate the message.\n');
    expect(text).toContain('THE USER ALSO ASKED:\n- Limit the size to 2 GB.\n');
  });

  test('that stand whole in a request that is told are not repeated', () => {
    expect(alert(voyage()).match(/Do not commit/g)).toHaveLength(1);
  });
});

describe('the last words', () => {
  const known = (...last: Ledger['requests']): Ledger =>
    ledger({ requests: [asked('Build the parser', { kind: 'goal' }), ...last] });
  const push = asked('yes', { kind: 'push' });

  test.each<[string, Ledger['requests']]>([
    ['only push on', [push]],
    ['are thanks', [asked('thanks', { kind: 'courtesy' })]],
  ])('are not told where they %s', (_, last) => {
    for (const text of [alert(known(...last)), composeHandoff(handoff(known(...last)))])
      expect(text).not.toContain('LAST WORDS');
  });

  test('that only agree are told with what they answer, once', () => {
    const { session, segment, entry, offset, at } = push;
    const question = 'Shall I delete the old server?';
    const answers = [{ session, segment, entry, offset, at, question, answer: 'yes' }];
    for (const compose of [alert, (each: Ledger) => composeHandoff(handoff(each))]) {
      const text = compose({ ...known(push), answers });
      expect(text).toContain(`THE USER'S LAST WORDS: ${question} → the user: yes\n`);
      expect(text.split(question)).toHaveLength(2);
      const later = compose({
        ...known(push, asked('Write the docs'), asked('go on', { kind: 'push' })),
        answers,
      });
      expect(later).toContain(`DECISIONS AND ANSWERS (newest first):\n- ${question} → the user: yes\n`);
    }
  });

  test('are those before the thanks', () => {
    const text = alert(
      known(asked('why tabs?', { kind: 'question' }), asked('thanks', { kind: 'courtesy' })),
    );
    expect(text).toContain("THE USER'S LAST WORDS: why tabs?");
  });
});

test('nothing is told twice', () => {
  const correction = 'integers, never floats';
  const answered = asked('yes, but without indexes', { kind: 'addition' });
  const text = alert(
    ledger({
      requests: [
        asked('Build the parser', { kind: 'goal' }),
        asked('it should read from stdin too', { kind: 'addition' }),
        answered,
        asked('Build the amounts', { kind: 'topic' }),
        asked(correction, { kind: 'addition', by: 'queued' }),
      ],
      requirements: ['it should read from stdin too', correction].map((each) => ({
        ...evidence(),
        kind: 'correction',
        text: each,
        cut: 0,
      })),
      answers: [
        { ...evidence(), question: 'The schema?', answer: answered.text },
        { ...evidence(), question: 'Files only?', answer: 'it should read from stdin too' },
      ],
    }),
  );
  expect(text).toContain('- Files only? → the user: it should read from stdin too');
  for (const words of ['it should read from stdin too', answered.text, 'Build the amounts', correction])
    expect(text.split(words)).toHaveLength(2);
});

test('a checkpoint as a person reads it has every fact whole', () => {
  const long = `Write a parser. ${'It reads numbers. '.repeat(100)}`;
  const facts = formatWholeFacts(
    draft({ ledger: ledger({ requests: [asked(long, { kind: 'goal' })] }) }),
    null,
  );
  expect(facts).toEqual([{ label: "THE USER'S GOAL", texts: [long] }]);
});

describe('the pointer', () => {
  test('names the goal and the latest task in one line', () => {
    expect(composePointer(handoff(voyage()))).toMatchSnapshot();
  });

  test('is nothing where nobody asked for anything', () => {
    expect(composePointer(handoff(ledger()))).toBeNull();
    expect(composePointer(handoff(null))).toBeNull();
  });
});

describe('the handoff', () => {
  test('tells the same facts in the same words', () => {
    const text = composeHandoff(handoff(voyage()));
    expect(text).toMatchSnapshot();
    const facts = alert(voyage()).split('\n').slice(3, -2);
    for (const line of facts) expect(text.split('\n')).toContain(line);
  });

  test('has the words by which it is found in a transcript', () => {
    for (const mark of handoffMarks('session-1')) expect(composeHandoff(handoff(voyage()))).toContain(mark);
  });
});
