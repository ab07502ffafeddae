// Tests that neither the person's options of Node nor an old Node on the PATH harms a hook or the status line.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findHookProgram } from '../../src/hosts/claude-code/install/hooks.ts';
import { readInstalled } from '../../src/install/settings-text.ts';
import { type Host, newHost, SESSION } from '../hooks/host.ts';
import { notRun } from '../kit/not-run.ts';
import { NODE_12, otherNode } from '../kit/other-node.ts';
import { answer, request } from '../unit/lines.ts';
import { data, init, local, run } from './healthy.ts';
import { lineIn } from './status-lines.ts';

/** A project with our hooks and our status line below another, and a session at WARNING. */
function installed(): Host {
  const host = newHost();
  mkdirSync(path.dirname(local(host)), { recursive: true });
  writeFileSync(
    local(host),
    JSON.stringify({ statusLine: { type: 'command', command: 'echo "theirs: $NODE_OPTIONS"' } }),
  );
  init(host, '--statusline');
  host.append(request('Build the parser'), answer(120_000));
  return host;
}

const registered = (host: Host) => readInstalled(readFileSync(local(host), 'utf8'));

/** Runs a command of the settings as the client does. */
function runAsClient(host: Host, command: string, event: string | null, env: Record<string, string>) {
  const input = JSON.stringify({
    ...{ session_id: SESSION, transcript_path: host.transcript, cwd: host.project, source: 'resume' },
    ...(event === null ? { model: { display_name: 'Opus' } } : { hook_event_name: event, prompt: 'x' }),
    ...{ trigger: 'auto', custom_instructions: null, reason: 'other', tool_calls: [] },
  });
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], {
    cwd: host.project,
    env: { ...host.env, NO_COLOR: '1', ...env },
    input,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test.each([
  ['of a preload that is gone', '--require /gone/preload.js'],
  ['of a preload that prints', '--require ./prints.js'],
  ['that Node does not know', '--no-such-option'],
  ['that ask for a debugger', '--inspect-brk=127.0.0.1:1'],
])('options %s harm no hook and no status line', (_, options) => {
  const host = installed();
  writeFileSync(path.join(host.project, 'prints.js'), 'console.log("{}"); console.error("loaded");');
  for (const { event, command } of registered(host)) {
    const { status, stdout, stderr } = runAsClient(host, command, event, { NODE_OPTIONS: options });
    expect({ event, status, stderr }).toEqual({ event, status: 0, stderr: '' });
    if (event === 'UserPromptSubmit') expect(stdout).toContain('CONTEXT STATUS: WARNING');
    if (event === 'PreCompact') expect(stdout).toContain("THE USER'S GOAL: Build the parser");
  }
  const line = runAsClient(host, lineIn(local(host)).command, null, { NODE_OPTIONS: options });
  expect(line).toEqual({ status: 0, stderr: '', stdout: expect.stringContaining('WARNING') });
  // What the person wants for their own programs is theirs.
  expect(line.stdout).toContain(`theirs: ${options}\n`);
});

test('a hook whose command is a script is found, and is silent without it', () => {
  const host = installed();
  const hook = registered(host).find(({ event }) => event === 'PreCompact');
  expect(hook?.command).toBe(`${path.join(data(host), 'current', 'hook')} PreCompact 2>/dev/null || :`);
  expect(hook && findHookProgram(hook)).toEqual({
    bundle: path.join(data(host), 'current', 'hook.cjs'),
    node: null,
  });
  chmodSync(path.join(data(host), 'current', 'hook'), 0o644);
  const silence = { status: 0, stdout: '', stderr: '' };
  expect(runAsClient(host, hook?.command ?? '', 'PreCompact', {})).toEqual(silence);
});

test('an old Node on the PATH is silence, and one line in doctor', () => {
  const old = otherNode(NODE_12);
  if ('fault' in old) return notRun('hooks under an old Node', old.fault);
  const host = installed();
  const text = readFileSync(local(host), 'utf8').replaceAll(process.execPath, '/gone/node');
  writeFileSync(local(host), text);
  const script = path.join(data(host), 'current', 'hook');
  writeFileSync(script, readFileSync(script, 'utf8').replaceAll(process.execPath, '/gone/node'));
  const env = { PATH: `${path.dirname(old.node)}:/usr/bin:/bin` };
  for (const { event, command } of registered(host))
    expect({ event, ...runAsClient(host, command, event, env) }).toEqual({
      event,
      status: 0,
      stdout: '',
      stderr: '',
    });
  expect(existsSync(host.state('sessions'))).toBe(false);
  host.env.PATH = env.PATH;
  const lines = run(host, 'doctor')
    .stdout.split('\n')
    .filter((line) => /\bnode\b.*12\.22\.12/.test(line));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(
    /the hooks name \/gone\/node, which does not run, and the one on PATH is 12\.22\.12/,
  );
});
