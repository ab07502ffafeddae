// Tests that a project passes its own check with what `plimsoll init` has written into it, and nothing more.
import { describe, expect, test } from 'vitest';
import { type CliResult, plimsoll } from '../kit/plimsoll.ts';
import { type Repository, repository } from '../unit/repository.ts';
import { check, found } from './checked.ts';

const run = ({ folder, env }: Repository, ...args: string[]): CliResult =>
  plimsoll({ env, projectDir: folder }, ...args);

/** A repository with everything that init writes, staged. */
function begun(...args: string[]): Repository {
  const repo = repository({ 'src/a.js': '', '.gitignore': 'dist/' });
  expect(run(repo, 'init', '--tracks', '--all', '--yes', ...args).code).toBe(0);
  repo.git('add', '.');
  return repo;
}

describe.each([['--strict'], ['--strict', '--quality', '--scope', 'project'], ['--source', 'lib/**']])(
  'what init --tracks %s %s %s %s has written',
  (...args) => {
    const given = args.filter((each) => each !== undefined);

    test('passes every check, and what governs is noted', () => {
      const repo = begun(...given);
      const [code, findings] = found(repo, '--staged');
      expect(findings).toContain('.plimsoll/config.toml:null guardrails/governance note');
      expect(findings.filter((each) => !each.endsWith('guardrails/governance note'))).toEqual([]);
      expect(code).toBe(0);
      expect(check(repo, '--staged', '--strict').code).toBe(0);
      repo.git('commit', '--quiet', '-m', 'Plimsoll');
      for (const option of ['--all', '--since=HEAD~1']) expect(check(repo, option, '--strict').code).toBe(0);
    });
  },
);

describe('after init --tracks --strict', () => {
  const PATHS = 'guardrails/paths error';

  // [what, file, its text, finding of the rule "paths"]
  test.each<[string, string, string, string[]]>([
    [
      'settings that a person changes',
      '.plimsoll/config.toml',
      '[guardrails]\nmode = "enforce"\npreset = "tracks"\n',
      [],
    ],
    ['an entry point that is another one', 'automation/hooks/pretooluse.py', 'exit()\n', [PATHS]],
    ['one more in its folder', 'automation/hooks/other.py', 'exit()\n', [PATHS]],
    ['a line of its own in .gitignore', '.gitignore', 'dist/\nsrc/\n', [PATHS]],
    ['a source', 'src/a.js', '1\n', [PATHS]],
    ['a name that is only drawn like settings', '.сlaude/settings.json', '{}', [PATHS]],
  ])('%s', (_, file, text, expected) => {
    const repo = begun('--strict');
    repo.git('commit', '--quiet', '-m', 'Plimsoll');
    repo.write(file, text);
    const [, findings] = found(repo);
    expect(findings.filter((each) => each.includes('/paths '))).toEqual(
      expected.map((each) => `${file}:null ${each}`),
    );
  });

  test.each([
    ['.plimsoll/config.toml', 'paths'],
    // That guards itself, with every preset.
    ['.claude/settings.local.json', 'own'],
    ['automation/hooks/pretooluse.py', 'paths'],
    ['.gitignore', 'paths'],
  ])('no agent may write %s', (file, rule) => {
    const verdict = run(begun('--strict'), 'guard', 'explain', '--path', file).stdout;
    expect(verdict).toMatch(new RegExp(`^DENY, by ${rule}:`));
  });
});
