import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answer, jsonl, type Line, request, toolUse } from '../../../../test/unit/lines.ts';
import { findOffsetAfter } from './timeline.io.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-since-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const at = (second: number): string => `2026-11-28T10:00:0${second}.000Z`;
const answered = (second: number, more: Line = {}): Line => answer(1_000, { at: at(second) }, more);

/** How many of these lines stand before the offset. */
function before(lines: Line[], moment: string, options: { from?: number; to?: number } = {}): number {
  const path = join(folder, 'transcript.jsonl');
  writeFileSync(path, jsonl(lines));
  const ends = lines.map((_, index) => Buffer.byteLength(jsonl(lines.slice(0, index))));
  const { from = 0, to = Number.POSITIVE_INFINITY } = options;
  return ends.indexOf(findOffsetAfter(path, moment, { from, to }));
}

test.each<[string, Line[], string, number]>([
  ['the answer that was given last by then', [answered(1), request('a'), answered(3), answered(5)], at(3), 2],
  ['the first line where all came later', [answered(4), request('a'), answered(5)], at(3), 0],
  ['the last answer where none came later', [answered(1), answered(2), request('a')], at(3), 1],
  [
    'what stands before a line of a subagent, whose times are not in order',
    [answered(4), answered(1, { isSidechain: true })],
    at(3),
    0,
  ],
  [
    'what stands before a prompt that was typed long before',
    [answered(4), request('a', { timestamp: at(1) })],
    at(3),
    0,
  ],
  [
    'an answer that names another time in its words',
    [answered(1), toolUse('t', 'mcp__x__y', { timestamp: at(1) }, { timestamp: at(4) }), answered(5)],
    at(3),
    0,
  ],
  ['the first line for no moment', [answered(1), answered(2)], '', 0],
])('findOffsetAfter() gives %s', (_, lines, moment, expected) => {
  expect(before(lines, moment)).toBe(expected);
});

test('findOffsetAfter() does not look out of its stretch', () => {
  const lines = [answered(1), request('a'), request('b'), answered(2)];
  const to = Buffer.byteLength(jsonl(lines.slice(0, 3)));
  const from = Buffer.byteLength(jsonl(lines.slice(0, 1)));
  expect(before(lines, at(3), { from, to })).toBe(1);
});

test('findOffsetAfter() gives the beginning where there is no such file', () => {
  expect(findOffsetAfter(join(folder, 'none.jsonl'), at(1), { from: 7, to: 9 })).toBe(7);
});
