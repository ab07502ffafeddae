// Tests what has to wait while the plan of the active track is not ready, and what never has to.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkGuardedCall } from '../../../src/addons/guardrails/judge.ts';
import type { Evaluation } from '../../../src/hook/action.ts';
import type { Verdict } from '../../../src/hosts/verdict.ts';
import { buildOptions } from '../../../src/settings/guardrail-options.ts';
import { type World, world } from './world.ts';

const UNREADY: Evaluation = {
  track: 'cache',
  findings: ['PLAN.md', 'SPEC.md', 'PLAN.md', 'PLAN.md'].map((name, at) => ({
    check: 'placeholders',
    file: `docs/tracks/cache/${name}`,
    line: at + 1,
    message: 'placeholder "<name>"',
    next: 'write it',
  })),
};

let here: World;
beforeAll(() => {
  here = world();
});
afterAll(() => here.remove());

function verdict(
  tool: string,
  input: Record<string, unknown>,
  evaluation: Evaluation | null = UNREADY,
  mode: 'enforce' | 'warn' | 'off' = 'enforce',
): Verdict {
  const options = buildOptions({ mode, preset: 'none' });
  return checkGuardedCall(here.call(tool, input), options, { ...here.sight, evaluation: () => evaluation });
}
const bash = (command: string, evaluation?: Evaluation | null) => verdict('Bash', { command }, evaluation);

describe('waits: what writes outside docs/ and artifacts/, or runs what nobody knows', () => {
  test.each([
    'npm test',
    'npm run build',
    'npx vitest',
    'yarn build',
    'make',
    'cargo build --release',
    'go test ./...',
    'python3 app.py',
    'python3 -m pytest',
    'python3 -c "print(1)"',
    'node src/app.js',
    './run',
    './ls',
    '/tmp/x/plimsoll status',
    'docker run x',
    'gh pr merge 1',
    'gh api repos/x/y -X DELETE',
    'kubectl delete pod x',
    'npm audit fix',
    'go env -w GOFLAGS=-mod=mod',
    'ls && npm test',
    'cat a | node',
    'bash -c "npm test"',
    'sudo make install',
    'env A=1 make',
    'timeout 5 make',
    'find . -exec make {} +',
    'ls | xargs make',
    'fd -x make',
    'rg --pre make x',
    'f() { make; }; f',
    'plimsoll() { make; }; plimsoll',
    'alias plimsoll=make; plimsoll',
    'bash missing.sh',
    'git lfs-something',
    'git stash',
    'git checkout main',
    'echo x > src/a.ts',
    'plimsoll status > src/a.ts',
    'echo x > "$FILE"',
    'echo x > docs/sources/a.ts',
    'cp docs/guide.md README.md',
    'for f in a; do make "$f"; done',
    'echo "$(make)"',
    'if [ -f a ]; then make; fi',
    'echo "unclosed',
  ])('%s', (command) => {
    const { decision, rule, reason } = bash(command);
    expect([decision, rule]).toEqual(['deny', 'tracks']);
    expect(reason).toMatch(/^The track cache is not ready to be worked on, and /);
  });

  test.each([
    ['Write', { file_path: 'src/a.ts', content: '' }],
    ['Edit', { file_path: 'CLAUDE.md', old_string: 'a', new_string: 'b' }],
    ['NotebookEdit', { notebook_path: 'work/book.ipynb', new_source: '' }],
    ['Write', { file_path: 'docs/sources/a.ts', content: '' }],
    ['Write', { file_path: 'docs/../src/a.ts', content: '' }],
    ['PowerShell', { command: 'npm test' }],
    ['PowerShell', { command: '$x = npm test' }],
    ['PowerShell', { command: 'Get-ChildItem | ForEach-Object { make }' }],
    ['PowerShell', { command: 'Set-Content src/a.ts x' }],
    ['PowerShell', { command: 'Get-Content src/app.py' }],
  ])('%s %j', (tool, input) => {
    expect(verdict(tool, input)).toMatchObject({ decision: 'deny', rule: 'tracks' });
  });
});

describe('never waits: what only reads, writes documents, or is plimsoll', () => {
  test.each([
    'ls',
    'ls -la src | head -3',
    '/bin/ls',
    'cat src/app.py',
    'cd src && grep -rn x . || true',
    'find . -name "*.ts"',
    'find . -exec grep x {} +',
    'sed -n 1,5p src/app.py',
    "awk '{ print $1 }' src/app.py",
    'git status',
    'git -C docs log --oneline',
    'git diff main -- src',
    'git add docs && git commit -m "plan"',
    'npm ls',
    'npm audit',
    'npm --version',
    'gh pr view 12 --json title',
    'gh issue list | head',
    'docker ps -a',
    'kubectl get pods -n x',
    'node --version',
    'if [ -f a ]; then cat a; fi',
    'for f in docs/*; do echo "$f"; done',
    'x=1; echo "$x"',
    'plimsoll track lint',
    'plimsoll note task "x" --acceptance "y" && plimsoll track sync',
    'npx plimsoll track lint',
    'node_modules/.bin/plimsoll status',
    'echo x > docs/new.md',
    'mkdir -p docs/tracks/x && echo x >> artifacts/report.md',
    'ls > /dev/null 2>&1',
    'echo x > /tmp/elsewhere.txt',
  ])('%s', (command) => {
    expect(bash(command)).toMatchObject({ decision: 'abstain', rule: null });
  });

  test('but switching Plimsoll off is for the person to say', () => {
    expect(bash('plimsoll off')).toMatchObject({ decision: 'ask', rule: 'own' });
  });

  test.each([
    ['Write', { file_path: 'docs/tracks/cache/PLAN.md', content: '' }],
    ['Edit', { file_path: 'artifacts/report.md', old_string: 'a', new_string: 'b' }],
    ['Write', { file_path: '~/.claude/plans/a.md', content: '' }],
    ['Read', { file_path: 'src/a.ts' }],
    ['Grep', { pattern: 'x' }],
    ['PowerShell', { command: 'plimsoll track lint' }],
  ])('%s %j', (tool, input) => {
    expect(verdict(tool, input).decision).toBe('abstain');
  });
});

test('the same calls go on where SPEC and PLAN pass, where there is no track, and where guardrails are off', () => {
  expect(bash('npm test', null).decision).toBe('abstain');
  expect(
    checkGuardedCall(
      here.call('Bash', { command: 'npm test' }),
      buildOptions({ mode: 'enforce', preset: 'none' }),
      here.sight,
    ).decision,
  ).toBe('abstain');
  expect(verdict('Bash', { command: 'npm test' }, UNREADY, 'off').decision).toBe('abstain');
});

test('with mode "warn" the reason is a warning', () => {
  expect(verdict('Bash', { command: 'npm test' }, UNREADY, 'warn')).toMatchObject({
    decision: 'warn',
    rule: 'tracks',
  });
});

test('the reason names three findings, where they are, and the next step; nothing in it is a tag', () => {
  expect(
    bash('npm test').reason,
  ).toBe(`The track cache is not ready to be worked on, and npm test is run (the guardrail rule "tracks", tracks.gate). The evaluator finds in its SPEC and PLAN:
- placeholders: docs/tracks/cache/PLAN.md:1: placeholder "‹name›"
- placeholders: docs/tracks/cache/SPEC.md:2: placeholder "‹name›"
- placeholders: docs/tracks/cache/PLAN.md:3: placeholder "‹name›"
- and 1 more
Fix these first; reading, writing in docs/ and artifacts/, and plimsoll itself go on. All findings: plimsoll track lint`);
});

test('nothing is evaluated for a call that need not wait', () => {
  const sight = {
    ...here.sight,
    evaluation: () => {
      throw new Error('asked');
    },
  };
  const options = buildOptions({ mode: 'enforce', preset: 'none' });
  expect(checkGuardedCall(here.call('Write', { file_path: 'docs/a.md' }), options, sight).decision).toBe(
    'abstain',
  );
});
