// Which calls have failed without a hook being told? A client that has only PostToolUse for us says nothing of them.
import { failedCalls } from '../agents/claude-code-failed-calls.ts';
import { agentSigns } from '../agents/claude-code-tool-runs.ts';
import type { Conversation } from '../model/conversation.ts';
import type { Keep, Kept, Part } from '../model/outcome.ts';
import { timeText } from '../model/tracks/entry.ts';
import { readBeats } from '../store/beats.ts';
import { holdsAll, readLines } from '../store/transcript.ts';
import { offsetAfter } from '../store/transcript-since.ts';
import type { Call } from './look.ts';
import { runKeeps } from './run-keeps.ts';

/** So much of a transcript is read at the most, in bytes: the end of the turn. */
const MOST = 8 * 1024 * 1024;
/** So far before what has not been looked at yet it is looked for what was asked for there, in bytes. */
const BEFORE = 1024 * 1024;

/** What has been written of a conversation, or of one of its subagents. */
export interface Written {
  transcript: string;
  /** In bytes. */
  end: number;
  /** Where the last turn ended that was looked at, in bytes. */
  from: number;
  agent: { id: string; type: string } | null;
}

/**
 * When a hook that is told of failed calls ran last, as an ISO time; '' where none ever did. It runs after a call was asked
 * for, so that what was asked for before it was told of.
 */
const lastTold = ({ paths, event }: Call): string =>
  readBeats(paths, event.conversation).find(({ name }) => /^PostTool(?:Batch|UseFailure)$/.test(name))?.at ??
  '';

/** Notes failed calls as capturing would have, with their own times, each once: the state says up to where that was done. */
export function missedCalls(call: Call, state: Conversation | null, written: Written, track: string): Part[] {
  const { conversation } = call.event;
  const { root } = call.paths;
  const { transcript, agent, end } = written;
  const who = agent?.id ?? 'main';
  const notedTo = (newest: Conversation | null): number => newest?.calls_noted[who] ?? 0;
  const from = Math.max(written.from, notedTo(state));
  // What happened before we first saw the conversation is another one's (a fork), or nobody's.
  const since = [state?.started ?? '', lastTold(call)].sort().at(-1) ?? '';
  const begin = Math.max(offsetAfter(transcript, agent === null ? since : '', { from, to: end }), end - MOST);
  // Most turns have none; to look at the bytes costs next to nothing, to parse the lines of a long turn does.
  if (!holdsAll(transcript, ['"is_error":true'], end, Math.max(0, end - begin))) return [];
  const { lines } = readLines(transcript, { from: begin, to: end });
  const before = readLines(transcript, { from: 0, to: begin, cap: BEFORE }).lines;
  const endedAt = agent === null ? (state?.stopped?.at ?? '') : '';
  const made = failedCalls(lines, { before, endedAt, isAgents: agent !== null })
    .filter(({ calledAt }) => since === '' || calledAt > since)
    .map(({ run, at }) => ({ run, at: timeText(Date.parse(at) || call.now) }));
  if (root === null || made.length === 0) return [];
  const signs = agent === null ? null : agentSigns(agent.type, agent.id);
  const keeps = runKeeps(call, { root, conversation, track, agent: signs, isLate: true }, made);
  const patch: Keep = { do: 'patch-conversation', conversation, patch: { calls_noted: { [who]: end } } };
  return [
    {
      name: 'missed calls',
      claim: {
        name: `${conversation}-missed-${who}-${from}`,
        isLeased: (newest) => notedTo(newest) > from,
      },
      // Rather not at all than twice: first it is remembered.
      keep: [
        patch,
        ...keeps.map(
          (keep) => (kept: Kept) => (kept.done.some(({ effect }) => effect === patch) ? keep : null),
        ),
      ],
    },
  ];
}
