// Searches the transcripts of a thread of work, one line at a time: what is kept is as much as is told.

import type { EntryReader, TranscriptEntry } from '../hosts/entry.ts';
import { skimLine } from '../hosts/skim-line.io.ts';
import { parseLine, visitLinesFrom } from '../hosts/transcript.io.ts';
import type { Ledger } from './ledger/ledger.ts';
import { type RecallMatch, type Saying, startSearch } from './search-entries.ts';

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
 * @param reader of the host that wrote the transcripts
 * @param findTranscript gives the path of a session's transcript where the ledger has none
 */
export function searchThread(
  reader: EntryReader,
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
    if (end === null) for (const saying of sayingsOfLedger(ledger, index)) search.add(saying);
  }
  return { found: search.result(), read, gone };
}
