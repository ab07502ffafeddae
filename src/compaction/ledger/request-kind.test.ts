import { expect, test } from 'vitest';
import type { Speaker } from '../../hosts/entry.ts';
import type { RequestKind } from './ledger.ts';
import { findRequestKind } from './request-kind.ts';

const kind = (
  text: string,
  more: { by?: Speaker; command?: string; known?: boolean; answer?: string } = {},
): RequestKind =>
  findRequestKind(
    { text, by: more.by ?? 'person', command: more.command ?? null },
    more.known ?? true,
    () => more.answer ?? null,
  );

test.each<[string, Parameters<typeof kind>[1], RequestKind]>([
  ['Build the parser', { known: false }, 'goal'],
  ['修复登录', { known: false }, 'goal'],
  ['How does the lexer work?', { known: false }, 'goal'],
  ['go on', { known: false }, 'push'],
  ['go on', {}, 'push'],
  ['Hello', { known: false }, 'courtesy'],
  ['thanks!', {}, 'courtesy'],
  ['thanks, now the lexer', { answer: 'Shall I go on?' }, 'topic'],
  ['Now write the lexer', {}, 'topic'],
  ['forget the search, do the import dialog instead', {}, 'topic'],
  ['Vergiss die Suche, mach stattdessen den Dialog', {}, 'topic'],
  ['Oublie la recherche, fais plutôt le dialogue', {}, 'topic'],
  ['forget the commas, use semicolons instead', {}, 'addition'],
  ['never forget the tests', {}, 'addition'],
  ['Jetzt die Fehler: ungültige Zeilen werden gemeldet, nicht übersprungen.', {}, 'topic'],
  ['ok, jetzt bitte noch eine Seite zum Export, ohne neue Bilder', {}, 'topic'],
  ['Jetzt schreib die Tests, aber nur mit node:test', {}, 'topic'],
  ['Maintenant, ajoute un export PDF, sans dépendance nouvelle', {}, 'topic'],
  ['Ahora escribe la documentación, sin imágenes', {}, 'topic'],
  ['Jetzt das nicht mehr anfassen', {}, 'addition'],
  ['Das ist jetzt die falsche Datei, nicht a.ts', {}, 'addition'],
  ['maintenant les tests échouent, ne touche pas au reste', {}, 'addition'],
  ['写测试', {}, 'topic'],
  ['new task: write the docs', { by: 'queued' }, 'topic'],
  ['Can you add a test for this?', {}, 'topic'],
  ['Why does the test fail?', {}, 'question'],
  ['为什么失败了？', {}, 'question'],
  ['explain how it works', {}, 'question'],
  ['also handle comments', { by: 'queued' }, 'addition'],
  ['the second one', { answer: 'Tabs or spaces. Which do you prefer?' }, 'addition'],
  ['yes, with tabs', { answer: 'Shall I write it?' }, 'addition'],
  ['the code', { answer: 'It fails. Shall I change the fixture or the code?' }, 'addition'],
  ['src/b.ts', { answer: 'Which one: src/a.ts or src/b.ts?' }, 'addition'],
  ['the lexer', { answer: 'Shall I change the fixture or the code?' }, 'topic'],
  ['the code', { answer: 'I changed the code.' }, 'topic'],
  ['the second parser is broken, fix it', { answer: 'All done.' }, 'topic'],
  ["Don't touch the lexer.", {}, 'addition'],
  ["Don't touch the lexer. Write the parser in parser.ts.", {}, 'topic'],
  ['Add a CSV export, and keep the messages in French.', {}, 'topic'],
  ['please fix the lexer without touching the parser', {}, 'topic'],
  ['Fix the flaky test and never touch the snapshot', {}, 'topic'],
  ['Kannst du die Suche bauen, aber ohne neue Pakete?', {}, 'topic'],
  ['Write all messages in French, never in English', {}, 'addition'],
  ['Change it back, I said tabs', {}, 'addition'],
  ['Add no comments, keep it short', {}, 'addition'],
  ['the module', { command: '/review' }, 'topic'],
])('%j with %j is a %s', (text, more, expected) => {
  expect(kind(text, more)).toBe(expected);
});
