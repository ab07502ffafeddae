// The actions when a subagent has finished: notes it for the main session, and records its unreported failed calls.

import { askAddons } from '../../addons/addon.ts';
import type { Event } from '../../hosts/host.ts';
import { tryStep } from '../../platform/project/try-step.ts';
import { readSessionState } from '../../sessions/session-states.io.ts';
import { redact } from '../../text/redact.ts';
import type { Action, HookResult } from '../action.ts';
import type { HookContext } from '../snapshot.io.ts';

type AgentEndEvent = Extract<Event, { kind: 'subagent-stop' }>;

/** The most characters of an agent's last words that are kept as its line. */
const LINE = 160;

/** Prints nothing, because that would go to the subagent and keep it running: the main session's next event reports it. */
export async function handleSubagentStop(hook: HookContext, event: AgentEndEvent): Promise<HookResult> {
  const { agent, conversation, type } = event;
  if (agent === null || type === null) return [];
  const state = tryStep(hook, 'state', () => readSessionState(hook.paths, conversation));
  if (state === null || state.off) return [];
  const { settings } = hook.resolved;
  const wrote = event.wrote === null ? null : { path: event.wrote, agent: { id: agent, type } };
  const missed = (await askAddons(hook, (addon) => addon.atSubagentStop?.(hook, state, wrote))).flat();
  const happening = {
    conversation,
    moment: 'other',
    done: [],
    snapshot: null,
    agent: { id: agent, type },
  } as const;
  const audit: Action = {
    name: 'events',
    afterReply: [{ do: 'append-events', ...happening, abandonOn: settings['session.abandon_on'] }],
  };
  if (state.workflow_file === null || !settings['state.offer_agent_done']) return [...missed, audit];
  const first =
    redact(event.answer ?? '')
      .trim()
      .split('\n')[0]
      ?.slice(0, LINE) ?? '';
  const finished = {
    [agent]: {
      type: redact(type),
      answer: first === '' ? null : first,
      at: new Date(hook.now).toISOString(),
    },
  };
  const part: Action = {
    name: 'agent',
    effects: [{ do: 'patch-conversation', conversation, patch: { finished_subagents: finished } }],
  };
  return [part, ...missed, audit];
}
