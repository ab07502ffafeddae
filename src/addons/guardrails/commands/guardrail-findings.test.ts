// Tests that changed files are judged as a tool call would be, each finding with its place and next step.
import { describe, expect, test } from 'vitest';
import { buildOptions, type GivenOptions } from '../../../settings/guardrail-options.ts';
import { readImports } from '../imports/read-imports.ts';
import { buildGuardrailFindings, type Subject } from './check-guardrails.io.ts';

const LAYERS = [
  { name: 'domain', files: ['src/domain/**'], only: [], packages: [], instead: 'pass it in' },
  { name: 'app', files: ['src/app/**'] },
];
const GIVEN: GivenOptions = {
  mode: 'enforce',
  paths: { protected: ['dist/**'], on_secret: 'ask' },
  architecture: { layers: LAYERS, one_class: true },
};

const subject = (path: string, text: string | null = '', before: string | null = null): Subject => ({
  path,
  act: 'write',
  isPlain: true,
  text: () => text,
  before: () => before,
});
const removed = (path: string): Subject => ({ ...subject(path, null), act: 'remove', isPlain: false });

const judged = (files: Subject[], given: GivenOptions = {}, isChange = true) =>
  buildGuardrailFindings(files, buildOptions({ ...GIVEN, ...given }), {
    root: '/p',
    home: '/h',
    isChange,
    sight: {
      resolve: (path) => ({ path, kind: 'file', folds: false, worktree: null }),
      read: () => null,
      expand: () => null,
      commands: null,
      imports: readImports,
    },
  });
const short = (...given: Parameters<typeof judged>) =>
  judged(...given).map(({ rule, level, line }) => `${rule} ${level} ${line}`);

const BAD = "// first\nimport '../app/x.ts';\nimport 'node:fs';\n";

describe('buildGuardrailFindings()', () => {
  test('tells the line, what is wrong with it, and what to do instead', () => {
    expect(judged([subject('src/domain/a.ts', BAD)])).toEqual([
      {
        check: 'guardrails',
        rule: 'architecture',
        level: 'error',
        file: 'src/domain/a.ts',
        line: 2,
        message: 'imports ../app/x.ts, which is in layer "app"; layer "domain" may import only domain',
        next: 'pass it in',
      },
      expect.objectContaining({
        line: 3,
        message: expect.stringContaining('imports node:fs'),
        next: 'pass it in',
      }),
    ]);
  });

  // [what, file, options, levels]
  const cases: [string, Subject, GivenOptions, string[]][] = [
    ['a forbidden import', subject('src/domain/a.ts', "import 'x';"), {}, ['architecture error 1']],
    [
      'with mode "warn"',
      subject('src/domain/a.ts', "import 'x';"),
      { mode: 'warn' },
      ['architecture warning 1'],
    ],
    ['a good file', subject('src/domain/a.ts', "import './b.ts';"), {}, []],
    ['a bad import in no layer', subject('src/other/a.ts', BAD), {}, []],
    [
      'one that was there',
      subject('src/domain/a.ts', "import 'x';", "import 'x';\n1"),
      {},
      ['architecture warning 1'],
    ],
    [
      'one that was there and one that is new',
      subject('src/domain/a.ts', "import 'x';\nimport 'y';", "import 'x';"),
      {},
      ['architecture warning 1', 'architecture error 2'],
    ],
    ['a second class', subject('a.py', 'class A: pass\nclass B: pass\n'), {}, ['architecture error 2']],
    [
      'a file that cannot be parsed',
      subject('src/domain/a.ts', "import x from '"),
      {},
      ['architecture warning null'],
    ],
    [
      'the same with "strict"',
      subject('src/domain/a.ts', "import x from '"),
      { strict: true },
      ['architecture error null'],
    ],
    ['a file that cannot be read', subject('src/domain/a.ts', null), {}, ['unread warning null']],
    ['such a one in no layer', subject('src/other/a.ts', null), {}, []],
    ['a link', { ...subject('src/domain/a.ts', BAD), isPlain: false }, {}, []],
    ['a protected file', subject('dist/a.js'), {}, ['paths error null']],
    ['a protected file, with mode "warn"', subject('dist/a.js'), { mode: 'warn' }, ['paths warning null']],
    ['a protected file that is gone', removed('dist/a.js'), {}, ['paths error null']],
    ['a secret', subject('config/.env'), {}, ['paths warning null']],
    ['a secret that is denied', subject('.env'), { paths: { on_secret: 'deny' } }, ['paths error null']],
    ['a secret that is taken out', removed('.env'), { paths: { on_secret: 'deny' } }, ['paths note null']],
    ['a name with what nobody sees', subject('a\u200b.md'), {}, ['paths warning null']],
    ['what may not be written', subject('src/a.ts'), { preset: 'tracks', paths: {} }, ['paths error null']],
    ['what governs', subject('.claude/rules/a.md'), {}, ['governance note null']],
    [
      'what governs, where no list lets it be written',
      subject('.claude/rules/a.md'),
      { preset: 'tracks', paths: {} },
      ['governance note null'],
    ],
    [
      'what governs and is protected',
      subject('.claude/rules/a.md'),
      { paths: { protected: ['.claude/**'], writable: ['src/**'] } },
      ['paths error null', 'governance note null'],
    ],
    [
      'what governs and is denied',
      subject('.claude/rules/a.md'),
      { governance: { action: 'deny' } },
      ['governance warning null'],
    ],
    [
      'what governs and is denied, with mode "warn"',
      subject('.claude/rules/a.md'),
      { mode: 'warn', governance: { action: 'deny' } },
      ['governance note null'],
    ],
  ];
  test.each(cases)('judges %s', (_, file, given, expected) => {
    expect(short([file], given)).toEqual(expected);
  });

  test('of all files judges imports alone, and what was there before as well', () => {
    const files = [subject('dist/a.js'), subject('.env'), subject('src/domain/a.ts', BAD, BAD)];
    expect(short(files, {}, false)).toEqual(['architecture error 2', 'architecture error 3']);
  });

  test('says where a guarded path is set, and what became of it', () => {
    const [changed, gone, secret] = judged([subject('dist/a.js'), removed('dist/b.js'), subject('.env')]);
    expect(changed?.message).toBe(
      'is changed, and "dist/**" of paths.protected matches (guardrails.paths.protected)',
    );
    expect(gone?.message).toMatch(/^is removed, and /);
    expect(secret?.message).toContain('(paths.secrets of guardrails.preset = "standard")');
  });

  test('opens no file whose imports nobody reads', () => {
    const closed = (path: string): Subject => ({
      ...subject(path),
      text: () => {
        throw new Error('opened');
      },
    });
    expect(short([closed('a.md'), closed('src/domain/a.css')])).toEqual([]);
    expect(short([closed('src/domain/a.ts')], { architecture: {} })).toEqual([]);
  });

  test('with mode "off" judges nothing, and says so once', () => {
    expect(short([subject('dist/a.js'), subject('src/domain/a.ts', BAD)], { mode: 'off' })).toEqual([
      'off note null',
    ]);
  });
});
