// Records tool calls that failed without a hook being told of them.
import type { Action, Effect, EffectResults } from '../../../hook/action.ts';
import type { HookContext } from '../../../hook/snapshot.io.ts';
import { readLines } from '../../../hosts/transcript.io.ts';
import type { SessionState } from '../../../sessions/session-state.ts';
import { timeText } from '../entries/entry.ts';
import { buildToolRunEffects } from './tool-run-effects.io.ts';
import { notedTo, type UnreportedRange, type Written } from './unreported-range.io.ts';

/** Bytes read before the stretch, to find the requests of the calls whose results stand in it. */
const BEFORE = 1024 * 1024;

/** Records failed calls as `capture` would have, with their own times, each once: the state notes how far that was done. */
export function findUnreportedFailures(
  hook: HookContext,
  state: SessionState | null,
  written: Written,
  { from, begin, since }: UnreportedRange,
  track: string,
): Action[] {
  const { conversation } = hook.event;
  const { root } = hook.paths;
  const { transcript, agent, end } = written;
  const who = agent?.id ?? 'main';
  const { skip, find } = hook.host.failures;
  const { lines } = readLines(transcript, { from: begin, to: end }, skip);
  const before = readLines(transcript, { from: 0, to: begin, cap: BEFORE }, skip).lines;
  const endedAt = agent === null ? (state?.last_stop?.at ?? '') : '';
  const made = find(lines, { before, endedAt, isAgents: agent !== null })
    .filter(({ calledAt }) => since === '' || calledAt > since)
    .map(({ run, at }) => ({ run, at: timeText(Date.parse(at) || hook.now) }));
  if (root === null || made.length === 0) return [];
  const signs = agent === null ? null : hook.host.agentSigns(agent.type, agent.id);
  const keeps = buildToolRunEffects(hook, { root, conversation, track, agent: signs, isLate: true }, made);
  const patch: Effect = {
    do: 'patch-conversation',
    conversation,
    patch: { logged_tool_call_offsets: { [who]: end } },
  };
  return [
    {
      name: 'missed calls',
      claim: {
        name: `${conversation}-missed-${who}-${from}`,
        isLeased: (newest) => notedTo(newest, agent) > from,
      },
      // Recorded rather not at all than twice: the state is patched first.
      effects: [
        patch,
        ...keeps.map(
          (keep) => (kept: EffectResults) => (kept.done.some(({ effect }) => effect === patch) ? keep : null),
        ),
      ],
    },
  ];
}
