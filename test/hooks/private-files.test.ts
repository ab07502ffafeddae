// Tests that what is kept of sessions is readable by its owner alone, file by file, under any umask.
import { lstatSync, readdirSync, rmSync, type Stats } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { plimsoll } from '../kit/plimsoll.ts';
import { answer, request, toolResult, toolUse } from '../unit/lines.ts';
import { pathsOf, publish } from './cloned.ts';
import { newHost, SESSION, userState } from './host.ts';

const below = (folder: string): { name: string; stats: Stats }[] =>
  ['', ...(readdirSync(folder, { recursive: true }) as string[])].map((name) => ({
    name,
    stats: lstatSync(path.join(folder, name)),
  }));

test('after a story every file of the state is 0600 and every folder 0700', () => {
  const mask = process.umask(0);
  try {
    const host = newHost({ files: { 'src/a.ts': '' } });
    publish(host);
    // What the test has made is not what is asked about.
    rmSync(userState(host), { recursive: true });
    const run = (...args: string[]) => plimsoll({ env: host.env, projectDir: host.project }, ...args);
    host.fire('SessionStart', { source: 'startup' });
    host.append(request('Port the compiler'), toolUse('t', 'Bash', { command: 'ls' }), toolResult('t'));
    host.append(answer(150_000));
    host.fire('UserPromptSubmit', { prompt: 'go' });
    const call = { tool_name: 'Bash', tool_use_id: 't', tool_input: { command: 'ls' } };
    host.fire('PreToolUse', call);
    host.fire('PostToolUse', { ...call, tool_response: { stdout: 'a' } });
    host.fire('PreCompact', { trigger: 'auto', custom_instructions: null });
    host.fire('SessionStart', { source: 'compact' });
    for (const args of [
      ['note', 'Keep the parser', '--session', SESSION],
      ['checkpoint', 'create'],
      ['config', 'set', 'checkpoint.keep', '60'],
    ])
      expect([args, run(...args).code]).toEqual([args, 0]);
    host.fire('Stop', { last_assistant_message: 'Done.' });
    host.fire('Stop', {}, '{"torn');
    host.fire('SessionEnd', { reason: 'other' });
    const kept = [...below(pathsOf(host).state), ...below(userState(host))];
    expect(kept.length).toBeGreaterThan(12);
    const isOpen = ({ stats }: { stats: Stats }): boolean =>
      (stats.mode & 0o777) !== (stats.isDirectory() ? 0o700 : 0o600);
    expect(
      kept.filter(isOpen).map(({ name, stats }) => `${name} ${(stats.mode & 0o777).toString(8)}`),
    ).toEqual([]);
  } finally {
    process.umask(mask);
  }
});
