// Tests that a hook finds its chunks wherever the bundle lies and whatever options Node has.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DIST } from '../kit/plimsoll.ts';
import { answer, request } from '../unit/lines.ts';
import { type Host, newHost, SESSION } from './host.ts';

function warned(host: Host): Host {
  host.append(request('Go'), answer(125_000));
  return host;
}

test.each([
  ['evaluate no text', '--disallow-code-generation-from-strings'],
  ['warn of what is deprecated', '--pending-deprecation'],
])('where Node was told to %s, a prompt is answered as ever', (_, options) => {
  const host = warned(newHost({ env: { NODE_OPTIONS: options } }));
  const { code, stderr, context } = host.fire('UserPromptSubmit', { prompt: 'x' });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(context).toContain('CONTEXT STATUS: WARNING');
  expect(existsSync(host.state('failures.jsonl'))).toBe(false);
});

test.each([
  ['blanks', 'a folder with blanks'],
  ['a line break and code', 'x\n;process.exit(7);0'],
  ['characters of other scripts', '満載喫水線'],
])('a bundle in a folder with %s in its name answers', (_, name) => {
  const host = warned(newHost());
  const bundle = path.join(host.root, name);
  for (const chunk of readdirSync(DIST).filter((each) => each.endsWith('.cjs')))
    cpSync(path.join(DIST, chunk), path.join(bundle, chunk));
  const payload = {
    session_id: SESSION,
    transcript_path: host.transcript,
    cwd: host.project,
    hook_event_name: 'UserPromptSubmit',
    prompt: 'x',
  };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(bundle, 'hook.cjs'), 'UserPromptSubmit'],
    { cwd: host.project, env: host.env, input: JSON.stringify(payload), encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('CONTEXT STATUS: WARNING');
});

test('a chunk that is torn is a failure that is noted, and the hook ends well', () => {
  const host = warned(newHost());
  const bundle = path.join(host.root, 'bundle');
  for (const chunk of readdirSync(DIST).filter((each) => each.endsWith('.cjs')))
    cpSync(path.join(DIST, chunk), path.join(bundle, chunk));
  writeFileSync(path.join(bundle, 'respond.cjs'), '"use strict";var a=(');
  const payload = {
    session_id: SESSION,
    cwd: host.project,
    hook_event_name: 'UserPromptSubmit',
  };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(bundle, 'hook.cjs'), 'UserPromptSubmit'],
    { cwd: host.project, env: host.env, input: JSON.stringify(payload), encoding: 'utf8' },
  );
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  expect(existsSync(host.state('failures.jsonl'))).toBe(true);
});
