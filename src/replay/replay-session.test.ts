// Tests what a replay derives from the lines of a session: messages, subagents, rewinds, copies, and looks that are left out.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { load } from '../../test/unit/layers.ts';
import {
  answer,
  boundary,
  injection,
  jsonl,
  type Line,
  request,
  summary,
  toolResult,
} from '../../test/unit/lines.ts';
import { temporaryFolder } from '../../test/unit/temporary.ts';
import { buildReplaySettings, type ReplayedFile, replayFile } from './replay-files.io.ts';
import { markCopies } from './replayed.ts';

function replayLines(lines: readonly Line[], isDetailed = false, name = 'a'): ReplayedFile {
  const file = path.join(temporaryFolder(), `${name}.jsonl`);
  writeFileSync(file, jsonl(lines));
  const resolved = load({});
  return replayFile(file, buildReplaySettings(resolved, resolved.env, isDetailed));
}

const call = (tokens: number, id: string, model = 'claude-sonnet-4-5'): Line =>
  answer(tokens, {
    id,
    model,
    content: [{ type: 'tool_use', id: `t-${id}`, name: 'Bash', input: { command: 'ls' } }],
  });
const step = (tokens: number, id: string, model?: string): Line[] => [
  call(tokens, id, model),
  toolResult(`t-${id}`),
];

test('after a rewind the tiers may all be reached again, and are announced again', () => {
  const { announced, compactions, false_alarms } = replayLines([
    request('Build it'),
    ...step(100_000, 'a'),
    ...step(125_000, 'b'),
    request('Build it in another way'),
    ...step(60_000, 'c'),
    ...step(126_000, 'd'),
    answer(127_000, { id: 'e' }),
  ]);
  expect(announced.map(({ kind, tier, tokens }) => [kind, tier, tokens])).toEqual([
    ['tools', 'LOW', 100_000],
    ['tools', 'WARNING', 125_000],
    ['tools', 'WARNING', 126_000],
  ]);
  expect([compactions, false_alarms]).toEqual([[], 1]);
});

const queued = (prompt: string, commandMode: string): Line => ({
  ...{ type: 'attachment', uuid: 'q', attachment: { type: 'queued_command', prompt, commandMode } },
});
const NOTICE = '<task-notification>\n<task-id>1</task-id>';

test.each([
  ['a notice of the host', [request(NOTICE, { uuid: 'n' })], 'notice'],
  ['a teammate', [request('do it', { uuid: 'd', isMeta: true, origin: { kind: 'peer' } })], 'prompt'],
  ['a queued prompt', [queued('and tests', 'prompt')], 'prompt'],
  ['a notice that was queued', [queued(NOTICE, 'task-notification')], 'notice'],
  // What waits is handed over by another line, and an interruption calls no hook.
  ['what waits', [{ type: 'queue-operation', operation: 'enqueue', content: 'and tests' }], null],
  ['a notice that waits', [{ type: 'queue-operation', operation: 'enqueue', content: NOTICE }], null],
  ['an interruption', [request('[Request interrupted by user]')], null],
] as const)('a rise is told as hooks tell it, by %s', (_, lines, kind) => {
  const { announced, prompts } = replayLines([
    request('Build it'),
    ...step(30_000, 'a'),
    answer(125_000, { id: 'b' }),
    ...lines,
    answer(126_000, { id: 'c' }),
  ]);
  expect(announced.map((each) => [each.kind, each.tier, each.tokens])).toEqual(
    kind === null ? [] : [[kind, 'WARNING', 125_000]],
  );
  expect(prompts).toHaveLength(kind === 'prompt' ? 2 : 1);
});

test('a compaction far below what is assumed is the threshold from then on, for the model that it has stopped', () => {
  const opus = 'claude-opus-4-7';
  const { detail } = replayLines(
    [
      request('Build it'),
      ...step(166_000, 'a', opus),
      boundary('auto', 167_000),
      summary(),
      ...step(130_000, 'b', opus),
      ...step(160_000, 'c', 'claude-opus-5-5'),
      ...step(180_000, 'd', opus),
    ],
    true,
  );
  expect(detail?.calls.map(({ limit, tier }) => [limit, tier])).toEqual([
    [967_000, 'NOMINAL'],
    [167_000, 'WARNING'],
    [967_000, 'NOMINAL'],
    [967_000, 'NOMINAL'],
  ]);
});

test('a fork counts the calls that it copied once, with the session that made them', () => {
  const begin = (sessionId: string) => [
    request('Build it', { sessionId }),
    answer(30_000, { id: 'a' }),
    answer(40_000, { id: 'b' }),
  ];
  const at = (minute: number) => ({ timestamp: `2026-11-27T11:${minute}:00.000Z` });
  const parent = replayLines([
    ...begin('s'),
    request('go on', at(10)),
    answer(50_000, { id: 'c', at: at(10).timestamp }),
  ]);
  const fork = replayLines([
    ...begin('t'),
    request('try it', at(20)),
    answer(45_000, { id: 'd', at: at(20).timestamp }),
  ]);
  const other = replayLines([request('Something else'), answer(9_000, { id: 'x' })]);
  markCopies([fork, parent, other]);
  expect([parent, fork, other].map(({ copied_calls }) => copied_calls)).toEqual([0, 2, 0]);
  const starts = [parent, fork, other].map(({ events }) => events[0]);
  expect(starts).toMatchObject([{ forked: false }, { forked: true }, { forked: false }]);
});

test('a fork that is compacted at once has that compaction, and tells what the warning of its parent came to', () => {
  const at = (minute: number) => ({ timestamp: `2026-11-27T11:${minute}:00.000Z` });
  const begin = [
    request('Build it', at(10)),
    ...step(120_000, 'a'),
    answer(130_000, { id: 'b', at: at(11).timestamp }),
  ];
  const parent = replayLines([...begin, boundary('auto', 131_000, at(12)), summary(at(12))]);
  const stopped = replayLines(begin);
  const fork = replayLines([...begin, boundary('manual', 131_000, at(20)), summary(at(20))]);
  const copy = replayLines([
    ...begin,
    boundary('auto', 131_000, at(12)),
    summary(at(12)),
    request('go on', at(30)),
  ]);
  expect(stopped.false_alarms).toBe(1);
  markCopies([stopped, parent, fork, copy]);
  const counted = [stopped, parent, fork, copy].map((each) => [each.copied_calls, each.copied_compactions]);
  expect(counted).toEqual([
    [0, 0],
    [2, 0],
    [2, 0],
    [2, 1],
  ]);
  expect(stopped.false_alarms).toBe(0);
});

test('calls without ids are no copies because they stand at the same place', () => {
  const at = (day: number): Line[] => {
    const line = answer(30_000, { at: `2026-11-2${day}T11:00:00.000Z` });
    return [request('Build it'), { ...line, message: { ...(line.message as Line), id: null } }];
  };
  const files = [at(1), at(2), at(2)].map((lines) => replayLines(lines));
  markCopies(files);
  expect(files.map(({ copied_calls }) => copied_calls)).toEqual([0, 0, 1]);
});

test('a report gets every call, what hooks said, what would have been said, and the calls of subagents', () => {
  const aside = { isSidechain: true, agentId: 'a7' };
  const { detail, session } = replayLines(
    [
      request('Build it', { sessionId: 's', cwd: '/p', version: '2.1.0', entrypoint: 'cli' }),
      ...step(30_000, 'a'),
      answer(5_000, { id: 'x' }, aside),
      answer(6_000, { id: 'x' }, aside),
      answer(8_000, { id: 'y' }, aside),
      request('go on'),
      injection('<context-monitor>CONTEXT STATUS: NOMINAL</context-monitor> and somebody else'),
      answer(31_000, { id: 'b' }),
      {
        type: 'custom-title',
        customTitle: 'The parser, token=ghp_0123456789abcdefghijklmnopqrstuvwxyzAB',
        sessionId: 's',
      },
    ],
    true,
  );
  expect(session).toMatchObject({ id: 's', client: '2.1.0', cwd: '/p', entrypoint: 'cli' });
  expect(session.title).toMatch(/^The parser, .*REDACTED/i);
  expect(detail?.calls).toEqual([
    {
      at: expect.any(String),
      tokens: 30_000,
      model: 'claude-sonnet-4-5',
      window: 200_000,
      limit: 167_000,
      tier: 'NOMINAL',
    },
    {
      at: expect.any(String),
      tokens: 31_000,
      model: 'claude-sonnet-4-5',
      window: 200_000,
      limit: 167_000,
      tier: 'NOMINAL',
    },
  ]);
  expect(detail?.agents).toEqual([
    {
      id: 'a7',
      calls: [
        { at: expect.any(String), tokens: 6_000 },
        { at: expect.any(String), tokens: 8_000 },
      ],
    },
  ]);
  expect(detail?.messages.map(({ from, call, name, text }) => [from, call, name, text])).toEqual([
    [
      'replay',
      1,
      'context-monitor',
      '<context-monitor>CONTEXT STATUS: NOMINAL (~20% of the way to auto-compaction at 167,000; ~15% of the 200,000 window)</context-monitor>',
    ],
    ['transcript', 1, 'context-monitor', '<context-monitor>CONTEXT STATUS: NOMINAL</context-monitor>'],
  ]);
});

test('subagents with a transcript of their own are those of the session, not of another one beside it', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 's.jsonl');
  writeFileSync(
    file,
    jsonl([request('Build it', { sessionId: 's' }), answer(30_000, { id: 'a' }, { sessionId: 's' })]),
  );
  const agent = (name: string, sessionId: string): string =>
    jsonl([answer(7_000, { id: 'x' }, { isSidechain: true, agentId: name, sessionId })]);
  mkdirSync(path.join(folder, 's', 'subagents'), { recursive: true });
  writeFileSync(path.join(folder, 's', 'subagents', 'agent-own.jsonl'), agent('own', 's'));
  writeFileSync(path.join(folder, 'agent-beside.jsonl'), agent('beside', 's'));
  writeFileSync(path.join(folder, 'agent-foreign.jsonl'), agent('foreign', 'another'));
  const resolved = load({});
  const { detail } = replayFile(file, buildReplaySettings(resolved, resolved.env, true));
  expect(detail?.agents.map(({ id }) => id)).toEqual(['own', 'beside']);
});

test('looks that are left out would have changed nothing, however the usage goes', () => {
  const moment = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constant('step' as const),
        tokens: fc.integer({ min: 1_000, max: 199_000 }),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({ do: fc.constant('grow' as const), tokens: fc.integer({ min: 0, max: 9_000 }) }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('prompt' as const), tokens: fc.constant(0) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('compact' as const), tokens: fc.constant(0) }) },
  );
  const rise = [116_900, 125_250, 100_200].map((tokens) => ({ do: 'step' as const, tokens }));
  fc.assert(
    fc.property(fc.array(moment, { maxLength: 60 }), (moments) => {
      let usage = 20_000;
      let model = 'claude-opus-4-7';
      const lines = moments.flatMap((each, index): Line[] => {
        if (each.do === 'prompt') return [request(`go on with ${index}`)];
        if (each.do === 'compact') {
          model = model === 'claude-opus-4-7' ? 'claude-sonnet-4-5' : 'claude-opus-4-7';
          return [boundary('auto', usage), summary()];
        }
        usage = each.do === 'grow' ? Math.min(199_000, usage + each.tokens) : each.tokens;
        return step(usage, `c${index}`, model);
      });
      const { detail: _, path: __, ...quick } = replayLines(lines);
      const { detail: ___, path: ____, ...whole } = replayLines(lines, true);
      expect(quick).toEqual(whole);
    }),
    // Where a fall begins is counted from the rise before it, though nothing was said of that.
    { numRuns: 40, examples: [[[{ do: 'compact', tokens: 0 }, ...rise]]] },
  );
}, 60_000);

test('lines of any shape are passed over', () => {
  const odd = [
    { type: { toString: 1 } },
    { type: ['summary'], summary: 'x' },
    { type: 'constructor' },
    {},
  ] as Line[];
  const { series, session } = replayLines([...odd, request('Build it'), answer(30_000, { id: 'a' })]);
  expect([series, session.title]).toEqual([[30_000], null]);
});
