import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { quoteShellWord } from './escape.ts';

test.each([
  ['qg-2', 'qg-2'],
  ['projects/a/ORCHESTRATION.yaml', 'projects/a/ORCHESTRATION.yaml'],
  ['RD-001', 'RD-001'],
  ['', "''"],
  ['two words', "'two words'"],
  ["it's", "'it'\\''s'"],
  ['-f', "'-f'"],
  ['~', "'~'"],
  ['$(touch x); `y` "z" \\ * # !', `'$(touch x); \`y\` "z" \\ * # !'`],
  ['ä', "'ä'"],
])('%j stands as %s', (text, word) => {
  expect(quoteShellWord(text)).toBe(word);
  expect(execFileSync('sh', ['-c', `printf %s ${word}`], { encoding: 'utf8' })).toBe(text);
});
