import { describe, expect, test } from 'vitest';
import { copilotRuns, formatCopilotReply, parseCopilotEvent } from './hooks.ts';
import { copilotEntry } from './index.io.ts';
import { copilotEntries, copilotFacts, readCopilotSession, readMaxPrompt } from './lines.ts';

const at = '2026-11-30T07:27:24.732Z';
const line = (type: string, data: object, rest: object = {}) => ({
  ...{ type, data, id: 'i', timestamp: at, parentId: null },
  ...rest,
});
const usage = {
  ...{ model: 'm', inputTokens: 8_000, outputTokens: 20, cacheReadTokens: 6_000, cacheWriteTokens: 1_000 },
  ...{ maxPromptTokens: 20_000, apiCallId: 'x1' },
};
const compacted = (rest: object) =>
  line('session.compaction_complete', { success: true, trigger: 'threshold', summaryContent: 'S', ...rest });
const said = (hookType: string, words: string) =>
  line('hook.end', { hookType, success: true, output: { additionalContext: words } });

test.each<[string, unknown, object | null]>([
  [
    'the usage of a request',
    line('session.usage_record', { usage }),
    { kind: 'usage', tokens: 8_000, input: 1_000, output: 20, model: 'm', at, messageId: 'x1' },
  ],
  ['no usage', line('session.usage_record', { usage: {} }), { kind: 'unmeasured' }],
  ['the usage of a subagent', line('session.usage_record', { usage }, { agentId: 'a' }), null],
  ['a compaction', compacted({}), { kind: 'boundary', trigger: 'auto', preTokens: null, at }],
  [
    "a person's",
    compacted({ trigger: 'manual' }),
    { kind: 'boundary', trigger: 'manual', preTokens: null, at },
  ],
  ['a compaction that failed', compacted({ success: false }), null],
  ['one that begins', line('session.compaction_start', {}), null],
  [
    'what a hook of ours said',
    said('postToolUse', '<compaction-alert>'),
    { kind: 'injection', text: '<compaction-alert>' },
  ],
  [
    'the same words in the result of a tool',
    line('tool.execution_complete', { result: { content: '"hook.end" <compaction-alert>' } }),
    null,
  ],
  ['no object', 'hook.end', null],
])('the fact of a line: %s', (_, given, fact) => {
  expect(copilotFacts.readFact(given)).toEqual(fact);
  const { markers, usageMarkers } = copilotFacts;
  const bytes = JSON.stringify(given);
  if (fact !== null) expect([...markers, ...usageMarkers].some((mark) => bytes.includes(mark))).toBe(true);
});

const call = (toolName: string, args: unknown) =>
  line('tool.execution_start', { toolCallId: 'c', toolName, arguments: args });
const result = (data: object) => line('tool.execution_complete', { toolCallId: 'c', ...data });
const PATCH = '*** Begin Patch\n*** Update File: b.txt\n@@\n-b\n+c\n*** End Patch\n';

test.each<[string, unknown, object[]]>([
  [
    'a prompt, without what Copilot adds to it',
    line('user.message', { content: 'Bind it', transformedContent: '<current_datetime>\n\nBind it' }),
    [{ kind: 'request', by: 'person', text: 'Bind it', id: 'i', offset: 7, time: at }],
  ],
  ['what a skill asks for', line('user.message', { content: 'x', source: 'skill-pdf' }), []],
  ['what Copilot asks for', line('user.message', { content: 'x', isAutopilotContinuation: true }), []],
  ['the prompt of a subagent', line('user.message', { content: 'x' }, { agentId: 'a' }), []],
  [
    'an answer on the way',
    line('assistant.message', { content: 'Hi', toolRequests: [{}] }),
    [{ kind: 'answer', text: 'Hi', isFinal: false }],
  ],
  ['the last answer', line('assistant.message', { content: 'Hi', toolRequests: [] }), [{ isFinal: true }]],
  ['an answer of calls alone', line('assistant.message', { content: '', toolRequests: [{}] }), []],
  [
    'a command',
    call('bash', { command: 'npm test', description: 'tests' }),
    [{ kind: 'call', call: 'c', tool: 'bash', action: { type: 'run', command: 'npm test' } }],
  ],
  [
    'a new file',
    call('create', { path: '/p/a' }),
    [{ action: { type: 'write', path: '/p/a', isWhole: true } }],
  ],
  ['an edit', call('edit', { path: '/p/a' }), [{ action: { type: 'write', path: '/p/a', isWhole: false } }]],
  ['a patch', call('apply_patch', PATCH), [{ action: { type: 'write', path: 'b.txt', isWhole: false } }]],
  ['a file read', call('view', { path: '/p/a' }), [{ action: { type: 'read', path: '/p/a' } }]],
  ['a search', call('grep', { pattern: 'x' }), [{ action: { type: 'search', pattern: 'x', path: null } }]],
  [
    'a subagent',
    call('task', { description: 'look' }),
    [{ action: { type: 'delegate', description: 'look' } }],
  ],
  ['anything else', call('sql', { description: 'todos' }), [{ action: { type: 'other', subject: 'todos' } }]],
  [
    'a result',
    result({ success: true, result: { content: 'a' }, shellExecution: { exitCode: 0 } }),
    [{ kind: 'result', call: 'c', status: 'ok', output: 'a', isNewFile: false }],
  ],
  [
    'the result of a new file',
    result({ success: true, result: { content: 'a' }, fileEdits: [{ path: '/p/a', kind: 'create' }] }),
    [{ status: 'ok', isNewFile: true }],
  ],
  [
    'a command that failed',
    result({ success: true, result: { content: 'a' }, shellExecution: { exitCode: 3 } }),
    [{ status: 'failed' }],
  ],
  [
    'a tool that failed',
    result({ success: false, error: { message: 'no such path', code: 'failure' } }),
    [{ status: 'failed', output: 'no such path' }],
  ],
  [
    'a call that a hook kept back',
    result({ success: false, error: { message: 'Denied by preToolUse hook: x', code: 'denied' } }),
    [{ status: 'denied' }],
  ],
  [
    'a turn that was cut off',
    line('abort', { reason: 'user_initiated' }),
    [{ kind: 'notice', isInterruption: true }],
  ],
  [
    'a compaction',
    compacted({}),
    [
      { kind: 'boundary', trigger: 'auto' },
      { kind: 'summary', text: 'S' },
    ],
  ],
  ['a compaction that failed', compacted({ success: false }), []],
  ['arguments that are no object', call('view', 7), [{ action: { type: 'read', path: '' } }]],
])('the entries of a line: %s', (_, given, entries) => {
  expect(copilotEntries.readEntries(given, 7)).toMatchObject(entries);
  expect(copilotEntries.readEntries(given, 7)).toHaveLength(entries.length);
});

test('window and session are told by lines of their own', () => {
  expect(readMaxPrompt(line('session.usage_record', { usage }))).toBe(20_000);
  expect(readMaxPrompt(line('session.usage_record', { usage: {} }))).toBeNull();
  const start = {
    producer: 'copilot-agent',
    sessionId: 's',
    copilotVersion: '1.0.102',
    context: { cwd: '/p' },
  };
  expect(readCopilotSession(line('session.start', start))).toMatchObject({
    id: 's',
    cwd: '/p',
    client: '1.0.102',
  });
  expect(readCopilotSession(line('session.start', { ...start, producer: 'x' }))).toBeNull();
});

describe('hooks', () => {
  const parse = (name: string, rest: object, called = name) =>
    parseCopilotEvent(
      { hook_event_name: name, session_id: 's', cwd: '/p', timestamp: at, ...rest },
      called,
      (session) => `/h/${session}/events.jsonl`,
    );
  const bash = { tool_name: 'Bash', tool_input: { command: 'ls' } };
  test.each<[string, object, object | null]>([
    ['UserPromptSubmit', { prompt: 'x' }, { kind: 'prompt', session: 's', transcript: '/h/s/events.jsonl' }],
    ['PostToolUse', bash, { kind: 'after-tool', calls: [] }],
    ['PostToolUseFailure', bash, { kind: 'after-tool', calls: [] }],
    ['PreCompact', { trigger: 'auto', transcript_path: '/t' }, { kind: 'pre-compact', transcript: '/t' }],
    ['SessionStart', { source: 'new' }, { kind: 'session-start', source: 'startup' }],
    ['SessionStart', { source: 'resume' }, { kind: 'session-start', source: 'resume' }],
    ['Stop', { stop_hook_active: true }, { kind: 'stop', isHeld: true }],
    ['SessionEnd', { reason: 'complete' }, { kind: 'session-end', reason: 'complete' }],
    ['PreToolUse', bash, { tool: 'Bash', input: { command: 'ls' }, also: [] }],
    [
      'PreToolUse',
      { tool_name: 'Write', tool_input: { path: 'dist/a', file_text: 'x' } },
      { tool: 'Write', input: { file_path: 'dist/a', content: 'x' } },
    ],
    [
      'PreToolUse',
      { tool_name: 'Edit', tool_input: { path: 'a', old_str: 'b', new_str: 'c' } },
      { tool: 'Edit', input: { file_path: 'a', old_string: 'b', new_string: 'c' } },
    ],
    [
      'PreToolUse',
      { tool_name: 'Edit', tool_input: PATCH },
      { tool: 'MultiEdit', input: { file_path: 'b.txt' } },
    ],
    [
      'PreToolUse',
      { tool_name: 'Bash', tool_input: { command: `apply_patch <<'E'\n${PATCH}E` } },
      { tool: 'Bash', also: [{ tool: 'MultiEdit', input: { file_path: 'b.txt' } }] },
    ],
    ['PreToolUse', { tool_input: {} }, { tool: null, input: null }],
    ['Notification', {}, null],
    ['Stop', { session_id: 7 }, null],
  ])('%s %j', (name, rest, event) => {
    if (event === null) expect(parse(name, rest)).toBeNull();
    else expect(parse(name, rest)).toMatchObject(event);
    expect(parse(name, rest, 'Other')).toBeNull();
  });

  test('words are flat, at the moments at which they are heard; a turn is not held', () => {
    const reply = { context: ['a', 'b'], person: ['p'], blockStop: null };
    expect(formatCopilotReply('PostToolUse', reply)).toBe('{"additionalContext":"a\\n\\nb"}');
    for (const name of ['PreCompact', 'Stop', 'SessionEnd'])
      expect(formatCopilotReply(name, reply)).toBeNull();
    expect(formatCopilotReply('Stop', { context: [], person: [], blockStop: 'why' })).toBeNull();
  });

  test('a verdict never allows, and what would be asked is denied', () => {
    const decided = (decision: 'ask' | 'deny' | 'warn' | 'abstain') =>
      copilotEntry.host.formatVerdict({ decision, rule: null, files: [], trace: [], reason: 'r' }) ?? '';
    for (const each of ['ask', 'deny'] as const)
      expect(decided(each)).toContain('"permissionDecision":"deny","permissionDecisionReason":"Plimsoll: r"');
    expect(decided('warn')).toContain('"additionalContext":"Plimsoll: r"');
    expect(decided('abstain')).toBe('');
  });

  const ended = (output: string) => ({
    ...{ ...bash, tool_result: { result_type: 'success', text_result_for_llm: output } },
    hook_event_name: 'PostToolUse',
  });
  test.each<[string, object, object]>([
    ['went well', ended('a\n<shellId: 0 completed with exit code 0>'), { ending: { state: 'ok' } }],
    [
      'exit code',
      ended('a\n<shellId: 0 completed with exit code 3>'),
      { ending: { state: 'failed', code: 3 }, input: { command: 'ls' } },
    ],
    [
      'failure',
      { ...bash, hook_event_name: 'PostToolUseFailure', error: 'no such path' },
      { ending: { state: 'failed', code: null }, output: 'no such path' },
    ],
  ])('how a call has ended: %s', (_, payload, run) => {
    expect(copilotRuns.readToolRuns(payload)).toMatchObject([run]);
  });
});
