import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../test/kit/effort.ts';
import { chain, newLedger } from '../../../test/unit/ledgers.ts';
import type { Line } from '../../../test/unit/lines.ts';
import { answer, boundary, jsonl, request, summary, toolResult, toolUse } from '../../../test/unit/lines.ts';
import { temporaryFolder } from '../../../test/unit/temporary.ts';
import { claudeCode } from '../../hosts/claude-code/index.io.ts';
import type { Ledger } from './ledger.ts';
import { readOn } from './read-ledger.io.ts';

const path = (): string => join(temporaryFolder(), 'a.jsonl');
const read = (file: string, ledger = newLedger()): Ledger =>
  readOn(claudeCode.entries, ledger, newLedger(), 0, file).ledger;
const readLines = (...lines: Line[]): Ledger => {
  const file = path();
  writeFileSync(file, jsonl(lines));
  return read(file);
};
const asked = ({ requests }: Ledger): string[] => requests.map(({ text }) => text);
const run = (id: string, command: string, output = 'ok'): Line[] => [
  toolUse(id, 'Bash', { command }),
  toolResult(id, output),
];

describe('a rewind', () => {
  const first = chain([request('Build the parser'), answer(1)]);
  const left = chain(
    [request('Use yacc. Never use regular expressions.'), ...run('t', 'yacc x'), answer(1)],
    {
      parent: 'u1',
      name: 'left',
    },
  );
  const later = chain([request('Write a Pratt parser'), ...run('s', 'node x'), answer(1)], {
    parent: 'u1',
    name: 'new',
  });

  test('takes back what it left, in one look', () => {
    const ledger = readLines(...first, ...left, ...later);
    expect(asked(ledger)).toEqual(['Build the parser', 'Write a Pratt parser']);
    expect(ledger.requirements).toEqual([]);
    expect(ledger.commands.map(({ command }) => command)).toEqual(['node x']);
  });

  test('takes back what an earlier look has folded in', () => {
    const file = path();
    writeFileSync(file, jsonl([...first, ...left]));
    const before = read(file);
    expect(asked(before)).toHaveLength(2);
    appendFileSync(file, jsonl(later));
    expect(asked(read(file, before))).toEqual(['Build the parser', 'Write a Pratt parser']);
  });

  test('of a rewind, and one behind a compaction', () => {
    const again = chain([request('Write it by hand')], { parent: 'u1', name: 'again' });
    expect(asked(readLines(...first, ...left, ...later, ...again))).toEqual([
      'Build the parser',
      'Write it by hand',
    ]);
    const compacted = [
      boundary('auto', 1, { uuid: 'b', logicalParentUuid: 'left3' }),
      summary({ uuid: 's', parentUuid: 'b' }),
    ];
    const ledger = readLines(...first, ...left, ...compacted, ...later);
    expect([asked(ledger), ledger.segment]).toEqual([['Build the parser', 'Write a Pratt parser'], 0]);
  });

  test('is none where tools ran side by side, or the client wrote in between', () => {
    const lines = chain([request('Build it')]);
    const calls = [
      toolUse('a', 'Read', { file_path: '/a' }, { uuid: 'c1', parentUuid: 'u0' }),
      toolUse('b', 'Read', { file_path: '/b' }, { uuid: 'c2', parentUuid: 'c1' }),
      { ...toolResult('b'), uuid: 'r2', parentUuid: 'c2' },
      { ...toolResult('a'), uuid: 'r1', parentUuid: 'c1' },
      answer(1, {}, { uuid: 'e', parentUuid: 'r2' }),
      { type: 'system', subtype: 'turn_duration', uuid: 'd', parentUuid: 'e' },
      request('and test it', { uuid: 'n', parentUuid: 'e' }),
    ];
    const ledger = readLines(...lines, ...calls);
    expect(asked(ledger)).toEqual(['Build it', 'and test it']);
    expect(ledger.files.map(({ path: file }) => file).sort()).toEqual(['/a', '/b']);
  });
});

test('another file under the same name is read anew', () => {
  const file = path();
  writeFileSync(file, jsonl([request('Build the parser'), answer(1)]));
  const before = read(file);
  writeFileSync(file, jsonl([request('Write the docs, all of them'), answer(1), request('go on')]));
  expect(asked(read(file, before))).toEqual(['Write the docs, all of them', 'go on']);
  writeFileSync(file, jsonl([request('Short')]));
  expect(asked(read(file, before))).toEqual(['Short']);
});

test('a segment of more than 4 MiB is read whole, its pictures too', () => {
  const picture = { type: 'image', source: { type: 'base64', data: 'A'.repeat(1_200_000) } };
  const shots = Array.from({ length: 5 }, (_, n) => [
    toolUse(`p${n}`, 'Read', { file_path: `/shots/${n}.png` }),
    toolResult(`p${n}`, [picture] as unknown as string),
  ]).flat();
  const ledger = readLines(
    request('Build the parser. Never push.'),
    toolUse('w', 'Write', { file_path: '/a.ts' }),
    toolResult('w'),
    ...shots,
  );
  expect(asked(ledger)).toEqual(['Build the parser. Never push.']);
  expect(ledger.files.map(({ path: file }) => file)).toEqual([
    '/a.ts',
    ...Array.from({ length: 5 }, (_, n) => `/shots/${n}.png`),
  ]);
});

test('a long output that failed is told by its tests, which stand at its end', () => {
  const noise = Array.from({ length: 4_000 }, (_, n) => `line ${n} of the log`).join('\n');
  const output = `Exit code 1\n${noise}\n FAIL  a.test.ts > parse > reads\n`;
  const ledger = readLines(
    toolUse('t', 'Bash', { command: 'npm test' }),
    toolResult('t', output, { isError: true }),
  );
  expect(ledger.checks[0]?.failingTests).toEqual(['a.test.ts > parse > reads']);
});

const texts = ['Build the parser. Never push.', 'go on', 'why?', '继续', 'Use tabs, not spaces'];
const step = fc.oneof(
  fc.constantFrom(...texts).map((text) => [request(text)]),
  fc.constant([answer(1)]),
  fc.constant([boundary(), summary()]),
  fc
    .tuple(fc.nat(9), fc.constantFrom('npm test', 'rm a.ts', 'git push'))
    .map(([n, command]) => run(`t${n}`, command)),
  fc.nat(9).map((n) => [toolUse(`f${n}`, 'Edit', { file_path: `/f${n}` }), toolResult(`f${n}`)]),
);

/** Without where in the file the reader stopped, and the words of an answer that were or were not asked for. */
const facts = ({ position: _, ...ledger }: Ledger): unknown => ledger;

test('read in pieces it comes to the same as at once', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 15 }), fc.array(fc.nat(40), { maxLength: 4 }), (steps, cuts) => {
      const lines = chain(steps.flat());
      const [whole, pieces] = [path(), path()];
      writeFileSync(whole, jsonl(lines));
      let ledger = newLedger();
      let done = 0;
      writeFileSync(pieces, '');
      for (const cut of [...cuts.sort((a, b) => a - b), lines.length]) {
        appendFileSync(pieces, jsonl(lines.slice(done, cut)));
        done = Math.max(done, cut);
        ledger = read(pieces, ledger);
      }
      const once = read(whole);
      const named = (each: Ledger): unknown =>
        JSON.parse(JSON.stringify(facts(each)).replaceAll(pieces, whole));
      expect(named(ledger)).toEqual(named(once));
    }),
    { numRuns: runs(60) },
  );
});

test('it never throws, whatever the lines hold', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.jsonValue(),
          fc.record({
            type: fc.constantFrom('user', 'assistant', 'attachment', 'system', 'queue-operation'),
            message: fc.jsonValue(),
            attachment: fc.jsonValue(),
            uuid: fc.jsonValue(),
            parentUuid: fc.jsonValue(),
            toolUseResult: fc.jsonValue(),
            origin: fc.jsonValue(),
          }),
        ),
      ),
      (lines) => {
        const file = path();
        writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
        read(file);
      },
    ),
    { numRuns: runs(100) },
  );
});

test('of a stretch that is too long to be read line by line, all that the person said is told', () => {
  const file = path();
  const asks = toolUse('q', 'AskUserQuestion', { questions: [{ question: 'Which port?' }] });
  const answers = { questions: [{ question: 'Which port?' }], answers: { 'Which port?': '7443' } };
  const head = [
    request('Build the parser. Never use regular expressions.'),
    asks,
    toolResult('q', 'User has answered', { detail: answers }),
    toolUse('b', 'TaskCreate', { subject: 'Write the lexer' }),
    toolResult('b', 'Task #1 created successfully'),
    toolUse('r', 'Bash', { command: 'git push' }),
    toolResult(
      'r',
      "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nNot before the review.",
      { isError: true },
    ),
    boundary('auto'),
  ];
  const filler = jsonl([...run('f', 'cat big', 'x '.repeat(500_000)), answer(1)]).repeat(40);
  writeFileSync(file, `${jsonl(head)}${filler}${jsonl([request('Go on'), ...run('z', 'npm test')])}`);
  const ledger = read(file);
  expect(asked(ledger)).toEqual(['Build the parser. Never use regular expressions.', 'Go on']);
  expect(ledger.requirements.map(({ text }) => text)).toContain('Never use regular expressions.');
  expect(ledger.answers.map(({ answer: given }) => given)).toEqual(['7443']);
  expect(ledger.tasks.map(({ subject }) => subject)).toEqual(['Write the lexer']);
  expect(ledger.refusals.map(({ reason }) => reason)).toEqual(['Not before the review.']);
  expect(ledger.segment).toBe(1);
  expect(ledger.checks.map(({ command }) => command)).toEqual(['npm test']);
  expect(ledger.position?.offset).toBe(statSync(file).size);

  // Each time read up to the next line that lasts, what is near is told at once, and in the end all is.
  let known = readOn(claudeCode.entries, newLedger(), newLedger(), 0, file, 0);
  expect(asked(known.ledger)).toEqual(asked(ledger));
  expect(known.ledger.answers).toEqual([]);
  let times = 1;
  for (; known.unfinished !== null; times++)
    known = readOn(claudeCode.entries, known.unfinished, newLedger(), 0, file, 0);
  expect(times).toBe(head.length);
  expect(known.ledger).toEqual(ledger);
});

test('a rewind to what is far back is read to its end, however short each reading is', () => {
  const file = path();
  const steps = Array.from({ length: 20 }, (_, index) => [
    request(`Goal ${index}. Never do thing ${index}.`),
    ...run(`f${index}`, 'cat big', 'x '.repeat(500_000)),
    answer(1),
  ]);
  const later = chain([request('Back to an earlier point'), answer(1)], { parent: 'u7', name: 'later' });
  writeFileSync(file, jsonl([...chain(steps.flat()), ...later]));
  const whole = read(file);
  let known = readOn(claudeCode.entries, newLedger(), newLedger(), 0, file, 0);
  for (let times = 0; known.unfinished !== null && times < 50; times++)
    known = readOn(claudeCode.entries, known.unfinished, newLedger(), 0, file, 0);
  expect(known.unfinished).toBeNull();
  expect(asked(known.ledger)).toEqual(asked(whole));
  expect(known.ledger.requirements).toEqual(whole.requirements);
});
