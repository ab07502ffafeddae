// Tests one long session and two that take its work over, on the real client: all is told, and told once.
import { expect, test } from 'vitest';
import { estimateTokens } from '../../src/text/budget.ts';
import { type Decide, openSession } from '../kit/client.ts';
import { CLI, failures, MINE } from '../kit/plimsoll.ts';
import { textOf } from '../kit/requests.ts';
import { bash, lastAlert, main, SMALL, sandboxFor, standard, summariserFacts } from './said.ts';

const QUESTION = 'Where should rejected lines go?';
const CHOICE = 'A separate rejects.csv';
const REASON = 'the release team publishes, never from here';
const NOTE = 'rounding is half even, as the bank does';
const NOTED = `"${process.execPath}" "${CLI}" note "${NOTE}"`;

const decide: Decide = (tool, input) =>
  tool === 'AskUserQuestion'
    ? { behavior: 'allow', updatedInput: { ...input, answers: { [QUESTION]: CHOICE } } }
    : { behavior: 'deny', message: REASON };

const write = (file: string) => ({ name: 'Write', input: { file_path: file, content: '// new\n' } });
const task = (subject: string) => ({ name: 'TaskCreate', input: { subject, description: subject } });
const status = (taskId: string, to: string) => ({ name: 'TaskUpdate', input: { taskId, status: to } });
const loaded = { name: 'ToolSearch', input: { query: 'select:TaskCreate,TaskUpdate', max_results: 5 } };
const asked = {
  question: QUESTION,
  header: 'Rejects',
  multiSelect: false,
  options: [
    { label: CHOICE, description: 'one file' },
    { label: 'Nowhere', description: 'dropped' },
  ],
};

type Call = { name: string; input: Record<string, unknown> };
/** Each prompt with the calls that it leads to, at which fill, and the answer. */
const FIRST: readonly (readonly [prompt: string, calls: Call[], fill: number, answer: string])[] = [
  [
    'Build a parser for the invoice format in src/parser.ts. Never touch anything below src/legacy. Do not commit, I do that myself.',
    [loaded],
    20_000,
    'On it.',
  ],
  [
    'go on',
    ['Write the amounts', 'Write the command line', 'Document the format'].map(task),
    22_000,
    'Planned.',
  ],
  [
    'go on',
    [write('src/parser.ts'), bash('npm test 2>&1 | tail -40')],
    24_000,
    'One test fails: credit notes.',
  ],
  ['No, not floats: amounts are integer cents, always.', [write('src/amount.ts')], 30_000, 'Cents now.'],
  ['why are there two headers?', [], 33_000, 'The format has two kinds of lines.'],
  ['Schreib die Beschreibung auch auf Deutsch', [write('docs/format-de.md')], 36_000, 'Sie steht in docs.'],
  [
    'Now handle rejected lines',
    [{ name: 'AskUserQuestion', input: { questions: [asked] } }],
    40_000,
    'Done.',
  ],
  ['keep in mind how the bank rounds', [bash(NOTED)], 45_000, 'Noted.'],
  ['release it', [bash('npm publish --tag next')], 50_000, 'I leave that to your team.'],
  [
    'エラーメッセージを日本語にして。英語のキーは変えないでください。',
    [write('src/ja.ts')],
    55_000,
    '書きました。',
  ],
  ['ok', [], 58_000, 'The command line is next.'],
  [
    'now the command line',
    [status('1', 'completed'), status('2', 'in_progress')],
    65_000,
    'Files only, or stdin?',
  ],
  ['both, but never ask on a terminal', [write('src/cli.ts')], 72_000, 'It reads both.'],
  ['what is not committed yet?', [bash('git status --short')], 84_000, 'Five files.'],
  ['fix the credit notes', [bash('npm test')], 118_000, 'Still the sign.'],
  ['weiter', [], 32_000, 'The sign is read twice.'],
];

/** What every text after the first session's compaction must tell. */
const KNOWN = [
  `THE USER'S GOAL: ${FIRST[0]?.[0]}`,
  '- No, not floats: amounts are integer cents, always.',
  '- 英語のキーは変えないでください。',
  "THE USER'S LATEST TASK: fix the credit notes",
  `THE USER REFUSED:\n- Bash npm publish --tag next: ${REASON}`,
  'FAILING NOW:\n- npm test: test/parser.test.ts > reads a credit note → AssertionError: expected 1 to be 2\n',
  'CHECKS IN USE: npm test\n',
  'OPEN TASKS:\n- Write the command line (in progress)\n- Document the format\n',
  `- ${QUESTION} → the user: ${CHOICE}`,
  '- Files only, or stdin? → the user: both, but never ask on a terminal',
  `- noted: ${NOTE}`,
];

function expectTold(text: string): void {
  for (const fact of KNOWN) expect(text).toContain(fact);
  // Nothing is said twice, and no question on the side or mere push stands as work.
  const said = text.split('\n').map((line) => line.replace(/^(?:-|[A-Z' ]+:) /, ''));
  for (const [index, line] of said.entries())
    if (line.length > 8) expect(said.filter((other, at) => at !== index && other.includes(line))).toEqual([]);
  expect(text).not.toMatch(/two headers|not committed yet|: ok$/m);
}

test('goal, corrections, answers, refusal, failing test and open tasks reach the third session, each told once', async () => {
  const sandbox = await sandboxFor({
    env: SMALL,
    git: true,
    files: {
      [MINE]: '[resume]\nheadless = true\n',
      'package.json': '{"scripts":{"test":"sh tests.sh"}}\n',
      'tests.sh':
        'echo " FAIL  test/parser.test.ts > reads a credit note"; echo "AssertionError: expected 1 to be 2"; echo "Tests  1 failed | 30 passed (31)"; exit 1\n',
    },
    settings: {
      permissions: {
        allow: ['Write', 'TaskCreate', 'TaskUpdate', 'Bash(npm test:*)', 'Bash(git:*)', `Bash(${NOTED})`],
      },
    },
    script: {
      main: FIRST.flatMap(([, tools, fill, text]) => [
        ...(tools.length > 0 ? [{ tools, fill }] : []),
        // The call behind 118,000 comes after the compaction.
        { text, fill: fill > 100_000 ? 31_000 : fill + 500 },
      ]),
      fallback: { text: 'Understood.', fill: 40_000 },
    },
  });
  const session = async (...prompts: string[]): Promise<void> => {
    const talk = openSession(sandbox, standard, decide);
    for (const prompt of prompts) await talk.say(prompt);
    await talk.end();
  };
  const handoff = (): string =>
    main(sandbox)
      .flatMap(
        (request) => /<resumption-context>[\s\S]*?<\/resumption-context>/.exec(textOf(request))?.[0] ?? [],
      )
      .at(-1) ?? '';

  await session(...FIRST.map(([prompt]) => prompt));
  expectTold(lastAlert(sandbox));
  expect(lastAlert(sandbox)).toContain('YOU WERE DOING: Bash npm test (last call)');
  await session('go on', 'ok', '/compact', 'go on');
  expectTold(handoff());
  await session('weiter', 'next', '/compact', 'go on');
  expectTold(handoff());
  expectTold(lastAlert(sandbox));
  expect(estimateTokens(lastAlert(sandbox))).toBeLessThanOrEqual(900);
  expect(summariserFacts(sandbox)).toHaveLength(3);
  // The others were asked for by a person, who would be shown them.
  for (const facts of summariserFacts(sandbox).slice(0, 1))
    for (const fact of KNOWN.slice(0, 6)) expect(facts).toContain(fact);
  expect(failures(sandbox)).toEqual([]);
});
