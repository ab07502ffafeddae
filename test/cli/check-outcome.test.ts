// Tests what settings, state files and rule files count for in a check, and the exit codes that CI and hooks need.
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Repository, workFolder } from '../unit/repository.ts';
import { BAD, CONFIG, check, found, IMPORT, project } from './checked.ts';

describe('settings', () => {
  test.each<[string, number, string[]]>([
    ['enforce', 1, [IMPORT]],
    ['warn', 0, [IMPORT.replace('error', 'warning')]],
    ['off', 0, ['null:null guardrails/off note']],
  ])('with guardrails.mode = %j', (mode, code, expected) => {
    const repo = project({ '.plimsoll/config.toml': CONFIG.replace('enforce', mode) });
    repo.write('src/model/a.ts', BAD);
    expect(found(repo)).toEqual([code, expected]);
    expect(check(repo).code).toBe(code);
    expect(check(repo, '--strict').code).toBe(mode === 'off' ? 0 : 1);
  });

  test('that are staged judge what is staged; those that lie there judge the rest', () => {
    const repo = project();
    repo.write('src/model/a.ts', BAD);
    repo.write('.plimsoll/config.toml', CONFIG.replace('enforce', 'warn'));
    repo.git('add', '.');
    repo.write('.plimsoll/config.toml', CONFIG.replace('enforce', 'off'));
    expect(found(repo, '--staged')).toEqual([
      0,
      ['.plimsoll/config.toml:null guardrails/governance note', IMPORT.replace('error', 'warning')],
    ]);
    expect(found(repo)).toEqual([0, ['null:null guardrails/off note']]);
  });

  test('that cannot be used are an error at their line, whatever the change is', () => {
    const repo = project({ '.plimsoll/config.toml': `${CONFIG}\n[checkpoint]\nkeep = "many"\n` });
    for (const scope of ['--staged', '--all'])
      expect(found(repo, scope)).toEqual([1, ['.plimsoll/config.toml:14 settings/project error']]);
    const broken = project({ '.plimsoll/config.toml': '[guardrails\n' });
    expect(found(broken)).toEqual([
      1,
      ['.plimsoll/config.toml:1 settings/project error', 'null:null guardrails/off note'],
    ]);
  });

  test('of this machine are only warned about', () => {
    const repo = project();
    const env = { ...repo.env, PLIMSOLL_CHECKPOINT__KEEP: 'many' };
    expect(found({ ...repo, env })).toEqual([0, ['null:null settings/own warning']]);
    expect(found({ ...repo, env }, '--strict')[0]).toBe(1);
  });

  test('of the environment count, as everywhere', () => {
    const repo = project();
    repo.write('src/model/a.ts', BAD);
    const env = { ...repo.env, PLIMSOLL_GUARDRAILS__MODE: 'warn' };
    expect(found({ ...repo, env })).toEqual([0, [IMPORT.replace('error', 'warning')]]);
  });
});

describe('other files', () => {
  const STATE = (status: string, at: string): string =>
    `workflow:\n  id: w\n  status: ${status}\nresumption:\n  updated_at: "${at}"\n  workflow_status: ${status}\n`;
  const OLD = '2020-01-01T00:00:00Z';
  /** The state file without its own faults: whether it lags behind. */
  const stale = (repo: Repository, ...args: string[]): string[] =>
    found(repo, ...args)[1].filter((each) => each.includes('staleness'));

  test('a state file that is read wrongly is an error where it stands', () => {
    const repo = project({ 'projects/x/ORCHESTRATION.yaml': 'workflow:\n  id: w\n' });
    repo.write('projects/x/ORCHESTRATION.yaml', 'workflow:\n  id: [\n');
    const [code, findings] = found(repo, '--all');
    expect(code).toBe(1);
    expect(findings[0]).toMatch(/^projects\/x\/ORCHESTRATION\.yaml:\d+ state\/problem error$/);
    repo.git('add', '.');
    repo.write('projects/x/ORCHESTRATION.yaml', 'workflow:\n  id: w\n');
    expect(found(repo, '--staged')[0]).toBe(1);
    expect(found(project({ 'projects/x/ORCHESTRATION.yaml': 'workflow:\n  id: [\n' }))).toEqual([0, []]);
  });

  test.each([
    ['ACTIVE', ['ORCHESTRATION.yaml:4 staleness/resumption warning']],
    ['COMPLETE', []],
  ])('the old section of a workflow that is %s', (status, expected) => {
    const repo = project({ 'ORCHESTRATION.yaml': STATE(status, OLD) });
    expect(stale(repo, '--all')).toEqual(expected);
    repo.write('src/b.ts', '// work\n');
    expect(stale(repo)).toEqual(expected);
  });

  test('what a file holds is quoted without its secrets', () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const repo = project({ 'ORCHESTRATION.yaml': STATE('ACTIVE', secret) });
    const { stdout } = check(repo, '--all');
    expect(stdout).toContain('ORCHESTRATION.yaml:5: error: resumption.updated_at: ');
    expect(stdout).not.toContain(secret);
  });

  test('a marker that cannot be understood is a warning at its line, and the same staged', () => {
    const repo = project();
    repo.write('CLAUDE.md', '# Rules\n\n<!-- L2-REINJECT: content="x" -->\n');
    repo.write('.plimsoll/rules/a.md', '<!-- L2-REINJECT: rank=1, content="x" -->\n');
    repo.git('add', '.');
    for (const scope of ['--staged', '--all'])
      expect(found(repo, scope)[1]).toContain('CLAUDE.md:3 rules/marker warning');
    expect(found(repo, '--all')[1]).toHaveLength(1);
  });
});

describe('how it ends', () => {
  test.each<[string, string[], RegExp]>([
    [
      'an unknown revision',
      ['--since', 'nowhere'],
      /^git knows no commit "nowhere"\n {2}Next: .*fetch-depth: 0/,
    ],
    ['two scopes', ['--staged', '--all'], /cannot be used with/],
    ['two other scopes', ['--since', 'HEAD', '--all'], /cannot be used with/],
    ['an unknown format', ['--format', 'xml'], /Allowed choices are text, json, sarif, github/],
    ['an unknown option', ['--everything'], /unknown option/],
  ])('2 with %s', (_, args, words) => {
    const { code, stdout, stderr } = check(project(), ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(words);
  });

  test('2 with two formats, said in the one that scripts read', () => {
    const { code, stdout } = check(project(), '--json', '--format', 'sarif');
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual({
      error: { code: 'usage', message: '--json and --format sarif are two formats', next: 'give one' },
    });
  });

  test.each([[[]], [['--staged']], [['--since', 'HEAD']], [['--all']]])(
    '2 outside a repository, with %j, and says what to do',
    (args) => {
      const { code, stderr } = check(workFolder(), ...args);
      expect(code).toBe(2);
      expect(stderr).toMatch(
        /is in no git repository: .*\n {2}Next: run it in a repository, or make one: git init\n$/,
      );
    },
  );

  test('2 in a home folder, which is no project', () => {
    const repo = workFolder();
    expect(check({ ...repo, env: { ...repo.env, HOME: repo.folder } }).stderr).toMatch(
      /no project\n {2}Next: /,
    );
  });

  test('1 with the other findings beside it, when one check fails', () => {
    const repo = project({ 'docs/tracks/other': '' });
    repo.write('src/model/a.ts', BAD);
    symlinkSync('/etc/hosts', path.join(repo.folder, 'docs/tracks/ACTIVE_TRACK'));
    const [code, findings] = found(repo);
    expect(code).toBe(1);
    expect(findings).toContain(IMPORT);
    expect(findings).toContain('null:null tracks/failed error');
  });

  test('0 when nothing is found, and says how many files were looked at', () => {
    expect(check(project())).toMatchObject({
      code: 0,
      stdout: 'Nothing found (0 files checked: not committed).\n',
      stderr: '',
    });
    expect(check(project(), '--all').stdout).toBe('Nothing found (3 files checked: all).\n');
  });

  test('nothing is written by it', () => {
    const repo = project();
    check(repo, '--all');
    expect(repo.git('status', '--porcelain', '--ignored')).toBe('');
  });
});
