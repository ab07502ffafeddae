// Does `plimsoll guard explain` say what the hook decides, and does init ask for the hook only where it is wanted?
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Host, newHost } from '../hooks/host.ts';
import { run } from './healthy.ts';

function project(mode: string): Host {
  const host = newHost();
  mkdirSync(host.state(), { recursive: true });
  writeFileSync(
    host.state('config.toml'),
    `[guardrails]\nmode = "${mode}"\n\n[guardrails.paths]\nprotected = ["dist/**"]\n`,
  );
  return host;
}

describe('guard explain', () => {
  test.each<[string, string[]]>([
    ['a file', ['--path', 'dist/a.js']],
    ['a command', ['--command', 'echo x > dist/a.js']],
    ['a call', ['{"tool_name": "Write", "tool_input": {"file_path": "dist/a.js", "content": ""}}']],
  ])('says of %s what the hook would say, with its trace', (_, args) => {
    const { stdout, code } = run(project('enforce'), 'guard', 'explain', ...args);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^DENY, by paths\n.*guardrails\.paths\.protected/);
    expect(stdout).toMatch(/\n {2}paths {9}deny {2}dist\/a\.js: /);
  });

  test('says that nothing is judged where guardrails are off, and what would be', () => {
    const { stdout } = run(project('off'), 'guard', 'explain', '--path', 'dist/a.js');
    expect(stdout).toMatch(
      /^guardrails\.mode is "off": nothing is judged\. With "enforce" it would be:\nDENY/,
    );
  });

  test('gives the verdict as JSON', () => {
    const { stdout } = run(project('warn'), 'guard', 'explain', '--path', 'dist/a.js', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      mode: 'warn',
      preset: 'standard',
      decision: 'warn',
      rule: 'paths',
    });
  });

  test.each([
    ['nothing', []],
    ['two things', ['--path', 'a', '--command', 'b']],
    ['no JSON', ['not json']],
    ['JSON that is no call', ['{"a": 1}']],
  ])('refuses %s with a next step', (_, args) => {
    const { code, stderr } = run(project('enforce'), 'guard', 'explain', ...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/Next: |hint|give one|as the client sends it/);
  });
});

describe('init', () => {
  const hooksOf = (host: Host): Record<string, { matcher?: string }[]> =>
    (
      JSON.parse(readFileSync(path.join(host.project, '.claude', 'settings.local.json'), 'utf8')) as {
        hooks: Record<string, { matcher?: string }[]>;
      }
    ).hooks;

  test('asks for PreToolUse only where guardrails are on, and takes it out where they are no more', () => {
    const host = project('off');
    const init = (): string => run(host, 'init', '--yes', '--client-version', '2.1.332').stdout;
    init();
    expect(hooksOf(host).PreToolUse).toBeUndefined();
    expect(run(host, 'config', 'set', 'guardrails.mode', 'enforce').code).toBe(0);
    expect(init()).toContain('+ PreToolUse');
    expect(hooksOf(host).PreToolUse?.[0]?.matcher).toContain('NotebookEdit');
    run(host, 'config', 'set', 'guardrails.mode', 'off');
    expect(init()).toContain('- PreToolUse');
    expect(hooksOf(host).PreToolUse).toBeUndefined();
  });

  test('doctor says that guardrails are on and their hook is missing', () => {
    const host = project('off');
    run(host, 'init', '--yes', '--client-version', '2.1.332');
    run(host, 'config', 'set', 'guardrails.mode', 'enforce');
    expect(run(host, 'doctor').stdout).toMatch(/FAULT +hooks.*PreToolUse[\s\S]*plimsoll init/);
  });
});
