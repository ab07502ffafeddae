// Reads from a ledger what it still knows of a session whose transcript is gone.
import type { Ledger } from '../compaction/ledger.ts';
import type { Saying } from './search.ts';

/** The words, answers, refusals, notes and commands of one session of the thread, by its place in the ledger. */
export function sayingsOfLedger(ledger: Ledger, session: number): Saying[] {
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
