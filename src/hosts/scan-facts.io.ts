// Reads the facts of a transcript: of its tail, its head, or all of it.
import { HEAD_BYTES } from '../context/nothing-to-save.ts';
import type { TranscriptScan } from '../context/usage.ts';
import { foldFacts, type TranscriptFacts, type WithOffset } from '../context/usage.ts';
import type { LineFact, UsageFact } from './entry.ts';
import type { FactReader } from './host.ts';
import {
  forEachLine,
  LONGEST_LINE,
  parseLine,
  reading,
  SCAN_CAP,
  visitLinesBackwards,
} from './transcript.io.ts';

/** The words of a reader as bytes, which are checked before a line is parsed, because most lines carry no fact. */
const bytesOf = (words: readonly string[]): Buffer[] => words.map((word) => Buffer.from(word));
const known = new WeakMap<FactReader, { markers: Buffer[]; usage: Buffer[] }>();

function marksOf(reader: FactReader): { markers: Buffer[]; usage: Buffer[] } {
  const marks = known.get(reader) ?? {
    markers: bytesOf(reader.markers),
    usage: bytesOf(reader.usageMarkers),
  };
  known.set(reader, marks);
  return marks;
}

/** Lines with a marker are short or have it near their beginning or end; longer ones are copies and outputs. */
const LONG_LINE = 32 * 1024;

/** Reads the fact of a line; null for the many that carry none, which are not parsed. */
export function createFactReader(
  reader: FactReader,
): (line: Buffer, isUsageWanted?: boolean) => LineFact | null {
  const { markers, usage } = marksOf(reader);
  const looksLikeUsage = (line: Buffer): boolean =>
    line.length <= LONGEST_LINE && usage.every((mark) => line.includes(mark));
  const looksMarked = (line: Buffer): boolean => {
    const parts = line.length > LONG_LINE ? [line.subarray(0, 4096), line.subarray(-4096)] : [line];
    return parts.some((part) => markers.some((marker) => part.includes(marker)));
  };
  return (line, isUsageWanted = true) =>
    (isUsageWanted && looksLikeUsage(line)) || looksMarked(line) ? reader.readFact(parseLine(line)) : null;
}

/** Whether a usage is that of the summary which a compaction, found behind it, has made. */
const isSummarys = (usage: UsageFact, next: LineFact | undefined): boolean =>
  next?.kind === 'boundary' && next.summary != null && next.summary === usage.messageId;

/** The most bytes read to count characters: more than the text of a window of 1,000,000 tokens with what surrounds it. */
const COUNT_CAP = 8 * 1024 * 1024;

/**
 * Counts the characters since the last usage or compaction, where the provider reports no usage for what came after it.
 * They are counted anew each time: it is rare, and no more than one context.
 */
function withCharacters(
  descriptor: number,
  end: number,
  facts: TranscriptFacts,
  reader: FactReader,
): TranscriptFacts {
  if (facts.usage !== null && !facts.isUnmeasured) return facts;
  let characters = 0;
  let isContext = false;
  visitLinesBackwards(descriptor, Math.max(0, end - COUNT_CAP), end, (bytes) => {
    const line = parseLine(bytes);
    const kind = reader.readFact(line)?.kind;
    isContext ||= kind === 'unmeasured' || (kind === 'boundary' && facts.usage === null);
    if (kind !== 'usage') characters += reader.countCharacters(line);
    return kind !== 'usage' && kind !== 'boundary';
  });
  return isContext ? { ...facts, characters } : facts;
}

/**
 * Reads a transcript backwards until it knows the last usable answer and has seen everything from `until` on.
 * Null when there is no such file. Never throws on content, only when the file cannot be read.
 *
 * @param options.until offset up to which earlier scans have counted; the scan reaches at least down to it
 * @param options.to the scan begins before this offset instead of at the end
 * @param options.isUsageKnown false when no answer with usage exists before `until`, so that none is searched for there
 * @param options.cap the most bytes to read
 */
export function scanTail(
  path: string,
  reader: FactReader,
  options: { until?: number; to?: number | undefined; isUsageKnown?: boolean; cap?: number } = {},
): TranscriptScan | null {
  const { until = 0, isUsageKnown = true, cap = SCAN_CAP } = options;
  return reading(path, null, (descriptor, written) => {
    const size = Math.min(options.to ?? written, written);
    const found: WithOffset[] = [];
    const factIn = createFactReader(reader);
    let hasUsage = false;
    let end = size;
    const isEnough = (): boolean => hasUsage || !isUsageKnown;
    const floor = Math.max(0, size - cap);
    const from = visitLinesBackwards(descriptor, floor, size, (line, offset) => {
      if (isEnough() && offset < until) return false;
      const fact = factIn(line, !hasUsage);
      // A last line without its line break is whole if it holds a fact; else it may be torn.
      if (fact === null && offset + line.length === size) end = offset;
      if (fact !== null && !(fact.kind === 'usage' && (hasUsage || isSummarys(fact, found.at(-1))))) {
        found.push({ ...fact, offset });
        if (fact.kind === 'usage') hasUsage = true;
      }
      return !(isEnough() && offset <= until);
    });
    return { facts: withCharacters(descriptor, end, foldFacts(found.reverse()), reader), end, from };
  });
}

/** The first usable answer of a transcript, searched for in its first bytes only; null when it is not there. */
export function scanHead(path: string, reader: FactReader, bytes = HEAD_BYTES): TranscriptFacts | null {
  return reading(path, null, (descriptor, size) => {
    const facts: WithOffset[] = [];
    const factIn = createFactReader(reader);
    let first: string | null | undefined;
    forEachLine(descriptor, Math.min(bytes, size), (line, offset) => {
      const fact = factIn(line);
      if (fact !== null) facts.push({ ...fact, offset });
      if (fact?.kind !== 'usage') return true;
      const isSameAnswer = first === undefined || first === fact.messageId;
      first = fact.messageId;
      return isSameAnswer && first !== null;
    });
    return foldFacts(facts);
  });
}

/** Reads all facts of a transcript forwards from its first byte: the plain way, for the CLI. */
export function scanWhole(path: string, reader: FactReader): TranscriptScan | null {
  return reading(path, null, (descriptor, size) => {
    const facts: WithOffset[] = [];
    const factIn = createFactReader(reader);
    let end = size;
    forEachLine(descriptor, size, (line, offset) => {
      const fact = factIn(line);
      if (fact !== null) facts.push({ ...fact, offset });
      // As in scanTail(): a last line without its line break may be torn if it holds no fact.
      else if (offset + line.length === size) end = offset;
      return true;
    });
    return { facts: withCharacters(descriptor, end, foldFacts(facts), reader), end, from: 0 };
  });
}
