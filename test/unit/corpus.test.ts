// Tests that the readers give the right figures on real transcripts, at every moment of their growth.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, type TestContext, test } from 'vitest';
import { findEpoch } from '../../src/compaction/delivery.ts';
import type { TranscriptScan } from '../../src/context/usage.ts';
import { buildUsageReading, foldFacts, type WithOffset } from '../../src/context/usage.ts';
import { readLineFact } from '../../src/hosts/claude-code/transcript/line.ts';
import { createSessionState } from '../../src/sessions/session-state.ts';
import { moments } from '../kit/effort.ts';
import { notRun } from '../kit/not-run.ts';
import { scanHead, scanTail, scanWhole } from './scans.ts';
import { temporaryFolder } from './temporary.ts';

interface Expected {
  finalContextTokens: number | null;
  finalOutputTokens: number;
  finalModel: string | null;
  firstContextTokens: number | null;
  peakContextTokens: number | null;
  contextStaleAtEnd: boolean;
  compactions: { sidechain: boolean; trigger: string | null; preTokens: number | null }[];
}

const CORPUS = fileURLToPath(new URL('../../../shared/corpus/', import.meta.url));

const FILES = [
  'all-synthetic-auth-errors-2.1.212',
  'api-errors-broken-lines-opus45-2.1.9',
  'auto-compact-model-switch-2.1.29',
  'auto-compact-opus46-2.1.39',
  'auto-compact-opus47-posttokens-2.1.112',
  'auto-compact-sonnet45-155k-2.1.5',
  'cut-right-after-boundary-2.1.112',
  'embedded-sidechains-sonnet4-1.0.98',
  'manual-compact-opus46-2.1.39',
  'model-fallback-synthetic-fable5-2.1.170',
  'over-200k-opus5-2.1.219',
  'over-200k-sonnet4-1m-1.0.117',
  'partial-usage-thirdparty-2.1.68',
  'sidechain-compact-multisession-sonnet46-2.1.152',
  'subagent-file-2.1.39',
  'summary-without-boundary-opus41-1.0.90',
  'torn-last-line-2.1.112',
  'very-long-line-1.0.43',
  'zero-usage-manual-compact-2.1.162',
];

/** A sample's path and figures; skips the test, loudly, where the corpus is not at hand. */
function sample(ctx: TestContext, name: string): { path: string; expected: Expected } {
  if (!existsSync(CORPUS)) {
    notRun('corpus', `no folder ${CORPUS}`);
    ctx.skip();
  }
  const figures = JSON.parse(readFileSync(join(CORPUS, 'expected.json'), 'utf8')) as Record<string, Expected>;
  const expected = figures[`${name}.jsonl`];
  if (expected === undefined) throw new Error(`expected.json knows nothing of ${name}`);
  return { path: join(CORPUS, `${name}.jsonl`), expected };
}

const reading = (scan: TranscriptScan | null) => {
  if (scan === null) throw new Error('The file could not be read');
  const { facts } = scan;
  return buildUsageReading(facts, { compacted: false, firstCall: facts.first?.tokens ?? null, now: 0 });
};

/** The lines of a file with their offsets, split on 0x0A and nothing else. */
function linesOf(bytes: Buffer): { bytes: Buffer; offset: number }[] {
  const lines: { bytes: Buffer; offset: number }[] = [];
  for (let from = 0; from < bytes.length; ) {
    const at = bytes.indexOf(0x0a, from);
    const to = at < 0 ? bytes.length : at + 1;
    lines.push({ bytes: bytes.subarray(from, to), offset: from });
    from = to;
  }
  return lines;
}

/** What a line states, read in the plainest way there is. */
function plainFact(line: Buffer, offset: number): WithOffset | null {
  try {
    const fact = readLineFact(JSON.parse(line.toString('utf8')));
    return fact === null ? null : { ...fact, offset };
  } catch {
    return null;
  }
}

const READERS: [string, (path: string) => TranscriptScan | null][] = [
  ['scanTail()', scanTail],
  ['scanWhole()', scanWhole],
];

describe.for(FILES)('%s', (name) => {
  test.for(READERS)('%s and buildUsageReading() give the final figures', ([, scan], ctx) => {
    const { path, expected } = sample(ctx, name);
    const found = reading(scan(path));
    if (expected.contextStaleAtEnd && expected.finalContextTokens !== null) {
      expect(found).toMatchObject({
        source: 'after-compaction',
        estimated: true,
        stale: true,
        output: null,
        last_seen: { tokens: expected.finalContextTokens },
      });
      expect(found.tokens).toBeGreaterThan(0);
      expect(found.tokens).toBeLessThan(expected.finalContextTokens);
    } else if (found.source === 'characters') {
      expect(expected.finalContextTokens).toBeNull();
      expect(found).toMatchObject({ estimated: true, confidence: 'assumed', output: null, last_seen: null });
    } else {
      expect(found.tokens).toBe(expected.finalContextTokens);
      expect(found.output).toBe(expected.finalContextTokens === null ? null : expected.finalOutputTokens);
      expect(found).toMatchObject({ estimated: false, stale: expected.contextStaleAtEnd, last_seen: null });
    }
    expect(found.model).toBe(expected.finalModel);
  });

  test.for(READERS)('%s counts the compactions of the main session', ([, scan], ctx) => {
    const { path, expected } = sample(ctx, name);
    const main = expected.compactions.filter((each) => !each.sidechain);
    const found = scan(path)?.facts.boundaries.map(({ trigger, preTokens }) => ({ trigger, preTokens }));
    expect(found).toEqual(main.map(({ trigger, preTokens }) => ({ trigger, preTokens })));
  });

  test('scanWhole() finds the largest usage, and scanHead() the first one', (ctx) => {
    const { path, expected } = sample(ctx, name);
    const facts = scanWhole(path)?.facts;
    const peak = Math.max(...Object.values(facts?.maxTokensByModel ?? {}), 0);
    expect(peak === 0 ? null : peak).toBe(expected.peakContextTokens);
    expect(scanHead(path)?.first?.tokens ?? null).toBe(expected.firstContextTokens);
  });

  test('scanTail() equals the plain forward reader after every line, and in the middle of lines', (ctx) => {
    const { path } = sample(ctx, name);
    const lines = linesOf(readFileSync(path));
    const growing = join(temporaryFolder(), 'growing.jsonl');
    const facts: WithOffset[] = [];
    const said = (scan: TranscriptScan | null) => ({
      usage: scan?.facts.usage,
      boundary: scan?.facts.boundary,
      boundaries: scan?.facts.boundaries,
      marks: scan?.facts.largeWindowByModel,
      injections: scan?.facts.injections,
    });
    const { first, step } = moments(5);
    for (const [index, { bytes, offset }] of lines.entries()) {
      const isWhole = bytes.at(-1) === 0x0a;
      const isTried = index % step === first || index === lines.length - 1;
      if (isTried && (index % 7 === 3 || !isWhole)) {
        const half = Math.floor(bytes.length / 2);
        appendFileSync(growing, bytes.subarray(0, half));
        const torn = scanTail(growing);
        expect(said(torn)).toEqual(said({ facts: foldFacts(facts), end: 0, from: 0 }));
        expect(torn?.end).toBe(offset);
        appendFileSync(growing, bytes.subarray(half));
      } else appendFileSync(growing, bytes);
      const fact = plainFact(bytes, offset);
      if (fact !== null) facts.push(fact);
      if (!isTried) continue;
      const plain = said({ facts: foldFacts(facts), end: 0, from: 0 });
      const tail = scanTail(growing);
      expect(said(tail)).toEqual(plain);
      expect(said(scanWhole(growing))).toEqual(plain);
      expect(tail?.from).toBe(0);
      expect(tail?.end).toBe(isWhole ? offset + bytes.length : offset);
    }
  });

  test('looking after every line, from where the last look ended, counts each compaction once', (ctx) => {
    const { path } = sample(ctx, name);
    const growing = join(temporaryFolder(), 'growing.jsonl');
    const state = createSessionState('a');
    const facts: WithOffset[] = [];
    for (const { bytes, offset } of linesOf(readFileSync(path))) {
      appendFileSync(growing, bytes);
      const fact = plainFact(bytes, offset);
      if (fact !== null) facts.push(fact);
      const plain = foldFacts(facts);
      const scan = scanTail(growing, { until: state.transcript_position.offset });
      const epoch = findEpoch(state, scan?.facts ?? null);
      expect(epoch.number).toBe(plain.boundaries.length);
      expect(scan?.facts.usage).toEqual(plain.usage);
      if (scan !== null && (fact?.kind === 'boundary' || offset % 5 === 0)) {
        state.transcript_position = {
          offset: scan.end,
          boundaries: epoch.boundaries,
          last: epoch.starts.at(-1) ?? null,
        };
      }
    }
  });
});
