// Tests the rules together: tools, modes, strictness, and the words of a refusal.
import { describe, expect, test } from 'vitest';
import { buildOptions, describeSetter, type GivenOptions } from '../../settings/guardrail-options.ts';
import { normalize } from '../../text/path-text.ts';
import type { FileSystemPort } from './guard-call.ts';
import { checkGuardedCall } from './judge.ts';

const blind: FileSystemPort = {
  resolve: (path) => ({ path: normalize(path), kind: 'missing', folds: false, worktree: null }),
  read: () => null,
  expand: () => null,
  commands: null,
  imports: null,
};
const spoken = (...lines: string[]): FileSystemPort => ({
  ...blind,
  commands: () => ({
    changes: [],
    commands: lines.map((line) => line.split(' ')),
    unread: [],
    named: [],
    passedOn: [],
    doubt: null,
  }),
});

function verdict(
  tool: string,
  input: Record<string, unknown>,
  given: GivenOptions,
  sight: FileSystemPort = blind,
) {
  const call = { tool, input, cwd: '/p', root: '/p', home: '/home/u' };
  return checkGuardedCall(call, buildOptions({ mode: 'enforce', preset: 'none', ...given }), sight);
}

describe('the rule for tools', () => {
  const allow = ['Read', 'mcp__docs__*', 'Bash(git *)', 'Bash(npm test:*)', 'Write(docs/**)'];
  // [tool, input, simple commands, decision with `unknown = "deny"`]
  const cases: [string, Record<string, unknown>, string[], string][] = [
    ['Read', {}, [], 'abstain'],
    ['mcp__docs__search', {}, [], 'abstain'],
    ['mcp__other__search', {}, [], 'deny'],
    ['WebFetch', {}, [], 'deny'],
    ['Bash', { command: 'x' }, ['git status'], 'abstain'],
    ['Bash', { command: 'x' }, ['git'], 'abstain'],
    ['Bash', { command: 'x' }, ['npm test --watch'], 'abstain'],
    ['Bash', { command: 'x' }, ['git status', 'rm -rf x'], 'deny'],
    ['Bash', { command: 'x' }, ['rm git'], 'deny'],
    ['Write', { file_path: 'docs/a.md' }, [], 'abstain'],
    ['Write', { file_path: 'src/a.md' }, [], 'deny'],
  ];
  test.each(cases)('%s %j %j: %s', (tool, input, lines, decision) => {
    expect(verdict(tool, input, { tools: { allow, unknown: 'deny' } }, spoken(...lines)).decision).toBe(
      decision,
    );
  });

  test('leaves a tool that is not listed to the policy', () => {
    for (const unknown of ['abstain', 'warn', 'ask', 'deny'] as const) {
      expect(verdict('WebFetch', {}, { tools: { allow: ['Read'], unknown } }).decision).toBe(unknown);
    }
  });

  test('refuses what deny names, whatever allow says, and any command of many', () => {
    const tools = { allow: ['Bash'], deny: ['Bash(curl *)', 'WebFetch'] };
    expect(verdict('WebFetch', {}, { tools }).decision).toBe('deny');
    expect(verdict('Bash', { command: 'x' }, { tools }, spoken('ls', 'curl -s x')).decision).toBe('deny');
    expect(verdict('Bash', { command: 'x' }, { tools }, spoken('ls')).decision).toBe('abstain');
  });
});

describe('the verdict', () => {
  const guarded: GivenOptions = { paths: { protected: ['a.txt'] } };
  const input = { file_path: 'a.txt', content: '' };

  test('names rule, place, setting and what to do', () => {
    const { decision, rule, reason, trace } = verdict('Write', input, guarded);
    expect({ decision, rule }).toEqual({ decision: 'deny', rule: 'paths' });
    expect(reason).toBe(
      'Writing a.txt (by Write) is guarded by the rule "paths": "a.txt" is in guardrails.paths.protected. Leave it as it is, or ask the user to change it or the rule.',
    );
    expect(trace).toEqual([
      { rule: 'tools', at: 'Write', saw: 'guardrails.tools lists none', decision: 'abstain' },
      { rule: 'paths', at: 'a.txt', saw: '"a.txt" of paths.protected matches', decision: 'deny' },
      { rule: 'governance', at: 'a.txt', saw: 'no pattern of governance matches', decision: 'abstain' },
    ]);
  });

  test('is a warning with mode "warn", and the trace keeps what it was', () => {
    const { decision, rule, trace } = verdict('Write', input, { ...guarded, mode: 'warn' });
    expect({ decision, rule }).toEqual({ decision: 'warn', rule: 'paths' });
    expect(trace.map((each) => each.decision)).toEqual(['abstain', 'deny', 'abstain', 'warn']);
  });

  test('is silence with mode "off", without a look', () => {
    const never: FileSystemPort = { ...blind, resolve: () => expect.unreachable() };
    expect(verdict('Write', input, { ...guarded, mode: 'off' }, never)).toMatchObject({
      decision: 'abstain',
      reason: null,
    });
  });

  test('of a command that is too long to be read is a question, and a refusal when strict', () => {
    const bash = { command: `echo ${'x'.repeat(100_000)}` };
    expect(verdict('Bash', bash, {})).toMatchObject({
      decision: 'ask',
      reason: expect.stringContaining('longer than 100000 characters.\nThe agent asks'),
    });
    expect(verdict('Bash', bash, { strict: true }).decision).toBe('deny');
    expect(verdict('Bash', bash, { mode: 'warn' }).decision).toBe('warn');
  });

  test('is a question where the part that reads commands could not be loaded', () => {
    expect(verdict('Bash', { command: 'rm x' }, {}).decision).toBe('ask');
  });

  test('of a doubt is a warning, and a refusal when strict', () => {
    expect(verdict('Bash', { command: 7 }, {}).decision).toBe('warn');
    expect(verdict('Bash', { command: 7 }, {}).reason).toMatch(/no command\. It was let through/);
    expect(verdict('Bash', { command: 7 }, { strict: true }).decision).toBe('deny');
    const layers = [{ name: 'a', files: ['src/**'], only: [] }];
    const write = { file_path: 'src/a.ts', content: "import 'x'" };
    expect(verdict('Write', write, { architecture: { layers } }).decision).toBe('warn');
    expect(verdict('Write', write, { architecture: { layers }, strict: true }).decision).toBe('deny');
  });

  test('says three reasons of many at most', () => {
    const changes = Array.from({ length: 9 }, (_, at) => ({
      path: `/p/s${at}/a.txt`,
      written: 'x',
      act: 'write' as const,
      whole: false as const,
      follows: true,
      by: 'rm',
    }));
    const sight: FileSystemPort = {
      ...blind,
      commands: () => ({ changes, commands: [], unread: [], named: [], passedOn: [], doubt: null }),
    };
    const { reason } = verdict('Bash', { command: 'x' }, guarded, sight);
    expect(reason?.split('\n')).toHaveLength(4);
    expect(reason).toMatch(/And 6 more of this kind\.$/);
  });

  test('never says allow', () => {
    expect(verdict('Read', {}, { tools: { allow: ['Read'] } }).decision).toBe('abstain');
  });

  test('folds case where the file system does', () => {
    const folding: FileSystemPort = {
      ...blind,
      resolve: (path) => ({ ...blind.resolve(path, true), folds: true }),
    };
    expect(verdict('Write', { file_path: 'A.TXT' }, guarded, folding).decision).toBe('deny');
    expect(verdict('Write', { file_path: 'A.TXT' }, guarded).decision).toBe('abstain');
    const tracks: GivenOptions = { preset: 'tracks' };
    expect(verdict('Write', { file_path: 'DOCS/x.md' }, tracks, folding).decision).toBe('abstain');
    expect(verdict('Write', { file_path: 'DOCS/x.md' }, tracks).decision).toBe('deny');
  });

  test('knows the spellings of Windows', () => {
    const options = buildOptions({
      mode: 'enforce',
      preset: 'standard',
      paths: { protected: ['src/model/**'], on_secret: 'deny' },
    });
    const at = (file_path: string) =>
      checkGuardedCall(
        {
          tool: 'Write',
          input: { file_path, content: '' },
          cwd: 'C:\\p',
          root: 'C:\\p',
          home: 'C:\\Users\\u',
        },
        options,
        {
          ...blind,
          resolve: (path) => ({ ...blind.resolve(path, true), folds: true }),
        },
      ).decision;
    for (const path of [
      'C:\\p\\src\\model\\a.ts',
      'c:/p/SRC/Model/a.ts',
      'docs\\..\\src\\model\\a.ts',
      'src\\model\\a.ts. ',
      '.env::$DATA',
      'C:\\p\\.ENV',
      '~\\.ssh\\config',
      'C:\\Users\\u\\.ssh\\id_rsa',
    ])
      expect(at(path), path).toBe('deny');
    expect(at('C:\\p\\src\\view\\a.ts')).toBe('abstain');
  });
});

describe('the options', () => {
  test('are off by default, and a key that is given replaces that of the preset', () => {
    expect(buildOptions({})).toMatchObject({ mode: 'off', preset: 'standard', strict: false });
    const options = buildOptions({ preset: 'tracks', paths: { writable: ['notes/**'] } });
    expect(options.paths.writable).toEqual(['notes/**']);
    expect(options.paths.outside).toBe('deny');
    expect(describeSetter(options, 'paths.writable')).toBe('guardrails.paths.writable');
    expect(describeSetter(options, 'paths.outside')).toBe('paths.outside of guardrails.preset = "tracks"');
  });
});
