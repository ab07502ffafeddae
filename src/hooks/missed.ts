// May there be failed calls of which no hook was told? A client that has only PostToolUse for us says nothing of them.
import type { Conversation } from '../model/conversation.ts';
import { readBeats } from '../store/beats.ts';
import { holdsAll } from '../store/transcript.ts';
import { offsetAfter } from '../store/transcript-since.ts';
import type { Call } from './look.ts';

/** So much of a transcript is looked at the most, in bytes: the end of the turn. */
const MOST = 8 * 1024 * 1024;

/** What has been written of a conversation, or of one of its subagents. */
export interface Written {
  transcript: string;
  /** In bytes. */
  end: number;
  /** Where the last turn ended that was looked at, in bytes. */
  from: number;
  agent: { id: string; type: string } | null;
}

/** Where they stand if there are any. */
export interface Stretch {
  /** Up to here calls have been noted or looked at, in bytes; of what comes behind it nothing is known. */
  from: number;
  /** Where what has to be read begins: at `from` or behind it. */
  begin: number;
  /** Only calls asked for after it are missed, an ISO time; '' for all. */
  since: string;
}

/**
 * When a hook that is told of failed calls ran last, as an ISO time; '' where none ever did. It runs after a call was asked
 * for, so that what was asked for before it was told of.
 */
const lastTold = ({ paths, event }: Call): string =>
  readBeats(paths, event.conversation).find(({ name }) => /^PostTool(?:Batch|UseFailure)$/.test(name))?.at ??
  '';

/** Up to where calls are noted, in bytes. */
export const notedTo = (state: Conversation | null, agent: Written['agent']): number =>
  state?.calls_noted[agent?.id ?? 'main'] ?? 0;

/** Null where no call has failed: most turns have none, and then nothing is parsed. */
export function missedStretch(call: Call, state: Conversation | null, written: Written): Stretch | null {
  const { transcript, agent, end } = written;
  const from = Math.max(written.from, notedTo(state, agent));
  // What happened before we first saw the conversation is another one's (a fork), or nobody's.
  const since = [state?.started ?? '', lastTold(call)].sort().at(-1) ?? '';
  const after = offsetAfter(transcript, agent === null ? since : '', { from, to: end });
  const begin = Math.max(after, end - MOST);
  const isAny = holdsAll(transcript, ['"is_error":true'], end, Math.max(0, end - begin));
  return isAny ? { from, begin, since } : null;
}
