// Makes ledgers by hand, as the fold would from a long session.
import {
  createLedger,
  type FactEvidence,
  type Ledger,
  type LedgerRequest,
} from '../../src/compaction/ledger/ledger.ts';

let offset = 0;
export const evidence = (more: Partial<FactEvidence> = {}): FactEvidence => ({
  session: 0,
  segment: 0,
  entry: null,
  offset: offset++,
  at: null,
  ...more,
});

export const asked = (text: string, more: Partial<LedgerRequest> = {}): LedgerRequest => ({
  ...evidence(),
  text,
  cut: 0,
  kind: 'topic',
  by: 'person',
  command: null,
  answered: false,
  ...more,
});

export const ledger = (more: Partial<Ledger> = {}): Ledger => ({ ...createLedger('thread-1'), ...more });

export const ran = (
  command: string,
  more: Partial<Ledger['checks'][number]> = {},
): Ledger['checks'][number] => ({
  ...evidence(),
  command,
  asRun: command,
  runs: 1,
  result: 'passed',
  failingTests: [],
  error: null,
  lastFailure: null,
  ...more,
});

export const touched = (
  path: string,
  more: Partial<Ledger['files'][number]> = {},
): Ledger['files'][number] => ({
  ...evidence(),
  path,
  reads: 0,
  writes: 0,
  made: false,
  deleted: false,
  changed: more.writes || more.deleted ? { session: 0, offset: offset++ } : null,
  ...more,
});

export const task = (
  id: string,
  subject: string,
  status: Ledger['tasks'][number]['status'] = 'pending',
): Ledger['tasks'][number] => ({ ...evidence(), id, subject, status, active: null });

/** A day's work on a parser, with something of every kind. */
export const voyage = (): Ledger =>
  ledger({
    segment: 1,
    isTurnOpen: true,
    requests: [
      asked('Build the parser. Never use a regular expression for it. Do not commit.', {
        kind: 'goal',
        answered: true,
      }),
      asked('What does the tokenizer return for a tab?', { kind: 'question', answered: true }),
      asked('Now let it report the line of an error', { by: 'queued' }),
      asked('Release is on Friday, hurry', { kind: 'topic', by: 'peer' }),
      asked('go on', { kind: 'push' }),
    ],
    requirements: [
      { ...evidence(), kind: 'rule', text: 'Never use a regular expression for it.', cut: 0 },
      { ...evidence(), kind: 'rule', text: 'Do not commit.', cut: 0 },
      { ...evidence(), kind: 'correction', text: 'No, columns begin at 1 and not at 0.', cut: 0 },
    ],
    answers: [{ ...evidence(), question: 'Which format?', answer: 'JSON lines' }],
    plan: { ...evidence(), title: '# A parser in three steps', text: '', cut: 0, file: 'plans/parser.md' },
    refusals: [
      {
        ...evidence(),
        tool: 'Bash',
        tried: 'rm -rf build',
        reason: 'keep the build folder, it has my notes',
      },
    ],
    notes: [
      { ...evidence(), kind: 'note', by: 'agent', text: 'port 4711 is taken by the old server', cut: 0 },
    ],
    tasks: [task('1', 'Tokenizer', 'completed'), task('2', 'Line numbers', 'in_progress'), task('3', 'Docs')],
    files: [
      touched('/project/src/lexer.ts', { reads: 3 }),
      touched('/project/docs/grammar.md', { reads: 1 }),
      touched('/project/src/parser.ts', { writes: 4, reads: 2 }),
      touched('/project/old.ts', { deleted: true }),
    ],
    checks: [
      ran('npm run lint', { runs: 2 }),
      ran('npx tsc --noEmit', { runs: 7 }),
      ran('npm test', {
        runs: 9,
        result: 'failed',
        failingTests: ['parser > reports the line', 'parser > reads a tab'],
        error: 'AssertionError: expected 1 to be 2',
      }),
    ],
    commands: [ran('grep -rn tab src', { runs: 3 })],
    underway: { ...evidence(), tool: 'Edit', action: 'write', what: '/project/src/parser.ts' },
    lastAnswer: { ...evidence(), text: 'The tokenizer is done.', cut: 0, isFinal: true },
  });
