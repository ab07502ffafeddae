// Brings a ledger up to the end of its session's transcript, reading only what is new.

import type { EntryReader, LineLink, OutputNeed, TranscriptEntry } from '../../hosts/entry.ts';
import { skimLine } from '../../hosts/skim-line.io.ts';
import { visitLinesFrom } from '../../hosts/transcript.io.ts';
import { readStamp } from '../../platform/look.ts';
import { LOG_FILE, readRange, withFile } from '../../platform/read.ts';
import { openLedger } from './fold-ledger.ts';
import type { Ledger } from './ledger.ts';

/** Ids that are kept to go on later: a request hangs on the last answer or on what the client wrote behind it. */
const TAIL = 200;

interface Branch {
  /** Place in the order of lines, by id. */
  order: Map<string, number>;
  /** Where each line ends, in bytes, in that order. */
  ends: number[];
  /** Lines, in that order, at which the talk went on: requests and what the agent said or called. */
  turns: number[];
}

/** A branch that goes on where an earlier look ended; `tail` is what `branchTail` gave then, `end` how far it went. */
function startBranch(tail: readonly string[] = [], end = 0): Branch {
  return {
    order: new Map(tail.map((id, index) => [id, index])),
    ends: tail.map(() => end),
    turns: tail.length === 0 ? [] : [0],
  };
}

/** The ids from the last turn on, which a later request may hang on. */
function branchTail({ order, ends, turns }: Branch): string[] {
  const last = turns.at(-1) ?? 0;
  const from = Math.max(last, ends.length - TAIL);
  const ids = [...order].filter(([, at]) => at >= from || at === last);
  return ids.map(([id]) => id);
}

const isTurn = (entry: TranscriptEntry): boolean =>
  entry.kind === 'request' || entry.kind === 'answer' || entry.kind === 'call';

/**
 * Takes a line up. Only a request can leave what came before: parallel calls of tools branch too, and are all live.
 *
 * @returns `live`; `unknown` where a request hangs on a line that was not seen; or the offset behind which everything up
 * to this line was left, because the person went back
 */
function followLine(
  branch: Branch,
  link: LineLink | null,
  entries: readonly TranscriptEntry[],
  end: number,
): 'live' | 'unknown' | { leftFrom: number } {
  if (link === null) return 'live';
  const { order, ends, turns } = branch;
  let result: ReturnType<typeof followLine> = 'live';
  if (link.parent !== null && entries.some((entry) => entry.kind === 'request')) {
    const parent = order.get(link.parent);
    const last = turns.at(-1) ?? -1;
    if (parent === undefined) result = order.size === 0 ? 'live' : 'unknown';
    else if (parent < last) {
      result = { leftFrom: ends[parent] ?? 0 };
      for (const [id, at] of order) if (at > parent) order.delete(id);
      while ((turns.at(-1) ?? -1) > parent) turns.pop();
      ends.length = parent + 1;
    }
  }
  if (order.has(link.id)) return result;
  order.set(link.id, ends.length);
  if (entries.some(isTurn)) turns.push(ends.length);
  ends.push(end);
  return result;
}

/** Bytes that belong to a branch which the person left, from and to. */
type Range = readonly [from: number, to: number];

interface Reading {
  ledger: Ledger;
  left: Range[];
  /** A request hangs on a line that stands before what was read. */
  isLost: boolean;
}

/** Bytes before an offset that tell one file from another. */
const MARKED = 2_048;

/** Bytes before the end that are read line by line; of what lies before them only what lasts, so that a hook has its time. */
const NEAR = 8 * 1024 * 1024;

/** What the bytes before an offset come to; -1 where the file does not reach there. */
function markBefore(transcript: string, offset: number): number {
  const mark = withFile(transcript, LOG_FILE, (descriptor, size) => {
    if (size < offset) return -1;
    const from = Math.max(0, offset - MARKED);
    return readRange(descriptor, from, offset - from).reduce(
      (sum, byte) => (Math.imul(sum, 31) + byte) >>> 0,
      7,
    );
  });
  return mark ?? -1;
}

/** The words of an answer, read only when somebody asks: of most answers it matters only that they were given. */
function answerText(reader: EntryReader, line: Buffer, offset: number): string {
  const words = reader
    .readEntries(skimLine(line), offset)
    .flatMap((entry) => (entry.kind === 'answer' ? entry.text : []));
  return words.at(-1) ?? '';
}

/** What a line says, and where it hangs; parsed only where it has to be. */
function readLine(
  reader: EntryReader,
  line: Buffer,
  offset: number,
  needOf: (call: string) => OutputNeed,
): { entries: TranscriptEntry[]; link: LineLink | null } | null {
  const skimmed = reader.skimEntry(line, offset, needOf);
  if (skimmed === 'skip') return null;
  if (skimmed === 'parse') {
    const parsed = skimLine(line);
    return parsed === null
      ? null
      : { entries: reader.readEntries(parsed, offset), link: reader.readLink(parsed) };
  }
  const link = { id: skimmed.id, parent: null };
  if ('entry' in skimmed) return { entries: skimmed.entry === null ? [] : [skimmed.entry], link };
  const { answer } = skimmed;
  const kept = Buffer.from(line);
  return {
    entries: [
      {
        ...answer,
        get text() {
          return answerText(reader, kept, offset);
        },
      },
    ],
    link,
  };
}

interface FarReading {
  ledger: Ledger;
  /** Where the rest begins. */
  from: number;
  /** The ledger to continue with next time, where the time ran out before all was read; else null. */
  unfinished: Ledger | null;
}

/** Folds what lasts of a stretch that is too long to be read line by line. @param deadline in seconds since the process began */
function readFar(
  reader: EntryReader,
  start: Ledger,
  session: number,
  transcript: string,
  from: number,
  deadline: number,
): FarReading {
  const near = readStamp(transcript).size - NEAR;
  if (near - from < NEAR) return { ledger: start, from, unfinished: null };
  const fold = openLedger(start, session);
  let first = start.sessions[session]?.first ?? null;
  let isLate = false;
  const visited = visitLinesFrom(
    transcript,
    from,
    (line, offset) => {
      first ??= reader.readLink(skimLine(line))?.id ?? null;
      if (!reader.isLasting(line, fold.needOf)) return true;
      for (const entry of reader.readEntries(skimLine(line), offset)) fold.add(entry);
      isLate = process.uptime() > deadline;
      return !isLate;
    },
    near,
  );
  const ledger: Ledger = { ...fold.finish(), position: null };
  ledger.sessions = ledger.sessions.map((each, index) => (index === session ? { ...each, first } : each));
  const end = visited ?? from;
  if (!isLate) return { ledger, from: end, unfinished: null };
  const mark = markBefore(transcript, end);
  const position = { session, offset: end, tail: [], time: null, mark, lastEntry: -1, lastCall: -1 };
  return { ledger, from: near, unfinished: { ...ledger, position } };
}

/** Folds what stands behind an offset, but for what was left. */
function readFrom(
  reader: EntryReader,
  start: Ledger,
  session: number,
  transcript: string,
  from: number,
  without: readonly Range[],
): Reading {
  const fold = openLedger(start, session);
  const before = start.position?.session === session ? start.position : null;
  const branch = startBranch(before?.tail ?? [], from);
  const left: Range[] = [];
  let isLost = false;
  let first = start.sessions[session]?.first ?? null;
  let { time, lastEntry, lastCall } = before ?? { time: null, lastEntry: -1, lastCall: -1 };
  const end = visitLinesFrom(transcript, from, (line, offset) => {
    if (without.some(([begin, stop]) => offset >= begin && offset < stop)) return;
    const read = readLine(reader, line, offset, fold.needOf);
    if (read === null) return;
    const { entries, link } = read;
    first ??= link?.id ?? null;
    const step = followLine(branch, link, entries, offset + line.length + 1);
    if (step === 'unknown') isLost = true;
    else if (step !== 'live') left.push([step.leftFrom, offset]);
    for (const entry of entries) {
      fold.add(entry);
      lastEntry = offset;
      if (entry.kind === 'call') lastCall = offset;
      if (entry.time !== null && entry.time > (time ?? '')) time = entry.time;
    }
  });
  const ledger = fold.finish();
  ledger.position = {
    session,
    offset: end ?? from,
    tail: branchTail(branch),
    time,
    mark: 0,
    lastEntry,
    lastCall,
  };
  ledger.position.mark = markBefore(transcript, ledger.position.offset);
  ledger.sessions = ledger.sessions.map((each, index) =>
    index === session ? { ...each, transcript, first } : each,
  );
  return { ledger, left, isLost };
}

/** Where the first entry stands that is later than a moment; the end where there is none. */
function findLater(reader: EntryReader, transcript: string, until: string): number {
  let found: number | null = null;
  const end = visitLinesFrom(transcript, 0, (line, offset) => {
    const entries = readLine(reader, line, offset, () => 'nothing')?.entries ?? [];
    if (entries.some(({ time }) => time !== null && time > until)) found = offset;
    return found === null;
  });
  return found ?? end ?? 0;
}

/** A ledger, and where a hook's time ran out before all of a long transcript was read, the one to continue with. */
export interface LedgerReading {
  ledger: Ledger;
  unfinished: Ledger | null;
}

/**
 * The ledger with everything that the transcript says by now. A rewind takes back what it left behind: the stretch is
 * folded once more without it, or the whole file where it reaches further back. Where nothing is new, it is the very
 * ledger.
 *
 * @param reader of the host that wrote the transcript
 * @param base what the thread held before this session, for a whole reading
 * @param longest milliseconds for reading far back; what is near is always read
 * @param until up to when what was said is left out of a whole reading, or null
 */
export function readOn(
  reader: EntryReader,
  ledger: Ledger,
  base: Ledger,
  session: number,
  transcript: string,
  longest = Number.POSITIVE_INFINITY,
  until: string | null = null,
): LedgerReading {
  const read = (start: Ledger, from: number): Reading & LedgerReading =>
    readStretch(reader, start, session, transcript, from, process.uptime() + longest / 1000);
  const readWhole = (): LedgerReading =>
    read(base, until === null ? 0 : findLater(reader, transcript, until));
  const { position } = ledger;
  const from = position?.session === session ? position.offset : 0;
  if (from === 0 || position?.mark !== markBefore(transcript, from)) return readWhole();
  if (readStamp(transcript).size === from) return { ledger, unfinished: null };
  const found = read(ledger, from);
  // Far back no branch is followed: where nothing is known of one, reading all again would find the same.
  return found.isLost && position.tail.length > 0 ? readWhole() : found;
}

function readStretch(
  reader: EntryReader,
  start: Ledger,
  session: number,
  transcript: string,
  from: number,
  deadline: number,
): Reading & LedgerReading {
  const far = readFar(reader, start, session, transcript, from, deadline);
  const { unfinished } = far;
  const found = readFrom(reader, far.ledger, session, transcript, far.from, []);
  if (found.left.length === 0 || (found.isLost && from > 0)) return { ...found, unfinished };
  return { ...readFrom(reader, far.ledger, session, transcript, far.from, found.left), unfinished };
}
