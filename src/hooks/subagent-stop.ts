// A subagent has finished: is the main conversation told how to note what it did?
import { attempt } from '../model/attempt.ts';
import type { Event } from '../model/event.ts';
import type { Outcome } from '../model/outcome.ts';
import { redact } from '../model/redact.ts';
import { readConversation } from '../store/conversations.ts';
import type { Call } from './look.ts';

type SubagentStop = Extract<Event, { kind: 'subagent-stop' }>;

/** So much of an agent's last words is offered as its line. */
const LINE = 160;

/** Words here would go to the subagent and keep it running: the main conversation's next event says them. */
export function subagentStop(call: Call, event: SubagentStop): Outcome {
  const { agent, conversation, type } = event;
  if (agent === null || type === null || !call.resolved.settings['state.offer_agent_done']) return [];
  const state = attempt(call, 'state', () => readConversation(call.paths, conversation));
  if (state === null || state.off || state.workflow_file === null) return [];
  const first =
    redact(event.answer ?? '')
      .trim()
      .split('\n')[0]
      ?.slice(0, LINE) ?? '';
  const finished = {
    [agent]: { type, answer: first === '' ? null : first, at: new Date(call.now).toISOString() },
  };
  return [{ name: 'agent', keep: [{ do: 'patch-conversation', conversation, patch: { finished } }] }];
}
