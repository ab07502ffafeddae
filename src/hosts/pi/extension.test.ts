import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { Event } from '../host.ts';
import { type InsideAnswer, NOTHING } from '../host-entry.ts';
import { attachPi, type PiApi } from './extension.ts';

type Handler = Parameters<PiApi['on']>[1];

/** A pi with our extension, which is given these answers. */
function running(
  answer: (event: Event) => Partial<InsideAnswer>,
  more: object = {},
  bus: EventEmitter = new EventEmitter(),
) {
  const handlers: Record<string, Handler> = {};
  const asked: Event[] = [];
  const reported: string[] = [];
  const api: PiApi = {
    on: (event, handler) => {
      handlers[event] = handler;
    },
    events: { on: (name, hear) => bus.on(name, hear), emit: (name, said) => void bus.emit(name, said) },
    getSettings: () => ({ compaction: { reserveTokens: 10_000 } }),
  };
  attachPi(
    api,
    async (event) => {
      asked.push(event);
      return { ...NOTHING, ...answer(event) };
    },
    (handler, error) => void reported.push(`${handler}: ${error instanceof Error ? error.message : error}`),
  );
  const statuses: (string | undefined)[] = [];
  const ui = {
    notify: () => undefined,
    confirm: async () => true,
    setStatus: (_: string, text: string | undefined) => void statuses.push(text),
  };
  const context = {
    ...{ cwd: '/p', mode: 'rpc', hasUI: true, ui },
    sessionManager: { getSessionId: () => 's', getSessionFile: () => '/s.jsonl', getEntries: () => [] },
    getContextUsage: () => ({ tokens: 5_000, contextWindow: 100_000 }),
    ...more,
  };
  const raise = (event: string, given: object = {}) =>
    handlers[event]?.(given as Parameters<Handler>[0], context as Parameters<Handler>[1]);
  return { raise, asked, reported, statuses };
}

test('a handler that fails is reported, and pi goes on as without us', async () => {
  const { raise, reported } = running(() => {
    throw new Error('torn');
  });
  const call = { toolName: 'bash', toolCallId: 'c', input: { command: 'ls' } };
  for (const event of ['session_start', 'before_agent_start', 'session_before_compact', 'session_compact'])
    expect(await raise(event)).toBeUndefined();
  expect(await raise('tool_call', call)).toBeUndefined();
  expect(await raise('turn_end', { toolResults: [{ toolCallId: 'c' }] })).toBeUndefined();
  expect(reported).toHaveLength(6);
  expect(reported[0]).toBe('session_start: torn');
});

test.each([
  ['deny', true, { block: true, reason: 'Plimsoll: no' }],
  ['deny', false, { block: true, reason: 'Plimsoll: no' }],
  ['ask', true, undefined],
  ['ask', false, { block: true, reason: 'Plimsoll: no' }],
  ['warn', true, undefined],
] as const)('a verdict "%s", somebody to ask: %s', async (decision, hasUI, result) => {
  const { raise } = running(() => ({ verdict: { decision, reason: 'no' } }), { hasUI });
  expect(await raise('tool_call', { toolName: 'write', toolCallId: 'c', input: { path: 'a' } })).toEqual(
    result,
  );
  const next = (await raise('context', { messages: [] })) as { messages: unknown[] } | undefined;
  expect(JSON.stringify(next ?? '').includes('Plimsoll: no')).toBe(decision === 'warn');
});

test('what is said of a turn is kept at its end; what is owed to the next request stands there once, and is kept then', async () => {
  const { raise, asked } = running((event) => ({ context: event.kind === 'prompt' ? [] : [event.kind] }));
  const turn = {
    message: {},
    toolResults: [{ toolCallId: 'c', toolName: 'bash', content: [] }],
    entries: ['theirs'],
  };
  const entry = (content: string) => ({
    type: 'custom_message',
    customType: 'plimsoll',
    content,
    display: true,
  });
  expect(await raise('turn_end', { ...turn, entries: [] })).toEqual({ entries: [entry('after-tool')] });
  await raise('session_compact');
  const request = { messages: [{ role: 'user' }] };
  expect(await raise('context', request)).toMatchObject({
    messages: [{}, { content: [{ text: 'session-start' }] }],
  });
  expect(await raise('context', request)).toBeUndefined();
  // What is kept first has to be there before the hooks are asked again, or they would say it again.
  const before = asked.length;
  expect(await raise('turn_end', { ...turn, entries: [] })).toEqual({ entries: [entry('session-start')] });
  expect(asked).toHaveLength(before);
  expect(await raise('context', request)).toMatchObject({
    messages: [{}, { content: [{ text: 'after-tool' }] }],
  });
});

test.each([
  ['startup', [], 'startup'],
  ['new', [], 'clear'],
  ['fork', [], 'fork'],
  ['startup', [{ type: 'message' }], 'resume'],
] as const)('a start "%s" on %j is a %s', async (reason, entries, source) => {
  const sessionManager = {
    getSessionId: () => 's',
    getSessionFile: () => undefined,
    getEntries: () => entries,
  };
  const { raise, asked } = running(() => ({}), { sessionManager });
  await raise('session_start', { reason: 'reload' });
  await raise('session_start', { reason });
  expect(asked).toMatchObject([{ kind: 'session-start', source, session: 's', transcript: null, cwd: '/p' }]);
});

test('of two copies in one pi, the first serves a session; after a reload a new one does', async () => {
  const bus = new EventEmitter();
  const say = (): Partial<InsideAnswer> => ({ context: ['said'] });
  const old = [running(say, {}, bus), running(say, {}, bus)];
  const promptBoth = async (copies: typeof old): Promise<number[]> => {
    for (const { raise } of copies) await raise('before_agent_start');
    return copies.map(({ asked }) => asked.length);
  };
  for (const { raise } of old) await raise('session_start', { reason: 'startup' });
  expect(await promptBoth(old)).toEqual([2, 0]);
  const young = [running(say, {}, bus), running(say, {}, bus)];
  for (const { raise } of young) await raise('session_start', { reason: 'reload' });
  expect(await promptBoth(young)).toEqual([1, 0]);
});

test('the line below the prompt shows usage and tier, and nothing where nothing is known or nobody looks', async () => {
  let usage: InsideAnswer['usage'] = { fraction: 0.7299, tier: 'WARNING' };
  const { raise, statuses } = running(() => ({ usage }));
  await raise('session_start', { reason: 'startup' });
  await raise('before_agent_start');
  usage = null;
  await raise('turn_end', { toolResults: [{ toolCallId: 'c' }] });
  expect(statuses).toEqual(['Plimsoll 72% WARNING', undefined]);
  const unseen = running(() => ({ usage: { fraction: 0.1, tier: 'NOMINAL' } }), { hasUI: false });
  await unseen.raise('before_agent_start');
  expect(unseen.statuses).toEqual([]);
});
