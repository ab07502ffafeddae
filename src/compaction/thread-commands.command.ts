// Runs `plimsoll recall` and `plimsoll note`: searches a thread of work, and adds to what must not be forgotten of it.

import { formatCount, type Output, stripControls, toJson } from '../cli/output.io.ts';
import type { ProjectContext } from '../cli/project.io.ts';
import { locateTranscript } from '../hosts/registry.io.ts';
import { findOwnSession, openThreads, readSessionReport } from '../sessions/commands/find-session.io.ts';
import { shortenId } from '../text/lines.ts';
import { PlimsollError } from '../text/plimsoll-error.ts';
import { redact } from '../text/redact.ts';
import { keepNote, readStanding } from './checkpoint/checkpoint-create.command.ts';
import { nameSessions, predecessorOf, readCurrentThread } from './ledger/thread.io.ts';
import { foldText, type RecallMatch, searchThread } from './search-thread.io.ts';

// Runs `plimsoll note TEXT`: keeps the text in the ledger, which tells it after a compaction and in the next session.
export interface ThreadNoteOptions {
  session?: string;
  json?: boolean;
}

/** Keeps a text for the named session, else the one in whose shell this runs, else the newest of this project. */
export function noteInThread(
  place: ProjectContext,
  text: string | undefined,
  options: ThreadNoteOptions,
  output: Output,
): void {
  const words = text?.trim() ?? '';
  if (words === '')
    throw new PlimsollError('usage', 'Nothing to note', {
      hint: 'plimsoll note "port 4711 is taken by the old server"; a track has "plimsoll note decision …"',
    });
  const standing = readStanding(place, options);
  const faults: string[] = [];
  keepNote(place, standing, words, (part, error) => {
    faults.push(`${part}: ${error instanceof Error ? error.message : String(error)}`);
  });
  if (faults.length > 0)
    throw new PlimsollError('failed', `Nothing was noted. ${faults.join('; ')}`, { hint: 'plimsoll doctor' });
  if (options.json) output.print(toJson({ session_id: standing.id, text: words }));
  else
    output.print(
      `Noted for session ${standing.id}: ${stripControls(words)}\nIt comes back after a compaction, and in the next session.`,
    );
}

/** What is looked through for secrets around the place: half of one no longer looks like one. */
const LOOKED_AT = 4_096;
const BEFORE = 120;
const LENGTH = 360;

/** One line of the text around a place; `words` are found again where a secret in front of them was taken out. */
function excerptAround(text: string, at: number, words: readonly string[]): string {
  const from = Math.max(0, at - LOOKED_AT);
  const to = Math.min(text.length, at + LOOKED_AT);
  const plain = redact(text.slice(from, to)).replace(/\s+/g, ' ');
  const folded = foldText(plain);
  const places = words.map((word) => folded.indexOf(foldText(word))).filter((place) => place >= 0);
  const place = places.length === 0 ? Math.min(at - from, plain.length) : Math.min(...places);
  const begin = Math.max(0, place - BEFORE);
  const end = Math.min(plain.length, begin + LENGTH);
  const head = begin > 0 || from > 0 ? '…' : '';
  const tail = end < plain.length || to < text.length ? '…' : '';
  return `${head}${plain
    .slice(begin, end)
    .replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
    .trim()}${tail}`;
}

export interface RecallOptions {
  session?: string;
  limit?: string;
  json?: boolean;
}

const LIMIT = 10;

const WHO: Record<RecallMatch['who'], string> = {
  user: 'the user',
  other: 'not the user',
  agent: 'the agent',
  command: 'command',
  output: 'output',
  answer: "the user's answer",
  refusal: 'the user, on refusing',
};

function limitOf(given: string | undefined): number {
  if (given === undefined) return LIMIT;
  if (/^[1-9]\d{0,2}$/.test(given)) return Number(given);
  throw new PlimsollError('usage', `--limit "${given}" is no number from 1 to 999`, {
    hint: 'plimsoll recall WORDS --limit 5',
  });
}

const OF_CHARACTERS = 80;

export function recall(
  place: ProjectContext,
  given: readonly string[],
  options: RecallOptions,
  output: Output,
): void {
  const limit = limitOf(options.limit);
  const words = given.flatMap((each) => each.trim().split(/\s+/)).filter((word) => word !== '');
  if (words.length === 0)
    throw new PlimsollError('usage', 'Nothing to look for', { hint: 'plimsoll recall WORDS' });
  const named = options.session ?? findOwnSession(place);
  const { id: newest, transcript } = readSessionReport(place, named === undefined ? {} : { session: named });
  const threads = openThreads(place);
  const { ledger } = readCurrentThread(threads, newest, transcript);
  const findTranscript = (session: string): string | null =>
    locateTranscript(session, place.env)?.path ?? null;
  const sessions = nameSessions(place.paths, ledger);
  const { found, read, gone } = searchThread(
    threads.readerOf,
    { ...ledger, sessions },
    findTranscript,
    words,
    limit,
  );
  const told = found.map((each) => ({
    ...each,
    of: each.of === null ? null : excerptAround(each.of.slice(0, OF_CHARACTERS * 4), 0, []),
    excerpt: excerptAround(each.text, each.at, words),
  }));
  if (options.json) {
    const all = told.map(({ session, line, time, segment, who, of, excerpt, words: held }) => ({
      session,
      line,
      time,
      compactions_before: segment,
      who,
      of,
      words: held,
      text: excerpt,
    }));
    output.print(toJson({ words, sessions: read, gone, found: all }));
    return;
  }
  const lost = `; of ${formatCount(gone.length, 'more session')} only the ledger, their transcripts are gone`;
  const where = `${formatCount(read.length, 'session')} of this work${gone.length > 0 ? lost : ''}`;
  if (told.length === 0) {
    const before = predecessorOf(place.paths, newest);
    const isOther = before?.isPointer && !sessions.some(({ session_id: id }) => id === before.id);
    const other = isOther ? ` Of the session before: plimsoll recall WORDS --session ${before.id}` : '';
    output.print(`Nothing holds ${words.map((word) => `"${word}"`).join(' or ')} in ${where}.${other}`);
    return;
  }
  const texts = told.map(({ session, line, time, who, of, excerpt }) => {
    const at = time === null ? '' : `${time.slice(0, 16).replace('T', ' ')}Z  `;
    const inSession =
      session === newest ? '' : session === null ? 'an earlier session, ' : `session ${shortenId(session)}, `;
    const about = of === null ? '' : ` (${of.slice(0, OF_CHARACTERS)})`;
    return `${at}${inSession}${line === null ? 'ledger' : `line ${line}`}  ${WHO[who]}${about}\n  ${excerpt}`;
  });
  output.print([...texts, '', `Looked through ${where}.`].join('\n'));
}
