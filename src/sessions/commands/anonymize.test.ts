import { describe, expect, test } from 'vitest';
import { anonymize, shareable, withoutText } from './anonymize.ts';

test('words are counted and left out, figures and marks stay, however deep', () => {
  expect(
    withoutText({
      work: {
        requests: ['write the lexer', ''],
        failing_commands: [{ command: 'npm test', output: 'boom' }],
        tasks: [{ id: '1', subject: 'secret plan', status: 'pending', active: null }],
        last_answer: null,
        turn_open: true,
      },
      ledger: {
        requirements: [{ text: 'never call Acme', cut: 0, kind: 'rule', at: '2026-11-29T02:49:21.541Z' }],
      },
      active: true,
      event_id: 'cx-001',
    }),
  ).toEqual({
    work: {
      requests: ['[text left out: 15 characters]', ''],
      failing_commands: [
        { command: '[text left out: 8 characters]', output: '[text left out: 4 characters]' },
      ],
      tasks: [
        {
          id: '[text left out: 1 characters]',
          subject: '[text left out: 11 characters]',
          status: 'pending',
          active: null,
        },
      ],
      last_answer: null,
      turn_open: true,
    },
    ledger: {
      requirements: [
        { text: '[text left out: 15 characters]', cut: 0, kind: 'rule', at: '2026-11-29T02:49:21.541Z' },
      ],
    },
    active: true,
    event_id: 'cx-001',
  });
});

describe('what nobody has named is not told, whatever comes to be kept', () => {
  const rows: [what: string, value: Record<string, unknown>, expected: Record<string, unknown>][] = [
    ['a text', { new_field: 'Acme' }, { new_field: '[text left out: 4 characters]' }],
    ['a list', { new_list: ['Acme'] }, { new_list: '[left out: 1 entry]' }],
    [
      'names that are words',
      { agent_summaries: { Acme: 1, b: 2 } },
      { agent_summaries: '[left out: 2 entries]' },
    ],
    ['words in place of a mark', { status: 'Acme is late' }, { status: '[text left out: 12 characters]' }],
    ['words in place of a time', { at: 'Acme' }, { at: '[text left out: 4 characters]' }],
    ['words in place of an id', { checkpoint: 'Acme' }, { checkpoint: '[text left out: 4 characters]' }],
    ['the reason that a person gave', { reason: 'Acme' }, { reason: '[text left out: 4 characters]' }],
    ['the reason of the client', { reason: 'logout' }, { reason: 'logout' }],
    [
      'nothing',
      { new_list: [], new_part: {}, note: '', plan: null },
      { new_list: [], new_part: {}, note: '', plan: null },
    ],
  ];
  test.each(rows)('%s', (_what, value, expected) => {
    expect(withoutText(value)).toEqual(expected);
  });

  test.each(['{"a": Acme is late}', 'Acme is late', '{"text":"Acme', '["Acme" "is late"]'])(
    'what an error quotes of a text that is no JSON: %s',
    (text) => {
      let error = '';
      try {
        JSON.parse(text);
      } catch (thrown) {
        error = (thrown as Error).message;
      }
      const told = JSON.stringify(withoutText({ error: `/x/cx-001.json: ${error}` }));
      expect(told).toContain('cx-001.json: ');
      expect(told).toContain('JSON');
      expect(told).not.toMatch(/Acme|late/);
    },
  );
});

describe('anonymize()', () => {
  const rows: [what: string, text: string, expected: string][] = [
    ['a path below the home folder', '/home/jane/work/x.ts', '~/work/x.ts'],
    ['the home folder itself', 'HOME is /home/jane.', 'HOME is ~.'],
    ['its other path', '/data/users/jane/x', '~/x'],
    ['a folder whose name only begins like it', '/home/janet/x', '/home/janet/x'],
    ['the name of a transcript folder', '/x/projects/-home-jane-work/y.jsonl', '/x/projects/~-work/y.jsonl'],
    ['the name of the user', 'written by Jane (jane@example.org)', 'written by ~ (~@example.org)'],
    ['a word that holds it', 'janeway', 'janeway'],
  ];
  test.each(rows)('%s', (_what, text, expected) => {
    expect(anonymize({ text: [text] }, ['/home/jane', '/data/users/jane'], 'jane')).toEqual({
      text: [expected],
    });
  });

  test('a name that is everybody’s is a word like others, and no home is no pattern', () => {
    expect(anonymize('root of /root', ['/'], 'root')).toBe('root of /root');
    expect(anonymize('/root/x is the root', ['/root'], 'root')).toBe('~/x is the root');
  });
});

test('secrets go before names do', () => {
  const value = { log: 'jane: password=hunter2hunter2 token: ghp_0123456789abcdefghij', requests: ['hi'] };
  const shared = JSON.stringify(shareable(value, { homes: ['/home/jane'], user: 'jane', withText: true }));
  expect(shared).not.toMatch(/hunter2|ghp_0123|jane/);
  expect(shared).toContain('hi');
});
