// Tests what a report lists of a ledger: by kind, open before closed, cut where it is long.
import { expect, test } from 'vitest';
import { fold } from '../../test/unit/ledgers.ts';
import { answer, request, toolResult, toolUse } from '../../test/unit/lines.ts';
import { listKnownFacts } from './evidence.io.ts';

const LEDGER = fold([
  request('Build the parser. Never touch the lock file!'),
  toolUse('t0', 'TodoWrite', {
    todos: [
      { content: 'Lexer', status: 'completed' },
      { content: 'Parser', status: 'in_progress' },
      { content: 'Docs', status: 'pending' },
    ],
  }),
  toolResult('t0'),
  toolUse('t1', 'Write', { file_path: '/p/src/parser.ts', content: 'x' }),
  toolResult('t1'),
  toolUse('t2', 'Read', { file_path: '/p/src/lexer.ts' }),
  toolResult('t2'),
  toolUse('t3', 'Bash', { command: 'npm test' }),
  toolResult('t3', 'Exit code 1\n\nError: expected 3, got 4', { isError: true }),
  toolUse('t4', 'Bash', { command: 'npm run lint' }),
  toolResult('t4'),
  answer(50_000),
]);

test('a ledger is listed by kind, with paths as the project knows them', () => {
  expect(listKnownFacts(LEDGER, '/p')).toEqual([
    { title: 'Requests', items: ['Build the parser. Never touch the lock file!'] },
    { title: 'Requirements', items: ['Never touch the lock file!'] },
    { title: 'Open tasks', items: ['Parser (in progress)', 'Docs'] },
    { title: 'Failing commands', items: ['npm test → Error: expected 3, got 4'] },
    { title: 'Checks that passed', items: ['npm run lint'] },
    { title: 'Files changed', items: ['src/parser.ts'] },
    { title: 'Files read', items: ['src/lexer.ts'] },
  ]);
});

test('of a long list the last ones are shown, of a long text its beginning', () => {
  const [task] = LEDGER.tasks;
  if (task === undefined) throw new Error('a task is expected');
  const tasks = Array.from({ length: 60 }, (_, index) => ({
    ...task,
    status: 'pending' as const,
    subject: `${index} ${'x'.repeat(400)}`,
  }));
  const listed = listKnownFacts({ ...LEDGER, tasks }, null).find(({ title }) =>
    title.startsWith('Open tasks'),
  );
  expect(listed?.title).toBe('Open tasks, the last 40 of 60');
  expect(listed?.items).toHaveLength(40);
  expect(listed?.items[0]).toMatch(/^20 x+…$/);
  expect(listed?.items[0]).toHaveLength(300);
});
