// Adds the action that writes what a hook did to the event stream, after everything else has happened.

import type { SessionSnapshot } from '../context/context-status.ts';
import type { Action, AppliedEffect } from '../model/action.ts';
import type { HookContext } from './snapshot.ts';

/** Whether an applied effect may be an event at all; checked before anything more is loaded. */
const isNews = ({ effect, checkpoint }: AppliedEffect): boolean =>
  Boolean(checkpoint) ||
  effect.do === 'note-rise' ||
  (effect.do === 'note-looked' && effect.violations.length > 0) ||
  (effect.do === 'patch-conversation' &&
    Boolean(effect.patch.said ?? effect.patch.alert ?? effect.patch.resumption ?? effect.patch.ended));

/** The last action of every result; when the events cannot be written, nothing else is lost. */
export function auditPart(hook: HookContext, snapshot: SessionSnapshot): Action {
  const { kind, conversation } = hook.event;
  const moment = kind === 'prompt' || kind === 'after-tool' ? kind : 'other';
  const isBegin = moment !== 'other' && !snapshot.state?.session_open;
  const abandonOn = hook.resolved.settings['session.abandon_on'];
  return {
    name: 'events',
    afterReply: [
      ({ done }) =>
        isBegin || done.some(isNews)
          ? { do: 'append-events', conversation, moment, done, sight: snapshot, abandonOn }
          : null,
    ],
  };
}
