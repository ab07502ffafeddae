// Searches the transcripts of a thread of work, one line at a time: what is kept is as much as is told.
import type { Ledger } from '../compaction/ledger.ts';
import type { EntryReader } from '../hosts/entry.ts';
import { skimLine } from '../store/skim-line.ts';
import { parseLine, visitLinesFrom } from '../store/transcript.ts';
import { sayingsOfLedger } from './ledger-sayings.ts';
import { startSayings } from './read-sayings.ts';
import { type Finding, startSearch } from './search.ts';

export interface Recalled {
  found: Finding[];
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
  for (const [index, { session_id: session, transcript_path: path }] of ledger.sessions.entries()) {
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
