import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  answer,
  attachment,
  boundary,
  injection,
  jsonl,
  request,
  summary,
  toolUse,
} from '../../../../test/unit/lines.ts';
import { readTimeline } from './timeline.io.ts';

function file(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'plt-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return path.join(folder, 't.jsonl');
}
const words = (text: string): number => text.split(' ').length;
const MONITOR = '<context-monitor>one two three</context-monitor>';
const ALERT = '<compaction-alert>one two</compaction-alert>';

const LINES = [
  request('go'),
  injection(MONITOR),
  answer(20_000, { id: 'a' }),
  // The last line of an answer counts, and its calls count once.
  answer(30_000, { id: 'b', content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: {} }] }),
  answer(31_000, { id: 'b', content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: {} }] }),
  answer(31_000, { id: 'b', content: [{ type: 'tool_use', id: 't2', name: 'Bash', input: {} }] }),
  { ...answer(99_000, { id: 'side' }), isSidechain: true },
  toolUse('t3', 'Read', {}, { isSidechain: true }),
  injection(MONITOR, 'words of others'),
  answer(160_000, { id: 'c' }),
  boundary('auto', 161_000),
  summary(),
  injection(ALERT),
  answer(40_000, { id: 'd' }),
  injection(MONITOR),
  attachment({
    type: 'hook_cancelled',
    hookEvent: 'Stop',
    timedOut: true,
    command: 'plimsoll/current/hook.cjs',
  }),
];

test('fills, compactions, calls and the cost of what was said', () => {
  const path = file();
  writeFileSync(path, jsonl(LINES));
  const timeline = readTimeline(path, words);
  expect(timeline?.fills.map(({ tokens, epoch }) => [tokens, epoch])).toEqual([
    [20_000, 0],
    [31_000, 0],
    [160_000, 0],
    [40_000, 1],
  ]);
  expect(timeline?.compactions).toMatchObject([{ trigger: 'auto', before: 161_000, after: 40_000 }]);
  expect(timeline?.calls).toHaveLength(2);
  expect(timeline?.said).toEqual({
    'context-monitor': { times: 3, tokens: 9 },
    'compaction-alert': { times: 1, tokens: 2 },
  });
  expect(timeline?.saidSince).toEqual({
    'context-monitor': { times: 1, tokens: 3 },
    'compaction-alert': { times: 1, tokens: 2 },
  });
  expect(timeline?.troubles).toMatchObject([{ kind: 'timeout', event: 'Stop', isOurs: true }]);
});

test('no transcript has no timeline', () => expect(readTimeline(file(), words)).toBeNull());

test('of very many answers some thousand are kept, the newest among them', () => {
  const at = file();
  writeFileSync(
    at,
    jsonl(Array.from({ length: 10_000 }, (_, index) => answer(10_000 + index, { id: `m${index}` }))),
  );
  const fills = readTimeline(at, words)?.fills ?? [];
  expect(fills.length).toBeLessThanOrEqual(4_096);
  expect(fills.length).toBeGreaterThan(1_000);
  expect(fills.at(-1)?.tokens).toBe(19_999);
});
