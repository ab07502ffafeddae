import { readFileSync } from 'node:fs';
import Tokenizer from 'ai-tokenizer';
import * as claude from 'ai-tokenizer/encoding/claude';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimateTokens } from './budget.ts';

const tokenizer = new Tokenizer(claude);
const counted = (text: string): number => tokenizer.encode(text).length;

const file = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const WORDS =
  'the agent reads a file and then writes tests before it changes the code because nothing else shows whether the work is done and what was decided'.split(
    ' ',
  );

/** Texts of the size of a tag: many pieces, taken evenly. A single odd word may cost more than the count says. */
const many = (piece: fc.Arbitrary<string>, between: string, least = 12): fc.Arbitrary<string> =>
  fc
    .noBias(fc.array(piece, { minLength: least, maxLength: least * 4 }))
    .map((pieces) => pieces.join(between));
const oneOf = (...pieces: string[]): fc.Arbitrary<string> => fc.constantFrom(...pieces);
const digits = (alphabet: string, length: number): fc.Arbitrary<string> =>
  fc.noBias(fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length }));

const prose = many(oneOf(...WORDS), ' ', 20).map((text) => `${text}.`);
const part = oneOf(
  'src',
  'model',
  'compaction-point',
  'useAuthContext',
  'test_utils',
  'README',
  'v2',
  'index',
);
const path = fc.array(part, { minLength: 2, maxLength: 8 }).map((parts) => `/${parts.join('/')}.ts`);
const value = fc.oneof(oneOf(...WORDS), path, fc.integer(), fc.boolean(), fc.constant(null));
const record = fc.dictionary(part, fc.oneof(value, fc.array(value)), { minKeys: 4 });

const KINDS: [string, fc.Arbitrary<string>][] = [
  ['prose', prose],
  ['JSON', fc.array(record, { minLength: 3 }).map((rows) => JSON.stringify(rows))],
  ['JSON in lines', fc.array(record, { minLength: 3 }).map((rows) => JSON.stringify(rows, null, 2))],
  [
    'YAML',
    many(
      fc.tuple(part, value).map(([key, each]) => `  ${key}: ${each}`),
      '\n',
    ),
  ],
  ['code', many(oneOf(...file('src/hosts/transcript.io.ts').split('\n')), '\n')],
  ['hashes', many(digits('0123456789abcdef', 40), '\n')],
  ['UUIDs', many(fc.noBias(fc.uuid({ version: 4 })), '\n')],
  ['hashes in base64', many(digits(`${LETTERS}${LETTERS.toUpperCase()}0123456789+/`, 64), '\n')],
  ['ids of the API', many(oneOf('toolu_01A09q90qw90lq917835lq9', 'msg_01XFDUDYJgAACzvnptvVoYEL'), ' ')],
  ['paths', many(path, '\n')],
  ['numbers', many(fc.noBias(fc.integer()).map(String), ' ')],
  ['XML tags', many(oneOf('<compaction-alert>', '</context-monitor>', '<a b="c">', '<br/>', 'text'), '\n')],
  ['punctuation', digits('!@#$%^&*()_+-=[]{}|;:,.<>?/~`', 200)],
  [
    'Chinese',
    many(
      oneOf(
        '我能吞下玻璃而不伤身体。',
        '上下文压缩之后，',
        '代理需要重新定位。',
        '请检查工作文件，',
        '然后继续。',
      ),
      '',
    ),
  ],
  [
    'Japanese',
    many(
      oneOf('コンテキストの圧縮後に、', '作業を再開します。', 'いろはにほへと', '変更を確認してください。'),
      '',
    ),
  ],
  [
    'Cyrillic',
    many(
      oneOf('съешь', 'же', 'ещё', 'этих', 'мягких', 'французских', 'булок', 'и', 'проверь', 'изменения'),
      ' ',
    ),
  ],
  ['emoji in text', many(oneOf('✅ done', '❌ failed', '🚀 shipped', '🎉 it works'), ', ')],
];

/** Whole sentences of other languages, as users write their requests. */
const LANGUAGES: [string, string][] = [
  ['German', 'Bitte prüfe die Änderungen am Zahlungsverkehr und schreibe für jede Schnittstelle einen Test.'],
  ['French', "Vérifie d'abord les modifications, puis écris un test pour chaque interface, s'il te plaît."],
  ['Spanish', 'Por favor, revisa los cambios y escribe una prueba para cada función que aún no la tenga.'],
  ['Russian', 'Проверь, пожалуйста, изменения и напиши тест для каждой функции, у которой его ещё нет.'],
  ['Greek', 'Έλεγξε τις αλλαγές και γράψε μια δοκιμή για κάθε συνάρτηση που δεν έχει ακόμα.'],
  ['Arabic', 'من فضلك راجع التغييرات واكتب اختبارا لكل دالة لا تملك واحدا بعد'],
  ['Hindi', 'कृपया बदलावों की जाँच करें और हर फ़ंक्शन के लिए एक परीक्षण लिखें'],
  ['Thai', 'โปรดตรวจสอบการเปลี่ยนแปลงและเขียนการทดสอบสำหรับทุกฟังก์ชัน'],
  ['Korean', '변경 사항을 확인하고 아직 테스트가 없는 모든 함수에 대해 테스트를 작성해 주세요.'],
  ['Vietnamese', 'Hãy kiểm tra các thay đổi và viết bài kiểm thử cho từng hàm chưa có.'],
];

describe('estimateTokens()', () => {
  test.each(KINDS)('is never below the real count of %s', (_, text) => {
    fc.assert(
      fc.property(text, (each) => {
        expect(estimateTokens(each)).toBeGreaterThanOrEqual(counted(each));
      }),
    );
  });

  test.each(LANGUAGES)('is never below the real count of a request in %s', (_, text) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(counted(text));
  });

  test.each([
    ['node_modules/vitest/README.md'],
    ['node_modules/fast-check/README.md'],
    ['node_modules/yaml/README.md'],
    ['node_modules/typescript/README.md'],
    ['node_modules/commander/Readme.md'],
    ['node_modules/valibot/README.md'],
    ['package.json'],
    ['test/kit/README.md'],
    ['src/compaction/delivery.ts'],
  ])('is never below the real count of %s', (name) => {
    const text = file(name);
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(counted(text));
  });

  test('is at most twice the real count of plain English', () => {
    for (const name of ['typescript/LICENSE.txt', 'vitest/LICENSE.md', 'yaml/LICENSE']) {
      const text = file(`node_modules/${name}`).replace(/\s+/g, ' ');
      expect(estimateTokens(text), name).toBeLessThanOrEqual(counted(text) * 2);
    }
    fc.assert(
      fc.property(prose, (text) => {
        expect(estimateTokens(text)).toBeLessThanOrEqual(counted(text) * 2);
      }),
    );
  });

  test('adds up: a text costs no more than its parts and a little', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
        const together = estimateTokens(one + other);
        expect(together).toBeLessThanOrEqual(estimateTokens(one) + estimateTokens(other) + 1);
      }),
    );
  });

  test('is 0 for nothing', () => {
    expect(estimateTokens('')).toBe(0);
  });
});
