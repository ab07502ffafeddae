// The fast path of prompts and tools: answers with the minimal line or nothing, and loads the full path when needed.

import {
  type Announcement,
  decideAnnouncement,
  mayRiseNext,
  needsShortLineOnly,
} from '../context/announcement.ts';
import type { SessionSnapshot } from '../context/context-status.ts';
import { minimalMonitor } from '../context/short-monitor.ts';
import type { MainEvent } from '../hosts/event.ts';
import { tryStep } from '../platform/project/try-step.ts';
import { readCurrent } from '../sessions/session-state-file.io.ts';
import { isCurrent } from './is-current.io.ts';
import { type FastContext, hasNothingToSave, snapshotFromState, withRules } from './snapshot.io.ts';

type MainHook = FastContext & { event: MainEvent };

/** Whether a tool call has left something for an add-on, which `handleEvent` then asks. */
const isForAddon = async (hook: FastContext): Promise<boolean> =>
  hook.event.kind === 'after-tool' &&
  hook.resolved.addons.length > 0 &&
  (await import('../addons/at-tools.io.ts')).isDueAfterTool(hook);

/** Whether nothing but the short line can be due, even once the client has written the answer that called the tool. */
const isShort = (hook: MainHook, snapshot: SessionSnapshot, announcement: Announcement): boolean =>
  needsShortLineOnly(announcement) &&
  (hook.event.kind === 'prompt' || !mayRiseNext(snapshot) || isCurrent(hook, snapshot));

/** Answers a prompt or a tool, and tells whether the fast path was enough, and what was announced. */
export async function takeFastPath(
  hook: MainHook,
  name: string,
  isNew: boolean,
  print: (text: string) => void,
): Promise<{ isFast: boolean; announcement: Announcement | null }> {
  const state = tryStep(hook, 'state', () => readCurrent(hook.paths, hook.event.conversation));
  const snapshot = state === null ? null : snapshotFromState(hook, state);
  if (snapshot !== null && !isNew && hasNothingToSave(hook, snapshot)) {
    const announcement = decideAnnouncement(snapshot, hook.event, hook.resolved.settings);
    if (isShort(hook, snapshot, announcement) && !(await isForAddon(hook))) {
      const line = announcement.said === null ? null : minimalMonitor(snapshot.assessment);
      const reply = hook.host.formatReply(name, {
        context: withRules(hook, line),
        person: [],
        blockStop: null,
      });
      if (reply) print(reply);
      return { isFast: true, announcement };
    }
  }
  const { handleEvent } = await import('./full.io.ts');
  return { isFast: false, announcement: await handleEvent(hook, snapshot, name, isNew, print) };
}
