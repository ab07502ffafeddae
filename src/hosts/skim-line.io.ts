// Parses a long transcript line and keeps only the head and tail of its long texts.
import { parseLine } from './transcript.io.ts';

/** Bytes below which a line is parsed as it is. */
const LONG_LINE = 16 * 1024;
/** The longest text kept whole, and the head and tail kept of a longer one, in bytes as written. */
const LONG_TEXT = 12 * 1024;
const HEAD = 4 * 1024;
const TAIL = 6 * 1024;
/** A cut moves up to this far so that it splits no word, because half a secret is not recognised. */
const NEAR = 1_024;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Offset of the quote that ends the text which begins at `from`, or -1. */
function endOfText(line: Buffer, from: number): number {
  for (let at = line.indexOf(QUOTE, from); at >= 0; at = line.indexOf(QUOTE, at + 1)) {
    let slashes = 0;
    while (at - 1 - slashes >= from && line[at - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return -1;
}

/** The nearest blank in one direction; a cut there splits no word, escape or character. */
function blankNear(line: Buffer, at: number, step: 1 | -1): number | null {
  for (let moved = 0; moved < NEAR; moved++) {
    const place = at + moved * step;
    if (line[place] === 0x20) return place;
    // "\n" as it is written
    if (line[place] === 0x6e && line[place - 1] === BACKSLASH && line[place - 2] !== BACKSLASH) {
      return step === 1 ? place + 1 : place - 1;
    }
  }
  return null;
}

/** A text without its middle, as written; nothing is kept of a text without blanks, such as a picture. */
function shortened(line: Buffer, from: number, to: number): string {
  const head = blankNear(line, from + HEAD, -1);
  const tail = blankNear(line, to - TAIL, 1);
  if (head === null || tail === null || head >= tail) return `[${to - from} bytes]`;
  return `${line.toString('utf8', from, head)}\\n[… ${tail - head} bytes cut …]\\n${line.toString('utf8', tail, to)}`;
}

/** Parses one line; the long texts of a long one are cut in their middle. Null when it cannot be read. */
export function skimLine(line: Buffer): unknown {
  if (line.length < LONG_LINE) return parseLine(line);
  const first = line.indexOf(QUOTE);
  // A line without quotes is a hole in the file, and may be longer than a string can be.
  if (first < 0) return null;
  const pieces: string[] = [];
  let copied = Math.max(0, line.lastIndexOf(0, first) + 1);
  for (let open = first; open >= 0; ) {
    const close = endOfText(line, open + 1);
    if (close < 0) return null;
    if (close - open > LONG_TEXT) {
      pieces.push(line.toString('utf8', copied, open + 1), shortened(line, open + 1, close));
      copied = close;
    }
    open = line.indexOf(QUOTE, close + 1);
  }
  try {
    pieces.push(line.toString('utf8', copied));
    return JSON.parse(pieces.join('').replaceAll('\0', ''));
  } catch {
    return null;
  }
}
