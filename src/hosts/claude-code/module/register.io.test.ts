import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Figures, fakeClient } from '../../../../test/unit/client.ts';
import { envFor, pathsIn, temporaryFolder } from '../../../../test/unit/temporary.ts';
import { readBestSample } from '../../../context/usage-samples.io.ts';
import type { Client, ClientEvent, On } from './client.ts';
import { register } from './register.io.ts';

type Any = ($: Client, e: ClientEvent, next: (e: ClientEvent) => unknown) => unknown;

/** A client with a project whose state folder is there, and the way in which it raises events. */
function running(figures: Partial<Figures> = {}, isThere = true) {
  const root = realpathSync(temporaryFolder());
  const paths = pathsIn(root);
  const begin = (id: string): unknown => mkdirSync(paths.session(id).folder, { recursive: true });
  if (isThere) begin('a');
  const all: Figures = {
    root,
    window: 200_000,
    model: 'm',
    env: { HOME: envFor(root).HOME ?? '' },
    now: 1,
    ...figures,
  };
  const hooks: Record<string, Any> = {};
  register(((event: string, hook: Any) => {
    hooks[event] = hook;
  }) as unknown as On);
  const client = fakeClient(all);
  const raise = async (event: string, e: ClientEvent = {}, answer: unknown = { messages: [] }) => {
    all.now = (all.now ?? 0) + 1;
    const result = await hooks[event]?.(client, e, (given) => {
      expect(given).toBe(e);
      return Promise.resolve(answer);
    });
    // What is written beside a tool call, nobody waits for.
    await new Promise((resolve) => setTimeout(resolve, 5));
    return result;
  };
  return { figures: all, paths, raise, frame: () => readBestSample(paths, all.id ?? 'a'), client, begin };
}

const EVENTS = [
  'session.start',
  ...['UserPromptSubmit', 'PreToolUse', 'PostToolBatch', 'Stop', 'SessionEnd'].map(
    (each) => `classic.${each}`,
  ),
  'session.compact',
];

test('what the client knows is written at a start, before a tool, at the end of a turn', async () => {
  const { figures, raise, frame } = running();
  await raise('session.start');
  expect(frame()).toMatchObject({ from: 'module', at: 2, tokens: null, window: 200_000, model: 'm' });
  figures.tokens = 30_000;
  await raise('classic.PreToolUse');
  expect(frame()).toMatchObject({ at: 3, tokens: 30_000 });
  await raise('classic.PreToolUse');
  expect(frame()?.at).toBe(3);
  await raise('classic.Stop');
  expect(frame()).toMatchObject({ at: 5, tokens: 30_000 });
  figures.window = 1_000_000;
  await raise('classic.UserPromptSubmit');
  expect(frame()).toMatchObject({ at: 6, window: 1_000_000 });
});

test('every event goes on as it came, and its result goes back', async () => {
  const { raise } = running({}, false);
  for (const event of EVENTS) expect(await raise(event, { agentId: 'x' }, 'result')).toBe('result');
});

test('what a subagent does is not written', async () => {
  const { figures, raise, frame } = running({ tokens: 1 });
  await raise('session.start');
  figures.tokens = 2;
  for (const event of ['classic.PreToolUse', 'session.compact']) await raise(event, { agentId: 'x' });
  expect(frame()?.tokens).toBe(1);
});

test('after a compaction the usage is unknown until the next answer, whatever the client still says', async () => {
  const { figures, raise, frame } = running({ tokens: 150_000 });
  await raise('classic.Stop');
  await raise('session.compact', { trigger: 'auto' });
  expect(frame()).toMatchObject({ tokens: null, window: 200_000 });
  await raise('classic.UserPromptSubmit');
  expect(frame()?.tokens).toBeNull();
  figures.tokens = 40_000;
  await raise('classic.PreToolUse');
  expect(frame()?.tokens).toBe(40_000);
  figures.tokens = 150_000;
  await raise('classic.Stop');
  expect(frame()?.tokens).toBe(150_000);
});

test.each([
  ['made ahead of time', { trigger: 'precompute' }, { messages: [] }],
  ['refused', { trigger: 'auto' }, { skip: 'a hook blocks it' }],
])('a compaction that was %s changes nothing', async (_, e, result) => {
  const { raise, frame } = running({ tokens: 150_000 });
  await raise('classic.Stop');
  await raise('session.compact', e, result);
  expect(frame()?.tokens).toBe(150_000);
});

test('another session in the same client has a frame of its own', async () => {
  const { figures, raise, frame, begin } = running({ tokens: 150_000 });
  await raise('classic.Stop');
  figures.id = 'b';
  begin('b');
  delete figures.tokens;
  await raise('classic.UserPromptSubmit');
  expect(frame()).toMatchObject({ session: 'b', tokens: null });
});

test('nothing is written where the hooks have made no folder, or it is gone; later, when they have', async () => {
  const { figures, raise, frame, paths, begin } = running({ tokens: 1 }, false);
  await raise('session.start');
  expect(existsSync(paths.state)).toBe(false);
  begin('b');
  await raise('classic.Stop');
  expect(frame()).toBeNull();
  begin('a');
  await raise('classic.Stop');
  expect(frame()?.tokens).toBe(1);
  rmSync(paths.state, { recursive: true });
  figures.tokens = 2;
  await raise('classic.Stop');
  expect(existsSync(paths.state)).toBe(false);
});

test.each<[string, (client: Client) => void]>([
  ['knows no usage', (client) => Object.assign(client.session, { usage: undefined })],
  ['knows no window', (client) => Object.assign(client.session, { usage: async () => ({ context: {} }) })],
  ['has no disk', (client) => Object.assign(client, { fs: undefined })],
  [
    'refuses to write',
    (client) =>
      Object.assign(client.fs, {
        write: async () => {
          throw new Error('no');
        },
      }),
  ],
  ['has no clock', (client) => Object.assign(client, { clock: undefined })],
])('a client that %s: silence, and everything goes on', async (_, change) => {
  const { raise, frame, client } = running({ tokens: 1 });
  change(client);
  for (const event of EVENTS) expect(await raise(event, {}, { messages: [] })).toEqual({ messages: [] });
  expect(frame()).toBeNull();
});

test('plimsoll off silences it', async () => {
  const { raise, frame, paths } = running({ tokens: 1 });
  writeFileSync(paths.off, '');
  await raise('classic.Stop');
  expect(frame()).toBeNull();
});

test('PLIMSOLL=off silences it', async () => {
  const { raise, frame, paths } = running({ tokens: 1, env: { PLIMSOLL: 'off' } });
  await raise('classic.Stop');
  expect(frame()).toBeNull();
  expect(existsSync(paths.session('a').feed('module'))).toBe(false);
});
