import { describe, expect, test } from 'vitest';
import { formatCodexReply, parseCodexEvent, readCodexCalls } from './hooks.ts';
import { codexEntry } from './index.io.ts';
import { codexEntries, codexFacts, listPatched, readCodexSession, readToldWindow } from './rollout.ts';

const at = '2026-11-20T10:00:00.000Z';
const line = (type: string, payload: object, rest: object = {}) => ({
  timestamp: at,
  ordinal: 1,
  type,
  payload,
  ...rest,
});
const item = (payload: object, rest: object = {}) => line('response_item', { id: 'i', ...payload }, rest);
const message = (role: string, text: string, rest: object = {}) =>
  item({ type: 'message', role, content: [{ type: 'input_text', text }] }, rest);
const call = (name: string, args: object) =>
  item({ type: 'function_call', name, arguments: JSON.stringify(args), call_id: 'call_1' });
const output = (text: string) => item({ type: 'function_call_output', call_id: 'call_1', output: text });
const PATCH = '*** Begin Patch\n*** Add File: atlas/cover.txt\n+green\n*** End Patch\n';

describe('the fact of a line', () => {
  const usage = { input_tokens: 8_000, cached_input_tokens: 500, output_tokens: 20, total_tokens: 8_020 };
  test.each<[string, unknown, object | null]>([
    [
      'the usage of a request',
      line('token_usage_record', { response_id: 'r', usage }),
      { kind: 'usage', tokens: 8_000, input: 7_500, output: 20, model: '', at, messageId: 'r' },
    ],
    ['no usage', line('token_usage_record', { usage: {} }), { kind: 'unmeasured' }],
    [
      'a compaction',
      line('compacted', { message: 'S', compaction_response_id: 'r9' }),
      { kind: 'boundary', trigger: null, preTokens: null, summary: 'r9', at },
    ],
    [
      'what a hook of ours said',
      message('developer', '<compaction-alert>'),
      { kind: 'injection', text: '<compaction-alert>' },
    ],
    ['what Codex says itself', message('developer', '<skills_instructions>'), null],
    ['the same words in a tool output', output('<compaction-alert>'), null],
    ['totals, which are no usage', line('event_msg', { type: 'token_count', info: {} }), null],
  ])('%s', (_, given, fact) => {
    expect(codexFacts.readFact(given)).toEqual(fact);
    const bytes = JSON.stringify(given);
    const { markers, usageMarkers } = codexFacts;
    if (fact !== null) expect([...markers, ...usageMarkers].some((mark) => bytes.includes(mark))).toBe(true);
  });
});

test.each<[string, unknown, object[]]>([
  [
    'a prompt',
    message('user', 'Bind it'),
    [{ kind: 'request', by: 'person', text: 'Bind it', id: 'i', offset: 7 }],
  ],
  ['what Codex writes on the side of the person', message('user', '<environment_context>'), []],
  ['what a hook has Codex say as the person', message('user', '<hook_prompt hook_run_id="x">Go on'), []],
  [
    "of a message whose parts are named, the person's",
    item({
      ...{
        type: 'message',
        role: 'user',
        content: [{ text: '<skill>' }, { text: '# AGENTS.md instructions' }],
      },
      internal_chat_message_metadata_passthrough: { content_item_kinds: ['skills.body', 'user.text'] },
    }),
    [{ kind: 'request', by: 'person', text: '# AGENTS.md instructions' }],
  ],
  [
    'the result of a patch, which lists all of its files',
    item({
      ...{ type: 'custom_tool_call_output', call_id: 'c' },
      output: 'Exit code: 0\nOutput:\nSuccess. Updated the following files:\nA a.txt\nM b.txt\nD c.txt\n',
    }),
    [
      { kind: 'call', call: 'c#0', action: { type: 'write', path: 'a.txt', isWhole: true } },
      { kind: 'result', call: 'c#0', isNewFile: true },
      { kind: 'call', call: 'c#1', action: { path: 'b.txt', isWhole: false } },
      { kind: 'result', call: 'c#1', isNewFile: false },
      { kind: 'result', call: 'c', status: 'ok' },
    ],
  ],
  ...['apply_patch verification failed: Failed to find', 'unsupported call: update_plan'].map(
    (said): [string, unknown, object[]] => [said, output(said), [{ kind: 'result', status: 'failed' }]],
  ),
  ['an answer', message('assistant', 'Hi'), [{ kind: 'answer', text: 'Hi' }]],
  ['what the summariser wrote', message('assistant', 'S', { metadata: { compaction_output: true } }), []],
  [
    'a command',
    call('exec_command', { cmd: 'npm test' }),
    [{ kind: 'call', call: 'call_1', action: { type: 'run', command: 'npm test' } }],
  ],
  [
    'a command of words',
    call('shell', { command: ['ls', '-l'] }),
    [{ action: { type: 'run', command: 'ls -l' } }],
  ],
  [
    'a patch in a command',
    call('exec_command', { cmd: `apply_patch <<'EOF'\n${PATCH}EOF` }),
    [{ action: { type: 'write', path: 'atlas/cover.txt', isWhole: false } }],
  ],
  [
    'a patch by its own tool',
    item({ type: 'custom_tool_call', name: 'apply_patch', input: PATCH, call_id: 'c' }),
    [{ action: { type: 'write', path: 'atlas/cover.txt' } }],
  ],
  [
    'a plan',
    call('update_plan', { plan: [{ step: 'Bind', status: 'in_progress' }] }),
    [{ action: { type: 'set-tasks', tasks: [{ subject: 'Bind', status: 'in_progress' }] } }],
  ],
  [
    'a result',
    output('Process exited with code 0\nOutput:\nx'),
    [{ kind: 'result', call: 'call_1', status: 'ok' }],
  ],
  ['a failure', output('Process exited with code 3\nOutput:\nx'), [{ status: 'failed' }]],
  ['a call that we kept back', output('blocked by hook: Plimsoll: Writing a'), [{ status: 'denied' }]],
  [
    'a turn that was cut off',
    line('event_msg', { type: 'turn_aborted' }),
    [{ kind: 'notice', isInterruption: true }],
  ],
  [
    'a compaction',
    line('compacted', { message: 'S' }),
    [{ kind: 'boundary' }, { kind: 'summary', text: 'S' }],
  ],
  [
    'arguments that are no JSON',
    item({ type: 'function_call', name: 'x', arguments: '{' }),
    [{ action: { type: 'other' } }],
  ],
])('the entries of a line: %s', (_, given, entries) => {
  expect(codexEntries.readEntries(given, 7)).toMatchObject(entries);
  expect(codexEntries.readEntries(given, 7)).toHaveLength(entries.length);
});

test('the window and the session are told by lines of their own', () => {
  expect(
    readToldWindow(line('event_msg', { type: 'token_count', info: { model_context_window: 57_000 } })),
  ).toBe(57_000);
  expect(readToldWindow(line('event_msg', { type: 'token_count', info: null }))).toBeNull();
  expect(readCodexSession(line('session_meta', { id: 's', cwd: '/p', cli_version: '1' }))).toMatchObject({
    id: 's',
    cwd: '/p',
  });
  expect(listPatched('*** Add File: a')).toEqual([]);
});

describe('hooks', () => {
  const payload = (name: string, rest: object = {}) => ({
    ...{ hook_event_name: name, session_id: 's', cwd: '/p', transcript_path: null, turn_id: 't' },
    ...rest,
  });
  test.each<[string, object, object | null]>([
    ['UserPromptSubmit', { prompt: 'x' }, { kind: 'prompt', session: 's', promptId: 't', transcript: null }],
    ['PostToolUse', { tool_use_id: 'c' }, { kind: 'after-tool', calls: ['c'] }],
    ['PreCompact', { trigger: 'auto' }, { kind: 'pre-compact', trigger: 'auto' }],
    [
      'SessionStart',
      { source: 'compact', model: 'm' },
      { kind: 'session-start', source: 'compact', model: 'm' },
    ],
    ['SessionStart', { source: 'new' }, null],
    ['Stop', { stop_hook_active: true }, { kind: 'stop', isHeld: true }],
    ['SessionEnd', { reason: 'other' }, { kind: 'session-end', reason: 'other' }],
    ['PostCompact', {}, null],
    [
      'PreToolUse',
      { tool_name: 'Bash', tool_input: { command: 'ls' } },
      { tool: 'Bash', input: { command: 'ls' } },
    ],
    [
      'PreToolUse',
      { tool_name: 'Bash', tool_input: { command: `apply_patch <<'EOF'\n${PATCH}EOF` } },
      { tool: 'Bash', also: [{ tool: 'Write', input: { file_path: 'atlas/cover.txt' } }] },
    ],
    [
      'PreToolUse',
      {
        tool_name: 'apply_patch',
        tool_input: { command: "*** Begin Patch\n*** Delete File: a\n*** Update File: it's\n" },
      },
      {
        ...{ tool: 'Bash', input: { command: "rm -- 'a'" } },
        also: [{ tool: 'MultiEdit', input: { file_path: "it's" } }],
      },
    ],
    ['PreToolUse', { tool_input: {} }, { tool: null, input: null }],
  ])('%s %j', (name, rest, event) => {
    const found = parseCodexEvent(payload(name, rest), name);
    if (event === null) expect(found).toBeNull();
    else expect(found).toMatchObject(event);
    expect(parseCodexEvent(payload(name, rest), 'Other')).toBeNull();
  });

  const said = { context: ['a', 'b'], person: ['p'], blockStop: null };
  test.each<[string, string, object | null]>([
    [
      'PostToolUse',
      'the nested form, and nothing flat',
      {
        hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'a\n\nb' },
        systemMessage: 'p',
      },
    ],
    ['PreCompact', 'no words for the summariser', { systemMessage: 'p' }],
    ['SessionEnd', 'no answer at all', null],
  ])('%s is answered with %s', (name, _, answer) => {
    const text = formatCodexReply(name, said);
    expect(text === null ? null : JSON.parse(text)).toEqual(answer);
  });

  test('a turn is held at its end alone; a verdict never allows, and what would be asked is denied', () => {
    const held = { context: [], person: [], blockStop: 'why' };
    expect(JSON.parse(formatCodexReply('Stop', held) ?? '')).toEqual({ decision: 'block', reason: 'why' });
    expect(formatCodexReply('PostToolUse', held)).toBeNull();
    const verdict = { rule: null, files: [], trace: [], reason: 'r' };
    const decided = (decision: 'ask' | 'deny' | 'warn' | 'abstain') =>
      codexEntry.host.formatVerdict({ ...verdict, decision }) ?? '';
    for (const each of ['ask', 'deny'] as const)
      expect(decided(each)).toContain('"permissionDecision":"deny"');
    expect(decided('warn')).toContain('"additionalContext":"Plimsoll: r"');
    expect(decided('abstain')).toBe('');
    expect(readCodexCalls({ tool_name: 'Bash', tool_input: { command: 'ls' } })).toEqual([
      { tool: 'Bash', input: { command: 'ls' } },
    ]);
  });
});
