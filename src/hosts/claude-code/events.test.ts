import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Event, HostReply } from '../host.ts';
import { formatReply, parseEvent } from './hook.io.ts';
import { parseRareEvent, runKind } from './rare-events.ts';

const EVENT_NAMES = [
  'UserPromptSubmit',
  'PostToolUse',
  'PostToolBatch',
  'PreCompact',
  'SessionStart',
  'Stop',
  'SessionEnd',
];

/** The way of a payload: what all share first, and the rare moments where their code is loaded. */
function understood(given: unknown, name: string): Omit<Event, 'payload'> | null {
  const event = parseEvent(given, name);
  if (event === null || event.kind === 'rare') return event === null ? null : parseRareEvent(event);
  // What the host sent goes along as it is.
  const { payload, ...rest } = { payload: given, ...event };
  expect(payload).toBe(given);
  return rest;
}

const payload = (name: string, more: object = {}): Record<string, unknown> => ({
  session_id: 'c1',
  transcript_path: '/t.jsonl',
  cwd: '/project',
  hook_event_name: name,
  ...more,
});
const COMMON = { session: 'c1', transcript: '/t.jsonl', cwd: '/project', agent: null, promptId: null };

test.each<[string, unknown, string]>([
  ['SessionStart', { source: 'compact' }, 'SessionStart-compact'],
  ['SessionStart', { source: 'of another client' }, 'SessionStart'],
  ['Stop', {}, 'Stop'],
  ['Stop', null, 'Stop'],
])('a run of %s with %j is of the kind %s', (name, payload, kind) => {
  expect(runKind(name, payload)).toBe(kind);
});

describe('parseEvent() and parseRareEvent()', () => {
  // [name, more, event]
  const events: [string, object, object][] = [
    ['UserPromptSubmit', { prompt: 'Go on' }, { kind: 'prompt', isNotice: false }],
    ['UserPromptSubmit', {}, { kind: 'prompt', isNotice: false }],
    [
      'UserPromptSubmit',
      { prompt: '<task-notification>\n<task-id>a1</task-id>\n</task-notification>' },
      { kind: 'prompt', isNotice: true },
    ],
    ['PostToolUse', { tool_use_id: 't1', tool_name: 'Read' }, { kind: 'after-tool', calls: ['t1'] }],
    ['PostToolUse', {}, { kind: 'after-tool', calls: [] }],
    [
      'PostToolBatch',
      { tool_calls: [{ tool_use_id: 't1' }, { tool_use_id: 't2' }, null, {}] },
      { kind: 'after-tool', calls: ['t1', 't2'] },
    ],
    ['PostToolBatch', { tool_calls: 'odd' }, { kind: 'after-tool', calls: [] }],
    [
      'PreCompact',
      { trigger: 'auto', custom_instructions: null },
      { kind: 'pre-compact', trigger: 'auto', instructions: null },
    ],
    [
      'PreCompact',
      { trigger: 'manual', custom_instructions: 'keep the plan' },
      { kind: 'pre-compact', trigger: 'manual', instructions: 'keep the plan' },
    ],
    [
      'PreCompact',
      { trigger: 'idle', custom_instructions: '' },
      { kind: 'pre-compact', trigger: 'auto', instructions: null },
    ],
    ...['startup', 'resume', 'clear', 'compact', 'fork'].map((source): [string, object, object] => [
      'SessionStart',
      { source, model: 'claude-opus-5-5' },
      { kind: 'session-start', source, model: 'claude-opus-5-5' },
    ]),
    ['SessionStart', { source: 'compact' }, { kind: 'session-start', source: 'compact', model: null }],
    [
      'Stop',
      { stop_hook_active: false, last_assistant_message: 'done' },
      { kind: 'stop', answer: 'done', isHeld: false },
    ],
    ['Stop', {}, { kind: 'stop', answer: null, isHeld: false }],
    ['Stop', { stop_hook_active: true }, { kind: 'stop', answer: null, isHeld: true }],
    [
      'SubagentStop',
      { agent_type: 'Explore', last_assistant_message: 'done', agent_transcript_path: '/a.jsonl' },
      { kind: 'subagent-stop', type: 'Explore', answer: 'done', wrote: '/a.jsonl' },
    ],
    ['SubagentStop', { agent_type: '' }, { kind: 'subagent-stop', type: null, answer: null, wrote: null }],
    ['SessionEnd', { reason: 'clear' }, { kind: 'session-end', reason: 'clear' }],
    ['SessionEnd', {}, { kind: 'session-end', reason: 'other' }],
  ];
  test.each(events)('understands %s with %j', (name, more, expected) => {
    expect(understood(payload(name, more), name)).toEqual({ ...COMMON, ...expected });
  });

  test('knows the subagent in which an event happened', () => {
    const found = understood(payload('PreCompact', { agent_id: 'a1', agent_type: 'Explore' }), 'PreCompact');
    expect(found?.agent).toBe('a1');
    expect(understood(payload('PreCompact', { agent_type: 'main' }), 'PreCompact')?.agent).toBeNull();
  });

  test('does without a transcript, and does not mind unknown keys', () => {
    const given = payload('UserPromptSubmit', { transcript_path: null, of_the_future: { a: 1 } });
    expect(understood(given, 'UserPromptSubmit')).toEqual({
      ...COMMON,
      transcript: null,
      kind: 'prompt',
      isNotice: false,
      promptId: null,
    });
  });

  test.each<[string, unknown, string]>([
    ['another event than the one named', payload('Stop'), 'UserPromptSubmit'],
    ['an event that is not ours', payload('Notification'), 'Notification'],
    ['no event name', payload(''), ''],
    ['a start of an unknown source', payload('SessionStart', { source: 'new' }), 'SessionStart'],
    ['a start without a source', payload('SessionStart'), 'SessionStart'],
    ['no session', payload('PreCompact', { session_id: undefined }), 'PreCompact'],
    ['an empty session', payload('PreCompact', { session_id: '' }), 'PreCompact'],
    ['a session that is a number', payload('PreCompact', { session_id: 5 }), 'PreCompact'],
    ['no cwd', payload('PreCompact', { cwd: undefined }), 'PreCompact'],
    ['a list', [payload('PreCompact')], 'PreCompact'],
    ['text', 'PreCompact', 'PreCompact'],
    ['null', null, 'PreCompact'],
  ])('does not understand %s', (_, given, name) => {
    expect(understood(given, name)).toBeNull();
  });

  test('never throws, whatever the host sends', () => {
    const name = fc.constantFrom(...EVENT_NAMES, 'Notification');
    const keys = ['trigger', 'source', 'tool_calls', 'prompt', 'agent_id', 'transcript_path', 'model'];
    fc.assert(
      fc.property(name, fc.dictionary(fc.constantFrom(...keys), fc.anything()), (event, more) => {
        understood(payload(event, more), event);
      }),
    );
  });
});

describe('formatReply()', () => {
  const said = (context: string[], person: string[] = []): HostReply => ({
    context,
    person,
    blockStop: null,
  });

  test.each(['UserPromptSubmit', 'PostToolUse', 'PostToolBatch', 'SessionStart'])(
    'answers %s with its own name',
    (name) => {
      expect(JSON.parse(formatReply(name, said(['one', 'two'], ['for you', 'too'])) ?? '')).toEqual({
        hookSpecificOutput: { hookEventName: name, additionalContext: 'one\n\ntwo' },
        systemMessage: 'for you\ntoo',
      });
    },
  );

  test('leaves out what was not said, and is silent for nothing', () => {
    expect(formatReply('SessionStart', said([], ['for you']))).toBe('{"systemMessage":"for you"}');
    expect(JSON.parse(formatReply('SessionStart', said(['one'])) ?? '')).not.toHaveProperty('systemMessage');
    expect(formatReply('SessionStart', said([]))).toBeNull();
  });

  test('answers PreCompact with plain text that is never taken for JSON, and with nothing for the person', () => {
    expect(formatReply('PreCompact', said(['facts', 'more'], ['for you']))).toBe('facts\n\nmore');
    expect(formatReply('PreCompact', said([], ['for you']))).toBeNull();
    expect(formatReply('PreCompact', said(['{"a":1}']))).toBeNull();
  });

  test('blocks the end of a turn with a reason, and says nothing else then', () => {
    expect(formatReply('Stop', { ...said(['one']), blockStop: 'why' })).toBe(
      '{"decision":"block","reason":"why"}',
    );
  });

  test('never decides, blocks or allows anything by itself', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...EVENT_NAMES),
        fc.array(fc.string()),
        fc.array(fc.string()),
        (name, context, person) => {
          const reply = formatReply(name, said(context, person));
          fc.pre(reply !== null && name !== 'PreCompact');
          const keys = Object.keys(JSON.parse(reply ?? ''));
          expect(keys.filter((key) => key !== 'hookSpecificOutput' && key !== 'systemMessage')).toEqual([]);
        },
      ),
    );
  });
});
