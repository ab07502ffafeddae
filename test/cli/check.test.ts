// Tests that `plimsoll check` finds what breaks the rules, in the files that are meant.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { plimsoll } from '../kit/plimsoll.ts';
import { repository, workFolder } from '../unit/repository.ts';
import { temporaryFolder } from '../unit/temporary.ts';
import { BAD, CONFIG, check, found, IMPORT, project } from './checked.ts';

describe('which files', () => {
  test('of what is staged: as it is staged, whatever lies there', () => {
    const repo = project();
    repo.write('src/model/a.ts', BAD);
    repo.git('add', '.');
    repo.write('src/model/a.ts', '');
    expect(found(repo, '--staged')).toEqual([1, [IMPORT]]);
    expect(found(repo)).toEqual([0, []]);
    repo.git('add', '.');
    repo.write('src/model/a.ts', BAD);
    expect(found(repo, '--staged')).toEqual([0, []]);
    expect(found(repo)).toEqual([1, [IMPORT]]);
  });

  test('since a branch: what the change brings, and not what it found', () => {
    const repo = project({ 'src/model/old.ts': BAD, 'src/model/touched.ts': BAD });
    repo.git('checkout', '--quiet', '-b', 'side');
    repo.write('src/model/a.ts', BAD);
    repo.write('src/model/touched.ts', `${BAD}// touched\n`);
    repo.git('commit', '--quiet', '-am', 'side');
    repo.write('dist/new.js', '');
    expect(found(repo, '--since', 'main')).toEqual([
      1,
      [
        'dist/new.js:null guardrails/paths error',
        IMPORT,
        'src/model/touched.ts:1 guardrails/architecture warning',
      ],
    ]);
  });

  test('of all: every import, and no place that merely exists', () => {
    const repo = project({ 'src/model/old.ts': BAD, 'dist/a.js': '', '.env': '' });
    repo.write('src/model/loose.ts', BAD);
    expect(found(repo, '--all')).toEqual([
      1,
      [
        'src/model/loose.ts:1 guardrails/architecture error',
        'src/model/old.ts:1 guardrails/architecture error',
      ],
    ]);
  });

  test('a protected file that is renamed away is removed', () => {
    const repo = project({ 'dist/a.js': 'some words\n' });
    repo.git('mv', 'dist/a.js', 'a.js');
    expect(found(repo, '--staged')).toEqual([1, ['dist/a.js:null guardrails/paths error']]);
  });

  test('from a folder below: the whole project, with names as they are typed there', () => {
    const repo = project();
    repo.write('src/model/mit ü\nund mehr.ts', BAD);
    repo.write('dist/a.js', '');
    const { stdout, code } = plimsoll(
      { env: repo.env, projectDir: path.join(repo.folder, 'src/model') },
      'check',
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^\.\.\/\.\.\/dist\/a\.js: error: /);
    expect(stdout).toMatch(/\nmit ü und mehr\.ts:1: error: imports node:fs, .*\n {2}Next: pass it in\n/);
  });

  test('of a project in a folder of the repository: its own, named from the top for those who show them', () => {
    const repo = repository({ 'packages/p/.plimsoll/config.toml': CONFIG, 'src/model/a.ts': '' });
    repo.write('packages/p/src/model/a.ts', BAD);
    repo.write('src/model/a.ts', BAD);
    repo.git('add', '.');
    const inside = { ...repo, folder: path.join(repo.folder, 'packages', 'p') };
    for (const option of ['--staged', '--all']) expect(found(inside, option)).toEqual([1, [IMPORT]]);
    expect(check(inside, '--format', 'github').stdout).toMatch(
      /^::error file=packages\/p\/src\/model\/a\.ts,line=1,/,
    );
    expect(check(inside, '--format', 'sarif').stdout).toContain('"uri": "packages/p/src/model/a.ts"');
  });

  test('in a worktree, and in a repository without commits', () => {
    const repo = project();
    const folder = path.join(temporaryFolder(), 'side');
    repo.git('worktree', 'add', '--quiet', '-b', 'side', folder);
    repo.git('-C', folder, 'rm', '--quiet', 'src/b.ts');
    repo.write('src/model/a.ts', BAD);
    expect(found({ ...repo, folder }, '--staged')).toEqual([0, []]);
    expect(found(repo)[0]).toBe(1);
    const fresh = workFolder();
    fresh.git('init');
    fresh.write('.plimsoll/config.toml', CONFIG);
    fresh.write('src/model/a.ts', BAD);
    expect(found(fresh, '--staged')).toEqual([0, []]);
    fresh.git('add', '.');
    for (const option of [[], ['--staged']])
      expect(found(fresh, ...option)).toEqual([
        1,
        ['.plimsoll/config.toml:null guardrails/governance note', IMPORT],
      ]);
    expect(found(fresh, '--all')).toEqual([1, [IMPORT]]);
  });

  test('of the folder in which it runs, whichever project a client was started for', () => {
    const repo = project();
    repo.write('src/model/a.ts', BAD);
    const env = { ...repo.env, CLAUDE_PROJECT_DIR: project().folder };
    expect(found({ ...repo, env })).toEqual([1, [IMPORT]]);
  });
});

test("this very repository's fence is held: an import of node:fs in a pure file is found, in every format", () => {
  const own = readFileSync(path.resolve(import.meta.dirname, '../../.plimsoll/config.toml'), 'utf8');
  const repo = repository({
    '.plimsoll/config.toml': own,
    'src/context/tier.ts': '',
    'src/platform/a.ts': BAD,
  });
  expect(check(repo, '--all').code).toBe(0);
  repo.write('src/context/tier.ts', `// tiers\n${BAD}`);
  const seen = (...args: string[]): string => {
    const { code, stdout } = check(repo, '--all', ...args);
    expect(code).toBe(1);
    return stdout;
  };
  expect(seen()).toMatch(/^src\/context\/tier\.ts:2: error: imports node:fs, .*\n {2}Next: the file is pure/);
  expect(seen('--format', 'github')).toMatch(
    /^::error file=src\/context\/tier\.ts,line=2,title=[^:]+::imports node:fs/,
  );
  const { runs } = JSON.parse(seen('--format', 'sarif')) as {
    runs: { results: { level: string; ruleId: string; locations: { physicalLocation: object }[] }[] }[];
  };
  expect(runs[0]?.results).toMatchObject([
    {
      level: 'error',
      ruleId: 'guardrails/architecture',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'src/context/tier.ts', uriBaseId: '%SRCROOT%' },
            region: { startLine: 2 },
          },
        },
      ],
    },
  ]);
});
