import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AT_THE_MOMENT, program, together } from '../../test/unit/programs.ts';
import { temporaryFolder, temporaryProject } from '../../test/unit/temporary.ts';
import { logFailures, readFailures } from './failures.ts';
import { exists, isUnchanged, readText, stampOf } from './files.ts';
import { readInstalls, recordInstall } from './installs.ts';
import { appendLine } from './jsonl.ts';
import { learnPoint, readLearned } from './learned.ts';
import { allOrchestrations, findOrchestration, readOrchestration } from './orchestration.ts';
import { projectPaths, userPaths } from './paths.ts';

const NOW = Date.parse('2026-11-27T10:00:00.000Z');
const linesOf = (path: string): unknown[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('readText(), stampOf() and exists()', () => {
  test('read a file without its BOM, and give null where there is none', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'a'), '\uFEFFtext');
    expect(readText(join(folder, 'a'))).toBe('text');
    expect(readText(join(folder, 'b'))).toBeNull();
    expect(readText(join(folder, 'a', 'b'))).toBeNull();
    expect(exists(join(folder, 'a'))).toBe(true);
    expect(exists(join(folder, 'b'))).toBe(false);
  });

  test('notice that a file came, changed or went', () => {
    const path = join(temporaryFolder(), 'a');
    const none = stampOf(path);
    expect(none).toEqual({ path, size: -1, mtimeMs: -1 });
    expect(isUnchanged(none)).toBe(true);
    writeFileSync(path, 'one');
    expect(isUnchanged(none)).toBe(false);
    const stamp = stampOf(path);
    expect(isUnchanged(stamp)).toBe(true);
    writeFileSync(path, 'three');
    expect(isUnchanged(stamp)).toBe(false);
  });
});

describe('appendLine()', () => {
  test('makes the file and its folder, for the user alone', () => {
    const path = join(temporaryFolder(), 'a', 'b.jsonl');
    appendLine(path, { one: 1 });
    appendLine(path, { text: 'a\nb' });
    expect(linesOf(path)).toEqual([{ one: 1 }, { text: 'a\nb' }]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('mixes no lines of 8 processes', async () => {
    const path = join(temporaryFolder(), 'a.jsonl');
    const source = program(`
      import { appendLine } from './store/jsonl.ts';
      ${AT_THE_MOMENT}
      for (let index = 0; index < 100; index++) appendLine(args[0], { from: process.pid, text: 'x'.repeat(index * 50) });
    `);
    await together(source, 8, [path]);
    expect(linesOf(path)).toHaveLength(800);
  }, 30_000);
});

describe('logFailures()', () => {
  const report = (error: unknown) => ({
    hook: 'PreCompact',
    now: NOW,
    failures: [{ part: 'checkpoint', error }],
  });

  test('writes a line for each failure into the log of the project', () => {
    const paths = temporaryProject();
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    logFailures(
      paths,
      {},
      {
        hook: 'PreCompact',
        now: NOW,
        failures: [
          { part: 'a', error: full },
          { part: 'b', error: 'text' },
        ],
      },
    );
    expect(linesOf(paths.failures)).toEqual([
      {
        at: '2026-11-27T10:00:00.000Z',
        hook: 'PreCompact',
        part: 'a',
        error: 'ENOSPC: no space left on device',
      },
      { at: '2026-11-27T10:00:00.000Z', hook: 'PreCompact', part: 'b', error: 'text' },
    ]);
  });

  test('redacts and cuts what it writes', () => {
    const paths = temporaryProject();
    logFailures(paths, {}, report(new Error(`token=abcdef123456 ${'x '.repeat(400)}`)));
    const [line] = linesOf(paths.failures) as { error: string }[];
    expect(line?.error).not.toContain('abcdef123456');
    expect(line?.error.length).toBeLessThanOrEqual(300);
  });

  test('redacts before it cuts', () => {
    const paths = temporaryProject();
    for (let left = 0; left < 60; left++) {
      const text = `${'x'.repeat(299 - left)} https://me:aB3dE5gH7jK9mN2pQ4rS6tU8@example.com/`;
      logFailures(paths, {}, { ...report(new Error(text)), failures: [{ part: 'a', error: text }] });
    }
    expect(readFileSync(paths.failures, 'utf8')).not.toMatch(/aB3dE|7jK9m/);
  });

  test('goes to the log of the user where the project has none or cannot be written', () => {
    const home = temporaryFolder();
    const root = join(home, 'root');
    writeFileSync(root, 'a file');
    logFailures(null, { HOME: home }, report('one'));
    logFailures(projectPaths(root, {}), { HOME: home }, report('two'));
    expect(linesOf(userPaths({ HOME: home }).failures)).toMatchObject([{ error: 'one' }, { error: 'two' }]);
  });

  test('logs a file of a newer version once an hour for each hook, anything else every time', () => {
    const paths = temporaryProject();
    const newer = new Error('Written by a newer version: "a"');
    const minutes = 60_000;
    for (const [after, hook, error] of [
      [0, 'Stop', newer],
      [1, 'Stop', newer],
      [1, 'PreCompact', newer],
      [59, 'Stop', newer],
      [61, 'Stop', newer],
      [61, 'Stop', new Error('other')],
      [61, 'Stop', new Error('other')],
    ] as const) {
      logFailures(
        paths,
        {},
        { hook, now: NOW + after * minutes, failures: [{ part: `at ${after}`, error }] },
      );
    }
    expect(readFailures(paths.failures).map((each) => `${each.hook} ${each.part}`)).toEqual([
      'Stop at 0',
      'PreCompact at 1',
      'Stop at 61',
      'Stop at 61',
      'Stop at 61',
    ]);
  });

  test('turns a large log over, the one of the user too, and both parts are read', () => {
    const env = { HOME: temporaryFolder() };
    const path = userPaths(env).failures;
    logFailures(null, env, report('one'));
    writeFileSync(path, `${'x'.repeat(600 * 1024)}\n`, { flag: 'a' });
    logFailures(null, env, report('two'));
    expect(existsSync(path.replace('.jsonl', '.old.jsonl'))).toBe(true);
    expect(statSync(path).size).toBeLessThan(1024);
    expect(readFailures(path).map((each) => each.error)).toEqual(['one', 'two']);
  });

  test('stays silent where nothing can be written', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    logFailures(projectPaths(file, {}), { HOME: file }, report('one'));
  });
});

describe('learned points', () => {
  test('are kept by window, the last 25', () => {
    const env = { HOME: temporaryFolder() };
    expect(readLearned(env)).toEqual({});
    for (let index = 0; index < 30; index++) learnPoint(env, '200000', 160_000 + index);
    learnPoint(env, '1000000', 967_000);
    const found = readLearned(env);
    expect(found['200000']).toHaveLength(25);
    expect(found['200000']?.at(-1)).toBe(160_029);
    expect(found['1000000']).toEqual([967_000]);
  });

  test.each([
    ['torn', '{"points": {'],
    ['odd', '{"points": {"200000": "many"}}'],
    ['empty', ''],
    ['null', 'null'],
  ])('are none where the file is %s', (_, text) => {
    const env = { HOME: temporaryFolder() };
    const path = userPaths(env).learned;
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
    expect(Object.values(readLearned(env)).flat()).toEqual([]);
    learnPoint(env, '200000', 167_000);
    expect(readLearned(env)['200000']).toEqual([167_000]);
  });
});

test('learned points and records of installs that a newer version wrote are left alone', () => {
  const env = { HOME: temporaryFolder() };
  const { learned, installs } = userPaths(env);
  mkdirSync(join(learned, '..'), { recursive: true });
  for (const path of [learned, installs]) writeFileSync(path, '{"schema_version": "2.0.0"}');
  expect(() => learnPoint(env, '200000', 167_000)).toThrow(/newer version/);
  expect(() => recordInstall(env, '/a', null)).toThrow(/newer version/);
  expect(() => readInstalls(env)).toThrow(/newer version/);
  for (const path of [learned, installs])
    expect(readFileSync(path, 'utf8')).toBe('{"schema_version": "2.0.0"}');
});

describe('findOrchestration()', () => {
  function project(...files: string[]): string {
    const root = temporaryFolder();
    for (const file of files) {
      mkdirSync(join(root, file, '..'), { recursive: true });
      writeFileSync(join(root, file), 'workflow:\n');
    }
    return root;
  }
  const NAME = 'ORCHESTRATION.yaml';

  // [what, files, cwd, configured, found]
  const rows: [string, string[], string, string | null, string | null][] = [
    ['nothing where there is none', [], '', null, null],
    ['the one at the root', [NAME], '', null, NAME],
    ['the nearest one upward', [NAME, `a/${NAME}`, 'a/b/x'], 'a/b', null, `a/${NAME}`],
    ['the one at the root from below', [NAME, 'a/b/x'], 'a/b', null, NAME],
    ['the only one of projects', [`projects/p/${NAME}`, 'projects/q/x'], '', null, `projects/p/${NAME}`],
    ['none of several in projects', [`projects/p/${NAME}`, `projects/q/${NAME}`], '', null, null],
    ['the one at the root before those of projects', [NAME, `projects/p/${NAME}`], '', null, NAME],
    ['the configured one', [NAME, 'docs/flow.yaml'], '', 'docs/flow.yaml', 'docs/flow.yaml'],
    ['nothing where the configured one is missing', [NAME], '', 'docs/flow.yaml', null],
  ];
  test.each(rows)('finds %s', (_, files, cwd, configured, expected) => {
    const root = project(...files);
    expect(findOrchestration(root, join(root, cwd), configured)).toBe(
      expected === null ? null : join(root, expected),
    );
  });

  // [what, texts of the files of projects/0, projects/1 …, which is found]
  test.each<[string, string[], number | null]>([
    [
      'the only active one of several',
      ['workflow:\n  status: COMPLETE\n', 'workflow:\n  status: "ACTIVE" # now\n'],
      1,
    ],
    [
      'the one whose section says so, whatever its head says',
      [
        'workflow:\n  status: ACTIVE\nresumption:\n  workflow_status: PAUSED\n',
        'resumption:\n  recovery_state:\n    workflow_status: active\n',
      ],
      1,
    ],
    ['none of two active ones', ['workflow:\n  status: ACTIVE\n', 'workflow:\n  status: ACTIVE\n'], null],
    ['none where no status can be read', ['\0', 'workflow: &a\n  <<: *a\n'], null],
  ])('finds in projects/* %s', (_, texts, expected) => {
    const root = project(...texts.map((_, at) => `projects/${at}/${NAME}`));
    for (const [at, text] of texts.entries()) writeFileSync(join(root, `projects/${at}/${NAME}`), text);
    expect(findOrchestration(root, root, null)).toBe(
      expected === null ? null : join(root, `projects/${expected}/${NAME}`),
    );
  });

  test('looks into the root where the agent is elsewhere, and nowhere without a root', () => {
    const root = project(NAME);
    expect(findOrchestration(root, temporaryFolder(), null)).toBe(join(root, NAME));
    expect(findOrchestration(null, root, null)).toBeNull();
  });

  test('finds none where only the folder next door, whose name begins alike, has one', () => {
    const root = project(`a/x`, `ab/${NAME}`);
    expect(findOrchestration(join(root, 'a'), join(root, 'ab'), null)).toBeNull();
  });

  test('finds all that may be the work, where none may be missed', () => {
    const root = project(
      NAME,
      `a/${NAME}`,
      `projects/p/${NAME}`,
      `projects/q/${NAME}`,
      'docs/flow.yaml',
      'x/y',
    );
    const found = (cwd: string, configured: string | null): string[] =>
      allOrchestrations(root, cwd, configured).map((path) => relative(root, path));
    const projects = [`projects/p/${NAME}`, `projects/q/${NAME}`];
    expect(found(join(root, 'a'), null)).toEqual([`a/${NAME}`, NAME, ...projects]);
    expect(found(join(root, 'x'), 'docs/flow.yaml')).toEqual(['docs/flow.yaml', NAME, ...projects]);
    expect(found(temporaryFolder(), 'docs/missing.yaml')).toEqual([NAME, ...projects]);
    expect(allOrchestrations(null, root, null)).toEqual([]);
    expect(allOrchestrations(project('projects'), '/', null)).toEqual([]);
  });

  test('reads the file, and none of more than a megabyte', () => {
    const root = project(NAME);
    expect(readOrchestration(join(root, NAME))).toBe('workflow:\n');
    writeFileSync(join(root, NAME), 'x'.repeat(1024 * 1024 + 1));
    expect(readOrchestration(join(root, NAME))).toBeNull();
  });
});
