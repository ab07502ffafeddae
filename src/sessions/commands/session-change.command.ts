// Runs `plimsoll session start`, `end` and `abandon`: begins, completes or abandons a thread of work.

import { type Output, toJson } from '../../cli/output.io.ts';
import type { ProjectContext } from '../../cli/project.io.ts';
import { formatAge } from '../../text/ago.ts';
import { PlimsollError } from '../../text/plimsoll-error.ts';
import { redactOneLine } from '../log-event.ts';
import { patchSessionState, readUsableState } from '../session-states.io.ts';
import { beginSession, endSession } from '../work-sessions.io.ts';
import {
  findPresentSession,
  readThreadLog,
  requireThreadLog,
  type ThreadLog,
} from './find-work-session.io.ts';

export interface StartOptions {
  session?: string;
  json?: boolean;
}

export interface EndOptions {
  reason?: string;
  json?: boolean;
}

const sinceOf = (place: ProjectContext, at: string | null): string =>
  at === null ? '' : formatAge((place.now - Date.parse(at)) / 1000);

/** Begins a thread in a session whose last one has ended. */
export function startThread(place: ProjectContext, options: StartOptions, output: Output): void {
  const { paths, now } = place;
  const id = options.session ?? findPresentSession(place);
  const own = id === null ? null : readUsableState(paths, id);
  if (own === null) {
    throw new PlimsollError(
      'not-found',
      id === null
        ? 'No session of Claude Code was found here'
        : `Nothing is known of session "${id}" in this project`,
      {
        hint: 'the first prompt of a session begins its thread; plimsoll doctor shows whether the hooks run',
      },
    );
  }
  const present = own.session === null ? null : readThreadLog(place, own.session);
  if (present?.session.status === 'active') {
    throw new PlimsollError(
      'conflict',
      `Thread ${present.session.id} goes on since ${sinceOf(place, present.session.started)}`,
      {
        hint: 'plimsoll session end, or plimsoll session abandon --reason "why", ends it first',
      },
    );
  }
  const begun = beginSession(paths, own, { moment: 'start', isBare: false, rest: () => [], now });
  if (begun === null) throw new Error('no session began');
  patchSessionState(paths, own.session_id, { session: begun.stream, session_open: begun.isOpen });
  output.print(
    options.json
      ? toJson({ thread: begun.stream, session: own.session_id, status: 'active' })
      : `Thread ${begun.stream} has begun in session ${own.session_id}.`,
  );
}

function ended(place: ProjectContext, { session }: ThreadLog): PlimsollError {
  const { id, status, reason } = session;
  return new PlimsollError(
    'conflict',
    `Thread ${id} is ${status} already, ${sinceOf(place, session.ended)}${reason === null ? '' : `: ${reason}`}`,
    { hint: 'plimsoll session list shows which go on; plimsoll session start begins another one' },
  );
}

/** Ends a thread as completed, or as abandoned for a reason. Work that follows belongs to another one. */
function end(
  type: 'SessionCompleted' | 'SessionAbandoned',
  place: ProjectContext,
  given: string | undefined,
  options: EndOptions & { reason: string },
  output: Output,
): void {
  const log = requireThreadLog(place, given);
  const reason = redactOneLine(options.reason);
  const conversation = findPresentSession(place);
  const isOne = conversation !== null && log.session.conversations.includes(conversation);
  const event = { type, conversation: isOne ? conversation : null, reason, cause: 'person' } as const;
  const before = endSession(place.paths, log.session.id, event, place.now);
  if (before?.status !== 'active') throw ended(place, before === null ? log : { ...log, session: before });
  const status = type === 'SessionCompleted' ? 'completed' : 'abandoned';
  output.print(
    options.json
      ? toJson({ thread: log.session.id, status, reason })
      : `Thread ${log.session.id} is ${status}: ${reason}. The next prompt begins another one.`,
  );
}

export const completeThread = (
  place: ProjectContext,
  id: string | undefined,
  options: EndOptions,
  output: Output,
): void =>
  end(
    'SessionCompleted',
    place,
    id,
    { ...options, reason: options.reason?.trim() || 'ended by hand' },
    output,
  );

export function abandonThread(
  place: ProjectContext,
  id: string | undefined,
  options: EndOptions,
  output: Output,
): void {
  const reason = options.reason?.trim();
  if (!reason) {
    throw new PlimsollError('usage', 'No reason is given', {
      hint: 'plimsoll session abandon --reason "the plan has changed"',
    });
  }
  end('SessionAbandoned', place, id, { ...options, reason }, output);
}
