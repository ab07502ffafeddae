// Searches the transcripts of a thread of work, one line at a time: what is kept is as much as is told.

import type { EntryReader, TranscriptEntry } from '../hosts/entry.ts';
import { skimLine } from '../hosts/skim-line.io.ts';
import { parseLine, visitLinesFrom } from '../hosts/transcript.io.ts';
import type { Ledger } from './ledger/ledger.ts';

/** Something that was said, where it can be looked up. */
interface Saying {
  /** Id, or null where it is not known any more. */
  session: string | null;
  /** Line in the session's transcript, counted from 1; null where only the ledger knows it. */
  line: number | null;
  /** ISO time, or null. */
  time: string | null;
  /** Compactions of the session before it. */
  segment: number;
  /** Who said it, or what it is. */
  who: 'user' | 'other' | 'agent' | 'command' | 'output' | 'answer' | 'refusal';
  /** What it belongs to: the command of an output, the question of an answer; or null. */
  of: string | null;
  text: string;
}

export interface RecallMatch extends Saying {
  /** How many of the words it holds, and how many of them as whole words. */
  words: number;
  wholeWords: number;
  /** Where the first of them stands in the text. */
  at: number;
}

/** Letters of one word are written in many ways; what is looked for must be found in each. */
export const foldText = (text: string): string => text.normalize('NFKC').toLowerCase();

const LETTER = /[\p{L}\p{N}_]/u;

/** Scripts that put no blanks between words: each part of a text can be a word there. */
const NO_BLANKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function isWhole(text: string, at: number, word: string): boolean {
  if (NO_BLANKS.test(word)) return true;
  const before = text.slice(Math.max(0, at - 1), at);
  const after = text.slice(at + word.length, at + word.length + 1);
  return !LETTER.test(before) && !LETTER.test(after);
}

/** Whether a word stands in a text, and as a whole word; -1 where it does not. */
function findWord(text: string, word: string): { at: number; isWhole: boolean } {
  const first = text.indexOf(word);
  for (let at = first; at >= 0; at = text.indexOf(word, at + 1)) {
    if (isWhole(text, at, word)) return { at, isWhole: true };
  }
  return { at: first, isWhole: false };
}

const compare = (a: RecallMatch, b: RecallMatch): number =>
  b.words - a.words ||
  b.wholeWords - a.wholeWords ||
  (b.time ?? '').localeCompare(a.time ?? '') ||
  (b.line ?? 0) - (a.line ?? 0);

/** Keeps the best of what it is given, however much that is. */
function startSearch(words: readonly string[], limit: number) {
  const looked = [...new Set(words.map(foldText))].filter((word) => word !== '');
  let best: RecallMatch[] = [];
  return {
    add(saying: Saying): void {
      const text = foldText(saying.text);
      const found = looked.map((word) => findWord(text, word)).filter(({ at }) => at >= 0);
      const most = best[0]?.words ?? 1;
      // What holds fewer of the words than something else is no answer to all of them.
      if (found.length < most) return;
      if (found.length > most) best = [];
      best.push({
        ...saying,
        words: found.length,
        wholeWords: found.filter((each) => each.isWhole).length,
        at: Math.min(...found.map(({ at }) => at)),
      });
      if (best.length > limit * 4) best = best.sort(compare).slice(0, limit);
    },
    result: (): RecallMatch[] => best.sort(compare).slice(0, limit),
  };
}

/** Calls that are remembered until their output comes. */
const CALLS = 500;
/** Stands for a call whose output is not looked at. */
const UNTOLD = '';
/** A search is no memory of what it finds. */
const OWN_SEARCH = /\bplimsoll(?:\.cjs|\.js)?\s+recall\b|\bcli\.cjs\s+recall\b/;

type Said = Pick<Saying, 'who' | 'of' | 'text'>;

/** Gives what each entry says; entries come in the order of the file. */
function startSayings(): (entry: TranscriptEntry) => Said[] {
  const calls = new Map<string, string>();
  /** Requests in the host's queue: each stands once more where the agent is given it. */
  const queued = new Set<string>();
  const remember = (call: string, what: string): void => {
    calls.set(call, what);
    if (calls.size > CALLS) calls.delete(calls.keys().next().value ?? '');
  };
  return (entry) => {
    switch (entry.kind) {
      case 'request': {
        const isOwn = entry.by === 'person' || entry.by === 'queued' || entry.by === 'command';
        const text = entry.command === null ? entry.text : `${entry.command} ${entry.text}`.trim();
        const isInQueue = entry.by === 'queued' && entry.id === null;
        if (isInQueue) queued.add(text);
        else if (isOwn && queued.delete(text)) return [];
        return [{ who: isOwn ? 'user' : 'other', of: null, text }];
      }
      case 'answer':
        return [{ who: 'agent', of: null, text: entry.text }];
      case 'call': {
        const { action, tool } = entry;
        if (action.type === 'plan') return [{ who: 'agent', of: 'plan', text: action.text }];
        if (action.type !== 'run') {
          remember(entry.call, 'path' in action && action.path ? action.path : tool);
          return [];
        }
        const isSearch = OWN_SEARCH.test(action.command);
        remember(entry.call, isSearch ? UNTOLD : action.command);
        return isSearch ? [] : [{ who: 'command', of: action.description, text: action.command }];
      }
      case 'result': {
        const of = calls.get(entry.call) ?? null;
        calls.delete(entry.call);
        const { reason, answers, output } = entry;
        if (answers.length > 0)
          return answers.map(({ question, answer }) => ({ who: 'answer', of: question, text: answer }));
        if (reason !== null) return [{ who: 'refusal', of, text: reason }];
        return of === UNTOLD ? [] : [{ who: 'output', of, text: output }];
      }
      default:
        return [];
    }
  };
}

/** The words, answers, refusals, notes and commands of one session of the thread, by its place in the ledger. */
function sayingsOfLedger(ledger: Ledger, session: number): Saying[] {
  const id = ledger.sessions[session]?.session_id ?? '';
  const say = (
    fact: { session: number; segment: number; at: string | null },
    who: Saying['who'],
    text: string,
    of: string | null = null,
  ): Saying[] =>
    fact.session === session
      ? [{ session: id, line: null, time: fact.at, segment: fact.segment, who, of, text }]
      : [];
  return [
    ...ledger.requests.flatMap((each) => {
      const isOwn = each.by === 'person' || each.by === 'queued' || each.by === 'command';
      return say(each, isOwn ? 'user' : 'other', `${each.command ?? ''} ${each.text}`.trim());
    }),
    ...ledger.answers.flatMap((each) => say(each, 'answer', each.answer, each.question)),
    ...ledger.refusals.flatMap((each) =>
      each.reason === null ? [] : say(each, 'refusal', each.reason, each.tried),
    ),
    ...ledger.notes.flatMap((each) => say(each, each.by === 'person' ? 'user' : 'agent', each.text, 'note')),
    ...[...ledger.checks, ...ledger.commands].flatMap((each) => [
      ...say(each, 'command', each.asRun),
      ...say(each, 'output', [...each.failingTests, each.error ?? ''].join('\n').trim(), each.asRun),
    ]),
  ];
}

export interface Recalled {
  found: RecallMatch[];
  /** Sessions whose transcript was read. */
  read: (string | null)[];
  /** Sessions whose transcript is gone: of them the ledger's words were looked through. */
  gone: (string | null)[];
}

/**
 * What was said in the sessions of a thread that holds the words. A line that is too long to be read whole is read without
 * its middle.
 *
 * @param readerOf gives the reader of the host that wrote the transcript of a session
 * @param findTranscript gives the path of a session's transcript where the ledger has none
 */
export function searchThread(
  readerOf: (session: string) => EntryReader,
  ledger: Ledger,
  findTranscript: (session: string) => string | null,
  words: readonly string[],
  limit: number,
): Recalled {
  const search = startSearch(words, limit);
  const read: (string | null)[] = [];
  const gone: (string | null)[] = [];
  for (const [index, { session_id: session, transcript: path }] of ledger.sessions.entries()) {
    const sayingsOf = startSayings();
    let line = 0;
    let segment = 0;
    const transcript = path ?? (session === null ? null : findTranscript(session));
    const reader = readerOf(session ?? '');
    const end =
      transcript === null
        ? null
        : visitLinesFrom(transcript, 0, (bytes, offset) => {
            line++;
            for (const entry of reader.readEntries(parseLine(bytes) ?? skimLine(bytes), offset)) {
              if (entry.kind === 'boundary') segment++;
              for (const said of sayingsOf(entry))
                search.add({ session, line, segment, time: entry.time, ...said });
            }
          });
    (end === null ? gone : read).push(session);
    // What a person notes in a shell of their own stands in no transcript.
    for (const saying of sayingsOfLedger(ledger, index))
      if (end === null || (saying.of === 'note' && saying.who === 'user')) search.add(saying);
  }
  return { found: search.result(), read, gone };
}
