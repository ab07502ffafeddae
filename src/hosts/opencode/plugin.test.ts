import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { NOTHING } from '../host-entry.ts';
import { kiloEntry, opencodeEntry } from './index.io.ts';
import { attachOpencode } from './plugin.ts';

type Hook = (input: object, output?: object) => Promise<void>;

test('the end of a turn is told before the end of its session, also where opencode is closed at once', async () => {
  const asked: string[] = [];
  const reply = async (data: unknown) => {
    await pause(5);
    return { data };
  };
  const session = { get: () => reply({}), messages: () => reply([]) };
  const client = { session, config: { providers: () => reply({}) } };
  const ask = async ({ kind }: { kind: string }) => {
    asked.push(kind);
    return NOTHING;
  };
  const hooks = attachOpencode({ directory: '/p', client }, ask, () => undefined, false);
  const raise = (name: string, ...given: [object, object?]) => (hooks[name] as Hook)(...given);
  await raise('chat.message', { sessionID: 's' }, { message: { id: 'm' }, parts: [] });
  const idle = raise('event', { event: { type: 'session.idle', properties: { sessionID: 's' } } });
  await Promise.all([idle, raise('dispose', {})]);
  expect(asked).toEqual(['session-start', 'prompt', 'stop', 'session-end']);
});

test('a command that their agents run is known by its shell', () => {
  expect(opencodeEntry.readShell?.({ OPENCODE: '1' })).toEqual({ HOST_AGENT: 'opencode' });
  expect(kiloEntry.readShell?.({ KILO: '1' })).toEqual({ HOST_AGENT: 'kilo' });
  expect(kiloEntry.readShell?.({ OPENCODE: '1' })).toEqual({});
});
