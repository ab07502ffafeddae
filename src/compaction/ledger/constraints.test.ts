import { describe, expect, test } from 'vitest';
import { findConstraintsIn } from './constraints.ts';

describe('constraintsIn()', () => {
  test.each(
    [
      "Don't commit anything.",
      'Never push to main.',
      'Use tabs, not spaces.',
      'Make sure that every export has a test.',
      'no, that is the wrong file',
      'Keep the public API as it is.',
      'The port should stay 8,080.',
      'wait, port 8443 is for the proxy, use 9443 for the tests',
      'Leave src/lexer.ts alone.',
      'only change the parser',
      'I meant the other one',
      'Committe nicht.',
      'Benutze nur die Standardbibliothek.',
      'commit nothing, I do that',
      'Bitte nichts committen.',
      'Ne touche pas au lexer.',
      'Et ajoute les dates au format ISO, pas de date-fns.',
      'Pas d’import dynamique',
      'Et les messages restent en français.',
      'The messages stay in English',
      'Die Texte bleiben auf Deutsch.',
      'Los nombres siguen como están',
      'Añade las fechas, nada de date-fns',
      'Aggiungi le date, niente date-fns',
      'Voeg datums toe, geen date-fns',
      'Dodaj daty, bez date-fns',
      'Il faut toujours lancer les tests.',
      'No toques el lexer.',
      'Usa siempre tabuladores.',
      'Никогда не трогай лексер.',
      '不要提交',
      '必须写测试',
      'コミットしないでください',
      '必ずテストを書く',
      '커밋하지 마세요',
      '항상 테스트를 작성해',
      'لا تلمس الملف',
      'Nie commituj bez testów.',
      'Beschreibe das Format auch auf Deutsch, aber ohne Fachwörter.',
    ].map((each) => [each]),
  )('finds %j', (text) => {
    expect(findConstraintsIn(text)).toEqual([text]);
  });

  test.each([
    'Build the parser',
    'One problem remains in the parser',
    'Le bug reste en place',
    'Fix the login.',
    'Where is the lexer?',
    '修复登录',
    'the tests fail on CI',
    'at Object.run (src/a.ts:3:5)',
    'const x = { never: true };',
    '| never | always |',
    'Schreib einen Parser.',
    'Ajoute-le, pas de souci.',
  ])('finds nothing in %j', (text) => {
    expect(findConstraintsIn(text)).toEqual([]);
  });

  test('gives sentences whole and in order, without code, marks of lists and what asks for work', () => {
    const text = `Build the parser for e.g. v1.2 files. Never use regular expressions! Write docs.

Rules:
- a test per export
- names are English
* No new dependencies

Then:
- write the lexer

\`\`\`ts
// never do this
\`\`\`
Please do not commit.`;
    expect(findConstraintsIn(text)).toEqual([
      'Never use regular expressions!',
      'a test per export',
      'names are English',
      'No new dependencies',
      'Please do not commit.',
    ]);
  });

  test('reads rules behind their heading on one line', () => {
    expect(findConstraintsIn('Rules: never push; a test per export')).toEqual([
      'never push',
      'a test per export',
    ]);
  });

  test('takes nothing from what was pasted beside own words', () => {
    const pasted = 'Do not use in production.';
    expect(findConstraintsIn(`Translate this:\n${pasted}`, [pasted])).toEqual([]);
    expect(findConstraintsIn(pasted)).toEqual([pasted]);
  });

  test('has no length at which a rule is lost', () => {
    const long = `Never ${'touch this '.repeat(300)}file.`;
    expect(findConstraintsIn(`${'Write the parser. '.repeat(200)}${long}`)).toEqual([long]);
  });
});
