import { describe, expect, test } from 'vitest';
import { jsonl, request } from '../../test/unit/lines.ts';
import { noise, transcript } from '../../test/unit/transcripts.ts';
import { holdsAll, parseLine, readLines } from './transcript.io.ts';

describe('readLines()', () => {
  const three = [request('one'), request('two'), request('three')];
  const content = jsonl(three);
  const length = (count: number): number => jsonl(three.slice(0, count)).length;

  test('gives the parsed lines of a stretch, oldest first', () => {
    const path = transcript(content);
    expect(readLines(path, { from: 0 })).toEqual({ lines: three, truncated: false });
    expect(readLines(path, { from: length(1) })).toEqual({ lines: three.slice(1), truncated: false });
    expect(readLines(path, { from: 0, to: length(2) })).toEqual({
      lines: three.slice(0, 2),
      truncated: false,
    });
    expect(readLines(path, { from: length(1), to: length(2) })).toEqual({
      lines: [three[1]],
      truncated: false,
    });
  });

  test('leaves out what cannot be read, and a line that is cut', () => {
    const path = transcript(`nonsense\n${content}{"torn":`);
    expect(readLines(path, { from: 0 }).lines).toEqual(three);
    expect(readLines(path, { from: 20 }).lines).toEqual(three.slice(1));
  });

  test('says that a stretch was longer than the cap, and gives its end', () => {
    const found = readLines(transcript(content), { from: 0, cap: length(3) - length(1) });
    expect(found).toEqual({ lines: three.slice(1), truncated: true });
  });

  test('gives nothing for a file that is not there, or shorter than the stretch', () => {
    expect(readLines('/nowhere/a.jsonl', { from: 0 })).toEqual({ lines: [], truncated: false });
    expect(readLines(transcript(content), { from: 100_000 })).toEqual({ lines: [], truncated: false });
    expect(readLines(transcript(content), { from: 0, to: 100_000 }).lines).toHaveLength(3);
  });
});

describe('parseLine()', () => {
  test.each([
    ['an object', '{"a":1}', { a: 1 }],
    ['NULs around', '\0\0{"a":1}\0', { a: 1 }],
    ['a carriage return', '{"a":1}\r', { a: 1 }],
    ['half a line', '{"a":', null],
    ['nothing', '', null],
    ['NULs alone', '\0\0', null],
  ])('reads %s', (_, text, expected) => {
    expect(parseLine(Buffer.from(text))).toEqual(expected);
  });
});

describe('holdsAll()', () => {
  const FIRST = '{"id":"toolu_1"}\n';
  const SECOND = '{"id":"toolu_2"}\n';

  test('looks for ids in the last bytes of a file', () => {
    const near = transcript(`${FIRST}${noise(2_000)}${SECOND}`);
    expect(holdsAll(near, ['toolu_1', 'toolu_2'])).toBe(true);
    expect(holdsAll(near, ['toolu_1', 'toolu_3'])).toBe(false);
    expect(holdsAll(near, [])).toBe(true);
    const far = transcript(`${FIRST}${noise(300_000)}${SECOND}`);
    expect(holdsAll(far, ['toolu_2'])).toBe(true);
    expect(holdsAll(far, ['toolu_1'])).toBe(false);
  });

  test('looks for them before an offset only', () => {
    const path = transcript(`${FIRST}${noise(300_000)}${SECOND}`);
    expect(holdsAll(path, ['toolu_1'], FIRST.length)).toBe(true);
    expect(holdsAll(path, ['toolu_2'], FIRST.length)).toBe(false);
    expect(holdsAll(path, ['toolu_1'], 0)).toBe(false);
  });

  test('finds none where there is no file', () => {
    expect(holdsAll('/nowhere/a.jsonl', [])).toBe(false);
  });
});
