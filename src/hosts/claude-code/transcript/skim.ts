// Tells from the bytes of a Claude Code line whether it has to be parsed; most lines say all that is needed without.

import type { EntryPlace, LineBytes, OutputNeed, Skim } from '../../entry.ts';

const encoder = new TextEncoder();
/** Inside of a text these stand with escaped quotes, so an unescaped one is the structure's own. */
const bytes = (text: string): Uint8Array => encoder.encode(text);

const ID = bytes('"uuid":"');
const NEXT_BLOCK = bytes('},{"');
const TOOL_USE = bytes('"type":"tool_use"');
const TEXT = bytes('"type":"text"');
const GOES_ON = bytes('"stop_reason":"tool_use"');
const TELLING_ANSWER = ['"isApiErrorMessage":true', '"<synthetic>"'].map(bytes);
const TELLING_RESULT = /"(?:is_error":true|toolDenialKind|isMeta":true|isCompactSummary":true)/;
/** What makes a command's end another than that it succeeded. */
const TELLING_END = ['"interrupted":true', '"backgroundTaskId"'].map(bytes);

/** So much is looked at where a line begins, and around its id: keys stand there, and long texts between. */
const HEAD = 1_500;
const BEFORE_ID = 200;
const BEHIND_ID = 400;

/** Where whose line it is stands, in every client. */
const BEGINNING = 200;
/** Of what the client attaches, often long, only messages that waited and the list of tasks are read. */
const OTHER_ATTACHMENT = /"attachment":\{"type":"(?!(?:queued_command|task_reminder)")/;
/** Lines that begin with their type, and say nothing of the session. */
const OTHER_TYPE = /^\{"type":"(?!user"|assistant"|attachment"|system"|queue-operation"|summary")/;

/** Where the id of a line stands, and what is written around it; null where only the parsed line tells. */
function placeIn(
  line: LineBytes,
  offset: number,
): { place: EntryPlace & { id: string }; at: number; before: string; behind: string } | null {
  const at = line.indexOf(ID);
  if (at < 0) return null;
  const before = line.toString('latin1', Math.max(0, at - BEFORE_ID), at);
  const behind = line.toString('latin1', at, Math.min(line.length, at + BEHIND_ID));
  const [, id, time] = /^"uuid":"([^"\\]{1,64})","timestamp":"([^"\\]{20,30}Z)"/.exec(behind) ?? [];
  if (id === undefined || time === undefined) return null;
  // Behind the message it is the line's own; elsewhere it may be that of a line inside of the line.
  if (!/[\]"]\},$/.test(before) && line.indexOf(ID, at + 1) >= 0) return null;
  return { place: { id, offset, time }, at, before, behind };
}

const has = (line: LineBytes, mark: Uint8Array): boolean => line.indexOf(mark) >= 0;

function skimResult(
  line: LineBytes,
  offset: number,
  head: string,
  needOf: (call: string) => OutputNeed,
): Skim {
  const call = /"tool_use_id":"([^"\\]{1,120})"/.exec(head)?.[1];
  if (call === undefined || head.includes('"content":[{"type":"text"')) return 'parse';
  const need = needOf(call);
  if (need === 'all') return 'parse';
  const found = placeIn(line, offset);
  if (found === null) return 'parse';
  const next = line.indexOf(NEXT_BLOCK);
  if (next >= 0 && next < found.at) return 'parse';
  if ([head, found.before, found.behind].some((part) => TELLING_RESULT.test(part))) return 'parse';
  if (need === 'end' && TELLING_END.some((mark) => has(line, mark))) return 'parse';
  const isNewFile = found.behind.includes('"type":"create"');
  const rest = { output: '', reason: null, answers: [], tasks: null, plan: null };
  const { place } = found;
  return { id: place.id, entry: { ...place, kind: 'result', call, status: 'ok', isNewFile, ...rest } };
}

function skimAnswer(line: LineBytes, offset: number): Skim {
  if (has(line, TOOL_USE) || TELLING_ANSWER.some((mark) => has(line, mark))) return 'parse';
  const found = placeIn(line, offset);
  if (found === null) return 'parse';
  const { place } = found;
  if (!has(line, TEXT)) return { id: place.id, entry: null };
  return { id: place.id, answer: { ...place, kind: 'answer', isFinal: !has(line, GOES_ON) } };
}

/**
 * What a line says without being parsed.
 *
 * @param needOf how much is asked of a call's result
 */
export function skimEntry(line: LineBytes, offset: number, needOf: (call: string) => OutputNeed): Skim {
  const head = line.toString('latin1', 0, Math.min(line.length, HEAD));
  if (OTHER_TYPE.test(head)) return 'skip';
  // Every client writes whose line it is at the beginning; what does not is parsed.
  if (head.includes('"isSidechain":true')) return 'skip';
  if (!head.includes('"isSidechain":false') || head.includes('"agentId":')) return 'parse';
  if (head.includes('"type":"progress"') || OTHER_ATTACHMENT.test(head.slice(0, BEGINNING))) {
    const found = placeIn(line, offset);
    return found === null ? 'parse' : { id: found.place.id, entry: null };
  }
  if (head.includes('"type":"assistant"')) return skimAnswer(line, offset);
  if (head.includes('"type":"user"') && head.includes('"type":"tool_result"')) {
    return skimResult(line, offset, head, needOf);
  }
  return 'parse';
}

/**
 * What lasts: lines of the user's side, calls of tools that the person takes part in or that keep the list of tasks,
 * boundaries, and what was put into the queue.
 */
const LASTING =
  /"(?:type":"user|name":"(?:AskUserQuestion|ExitPlanMode|TodoWrite|Task(?:Create|Update|List|Stop))|compact_boundary|queued_command|enqueue|popAll)"/;
const ERROR = bytes('"is_error":true');

/** Whether a line holds what counts however long ago it was: words of the person, answers, plans, tasks, refusals. */
export function isLasting(line: LineBytes, needOf: (call: string) => OutputNeed): boolean {
  const head = line.toString('latin1', 0, Math.min(line.length, HEAD));
  const beginning = head.slice(0, BEGINNING);
  if (OTHER_TYPE.test(head) || beginning.includes('"isSidechain":true')) return false;
  if (OTHER_ATTACHMENT.test(beginning)) return false;
  if (!LASTING.test(head)) return false;
  const call = /"tool_use_id":"([^"\\]{1,120})"/.exec(head)?.[1];
  return call === undefined || needOf(call) === 'all' || has(line, ERROR);
}

/** Attachments that a replay hears of; titles of a session are short lines of other types. */
const UNHEARD_ATTACHMENT =
  /"attachment":\{"type":"(?!(?:queued_command|hook_additional_context|model|task_reminder)")/;
const UNHEARD_TYPE =
  /^\{"type":"(?!(?:user|assistant|attachment|system|queue-operation|summary|custom-title|ai-title)")/;

/** Whether the beginning of a line shows that it says nothing of usage, entries, or its session. */
export function saysNothing(line: LineBytes): boolean {
  const beginning = line.toString('latin1', 0, Math.min(line.length, BEGINNING));
  return UNHEARD_TYPE.test(beginning) || UNHEARD_ATTACHMENT.test(beginning);
}
