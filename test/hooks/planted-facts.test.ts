// Tests that facts planted in a long session stand in every later alert and handoff,
// or the text names the command that shows them.
import { expect, test } from 'vitest';
import { plimsoll } from '../kit/plimsoll.ts';
import { type ClientSession, clientSession } from './client-session.ts';
import { type Host, newHost } from './host.ts';

const GOAL = 'Build a parser for the invoice format in src/parser.ts';
const RULES = [
  'Never touch anything below src/legacy.',
  'Do not commit, I do that myself.',
  'Write a test for every export.',
];
const PROMPT = `${GOAL}. ${RULES.join(' ')} The ticket is INV-2041, and the staging server listens on port 4173.`;
const CORRECTION = 'No, not floats: amounts are integer cents, always.';
const QUESTION = 'Where should rejected lines go?';
const CHOICE = 'A separate rejects.csv';
const REASON = 'the release team publishes, never from here';
const FAILING = 'parser.test.ts > reads a credit note';

/** What each text must tell, from the moment on that it was said. */
const BY_SEGMENT: readonly (readonly string[])[] = [
  [GOAL, ...RULES, 'INV-2041', '4173'],
  [CORRECTION, CHOICE],
  [REASON, FAILING],
];
const knownIn = (segment: number): string[] => BY_SEGMENT.slice(0, segment).flat();

const tests = (session: ClientSession, failing: string | null): void =>
  session.tool(
    'Bash',
    { command: 'npm test 2>&1 | tail -40', description: 'Run the tests' },
    failing === null
      ? ' Test Files  4 passed (4)\n      Tests  31 passed (31)'
      : ` FAIL  test/${failing}\nAssertionError: expected 1 to be 2\n Test Files  1 failed | 3 passed (4)\n      Tests  1 failed | 30 passed (31)`,
    { failed: failing !== null },
  );

/** Work that leaves nothing to remember but files; `lines` lines of it. */
function work(host: Host, session: ClientSession, lines: number, failing: string | null = null): void {
  for (let line = 0; line < lines; line += 2) {
    const file = `${host.project}/src/part-${line % 14}.ts`;
    if (line % 22 === 20) tests(session, failing);
    else if (line % 6 === 4) session.tool('Edit', { file_path: file, old_string: 'a', new_string: 'b' });
    else session.tool('Read', { file_path: file }, `1→export const part = ${line};`);
  }
}

/** Which of the facts neither the text tells nor the command that it names. */
function missing(host: Host, text: string, facts: readonly string[]): string[] {
  const named = /plimsoll (checkpoint show cx-\d+|handoff)/.exec(text)?.[1]?.split(' ') ?? null;
  const shown = named === null ? '' : plimsoll({ env: host.env, projectDir: host.project }, ...named).stdout;
  const plain = (of: string): string => of.replace(/\s+/g, ' ');
  return facts.filter((fact) => !plain(text).includes(fact) && !plain(shown).includes(fact));
}

test('three compactions and three sessions later, every planted fact is told or shown', async () => {
  const host = newHost();
  const first = clientSession(host, '0f6e3a52-1111-4222-8333-444455556666');
  first.start();
  first.prompt(PROMPT);
  work(host, first, 96);
  tests(first, null);
  const one = first.compact();
  expect(missing(host, one.alert, knownIn(1)), one.alert).toEqual([]);

  first.prompt('go on');
  work(host, first, 40);
  first.says('The reader is there. The amounts are floats now.');
  first.typed(CORRECTION);
  work(host, first, 40);
  first.tool(
    'AskUserQuestion',
    {
      questions: [{ question: QUESTION, header: 'Rejects', options: [{ label: CHOICE, description: 'x' }] }],
    },
    `User has answered your questions: "${QUESTION}"="${CHOICE}". You can now continue with the user's answers in mind.`,
    { detail: { questions: [{ question: QUESTION }], answers: { [QUESTION]: CHOICE } } },
  );
  const two = first.compact();
  expect(missing(host, two.alert, knownIn(2)), two.alert).toEqual([]);

  first.prompt('yes, go on');
  work(host, first, 60);
  first.refused('Bash', { command: 'npm publish --tag next' }, REASON);
  work(host, first, 40);
  tests(first, FAILING);
  const three = first.compact();
  expect(missing(host, three.alert, knownIn(3)), three.alert).toEqual([]);
  first.prompt('continue');
  work(host, first, 10);
  await first.end();

  for (const [index, words] of ['go on', 'weiter', 'go on'].entries()) {
    const next = clientSession(host, `0f6e3a52-1111-4222-8333-${String(index).repeat(12)}`);
    const handoff = next.start();
    expect(missing(host, handoff, knownIn(3)), handoff).toEqual([]);
    next.prompt(words);
    work(host, next, 14);
    const { alert, facts } = next.compact();
    expect(missing(host, alert, knownIn(3)), alert).toEqual([]);
    expect(facts).toContain(GOAL);
    next.prompt('ok');
    work(host, next, 4);
    await next.end();
  }
});

test('a control with nothing to know gets the frame alone', () => {
  const host = newHost();
  const session = clientSession(host, '0f6e3a52-1111-4222-8333-777777777777');
  session.start();
  session.prompt('go on');
  session.says('There is nothing to go on with.');
  const { alert } = session.compact();
  const lines = alert.split('\n');
  expect(
    lines.filter((line) => /^(?:[A-Z][A-Z' ]+:|- )/.test(line) && !line.startsWith('COMPACTION EVENT')),
  ).toEqual([]);
  expect(lines.length).toBeLessThanOrEqual(6);
});

test('a greeting is no goal, and thanks are no words to keep, in a session and in the one after it', async () => {
  const host = newHost();
  const session = clientSession(host, '0f6e3a52-1111-4222-8333-666666666661');
  session.start();
  session.prompt('Hello');
  session.says('Hello. What shall I do?');
  session.prompt('Build the parser');
  work(host, session, 8);
  session.says('Built.');
  session.prompt('thanks!');
  session.says('You are welcome.');
  const { alert, facts } = session.compact();
  for (const text of [alert, facts]) {
    expect(text).toContain("THE USER'S GOAL: Build the parser\n");
    expect(text).not.toMatch(/Hello|thanks|LATEST TASK|LAST WORDS/);
  }
  await session.end();
  // A greeting is no "go on": what comes behind it is work of its own.
  const next = clientSession(host, '0f6e3a52-1111-4222-8333-666666666662');
  expect(next.start()).toContain('Build the parser');
  next.prompt('hi there');
  next.says('Hi.');
  next.prompt('Write the release notes');
  work(host, next, 4);
  const told = next.compact();
  expect(told.alert).toContain("THE USER'S GOAL: Write the release notes\n");
  expect(told.alert).not.toContain('Build the parser');
  await next.end();
});

const STORIES: readonly (readonly [name: string, goal: string, rule: string, push: string])[] = [
  ['short English', 'Build the parser', 'never commit', 'go on'],
  ['German', 'Baue den Parser für Rechnungen', 'Niemals etwas committen.', 'weiter'],
  ['Chinese', '写一个解析器', '不要提交代码。', '继续'],
  ['Japanese', 'パーサーを書いて', 'コミットしないでください。', '続けて'],
];

test.each(STORIES)(
  '%s: goal and rule are told after a push and a compaction, everywhere',
  async (_, goal, rule, push) => {
    const host = newHost();
    const session = clientSession(host, '0f6e3a52-1111-4222-8333-888888888888');
    session.start();
    session.prompt(goal);
    work(host, session, 8);
    session.says('Done so far.');
    session.typed(rule);
    session.says('Ok.');
    session.prompt(push);
    work(host, session, 4);
    const { alert, facts } = session.compact();
    for (const text of [alert, facts]) {
      expect(text).toContain(goal);
      expect(text).toContain(rule);
    }
    const shown = plimsoll(
      { env: host.env, projectDir: host.project },
      'checkpoint',
      'show',
      'cx-001',
    ).stdout;
    expect(shown).toContain(goal);
    expect(shown).toContain(rule);
    session.prompt(push);
    session.says('Everything is done.');
    await session.end();
    const next = clientSession(host, '0f6e3a52-1111-4222-8333-999999999999').start();
    expect(next).toContain(goal);
  },
);

test('a person who asks for the compaction is shown one sentence', () => {
  const host = newHost();
  const session = clientSession(host, 'session-a');
  session.start();
  session.prompt('Build the parser. Never touch gen/.');
  session.says('Done.');
  expect(session.compact('manual').facts).toBe(
    'Keep word for word in the summary what the user asked for (Build the parser. Never touch gen/.), required, decided, corrected and refused.',
  );
});
