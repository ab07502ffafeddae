// Tests the hooks as Codex starts them, by the bundle: a patch is judged by each of its files.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DIST } from '../kit/plimsoll.ts';
import { type Host, newHost } from './host.ts';

function beforeTool(host: Host, tool_name: string, command: string): unknown {
  const payload = {
    ...{ session_id: 's-1', turn_id: 't-1', transcript_path: null, cwd: host.project },
    ...{ hook_event_name: 'PreToolUse', tool_name, tool_input: { command }, tool_use_id: 'call_1' },
  };
  const args = [path.join(DIST, 'hook.cjs'), 'PreToolUse', '--host', 'codex'];
  const options = {
    cwd: host.project,
    env: host.env,
    input: JSON.stringify(payload),
    encoding: 'utf8',
  } as const;
  const { status, stdout } = spawnSync(process.execPath, args, options);
  expect(status).toBe(0);
  return stdout === '' ? null : JSON.parse(stdout);
}

const patch = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');
const FREE = ['*** Add File: src/a.txt', '+a'];
const refusal = (words: RegExp) => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: expect.stringMatching(words),
  },
});

test.each<[string, string, string, object | null]>([
  ['a patch of files that are free', 'apply_patch', patch(...FREE), null],
  [
    'a patch whose last file is guarded',
    'apply_patch',
    patch(...FREE, '*** Update File: dist/b.txt', '@@', '-b', '+c'),
    refusal(/^Plimsoll: Writing dist\/b\.txt .*guardrails\.paths\.protected/),
  ],
  [
    'a patch that removes a guarded file',
    'apply_patch',
    patch('*** Delete File: dist/b.txt', ...FREE),
    refusal(/^Plimsoll: .*dist\/b\.txt/),
  ],
  [
    'a patch that moves a file to where it must not go',
    'apply_patch',
    patch('*** Update File: src/b.txt', '*** Move to: dist/b.txt', '@@', '-b', '+c'),
    refusal(/^Plimsoll: Writing dist\/b\.txt/),
  ],
  ['a command', 'Bash', 'echo x > dist/b.txt', refusal(/^Plimsoll: Writing dist\/b\.txt/)],
  ['a command that is free', 'Bash', 'ls', null],
  [
    'a command with the words of a patch in it, which does something else as well',
    'Bash',
    `echo x > dist/b.txt; : '${patch(...FREE)}'`,
    refusal(/^Plimsoll: Writing dist\/b\.txt/),
  ],
  [
    'a patch in a command',
    'Bash',
    `apply_patch <<'EOF'\n${patch('*** Add File: dist/b.txt', '+b')}EOF`,
    refusal(/^Plimsoll: Writing dist\/b\.txt/),
  ],
])('%s', (_, tool, command, expected) => {
  const host = newHost();
  mkdirSync(path.join(host.project, '.plimsoll'), { recursive: true });
  const config = '[guardrails]\nmode = "enforce"\n\n[guardrails.paths]\nprotected = ["dist/**"]\n';
  writeFileSync(path.join(host.project, '.plimsoll', 'config.toml'), config);
  expect(beforeTool(host, tool, command)).toEqual(expected);
});
