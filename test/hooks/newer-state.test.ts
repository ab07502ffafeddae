// Tests that every hook and command leaves state of a newer version as it is, with a clear word about it.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { some } from '../kit/effort.ts';
import { type CliResult, plimsoll } from '../kit/plimsoll.ts';
import { answer, boundary, request, summary } from '../unit/lines.ts';
import { type Host, MINE, newHost, SESSION, sessionFile, writeMine } from './host.ts';

const checkpoint = (host: Host): string => host.state('checkpoints', 'cx-001-checkpoint.json');
const snapshot = (host: Host): string => host.state('config.snapshot.json');
const learned = (host: Host): string =>
  path.join(host.env.XDG_STATE_HOME ?? '', 'plimsoll', 'compaction-points.json');

/** A session with state, a checkpoint and a settings snapshot, all of which this version wrote. */
function worked(): Host {
  const host = newHost();
  host.append(request('write the lexer'), answer(95_000));
  host.fire('UserPromptSubmit', { prompt: 'x' });
  host.append(answer(160_000, { id: 'msg_2' }));
  host.fire('PreCompact', { trigger: 'auto', custom_instructions: null });
  return host;
}

/** The same file as a newer version would have written it. */
function makeNewer(file: string, more: object): void {
  const value = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {};
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...value, ...more, unknown: ['to', 'us'] })}\n`);
}

/** Everything that can happen to a session, two compactions among it. */
function everything(host: Host): void {
  const compact = (id: string): void => {
    host.append(answer(163_000, { id }));
    host.fire('PostToolBatch', { tool_calls: [] });
    host.fire('PreCompact', { trigger: 'auto', custom_instructions: null });
    host.fire('SessionStart', { source: 'compact', model: 'claude-sonnet-4-5' });
    host.append(boundary(), summary());
    host.fire('PostToolUse', { tool_use_id: 't1' });
    host.append(answer(40_000, { id: `${id}-after` }));
    host.fire('UserPromptSubmit', { prompt: 'go on' });
    host.fire('Stop', { last_assistant_message: 'Done.' });
  };
  compact('msg_3');
  compact('msg_4');
  for (const source of ['startup', 'resume', 'clear', 'fork']) host.fire('SessionStart', { source });
  host.fire('UserPromptSubmit', { prompt: 'again' });
  host.fire('SessionEnd', { reason: 'prompt_input_exit' });
}

const logged = (host: Host): { hook: string; part: string; error: string }[] =>
  existsSync(host.state('failures.jsonl'))
    ? readFileSync(host.state('failures.jsonl'), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { hook: string; part: string; error: string })
    : [];

const files: [string, (host: Host) => string, object][] = [
  ['conversation', sessionFile, { schema_version: '2.0.0' }],
  ['session that names its id elsewhere', sessionFile, { schema_version: '12.3.0', session_id: undefined }],
  ['checkpoint', checkpoint, { schema_version: '2.0.0' }],
  ['settings snapshot', snapshot, { snapshot_version: 999 }],
  ['file of learned auto-compact thresholds', learned, { schema_version: '2.0.0' }],
];

describe('a file of a newer version', () => {
  test.each(some(files, 4))(
    '%s: byte-identical after all events, and nothing beside it',
    (_name, fileOf, more) => {
      const host = worked();
      const file = fileOf(host);
      makeNewer(file, more);
      const before = readFileSync(file);
      const { ino } = statSync(file);
      everything(host);
      expect(readFileSync(file)).toEqual(before);
      expect(statSync(file).ino).toBe(ino);
      expect(readdirSync(path.dirname(file)).filter((name) => name.includes('unreadable'))).toEqual([]);
      expect(readdirSync(path.dirname(file)).filter((name) => /\.(lock|tmp|take)$/.test(name))).toEqual([]);
    },
  );

  test('the commands leave it as it is, and say what to do', () => {
    const host = worked();
    makeNewer(sessionFile(host), { schema_version: '2.0.0' });
    const before = readFileSync(sessionFile(host));
    const run = (...args: string[]): CliResult =>
      plimsoll({ env: host.env, projectDir: host.project }, ...args);
    const status = run('status', '--session', SESSION);
    expect(status.code).toBe(0);
    expect(status.stdout).toMatch(/Problem +Written by a newer version: .*npm install --global plimsoll/);
    expect(JSON.parse(run('status', '--session', SESSION, '--json').stdout)).toMatchObject({
      problems: [{ where: 'session state', message: expect.stringContaining('newer version') }],
    });
    const off = run('off', '--session', SESSION);
    expect(off.code).toBe(1);
    expect(off.stderr).toMatch(/Written by a newer version.*\n {2}Next: .*npm install --global plimsoll/);
    expect(run('off').code).toBe(0);
    expect(run('on').code).toBe(0);
    expect(readFileSync(sessionFile(host))).toEqual(before);
  });

  test('each hook logs it once, however often it comes by', () => {
    const host = worked();
    makeNewer(sessionFile(host), { schema_version: '2.0.0' });
    for (let time = 0; time < 3; time++) {
      host.append(answer(50_000, { id: `msg_1${time}` }));
      host.fire('UserPromptSubmit', { prompt: 'x' });
      host.fire('PostToolBatch', { tool_calls: [] });
    }
    const lines = logged(host).filter((each) => each.error.includes('newer version'));
    expect(lines.map((each) => each.hook).sort()).toEqual(['PostToolBatch', 'UserPromptSubmit']);
  });

  test('the agent is told of the usage and of a compaction all the same', () => {
    const host = worked();
    makeNewer(sessionFile(host), { schema_version: '2.0.0' });
    host.append(boundary(), summary());
    const { context } = host.fire('UserPromptSubmit', { prompt: 'x' });
    expect(context).toContain('<compaction-alert>');
    expect(context).toContain('CONTEXT STATUS: ');
  });
});

test('with a settings snapshot of a newer version the settings are read from their files', () => {
  const host = newHost({ files: { [MINE]: '[context_monitor]\nwindow_tokens = 400000\n' } });
  host.append(request('go'), answer(30_000));
  host.fire('UserPromptSubmit', { prompt: 'x' });
  makeNewer(snapshot(host), { snapshot_version: 999 });
  writeMine(host, '[context_monitor]\nwindow_tokens = 500000\n');
  expect(host.fire('UserPromptSubmit', { prompt: 'x' }).context).toContain('of the 500,000 window');
});
