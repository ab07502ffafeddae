// Tests that the snippets of docs/ci.md stop what they should, run as printed in a repository.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { some } from '../kit/effort.ts';
import { CLI } from '../kit/plimsoll.ts';
import { type Repository, repository } from '../unit/repository.ts';
import { temporaryFolder } from '../unit/temporary.ts';

const PAGE = readFileSync(path.resolve(import.meta.dirname, '../../docs/ci.md'), 'utf8');
/** The only block of the page that holds a word. */
function block(word: string): string {
  const found = [...PAGE.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
  const [one, ...more] = found.filter((text) => text.includes(word));
  if (one === undefined || more.length > 0) throw new Error(`docs/ci.md has not one block with "${word}"`);
  return one;
}

const CONFIG = `[guardrails]
mode = "enforce"

[[guardrails.architecture.layers]]
name = "model"
files = ["src/model/**"]
packages = []
`;
const GOOD = 'export const a = 1;\n';
const BAD = `import 'node:fs';\n${GOOD}`;

/** A project with the command on PATH, and as a dev dependency. */
function project(): Repository {
  const repo = repository({
    '.plimsoll/config.toml': CONFIG,
    '.gitignore': 'node_modules/\n',
    'package.json': '{"name": "p", "private": true}\n',
    'src/model/a.ts': GOOD,
  });
  chmodSync(CLI, 0o755);
  const bin = temporaryFolder();
  symlinkSync(CLI, path.join(bin, 'plimsoll'));
  mkdirSync(path.join(repo.folder, 'node_modules', '.bin'), { recursive: true });
  symlinkSync(CLI, path.join(repo.folder, 'node_modules', '.bin', 'plimsoll'));
  repo.env.PATH = [bin, path.dirname(process.execPath), repo.env.PATH].join(path.delimiter);
  return repo;
}

const head = (repo: Repository): string => repo.git('rev-parse', 'HEAD');
/** What git says when it does not commit. */
function refusal(repo: Repository, ...args: string[]): string {
  const before = head(repo);
  try {
    repo.git('commit', '-m', 'x', ...args);
  } catch (error) {
    expect(head(repo)).toBe(before);
    return String(error);
  }
  throw new Error('it was committed');
}
function committed(repo: Repository, ...args: string[]): void {
  const before = head(repo);
  repo.git('commit', '-m', 'x', ...args);
  expect(head(repo)).not.toBe(before);
}

/** A file at the place where git looks for its hook. */
function hook(repo: Repository, text: string): void {
  repo.write('.git/hooks/pre-commit', text);
  chmodSync(path.join(repo.folder, '.git', 'hooks', 'pre-commit'), 0o755);
}

const HOOKS: [string, () => string][] = [
  ['the hook of git', (): string => block('exec plimsoll')],
  [
    'the hook with a dev dependency',
    (): string => block('exec plimsoll').replace('plimsoll', 'npx --no plimsoll'),
  ],
  [
    'the entry for the pre-commit framework',
    (): string => {
      const { repos } = parse(block('repo: local')) as { repos: { hooks: { entry: string }[] }[] };
      return `#!/bin/sh\nexec ${repos[0]?.hooks[0]?.entry}\n`;
    },
  ],
];
describe.each(some(HOOKS, 1))('%s', (_, text) => {
  test('refuses a commit with a bad import, and lets it through after the fix', () => {
    const repo = project();
    hook(repo, text());
    repo.write('src/model/a.ts', BAD);
    repo.git('add', '.');
    expect(refusal(repo)).toContain('src/model/a.ts:1: error: imports node:fs');
    repo.write('src/model/a.ts', `${GOOD}// more\n`);
    expect(refusal(repo)).toContain('src/model/a.ts:1: error');
    repo.git('add', '.');
    committed(repo);
  });
});

describe('the hook of git', () => {
  test('sees what "commit -a" and "commit FILE" take, and nothing else', () => {
    const repo = project();
    hook(repo, block('exec plimsoll'));
    repo.write('src/model/a.ts', BAD);
    repo.write('b.md', 'b');
    repo.git('add', 'b.md');
    expect(refusal(repo, '-a')).toContain('src/model/a.ts:1: error');
    expect(refusal(repo, 'src/model/a.ts')).toContain('src/model/a.ts:1: error');
    committed(repo);
    repo.git('add', '.');
    repo.write('b.md', 'c');
    committed(repo, 'b.md');
    expect(refusal(repo)).toContain('src/model/a.ts:1: error');
  });

  test('works in a worktree, and in the first commit', () => {
    const repo = project();
    hook(repo, block('exec plimsoll'));
    const side = path.join(temporaryFolder(), 'side');
    repo.git('worktree', 'add', '--quiet', '-b', 'side', side);
    const there: Repository = {
      ...repo,
      folder: side,
      git: (...args) => repo.git('-C', side, ...args),
      write: (name, text) => repo.write(path.relative(repo.folder, path.join(side, name)), text),
    };
    there.write('src/model/a.ts', BAD);
    expect(refusal(there, '-a')).toContain('src/model/a.ts:1: error');
    repo.git('checkout', '--quiet', '--orphan', 'fresh');
    repo.write('src/model/a.ts', BAD);
    repo.git('add', '.');
    expect(() => repo.git('commit', '-m', 'first')).toThrow(/src\/model\/a\.ts:1: error/);
    repo.write('src/model/a.ts', GOOD);
    repo.git('add', '.');
    repo.git('commit', '-m', 'first');
    expect(head(repo)).toMatch(/^\w{40}$/);
  });
});

describe('the workflow for GitHub Actions', () => {
  interface Step {
    run?: string;
    if?: string;
    uses?: string;
    with?: Record<string, unknown>;
  }
  const workflow = parse(block('actions/checkout')) as {
    on: object;
    jobs: { check: { steps: Step[] } };
  };
  const { steps } = workflow.jobs.check;
  /** The step for an event, run as the runner does. */
  function step(repo: Repository, event: '==' | '!='): { status: number | null; stdout: string } {
    const found = steps.filter((each) => each.if === `github.event_name ${event} 'pull_request'`);
    expect(found).toHaveLength(1);
    const env = { ...repo.env, GITHUB_BASE_REF: 'main', GITHUB_ACTIONS: 'true', CI: 'true' };
    return spawnSync('bash', ['-e', '-c', found[0]?.run ?? ''], { cwd: repo.folder, env, encoding: 'utf8' });
  }

  test('fetches the whole history, and has one step for each event', () => {
    expect(Object.keys(workflow.on)).toEqual(['pull_request', 'push']);
    const checkout = steps.find(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkout?.with).toEqual({ 'fetch-depth': 0 });
    expect(steps.filter(({ run }) => run?.includes('plimsoll'))).toHaveLength(2);
  });

  test('annotates what a pull request brings, and passes after the fix', () => {
    const repo = project();
    repo.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    repo.git('checkout', '--quiet', '-b', 'side');
    repo.write('src/model/a.ts', BAD);
    repo.git('commit', '-am', 'bad');
    const events = some(['==', '!='] as const, 1);
    for (const event of events) {
      const { status, stdout } = step(repo, event);
      expect(status).toBe(1);
      expect(stdout).toMatch(
        /^::error file=src\/model\/a\.ts,line=1,title=plimsoll guardrails\/architecture::imports node:fs/,
      );
    }
    repo.write('src/model/a.ts', GOOD);
    repo.git('commit', '-am', 'good');
    for (const event of events) expect(step(repo, event).status).toBe(0);
  });
});
