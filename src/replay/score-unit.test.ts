// Tests what the probe finds in a made-up session whose facts are known.
import { expect, test } from 'vitest';
import { answer, boundary, type Line, request, summary, toolResult, toolUse } from '../../test/unit/lines.ts';
import { splitUnits } from '../hosts/claude-code/replay/read-talk.ts';
import { summarizeScores } from './probe.command.ts';
import { type JudgedFact, scoreUnit } from './score-unit.ts';

const call = (id: string, name: string, input: unknown, output = 'ok', isError = false): Line[] => [
  toolUse(id, name, input),
  toolResult(id, output, { isError }),
];
const BEFORE: Line[] = [
  request('Build the parser for JIRA-12 now. Never touch the `lockfile.json` again, please.'),
  ...call('a', 'Read', { file_path: '/p/read.ts' }),
  ...call('b', 'Edit', { file_path: '/p/src/index.ts' }),
  ...call('c', 'Write', { file_path: '/p/test/index.ts' }),
  ...call('d', 'Bash', { command: 'npm test 2>&1 | tail' }, 'Exit code 1\nFAIL parser.test.ts', true),
  ...call('e', 'Bash', { command: 'curl localhost:4173' }),
  ...call('f', 'TaskCreate', { subject: 'Write the grammar' }, 'Task #1 created successfully: x'),
  ...call(
    'g',
    'AskUserQuestion',
    {},
    'User has answered your questions: "Which?"="One file (Recommended)". You can now continue.',
  ),
  ...call(
    'h',
    'Bash',
    { command: 'rm -rf x' },
    "The user doesn't want to proceed\nTo tell you how to proceed, the user said:\nDon't delete anything here.",
    true,
  ),
  request('only the parser of the grammarian, please'),
  ...call('i', 'Grep', { pattern: 'parse(' }),
];
const AFTER: Line[] = [
  ...call('j', 'Bash', { command: 'npm test && curl localhost:4173' }),
  ...call('k', 'Edit', {
    file_path: '/p/src/index.ts',
    new_string: 'grammarian parser lockfile.json One file',
  }),
  ...call('l', 'TaskUpdate', { taskId: '1', status: 'completed' }),
  ...call('m', 'Grep', { pattern: 'parse(' }),
  request('thanks'),
];
const lines = [...BEFORE, boundary(), summary(), answer(1_000), ...AFTER];

function score(ours: string, from: readonly Line[] = lines) {
  const [unit] = splitUnits(from);
  if (unit === undefined) throw new Error('no unit');
  return scoreUnit(unit, ours, { name: 'a', session: 'a', compaction: 0, checks: 5 });
}
const keyOf = (fact: JudgedFact): string => `${fact.kind}: ${fact.value}`;
const told = (ours: string): string[] =>
  score(ours)
    .facts.filter((fact) => fact.told.alone)
    .map(keyOf);

test('each fact is found once, and whether it was needed', () => {
  expect(score('').facts.map((fact) => `${fact.needed ? '!' : ' '} ${keyOf(fact)}`)).toEqual([
    '! files written: /p/src/index.ts',
    '  files written: /p/test/index.ts',
    '  files read: /p/read.ts',
    '! failing commands: npm test',
    '! their errors: FAIL parser.test.ts',
    '! check commands: npm test',
    '  other commands: curl localhost:4173',
    '  ids, ports, URLs: JIRA-12',
    '! open tasks: Write the grammar',
    '! call under way: parse(',
    '  answers: One file',
    '! last request: only the parser of the grammarian, please',
    '! standing rules: Never touch the `lockfile.json` again, please.',
    "  corrections: Don't delete anything here.",
    '! corrections: only the parser of the grammarian, please',
  ]);
});

test.each<[string, string[]]>([
  ['see src/index.ts:12', ['files written: /p/src/index.ts']],
  ['see index.ts', []],
  ['npm test:all', []],
  [
    'run `npm test` and curl localhost:4173',
    ['failing commands: npm test', 'check commands: npm test', 'other commands: curl localhost:4173'],
  ],
  ['JIRA-123', []],
  [
    'Never touch\n  the `lockfile.json` again, please.',
    ['standing rules: Never touch the `lockfile.json` again, please.'],
  ],
])('%j tells %j', (text, facts) => {
  expect(told(text)).toEqual(facts);
});

test('reads of known files and the way to the first edit are counted', () => {
  const again = [
    ...BEFORE,
    boundary(),
    answer(1_000),
    ...call('x', 'Read', { file_path: '/p/read.ts' }),
    ...AFTER,
  ];
  expect(score('', again)).toMatchObject({ readAgain: 1, callsToEdit: 3 });
  expect(score('', [...BEFORE, boundary(), answer(1)])).toMatchObject({ readAgain: 0, callsToEdit: null });
});

test('each compaction that something stands in front of is a unit; a subagent’s is none', () => {
  const twice = [boundary(), summary(), ...lines, boundary('manual'), summary(), answer(1)];
  const units = splitUnits([...twice, boundary('auto', 1, { isSidechain: true })]);
  expect(units.map(({ linesBefore, trigger, after }) => [linesBefore, trigger, after.length])).toEqual([
    [2 + BEFORE.length, 'auto', 1 + AFTER.length],
    [2 + lines.length, 'manual', 2],
  ]);
});

test('the interval is the same each time, and wide where sessions differ', () => {
  const units = ['a', 'b', 'c', 'd'].map((session, index) => ({
    ...score(index < 2 ? 'npm test' : lines.map((line) => JSON.stringify(line)).join(' ')),
    session,
  }));
  const found = summarizeScores(units);
  expect(summarizeScores(units)).toEqual(found);
  const [low, high] = found.interval.with ?? [];
  expect(low).toBeLessThan(found.retention.with ?? 0);
  expect(high).toBeGreaterThan(found.retention.with ?? 1);
  expect(found.interval.summary).toEqual([0, 0]);
});
