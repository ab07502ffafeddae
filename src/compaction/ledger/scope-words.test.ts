import { expect, test } from 'vitest';
import { isForOneTask } from './constraints.ts';

test.each(
  [
    'For this fix, do not touch src/api.',
    "Don't add tests for now.",
    'Just this time, commit without asking.',
    'Do not rename anything in this PR.',
    'In this commit only change the lexer',
    'Fass diesmal den Lexer nicht an.',
    'Für diese Aufgabe keine neuen Abhängigkeiten.',
    "Pour l'instant, ne touche pas au lexer.",
    'Por ahora no toques el lexer.',
    'На этот раз не трогай лексер.',
    '这次不要改接口',
    '今回はテストを書かないでください',
    'Keep it under 40 lines.',
    'But keep them short, please',
    'Halte es kurz.',
    'Garde-le court.',
    '이번에는 커밋하지 마세요',
  ].map((each) => [each]),
)('%j holds for the task at hand', (text) => expect(isForOneTask(text)).toBe(true));

test.each(
  [
    'Never touch src/api.',
    'Write a test for every fix.',
    'Do not commit this file.',
    'For this project, use tabs.',
    'Leave this one alone.',
    'Keep the tests green.',
    'Always keep it green.',
    'Never wait for nowhere.js',
    '不要提交',
    'This time zone is UTC, always.',
  ].map((each) => [each]),
)('%j holds on', (text) => expect(isForOneTask(text)).toBe(false));
