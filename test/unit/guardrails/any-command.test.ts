// Tests that the shell analysis ends without an exception, whatever the text.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shouldParse } from '../../../src/addons/guardrails/should-parse.ts';
import { runs } from '../../kit/effort.ts';
import { asked, changes } from './seen.ts';

describe('whatever the text', () => {
  const WORDS = [
    'rm',
    'cp',
    'a',
    '"$X"',
    '$(',
    ')',
    '`',
    '(',
    '{',
    '}',
    ';',
    '|',
    '&&',
    '||',
    '\n',
    '>',
    '>>',
    '<<E',
    'E',
    "'",
    '"',
    '\\',
    'if',
    'then',
    'fi',
    'for',
    'in',
    'do',
    'done',
    'while',
    'case',
    'esac',
    'function',
    'f()',
    '$((',
    '))',
    '[[',
    ']]',
    '{a,b}',
    '*',
    '~',
    'X=1',
    '-c',
    'bash',
    'eval',
    'git',
    'checkout',
    '--',
    'find',
    '-exec',
    'xargs',
    '${X:-',
    '${X%',
    '${!X}',
    '@',
    'cd',
    '..',
    'sed',
    '-i',
    '/',
    'env',
    '#',
    '&',
    '!',
    '=',
    'é',
    '\u0000',
  ];
  const script = fc.array(fc.constantFrom(...WORDS), { maxLength: 40 }).map((words) => words.join(' '));

  test('neither parser nor analysis throws, and every change has a path or a reason', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          script,
          fc.string({ unit: 'binary', maxLength: 200 }),
          script.map((text) => text.replaceAll(' ', '')),
        ),
        (text) => {
          shouldParse(text);
          for (const tool of ['Bash', 'PowerShell']) {
            for (const change of changes(text, tool).changes)
              expect(change.path !== null || change.why).toBeTruthy();
          }
        },
      ),
      { numRuns: runs(1500) },
    );
  });

  test('a plain write behind anything that parses is seen', () => {
    fc.assert(
      fc.property(script, (text) => {
        const { changes: found, doubt } = changes(`${text}\n`);
        fc.pre(doubt === null && !/exit|#|<<|\\$/.test(text) && found.length < 100);
        const more = changes(`${text}\necho x > /q/seen`);
        fc.pre(more.doubt === null);
        expect(more.changes.map((each) => each.path)).toContain('/q/seen');
      }),
      { numRuns: runs(500) },
    );
  });

  /** How often the disk was asked stands for the work done. */
  const work = (command: string): number => {
    asked.resolve = 0;
    const { changes: found } = changes(command);
    return asked.resolve + found.length;
  };
  const HEAVY: [string, (size: number) => string][] = [
    ['nested substitutions', (size) => `${'echo $('.repeat(size)}rm a${')'.repeat(size)}`],
    [
      'nested loops',
      (size) =>
        `${'for i in 1 2 3 4 5 6 7 8 9; do '.repeat(Math.min(size, 40))}rm $i;${' done;'.repeat(Math.min(size, 40))}`,
    ],
    [
      'nested whiles',
      (size) => `${'while a; do '.repeat(Math.min(size, 60))}rm a;${' done;'.repeat(Math.min(size, 60))}`,
    ],
    [
      'nested bash -c',
      (size) =>
        Array.from({ length: Math.min(size, 12) }).reduce<string>(
          (text) => `bash -c ${JSON.stringify(text)}`,
          'rm a',
        ),
    ],
    [
      'products of values',
      (size) =>
        `${Array.from({ length: size }, (_, at) => `if a; then V${at}=x; else V${at}=y; fi`).join(';')}; rm ${Array.from({ length: size }, (_, at) => `$V${at}`).join('')}`,
    ],
    ['products of braces', (size) => `rm ${'{a,b}'.repeat(size)}`],
    ['functions that call themselves', (size) => `f() { ${'f; f; '.repeat(Math.min(size, 50))} rm a; }; f`],
    ['long lists', (size) => `rm ${Array.from({ length: size * 100 }, (_, at) => `f${at}`).join(' ')}`],
    ['long pipes', (size) => `${'echo a | '.repeat(size)}xargs rm`],
    ['a large here document', (size) => `cat > a <<E\n${'x $y `z`\n'.repeat(size * 10)}E`],
    [
      'many aliases',
      (size) => `${Array.from({ length: size }, (_, at) => `alias a${at}=a${at + 1}`).join(';')}; a0`,
    ],
  ];
  test.each(HEAVY)('%s end within the caps', (_what, make) => {
    for (const size of [10, runs(400)]) expect(work(make(size))).toBeLessThan(20_000);
  });
});
