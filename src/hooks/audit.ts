// Is there anything for the audit in what this hook did? It goes there last, when it is true.
import type { Done, Part } from '../model/outcome.ts';
import type { Call, Look } from './look.ts';

/** Whether something that was kept may be an event at all: asked before anything more is loaded. */
const isNews = ({ effect, checkpoint }: Done): boolean =>
  Boolean(checkpoint) ||
  effect.do === 'note-rise' ||
  (effect.do === 'note-looked' && effect.violations.length > 0) ||
  (effect.do === 'patch-conversation' &&
    Boolean(effect.patch.said ?? effect.patch.alert ?? effect.patch.resumption ?? effect.patch.ended));

/** The last part of every outcome; events that cannot be written cost nothing but themselves. */
export function auditPart(call: Call, seen: Look): Part {
  const { kind, conversation } = call.event;
  const moment = kind === 'prompt' || kind === 'after-tool' ? kind : 'other';
  const isBegin = moment !== 'other' && !seen.state?.session_open;
  const abandonOn = call.resolved.settings['session.abandon_on'];
  return {
    name: 'events',
    mark: [
      ({ done }) =>
        isBegin || done.some(isNews)
          ? { do: 'append-events', conversation, moment, done, sight: seen, abandonOn }
          : null,
    ],
  };
}
