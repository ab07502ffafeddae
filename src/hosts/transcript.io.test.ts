import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../test/kit/effort.ts';
import { answer, boundary, injection, jsonl, type Line, request, summary } from '../../test/unit/lines.ts';
import { scanHead, scanTail, scanWhole } from '../../test/unit/scans.ts';
import { temporaryFolder } from '../../test/unit/temporary.ts';
import { noise, transcript } from '../../test/unit/transcripts.ts';
import { findEpoch } from '../compaction/delivery.ts';
import type { TranscriptScan } from '../context/usage.ts';
import { createSessionState } from '../sessions/session-state.ts';
import { holdsAll, readLines } from './transcript.io.ts';

const tokens = (scan: TranscriptScan | null): number | undefined => scan?.facts.usage?.tokens;

const READERS: [string, (path: string) => TranscriptScan | null][] = [
  ['scanTail()', scanTail],
  ['scanWhole()', scanWhole],
];

describe.each(READERS)('%s', (_, scan) => {
  test('is null for a missing file', () => {
    expect(scan(join(temporaryFolder(), 'missing.jsonl'))).toBeNull();
    expect(scan('')).toBeNull();
  });

  test('throws where there can be no transcript: a folder, a FIFO, a name of another kind, an impossible path', () => {
    const folder = temporaryFolder();
    expect(() => scan(folder)).toThrow(`Not a transcript: "${folder}"`);
    const path = join(folder, 'fifo.jsonl');
    expect(spawnSync('mkfifo', [path]).status).toBe(0);
    expect(() => scan(path)).toThrow('Not a file');
    const folders = join(folder, 'a.jsonl');
    mkdirSync(folders);
    expect(() => scan(folders)).toThrow(`Not a file: "${folders}"`);
    expect(() => scan('/a\0b.jsonl')).toThrow();
    expect(() => scan(`/${'a'.repeat(5_000)}.jsonl`)).toThrow('ENAMETOOLONG');
  });

  test('finds nothing in an empty file and in one of blank lines', () => {
    for (const content of ['', '\n', '\n\n\n', ' \n\t\n']) {
      const found = scan(transcript(content));
      expect(found?.facts).toMatchObject({ usage: null, boundary: null, boundaries: [], injections: [] });
    }
  });

  // [what, content, tokens]
  const oddities: [string, string | Buffer, number | undefined][] = [
    ['lines that are no JSON', `nonsense\n{"type":"assistant"\n${jsonl([answer(700)])}<html>\n`, 700],
    ['a torn last line', `${jsonl([answer(700)])}${jsonl([answer(900)]).slice(0, -40)}`, 700],
    ['a last line without its line break', jsonl([answer(700), answer(900)]).trimEnd(), 900],
    ['CRLF', jsonl([answer(700)]).replaceAll('\n', '\r\n'), 700],
    [
      'a line separator inside a message',
      jsonl([answer(700, { content: [{ type: 'text', text: 'a\u2028b\u2029c' }] })]),
      700,
    ],
    ['a NUL block before a line', `${jsonl([answer(700)])}${'\0'.repeat(4_096)}${jsonl([answer(900)])}`, 900],
    ['a NUL block at the end', `${jsonl([answer(700)])}${'\0'.repeat(4_096)}`, 700],
    ['NULs inside a line', jsonl([answer(700)]).replace('"assistant"', '"assis\0tant"'), 700],
    [
      'two lines glued together',
      `${jsonl([answer(700)])}${jsonl([answer(800)]).trimEnd()}${jsonl([answer(900)])}`,
      700,
    ],
    ['a BOM', `\uFEFF${jsonl([answer(700), answer(900)])}`, 900],
    [
      'bytes that are no UTF-8',
      Buffer.concat([Buffer.from([0xff, 0xfe, 0x0a]), Buffer.from(jsonl([answer(700)]))]),
      700,
    ],
    ['lists and numbers as lines', `[1]\n5\nnull\n"usage assistant"\n${jsonl([answer(700)])}`, 700],
    ['only noise', noise(100).repeat(50), undefined],
    ['300 lines of noise at the end', `${jsonl([answer(700)])}${noise(100).repeat(300)}`, 700],
    ['2 MB of noise at the end', `${jsonl([answer(700)])}${noise(20_000).repeat(100)}`, 700],
    ['a line of 1.1 MB at the end', `${jsonl([answer(700)])}${noise(1_138_597)}`, 700],
    [
      'an answer of 1 MB',
      jsonl([answer(500), answer(700, { content: [{ type: 'text', text: 'x'.repeat(1_000_000) }] })]),
      700,
    ],
    [
      'a usage in a tool result at the end',
      jsonl([
        answer(700),
        request('x', { toolUseResult: { usage: { input_tokens: 9, type: 'assistant' } } }),
      ]),
      700,
    ],
    ['a subagent at the end', jsonl([answer(700), answer(900, {}, { isSidechain: true })]), 700],
    [
      'an API error at the end',
      jsonl([answer(700), answer(0, { model: '<synthetic>' }, { isApiErrorMessage: true })]),
      700,
    ],
  ];
  test.each(oddities)('reads a file with %s', (__, content, expected) => {
    expect(tokens(scan(transcript(content)))).toBe(expected);
  });

  test('ends before a last line that may be torn, and behind one that states a fact', () => {
    const whole = jsonl([answer(700)]);
    expect(scan(transcript(`${whole}{"type":"user","mess`))?.end).toBe(whole.length);
    expect(scan(transcript(`${whole}${noise(10)}`))?.end).toBe(whole.length + noise(10).length);
    expect(scan(transcript(whole.trimEnd()))?.end).toBe(whole.length - 1);
  });

  test('takes the last line of an answer of several lines', () => {
    expect(tokens(scan(transcript(jsonl([answer(8_102, { id: 'a' }), answer(38_554, { id: 'a' })]))))).toBe(
      38_554,
    );
  });

  test('places facts by their offset in bytes', () => {
    const lines = [request('ü 世界 👋'), answer(700), boundary(), summary(), injection('words')];
    const content = jsonl(lines);
    const offset = (index: number): number => Buffer.byteLength(jsonl(lines.slice(0, index)));
    const found = scan(transcript(content))?.facts;
    expect(found?.usage?.offset).toBe(offset(1));
    expect(found?.boundary?.offset).toBe(offset(2));
    expect(found?.boundaries).toHaveLength(1);
    expect(found?.injections).toEqual([{ text: 'words', offset: offset(4) }]);
  });

  test('reads past a line of 20 MB', () => {
    const path = transcript(`${jsonl([answer(700)])}${noise(20 * 1024 * 1024)}`);
    expect(tokens(scan(path))).toBe(700);
  });

  test('finds an answer whose line lies across the blocks that are read', () => {
    const sizes = [64 * 1024, 128 * 1024, 192 * 1024, 1024 * 1024];
    for (const size of sizes) {
      for (const shift of [-400, -300, -100, -1, 0, 1, 300]) {
        const tail = noise(size + shift - Buffer.byteLength(noise(0)));
        expect(tokens(scan(transcript(`${jsonl([answer(500), answer(700)])}${tail}`)))).toBe(700);
      }
    }
  });
});

describe('scanTail()', () => {
  test('looks back no further than its cap', () => {
    const path = transcript(`${jsonl([answer(700)])}${noise(1_000).repeat(200)}`);
    expect(tokens(scanTail(path, { cap: 50_000 }))).toBeUndefined();
    const found = scanTail(path, { cap: 50_000 });
    expect(found?.from).toBeGreaterThan(0);
    expect(tokens(scanTail(path, { cap: 1_000_000 }))).toBe(700);
  });

  test('reads the end of a sparse file of 1 GB', () => {
    const path = transcript(jsonl([answer(700)]));
    truncateSync(path, 1024 ** 3);
    expect(tokens(scanTail(path))).toBeUndefined();
    appendFileSync(path, `\n${jsonl([boundary(), answer(900)])}`);
    expect(tokens(scanTail(path, { until: 1024 ** 3 }))).toBe(900);
    expect(scanHead(path)).not.toBeNull();
    expect(readLines(path, { from: 0 })).not.toBeNull();
  });

  test('ends where the last whole line ends', () => {
    const whole = jsonl([answer(700), request('x')]);
    expect(scanTail(transcript(whole))?.end).toBe(whole.length);
    expect(scanTail(transcript(`${whole}{"type":"user","mess`))?.end).toBe(whole.length);
    expect(scanTail(transcript('{"type":"user","mess'))?.end).toBe(0);
    expect(scanTail(transcript(''))?.end).toBe(0);
  });

  test('reaches down to where earlier looks have counted, and not much further', () => {
    const old = jsonl([answer(500), boundary(), answer(600), injection('old')]);
    const fresh = jsonl([boundary('manual'), injection('new'), answer(700)]);
    const found = scanTail(
      transcript(`${noise(1_000).repeat(300)}${old}${noise(1_000).repeat(300)}${fresh}`),
      { until: 302_000 },
    );
    expect(found?.facts.boundaries.map((each) => each.trigger)).toContain('manual');
    expect(found?.facts.injections.map((each) => each.text)).toContain('new');
    expect(found?.from).toBeLessThanOrEqual(302_000);
    expect(found?.from).toBeGreaterThan(0);
  });

  test('sees the same from any offset on as a look at the whole file', () => {
    const line = fc.oneof(
      fc.integer({ min: 1, max: 190_000 }).map((size) => answer(size)),
      fc.constant(boundary()),
      fc.constant(summary()),
      fc.constant(injection('<compaction-alert>')),
      fc.constant(request('usage assistant compact_boundary')),
      fc.integer({ min: 0, max: 90_000 }).map((size) => ({ type: 'progress', data: 'x'.repeat(size) })),
    ) as fc.Arbitrary<Line>;
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.nat(), (lines, seed) => {
        const content = jsonl(lines);
        const path = transcript(content);
        const until = content.length === 0 ? 0 : seed % content.length;
        const whole = scanWhole(path)?.facts;
        const found = scanTail(path, { until })?.facts;
        const behind = <T extends { offset: number }>(facts: readonly T[] | undefined): T[] =>
          (facts ?? []).filter((each) => each.offset >= until);
        expect(found?.usage).toEqual(whole?.usage);
        expect(behind(found?.boundaries)).toEqual(behind(whole?.boundaries));
        expect(behind(found?.injections)).toEqual(behind(whole?.injections));
      }),
      { numRuns: runs(150) },
    );
  });

  test('does not count a compaction twice whose line break comes a moment later', () => {
    const path = transcript(jsonl([answer(700)]));
    const state = createSessionState('a');
    const look = (): number => {
      const scan = scanTail(path, { until: state.transcript_position.offset });
      const epoch = findEpoch(state, scan?.facts ?? null);
      state.transcript_position = {
        offset: scan?.end ?? 0,
        boundaries: epoch.boundaries,
        last: epoch.starts.at(-1) ?? null,
      };
      return epoch.number;
    };
    expect(look()).toBe(0);
    appendFileSync(path, jsonl([boundary()]).trimEnd());
    look();
    appendFileSync(path, '\n');
    expect(look()).toBe(1);
    appendFileSync(path, jsonl([answer(300)]));
    expect(look()).toBe(1);
  });

  test('keeps no file open', () => {
    const path = transcript(jsonl([answer(700)]));
    const descriptor = openSync(path, 'r');
    closeSync(descriptor);
    for (let round = 0; round < 50; round++) {
      scanTail(path);
      scanWhole(path);
      scanHead(path);
      readLines(path, { from: 0 });
      holdsAll(path, ['x']);
    }
    const next = openSync(path, 'r');
    closeSync(next);
    expect(next).toBe(descriptor);
  });
});

describe('scanHead()', () => {
  test('finds the first answer and stops there', () => {
    const found = scanHead(
      transcript(jsonl([request('x'), answer(700, { id: 'a' }), answer(900, { id: 'b' })])),
    );
    expect(found?.first?.tokens).toBe(700);
  });

  test('takes the last line of the first answer', () => {
    const lines = [answer(8_102, { id: 'a' }), answer(38_554, { id: 'a' }), answer(39_000, { id: 'b' })];
    expect(scanHead(transcript(jsonl(lines)))?.first?.tokens).toBe(38_554);
  });

  test('looks at the first bytes only', () => {
    const path = transcript(`${noise(3_000)}${jsonl([answer(700)])}`);
    expect(scanHead(path, 2_000)?.first).toBeNull();
    expect(scanHead(path)?.first?.tokens).toBe(700);
  });

  test('is null where there is no file', () => {
    expect(scanHead('/nowhere/a.jsonl')).toBeNull();
  });
});
test('a transcript that grows while it is read is read up to where it was', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'sub'));
  const path = join(folder, 'sub', 'a.jsonl');
  writeFileSync(path, '');
  const writer = openSync(path, 'a');
  try {
    for (let round = 1; round <= 100; round++) {
      writeSync(writer, jsonl([answer(round)]));
      expect(tokens(scanTail(path))).toBe(round);
    }
  } finally {
    closeSync(writer);
  }
});
