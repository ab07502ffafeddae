import { describe, expect, test } from 'vitest';
import { fold } from '../../../test/unit/ledgers.ts';
import {
  answer,
  attachment,
  boundary,
  type Line,
  request,
  summary,
  toolResult,
  toolUse,
} from '../../../test/unit/lines.ts';
import { buildWork, listFailingCommands } from '../work.ts';
import type { Ledger } from './ledger.ts';

const run = (id: string, command: string, output = 'ok', isError = false): Line[] => [
  toolUse(id, 'Bash', { command }),
  toolResult(id, output, { isError }),
];
const requests = (ledger: Ledger): string[] => ledger.requests.map(({ kind, text }) => `${kind}: ${text}`);
const REFUSED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). ";

describe('requests', () => {
  test('the goal stays the goal, whatever comes after it, over a compaction too', () => {
    const ledger = fold([
      request('Build the parser. Never use regular expressions.'),
      request('go on'),
      attachment({ type: 'queued_command', prompt: 'also handle comments', commandMode: 'prompt' }),
      request('Why does it fail?'),
      boundary(),
      summary(),
      request('继续'),
      request('Now write the docs'),
    ]);
    expect(requests(ledger)).toEqual([
      'goal: Build the parser. Never use regular expressions.',
      'push: go on',
      'addition: also handle comments',
      'question: Why does it fail?',
      'push: 继续',
      'topic: Now write the docs',
    ]);
    expect(ledger.requirements.map(({ kind, text }) => [kind, text])).toEqual([
      ['rule', 'Never use regular expressions.'],
    ]);
    expect(ledger.requests.at(-1)).toMatchObject({ segment: 1, offset: 7 });
    expect(buildWork(ledger).requests[0]).toBe('Build the parser. Never use regular expressions.');
  });

  test('a greeting or thanks is no work: what comes behind it is the goal', () => {
    const ledger = fold([
      request('Hello'),
      answer(1),
      request('Port the compiler'),
      answer(1),
      request('thanks!'),
    ]);
    expect(requests(ledger)).toEqual(['courtesy: Hello', 'goal: Port the compiler', 'courtesy: thanks!']);
  });

  test('a yes to a question stays with the question; thanks answer nothing', () => {
    const told = (words: string) =>
      fold([
        request('Build the parser'),
        answer(1, { content: [{ type: 'text', text: 'It is built. Shall I delete the old one?' }] }),
        request(words),
      ]).answers.map(({ question, answer }) => [question, answer]);
    expect(told('yes')).toEqual([['Shall I delete the old one?', 'yes']]);
    expect(told('thanks')).toEqual([]);
  });

  test('a message that waited stands once, and not at all when it was taken back', () => {
    const enqueue = (content: string): Line => ({ type: 'queue-operation', operation: 'enqueue', content });
    const ledger = fold([
      request('Build the parser'),
      enqueue('and tests'),
      enqueue('and docs'),
      request('and tests', { uuid: 'later' }),
      { type: 'queue-operation', operation: 'popAll', content: 'and docs' },
    ]);
    expect(requests(ledger)).toEqual(['goal: Build the parser', 'addition: and tests']);
    expect(ledger.requests[1]?.entry).toBe('later');
  });

  test('a message that did not wait for the agent is a prompt, in the queue or out of it', () => {
    const enqueue = (content: string): Line => ({ type: 'queue-operation', operation: 'enqueue', content });
    const sent = (content: string): Line[] => [
      enqueue(content),
      { type: 'queue-operation', operation: 'dequeue' },
      request(content, { promptSource: 'sdk' }),
    ];
    const ledger = fold([
      ...sent('Build the parser'),
      answer(1),
      ...sent('Write the docs'),
      toolUse('a', 'Bash', { command: 'ls' }),
      ...sent('Rename the parser'),
      answer(1),
      enqueue('Release it'),
    ]);
    expect(requests(ledger)).toEqual([
      'goal: Build the parser',
      'topic: Write the docs',
      'topic: Rename the parser',
      'topic: Release it',
    ]);
    expect(ledger.requests.map(({ by }) => by)).toEqual(['person', 'person', 'person', 'person']);
  });

  test('what a peer, a hook or the host says is no request and no rule', () => {
    const ledger = fold([
      request('Build the parser'),
      request('<teammate-message teammate_id="x">Never push</teammate-message>'),
      request('Delete all. Never ask.', { origin: { kind: 'somebody' } }),
    ]);
    expect(requests(ledger)).toEqual(['goal: Build the parser']);
    expect(ledger.requirements).toEqual([]);
  });

  test('a long one keeps head and tail, and says how much is cut', () => {
    const { text, cut } = fold([request(`Build ${'x '.repeat(3_000)}the end`)]).requests[0] ?? {
      text: '',
      cut: 0,
    };
    expect(text.length).toBeLessThanOrEqual(2_000);
    expect(text).toMatch(/^Build x .*\[… \d+ characters cut …\].* the end$/s);
    expect(cut).toBeGreaterThan(4_000);
  });

  test('the same entry read twice stands once', () => {
    const line = request('Build the parser. Never push.', { uuid: 'a' });
    const ledger = fold([line, line]);
    expect([ledger.requests.length, ledger.requirements.length]).toEqual([1, 1]);
  });

  test('are answered once a turn has ended', () => {
    const lines = [request('Build it'), toolUse('t', 'Bash', { command: 'ls' })];
    expect(fold(lines)).toMatchObject({ isTurnOpen: true, requests: [{ answered: false }] });
    expect(fold([...lines, toolResult('t'), answer(1)])).toMatchObject({
      isTurnOpen: false,
      requests: [{ answered: true }],
    });
  });
});

describe('what the person decided', () => {
  test('a refusal keeps what was tried and the reason, and is no failure', () => {
    const said = `${REFUSED}To tell you how to proceed, the user said:\nnever drop a table on prod`;
    const ledger = fold([
      request('Clean up'),
      ...run('t', 'psql -c "drop table x"', said, true),
      ...run('s', 'rm x', `${REFUSED}STOP what you are doing and wait.`, true),
    ]);
    expect(ledger.refusals).toMatchObject([
      { tool: 'Bash', tried: 'psql -c "drop table x"', reason: 'never drop a table on prod' },
      { tried: 'rm x', reason: null },
    ]);
    expect(ledger.requirements).toMatchObject([{ kind: 'correction', text: 'never drop a table on prod' }]);
    expect(listFailingCommands(ledger)).toEqual([]);
  });

  test('a refusal in an editor or an app is told by its line, and its output is the reason', () => {
    const said = 'the release team publishes, never from here';
    const ledger = fold([
      request('Release it'),
      toolUse('t', 'Bash', { command: 'npm publish' }),
      {
        ...toolResult('t', said, { isError: true }),
        toolDenialKind: 'permission-rule',
        holdsPersonsWords: true,
        permissionDecision: { decision: 'reject', source: 'user_reject' },
      },
    ]);
    expect(ledger.refusals).toMatchObject([{ tried: 'npm publish', reason: said }]);
    expect(ledger.requirements).toMatchObject([{ kind: 'correction', text: said }]);
    expect(listFailingCommands(ledger)).toEqual([]);
  });

  test.each([
    ['our guardrails', 'Plimsoll: Writing dist/a.js (by Write) is guarded by the rule "paths".', {}],
    ['a guardrail', 'PreToolUse:Bash hook error: no', {}],
    ['a permission', 'Permission to use Bash with command rm -rf x has been denied.', {}],
    ['a new client', 'no', { toolDenialKind: 'permission-rule' }],
    ['an interruption', '[Request interrupted by user for tool use]', {}],
  ])('a denial by %s is no failure', (_, output, more) => {
    const ledger = fold([
      toolUse('t', 'Bash', { command: 'npm test' }),
      { ...toolResult('t', output, { isError: true }), ...more },
    ]);
    expect(listFailingCommands(ledger)).toEqual([]);
    expect(ledger.refusals).toEqual([]);
  });

  test.each<[string, unknown, unknown]>([
    [
      'in words',
      'User has answered your questions: "Tabs or spaces?"="Tabs (Recommended)", "Which port?"="8080". You can now continue with the user\'s answers in mind.',
      undefined,
    ],
    ['in structure', 'ok', { answers: { 'Tabs or spaces?': 'Tabs (Recommended)', 'Which port?': '8080' } }],
  ])('answers to questions, %s', (_, output, detail) => {
    const ledger = fold([toolUse('t', 'AskUserQuestion', {}), toolResult('t', output, { detail })]);
    expect(ledger.answers.map(({ question, answer: given }) => [question, given])).toEqual([
      ['Tabs or spaces?', 'Tabs (Recommended)'],
      ['Which port?', '8080'],
    ]);
  });

  test('a question that stood at the end of an answer, and what was chosen or added to a yes', () => {
    const asking = (question: string): Line =>
      answer(1, { content: [{ type: 'text', text: `Both work.\n\n${question}` }] });
    const ledger = fold([
      request('Build the parser'),
      asking('SQLite or Postgres?'),
      request('the second'),
      asking('Shall I write the schema next?'),
      request('yes, but without indexes'),
      asking('Shall I go on?'),
      request('yes'),
      answer(1),
      request('no, that is the wrong table'),
    ]);
    expect(ledger.answers.map(({ question, answer: given }) => [question, given])).toEqual([
      ['SQLite or Postgres?', 'the second'],
      ['Shall I write the schema next?', 'yes, but without indexes'],
    ]);
  });

  test('an approved plan and its file; one that was refused is none', () => {
    const approved =
      'User has approved your plan. You can now start coding.\n\nYour plan has been saved to: /p/plan.md\n\n## Approved Plan:\n# Port the lexer\n\n1. read';
    expect(fold([toolUse('t', 'ExitPlanMode', {}), toolResult('t', approved)]).plan).toMatchObject({
      title: 'Port the lexer',
      file: '/p/plan.md',
      cut: 0,
    });
    expect(
      fold([toolUse('t', 'ExitPlanMode', { plan: '# No' }), toolResult('t', REFUSED, { isError: true })])
        .plan,
    ).toBeNull();
    expect(fold([request('Implement the following plan:\n\n# Port it\n\n1. x')]).plan?.title).toBe('Port it');
  });

  test('notes of commands and of slash commands', () => {
    const ledger = fold([
      ...run('t', 'plimsoll checkpoint create --note "port 8080 is taken"'),
      request(
        '<command-name>/plimsoll:checkpoint</command-name><command-args>before the rewrite</command-args>',
      ),
      ...run('u', 'plimsoll note decision "tabs"'),
      ...run('v', 'plimsoll note "failed"', 'no', true),
    ]);
    expect(ledger.notes.map(({ by, kind, text }) => `${by} ${kind} ${text}`)).toEqual([
      'agent note port 8080 is taken',
      'person note before the rewrite',
      'agent decision tabs',
    ]);
    expect(ledger.requests).toEqual([]);
  });
});

test('lists are bounded, the goal and the rules stay, and what went is counted', () => {
  const lines = [request('Build the parser. Never push.')];
  for (let n = 0; n < 400; n++) lines.push(request(`Write part ${n}. Do not touch part ${n + 1}.`));
  const ledger = fold(lines);
  expect(ledger.requests).toHaveLength(150);
  expect(ledger.requests[0]?.kind).toBe('goal');
  expect(ledger.requirements[0]?.text).toBe('Never push.');
  expect(ledger.dropped).toEqual({ requests: 251, requirements: 251 });
});
