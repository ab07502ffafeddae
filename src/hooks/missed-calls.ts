// Records tool calls that failed without a hook being told of them.
import { failedCalls } from '../hosts/claude-code/failed-calls.ts';
import { agentSigns } from '../hosts/claude-code/tool-runs.ts';
import type { Conversation } from '../model/conversation.ts';
import type { Keep, Kept, Part } from '../model/outcome.ts';
import { timeText } from '../model/tracks/entry.ts';
import { readLines } from '../store/transcript.ts';
import type { Call } from './look.ts';
import { notedTo, type Stretch, type Written } from './missed.ts';
import { runKeeps } from './run-keeps.ts';

/** Bytes read before the stretch, to find the requests of the calls whose results stand in it. */
const BEFORE = 1024 * 1024;

/** Records failed calls as `capture` would have, with their own times, each once: the state notes how far that was done. */
export function missedCalls(
  call: Call,
  state: Conversation | null,
  written: Written,
  { from, begin, since }: Stretch,
  track: string,
): Part[] {
  const { conversation } = call.event;
  const { root } = call.paths;
  const { transcript, agent, end } = written;
  const who = agent?.id ?? 'main';
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
        isLeased: (newest) => notedTo(newest, agent) > from,
      },
      // Recorded rather not at all than twice: the state is patched first.
      keep: [
        patch,
        ...keeps.map(
          (keep) => (kept: Kept) => (kept.done.some(({ effect }) => effect === patch) ? keep : null),
        ),
      ],
    },
  ];
}
