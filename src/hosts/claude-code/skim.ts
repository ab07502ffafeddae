// Tells from the bytes of a Claude Code line whether it has to be parsed; most lines say all that is needed without.
import type { AnswerEntry, EntryPlace, ResultEntry } from '../entry.ts';

/** The bytes of one line, as a reader of files has them. */
export interface LineBytes {
  readonly length: number;
  indexOf: (bytes: Uint8Array, from?: number) => number;
  toString: (encoding: 'latin1', from: number, to: number) => string;
}

/** `parse`: only the parsed line tells; `skip`: nothing of the main session; else what it says. */
export type Skim =
  | 'parse'
  | 'skip'
  | { id: string; entry: ResultEntry | null }
  | { id: string; answer: Omit<AnswerEntry, 'text'> };

const encoder = new TextEncoder();
/** Inside of a text these stand with escaped quotes, so an unescaped one is the structure's own. */
const bytes = (text: string): Uint8Array => encoder.encode(text);

const ASSISTANT = bytes('"type":"assistant"');
const USER = bytes('"type":"user"');
const PROGRESS = bytes('"type":"progress"');
const TOOL_USE = bytes('"type":"tool_use"');
const TOOL_RESULT = bytes('"type":"tool_result"');
const TEXT = bytes('"type":"text"');
const CALLED = bytes('"tool_use_id":"');
const ID = bytes('"uuid":"');
const TIME = bytes('","timestamp":"');
const ASIDE = bytes('"isSidechain":true');
const GOES_ON = bytes('"stop_reason":"tool_use"');
const CREATED = bytes('"type":"create"');
/** What makes an answer, or a result, more than it seems. */
const TELLING_ANSWER = ['"isApiErrorMessage":true', '"<synthetic>"', '"agentId":'].map(bytes);
const TELLING_RESULT = [
  '"is_error":true',
  '"toolDenialKind"',
  '"interrupted":true',
  '"backgroundTaskId"',
  '"agentId":',
  '"isMeta":true',
  '"isCompactSummary":true',
].map(bytes);

/** Lines that begin with their type, and say nothing of the session. */
const OTHER_TYPE = /^\{"type":"(?!user"|assistant"|attachment"|system"|queue-operation"|summary")/;
const TIME_LENGTH = '2026-11-28T10:00:00.000Z'.length;

/** Id and time of a line where both stand together and once; null where only the parsed line tells. */
function placeIn(line: LineBytes, offset: number): (EntryPlace & { id: string }) | null {
  const at = line.indexOf(ID);
  if (at < 0 || line.indexOf(ID, at + ID.length) >= 0) return null;
  const from = at + ID.length;
  const to = line.indexOf(TIME, from);
  if (to < 0 || to - from > 64) return null;
  const id = line.toString('latin1', from, to);
  const time = line.toString('latin1', to + TIME.length, to + TIME.length + TIME_LENGTH);
  return id.includes('"') || !time.endsWith('Z') ? null : { id, offset, time };
}

const has = (line: LineBytes, mark: Uint8Array): boolean => line.indexOf(mark) >= 0;

function skimResult(line: LineBytes, offset: number, needsOutput: (call: string) => boolean): Skim {
  const at = line.indexOf(CALLED);
  if (at < 0 || line.indexOf(CALLED, at + 1) >= 0 || has(line, TEXT)) return 'parse';
  const from = at + CALLED.length;
  const call = line.toString('latin1', from, Math.min(from + 128, line.length)).split('"')[0] ?? '';
  if (needsOutput(call) || TELLING_RESULT.some((mark) => has(line, mark))) return 'parse';
  const place = placeIn(line, offset);
  if (place === null) return 'parse';
  const isNewFile = has(line, CREATED);
  const rest = { output: '', reason: null, answers: [], tasks: null, plan: null };
  return { id: place.id, entry: { ...place, kind: 'result', call, status: 'ok', isNewFile, ...rest } };
}

/**
 * What a line says without being parsed.
 *
 * @param needsOutput whether more is asked of a call's result than that it succeeded
 */
export function skimEntry(line: LineBytes, offset: number, needsOutput: (call: string) => boolean): Skim {
  if (OTHER_TYPE.test(line.toString('latin1', 0, 40))) return 'skip';
  if (has(line, ASIDE)) return 'skip';
  if (has(line, PROGRESS)) {
    const place = placeIn(line, offset);
    return place === null ? 'parse' : { id: place.id, entry: null };
  }
  if (has(line, ASSISTANT)) {
    if (has(line, TOOL_USE) || TELLING_ANSWER.some((mark) => has(line, mark))) return 'parse';
    const place = placeIn(line, offset);
    if (place === null) return 'parse';
    if (!has(line, TEXT)) return { id: place.id, entry: null };
    return { id: place.id, answer: { ...place, kind: 'answer', isFinal: !has(line, GOES_ON) } };
  }
  if (has(line, USER) && has(line, TOOL_RESULT)) return skimResult(line, offset, needsOutput);
  return 'parse';
}
