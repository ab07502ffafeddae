// Tests that the agent is told once of guarded files that a command changed past the rules, and of nothing else.
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { answer } from '../unit/lines.ts';
import {
  asked,
  BREACH,
  bash,
  type Call,
  edit,
  git,
  LAYERS,
  looked,
  put,
  ran,
  run,
  WARNED,
  working,
} from './behind.ts';
import { type Host, SESSION } from './host.ts';

const stream = (host: Host): string => readFileSync(host.state('sessions', SESSION, 'events.jsonl'), 'utf8');

describe('a file that a command has changed and a rule guards', () => {
  test.each(['enforce', 'warn'])('is told of in the very answer, once, with mode = "%s"', (mode) => {
    const host = working({ mode });
    const told = run(host, bash('make all'), () => put(host, 'gen/a.js', 'changed\n'));
    expect(told).toMatch(WARNED);
    expect(told).toMatch(
      /\n- gen\/a\.js is changed, and .*paths\.protected matches \(guardrails\.paths\.protected\)/,
    );
    expect(run(host, bash('make all'))).toBe('');
    expect(
      stream(host).match(/"GuardrailViolated".*"rule":"paths".*"tool":null.*"verdict":"warn"/g),
    ).toHaveLength(1);
    expect(statSync(looked(host)).mode & 0o777).toBe(0o600);
    expect(existsSync(host.state('failures.jsonl'))).toBe(false);
  });

  test('is told of again when it changes again, though git lists it all the while', () => {
    const host = working();
    run(host, bash('make'), () => put(host, 'gen/a.js', 'changed\n'));
    expect(run(host, bash('make'), () => put(host, 'gen/a.js', 'and again\n'))).toMatch(/gen\/a\.js/);
    expect(run(host, bash('make'))).toBe('');
  });

  test.each<[string, (host: Host) => void, RegExp]>([
    [
      'a new file in a new folder',
      (host) => put(host, 'gen/deep/er/b.js', ''),
      /gen\/deep\/er\/b\.js is changed/,
    ],
    ['a removed one', (host) => rmSync(path.join(host.project, 'gen/a.js')), /gen\/a\.js is removed/],
    ['a link', (host) => symlinkSync('../src', path.join(host.project, 'gen/l')), /gen\/l is changed/],
    [
      'what may switch the hooks off',
      (host) => put(host, '.claude/settings.json', '{}'),
      /settings\.json is changed, and hooks may be switched off there \(rule "own"\)/,
    ],
    [
      'a hook of git, which git lists nowhere',
      (host) => put(host, '.git/hooks/pre-commit', 'x\n'),
      /\.git\/hooks\/pre-commit is changed, and .* of governance\.c4 matches/,
    ],
    ['a name with blanks', (host) => put(host, 'gen/ü b"c.js', ''), /gen\/ü b"c\.js is changed/],
  ])('may be %s', (_, change, told) => {
    const host = working();
    expect(run(host, bash('npm run build'), () => change(host))).toMatch(told);
  });

  test.each<Call>([
    ['Bash', { command: 'python3 tools/rewrite.py' }],
    ['PowerShell', { command: 'Invoke-Build' }],
    ['mcp__files__write', { path: 'gen/a.js' }],
    ['BashOutput', { bash_id: '1' }],
  ])('is seen after %s %j', (...call) => {
    const host = working();
    run(host, bash('make'));
    expect(run(host, call, () => put(host, 'gen/a.js', 'changed\n'))).toMatch(WARNED);
  });

  test('is told of to the main session when a subagent has done it', () => {
    const host = working();
    asked(host, bash('make'), { agent_id: 'a1', prompt_id: 'p1' });
    put(host, 'gen/a.js', 'changed\n');
    expect(ran(host, [bash('make')], { agent_id: 'a1' })).toBe('');
    expect(ran(host, [['Agent', { prompt: 'x' }]])).toMatch(WARNED);
  });

  test('is told of by a client without PostToolBatch too', () => {
    const host = working();
    asked(host, bash('make'));
    put(host, 'gen/a.js', 'changed\n');
    const [tool_name, tool_input] = bash('make');
    const fields = { tool_name, tool_input, tool_use_id: 't', prompt_id: 'p1' };
    expect(host.fire('PostToolUse', fields).context).toMatch(WARNED);
    expect(host.fire('PostToolUse', fields).context).toBe('');
  });

  test('stands behind the monitor where a tier has risen', () => {
    const host = working();
    asked(host, bash('make'));
    put(host, 'gen/a.js', 'changed\n');
    host.append(answer(140_000, { id: 'm2' }));
    const told = ran(host, [bash('make')]);
    expect(told.indexOf('CONTEXT STATUS')).toBeGreaterThan(0);
    expect(told.indexOf('Plimsoll: while')).toBeGreaterThan(told.indexOf('</context-monitor>'));
  });

  test('of many is told of in few words', () => {
    const host = working();
    const told = run(host, bash('make'), () => {
      for (let n = 0; n < 130; n++) put(host, `gen/new-${n}.js`, '');
    });
    expect(told).toMatch(/- and 1[12]\d more of this kind\nNothing was undone/);
    expect(told.length).toBeLessThan(2_000);
  });
});

describe('a layer', () => {
  test('that a command has broken is told of, by the text as it is now', () => {
    const host = working({ more: LAYERS });
    const told = run(host, bash('make'), () => put(host, 'src/model/a.ts', BREACH));
    expect(told).toMatch(/- src\/model\/a\.ts:1 imports \.\.\/store\/b\.ts/);
  });

  test('that was broken when the file was committed is not told of', () => {
    const host = working({ more: LAYERS, files: { 'src/model/a.ts': BREACH } });
    expect(run(host, bash('make'), () => put(host, 'src/model/a.ts', `${BREACH}\n// more\n`))).toBe('');
    const both = `${BREACH}import { c } from '../store/c.ts';\n`;
    const told = run(host, bash('make'), () => put(host, 'src/model/a.ts', both));
    expect(told).toMatch(/a\.ts:3 imports/);
    expect(told).not.toMatch(/a\.ts:1 imports/);
  });

  test('is held to the first hundred files in one, and those that were not read are counted', () => {
    const host = working({ more: LAYERS });
    const told = run(host, bash('make'), () => {
      for (let n = 0; n < 130; n++) put(host, `src/model/new-${n}.ts`, '1;');
      for (let n = 0; n < 130; n++) put(host, `src/new-${n}.ts`, '1;');
    });
    expect(told).toMatch(/^Plimsoll: 30 more changed files have imports that were not judged/);
  });
});

describe('nothing is said', () => {
  test('of what no rule guards, however many there are', () => {
    const host = working();
    const many = () => {
      for (let n = 0; n < 130; n++) put(host, `src/b-${n}.ts`, 'x\n');
    };
    expect(run(host, bash('make'), many)).toBe('');
    expect(stream(host)).not.toContain('GuardrailViolated');
  });

  test('of an edit that was judged before it, which its person allowed', () => {
    const host = working();
    run(host, bash('make'));
    run(host, edit(host, '.claude/settings.json'), () => put(host, '.claude/settings.json', '{}'));
    expect(run(host, bash('make'))).toBe('');
    // A command that changes the same file later is told of.
    expect(run(host, bash('make'), () => put(host, '.claude/settings.json', '{ }'))).toMatch(WARNED);
  });

  test('of an edit beside a command, by a link or a path with dots', () => {
    const host = working();
    symlinkSync('.claude', path.join(host.project, 'link'));
    asked(host, bash('make'));
    asked(host, edit(host, 'src/../link/settings.json'));
    put(host, '.claude/settings.json', '{}');
    expect(ran(host, [bash('make'), edit(host, 'src/../link/settings.json')])).toBe('');
  });

  test.each([
    ['enforce', 'asked about', 'echo {} > .claude/settings.json', '.claude/settings.json'],
    ['warn', 'warned of', 'echo x > gen/a.js', 'gen/a.js'],
    ['enforce', 'asked about by its code', `python3 -c "open('gen/a.js', 'w')"`, 'gen/a.js'],
    ['enforce', 'asked about with its folder', 'cp -r rules .claude/', '.claude/rules/a.md'],
  ])('with mode "%s" of what a command was %s before it ran', (mode, _, command, file) => {
    const files = { 'rules/a.md': 'x', '.claude/rules/a.md': 'y' };
    const host = working({ mode, more: '[guardrails.governance]\nc4 = [".claude/**"]\n', files });
    const call = bash(command);
    expect(run(host, call, () => put(host, file, 'x'))).toBe('');
    // The next command was told of by nobody.
    expect(run(host, bash('make'), () => put(host, file, 'longer'))).toMatch(WARNED);
  });

  test('but an edit that has come hides no command after it', () => {
    const host = working({ more: LAYERS });
    run(host, bash('make'));
    run(host, edit(host, 'src/model/a.ts'), () => put(host, 'src/model/a.ts', 'export const a = 2;\n'));
    expect(run(host, bash('make'), () => put(host, 'src/model/a.ts', BREACH))).toMatch(/src\/model\/a\.ts:1/);
  });

  test('but an edit that was refused opens no way for a command', () => {
    const host = working();
    run(host, bash('make'));
    asked(host, edit(host, 'gen/a.js'));
    expect(run(host, bash('make'), () => put(host, 'gen/a.js', 'changed\n'))).toMatch(WARNED);
  });

  test('of what the user changed between two prompts', () => {
    const host = working();
    run(host, bash('make'));
    put(host, 'gen/a.js', 'by the user\n');
    host.fire('UserPromptSubmit', { prompt_id: 'p2' });
    const at = { prompt_id: 'p2' };
    expect(asked(host, bash('make'), at)).toBe('');
    expect(ran(host, [bash('make')], at)).toBe('');
    // What the first command of a prompt changes is told of all the same.
    put(host, 'gen/a.js', 'by the user once more\n');
    host.fire('UserPromptSubmit', { prompt_id: 'p2b' });
    asked(host, bash('make'), { prompt_id: 'p2b' });
    put(host, 'gen/a.js', 'by a command\n');
    expect(ran(host, [bash('make')], { prompt_id: 'p2b' })).toMatch(WARNED);
    // Also where the hook before a call did not run.
    put(host, 'gen/a.js', 'by the user again\n');
    expect(ran(host, [bash('make')], { prompt_id: 'p3' })).toBe('');
    put(host, 'gen/a.js', 'by a command\n');
    expect(ran(host, [bash('make')], { prompt_id: 'p3' })).toMatch(WARNED);
  });

  test('of what goes back to what was committed, or is committed', () => {
    const host = working();
    put(host, 'gen/a.js', 'by the user\n');
    run(host, bash('make'));
    expect(run(host, bash('git stash'), () => git(host, 'stash', '--quiet'))).toBe('');
    put(host, 'src/b.ts', 'x\n');
    git(host, 'add', '.');
    expect(run(host, bash('git commit'), () => git(host, 'commit', '--quiet', '-m', 'second'))).toBe('');
  });

  test.each<[string, string]>([
    ['a command that only looks', 'git status && ls -la gen | head -5'],
    ['an editor', ''],
  ])('after %s: nothing is even looked at', (_, command) => {
    const host = working();
    const call = command === '' ? edit(host, 'src/b.ts') : bash(command);
    expect(run(host, call, () => put(host, 'gen/a.js', 'changed\n'))).toBe('');
    expect(existsSync(looked(host))).toBe(false);
  });

  test('where guardrails are off, and nothing is kept there', () => {
    const host = working({ mode: 'off' });
    expect(run(host, bash('make'), () => put(host, 'gen/a.js', 'changed\n'))).toBe('');
    // Also where a tier rises, and much else is looked at.
    host.append(answer(140_000, { id: 'm2' }));
    expect(run(host, bash('make'))).not.toContain('Plimsoll: ');
    expect(existsSync(looked(host))).toBe(false);
  });

  test.each<[string, (host: Host) => void]>([
    ['is no repository', () => undefined],
    ['only looks like one', (host) => mkdirSync(path.join(host.project, '.git'))],
  ])('in a folder that %s', (_, prepare) => {
    const host = working();
    rmSync(path.join(host.project, '.git'), { recursive: true });
    prepare(host);
    run(host, bash('make'));
    expect(run(host, bash('make'), () => put(host, 'gen/a.js', 'changed\n'))).toBe('');
    expect(JSON.parse(readFileSync(looked(host), 'utf8'))).toMatchObject({ stamps: null });
    expect(existsSync(host.state('failures.jsonl'))).toBe(false);
  });

  test('where git does not answer: one line in the failure log, and it is not asked again in this prompt', () => {
    const host = working();
    const bin = path.join(host.root, 'bin');
    mkdirSync(bin);
    writeFileSync(path.join(bin, 'git'), '#!/bin/sh\necho asked >> "$HOME/asked"\nexec sleep 20\n', {
      mode: 0o755,
    });
    host.env.PATH = `${bin}:${host.env.PATH}`;
    expect(run(host, bash('make'), () => put(host, 'gen/a.js', 'changed\n'))).toBe('');
    expect(run(host, bash('make'))).toBe('');
    expect(
      readFileSync(host.state('failures.jsonl'), 'utf8').match(/git status took more than/g),
    ).toHaveLength(1);
    expect(readFileSync(path.join(host.env.HOME ?? '', 'asked'), 'utf8')).toBe('asked\n');
  });

  test('where the notes of the last look are garbage, or of another session', () => {
    const host = working();
    for (const text of ['{', 'null', '{"v":1}', '{"v":1,"conversation":"x","at":1,"read":0,"judged":[]}']) {
      mkdirSync(path.dirname(looked(host)), { recursive: true });
      writeFileSync(looked(host), text);
      expect(run(host, bash('make'))).toBe('');
      expect(JSON.parse(readFileSync(looked(host), 'utf8'))).toMatchObject({ session: SESSION });
    }
  });
});
