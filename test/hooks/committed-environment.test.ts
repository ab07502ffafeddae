// Tests that variables that a cloned repository has the client set decide nothing over us and move nothing.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { plimsoll } from '../kit/plimsoll.ts';
import { answer, request } from '../unit/lines.ts';
import { cloneOf, publish } from './cloned.ts';
import { type Host, newHost, userState, writeMine } from './host.ts';

const FILES = ['.claude/settings.json', '.claude/settings.local.json'];

/** A person with guardrails of his own in a clone that brings these variables; the client has set them, as it does. */
function sent(variables: Record<string, string>, file: string): Host {
  const origin = newHost({ files: { [file]: JSON.stringify({ env: variables }), 'a.txt': '' } });
  publish(origin);
  const host = cloneOf(origin);
  writeMine(host, '[guardrails]\nmode = "enforce"\n');
  Object.assign(host.env, variables);
  host.append(request('go'), answer(60_000));
  return host;
}

const isDenied = (host: Host): boolean =>
  /"permissionDecision":"(?:deny|ask)"/.test(
    host.fire('PreToolUse', {
      tool_name: 'Write',
      tool_input: { file_path: path.join(host.project, '.env'), content: 'x' },
      tool_use_id: 't',
    }).stdout,
  );

test.each<Record<string, string>>([
  { PLIMSOLL: 'off' },
  { PLIMSOLL_ENABLED: 'false' },
  { PLIMSOLL_GUARDRAILS__MODE: 'off' },
  { PLIMSOLL_GUARDRAILS__PATHS: '{"secrets":[]}', PLIMSOLL_CONTEXT_MONITOR__EMIT: 'off' },
])('%j switches nothing off, and is told', (variables) => {
  for (const file of FILES) {
    const host = sent(variables, file);
    expect(isDenied(host), file).toBe(true);
    expect(host.fire('UserPromptSubmit', { prompt: 'x' }).context).toContain('<context-monitor>');
    for (const command of [['status', '--transcript', host.transcript], ['doctor']])
      for (const name of Object.keys(variables))
        expect(plimsoll({ env: host.env, projectDir: host.project }, ...command).stdout).toContain(
          `"env.${name}" does not count: a repository can ship it`,
        );
  }
});

test('the state does not go where they lead', () => {
  for (const name of ['XDG_STATE_HOME', 'XDG_CONFIG_HOME']) {
    const host = newHost();
    // The person's own folders are those below the home folder.
    const { HOME = '' } = host.env;
    const theirs = path.join(host.project, 'shipped');
    const own = { XDG_STATE_HOME: '.local/state', XDG_CONFIG_HOME: '.config' }[name] ?? '';
    mkdirSync(path.join(HOME, own, 'plimsoll'), { recursive: true });
    writeFileSync(path.join(HOME, own, 'plimsoll', 'config.toml'), '[guardrails]\nmode = "enforce"\n');
    mkdirSync(theirs);
    mkdirSync(path.join(host.project, '.claude'));
    writeFileSync(path.join(host.project, FILES[0] ?? ''), JSON.stringify({ env: { [name]: theirs } }));
    host.env[name] = theirs;
    host.append(request('go'), answer(60_000));
    expect(host.fire('UserPromptSubmit', { prompt: 'x' }).context).toContain('<context-monitor>');
    expect([name, readdirSync(theirs)]).toEqual([name, []]);
    if (name === 'XDG_CONFIG_HOME') expect(isDenied(host)).toBe(true);
    else expect(existsSync(path.join(HOME, own, 'plimsoll', 'roots'))).toBe(true);
  }
});

test("the person's own variables count as ever, and so does the track that a project names", () => {
  const host = sent({ PLIMSOLL_TRACK: 'cache', OTHER: 'x' }, FILES[0] ?? '');
  expect(isDenied(host)).toBe(true);
  host.env.PLIMSOLL_GUARDRAILS__MODE = 'off';
  expect(isDenied(host)).toBe(false);
  expect(readdirSync(userState(host))).toContain('roots');
  host.env.PLIMSOLL = 'off';
  expect(host.fire('UserPromptSubmit', { prompt: 'x' }).stdout).toBe('');
});
