import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/unit/temporary.ts';
import { scanTail, scanWhole } from '../scan-facts.io.ts';
import { codexEntry } from './index.io.ts';

const { host } = codexEntry;
const line = (type: string, payload: object) => ({
  ...{ timestamp: '2026-11-30T03:50:52.495Z', ordinal: 1, type, payload },
});
const started = line('event_msg', { type: 'task_started', model_context_window: 57_000 });
const answer = (input_tokens: number, response_id = 'r') =>
  line('token_usage_record', { response_id, usage: { input_tokens } });
const counted = (total_tokens: number, input_tokens: number) =>
  line('event_msg', {
    type: 'token_count',
    info: { last_token_usage: { total_tokens, input_tokens }, model_context_window: 57_000 },
  });
const compacted = line('compacted', { message: 'S', compaction_response_id: 'summary' });

function rollout(lines: readonly object[]): string {
  const path = join(temporaryFolder(), 'r.jsonl');
  writeFileSync(path, lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
  return path;
}

/** A hook's event in a session with this rollout, and settings of Codex. */
function at(lines: readonly object[], settings = '') {
  const CODEX_HOME = temporaryFolder();
  writeFileSync(join(CODEX_HOME, 'config.toml'), settings);
  const common = { session: 's', transcript: rollout(lines), cwd: '/p', promptId: 't', agent: null };
  return { event: { ...common, kind: 'prompt', isNotice: false } as const, env: { CODEX_HOME } };
}
const told = (lines: readonly object[], settings = '') => {
  const { env, event } = at(lines, settings);
  return host.readTold?.(event, env) ?? null;
};

test.each<[string, object[], number | null]>([
  ['at the first prompt, when nothing was answered yet', [started], null],
  [
    'in a turn, where the usage stands in lines of its own',
    [started, counted(9_000, 8_900), answer(9_000)],
    null,
  ],
  [
    "right after a compaction: Codex's own estimate",
    [started, answer(44_000), answer(3_000, 'summary'), compacted, counted(6_051, 0)],
    6_051,
  ],
  ['after the next answer', [started, compacted, counted(6_051, 0), answer(8_000)], null],
])('tells the window, and where it compacts by itself, %s', (_, lines, tokens) => {
  expect(told(lines)).toEqual({ tokens, window: 57_000, model: null, compacts_at: 54_000 });
});

test('tells nothing where no window is known', () => {
  expect(told([answer(9_000)])).toBeNull();
});

test.each([
  ['model_auto_compact_token_limit = 40_000\n', 40_000],
  ['# model_auto_compact_token_limit = 40000\n', 54_000],
  ['model = "x"\n[profiles.a]\nmodel_auto_compact_token_limit = 40000\n', 54_000],
  ['model_auto_compact_token_limit = 999999\n', 54_000],
])('of the settings %j it takes %d as the threshold', (settings, expected) => {
  expect(told([started], settings)?.compacts_at).toBe(expected);
});

test('the usage of a summary is none of the session, whichever way a rollout is read', () => {
  const path = rollout([answer(30_000), answer(44_000, 'last'), answer(3_000, 'summary'), compacted]);
  expect(scanTail(path, host.facts)?.facts.usage?.tokens).toBe(44_000);
  expect(scanWhole(path, host.facts)?.facts.usage?.tokens).toBe(44_000);
});

test.each([
  ['exec', 'sdk-exec'],
  ['cli', 'cli'],
])('a session whose first line says %s was started as %s', (source, entrypoint) => {
  const { env, event } = at([line('session_meta', { id: 's', cwd: '/p', source })]);
  expect(host.readStart?.(event, env)).toEqual({ ...env, HOST_ENTRYPOINT: entrypoint });
});

test('how a command has ended stands in the rollout', async () => {
  const item = { type: 'CommandExecution', id: 'call_5', exit_code: 3 };
  const path = rollout([
    line('event_msg', { type: 'item_completed', item }),
    line('response_item', { type: 'function_call_output', output: 'call_5 "CommandExecution"' }),
  ]);
  const { readToolRuns } = await host.loadRuns();
  const runs = (tool_use_id: string) =>
    readToolRuns({
      ...{ transcript_path: path, tool_name: 'Bash', tool_use_id },
      ...{ tool_input: { command: 'npm test' }, tool_response: 'FAIL' },
    });
  const run = { tool: 'Bash', input: { command: 'npm test' }, output: 'FAIL' };
  expect(runs('call_5')).toEqual([{ ...run, ending: { state: 'failed', code: 3 } }]);
  expect(runs('call_6')).toEqual([{ ...run, ending: { state: 'ok' } }]);
});

test('a command that its agent runs is known by its shell, and its session', () => {
  const env = { CODEX_SESSION_ID: 's', CODEX_THREAD_ID: 's' };
  expect(codexEntry.readShell?.(env)).toEqual({ HOST_SESSION: 's', HOST_AGENT: 'codex' });
  expect(codexEntry.readShell?.({})).toEqual({});
});
