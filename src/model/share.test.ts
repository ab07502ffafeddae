import { describe, expect, test } from 'vitest';
import { anonymous, shareable, withoutText } from './share.ts';

test('words are counted and left out, figures and marks stay, however deep', () => {
  expect(
    withoutText({
      work: {
        requests: ['write the lexer', ''],
        tasks: [{ id: '1', subject: 'secret plan', status: 'pending', active: null }],
        failing_commands: [{ command: 'npm test', output: 'boom' }],
        last_answer: null,
        turn_open: true,
      },
      active: true,
      accumulated_context: { defect_gates: { 'Our client is late': ['qg-1'] } },
      event_id: 'cx-001',
    }),
  ).toEqual({
    work: {
      requests: ['[text left out: 15 characters]', ''],
      tasks: [{ id: '1', subject: '[text left out: 11 characters]', status: 'pending', active: null }],
      failing_commands: [
        { command: '[text left out: 8 characters]', output: '[text left out: 4 characters]' },
      ],
      last_answer: null,
      turn_open: true,
    },
    active: true,
    accumulated_context: { defect_gates: { '[0]': ['[text left out: 4 characters]'] } },
    event_id: 'cx-001',
  });
});

describe('anonymous()', () => {
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
    expect(anonymous({ text: [text] }, ['/home/jane', '/data/users/jane'], 'jane')).toEqual({
      text: [expected],
    });
  });

  test('a name that is everybody’s is a word like others, and no home is no pattern', () => {
    expect(anonymous('root of /root', ['/'], 'root')).toBe('root of /root');
    expect(anonymous('/root/x is the root', ['/root'], 'root')).toBe('~/x is the root');
  });
});

test('secrets go before names do', () => {
  const value = { log: 'jane: password=hunter2hunter2 token: ghp_0123456789abcdefghij', requests: ['hi'] };
  const shared = JSON.stringify(shareable(value, { homes: ['/home/jane'], user: 'jane', withText: true }));
  expect(shared).not.toMatch(/hunter2|ghp_0123|jane/);
  expect(shared).toContain('hi');
});
