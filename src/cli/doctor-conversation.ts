// Collects doctor's facts about one session: the hooks that ran in it, its compactions, its last alert and handoff.

import { claudeCode } from '../hosts/claude-code/index.ts';
import type { ConversationFacts } from '../hosts/claude-code/install/conversation-findings.ts';
import { transcriptOf } from '../hosts/claude-code/install/files.io.ts';
import type { Conversation } from '../model/conversation.ts';
import { tryOrNull } from '../model/try-step.ts';
import { exists, stampOf } from '../platform/look.ts';
import { readBeats } from '../store/beats.ts';
import { acknowledgementOf } from '../store/checkpoint-files.ts';
import { readConversation } from '../store/conversations.ts';
import { scanWhole } from '../store/transcript.ts';
import { newestHere } from './conversation.ts';
import { pluginRegistration } from './doctor-plugin.ts';
import type { Place } from './place.ts';
import type { ScopeSettings } from './settings-file.ts';

/** Finds the session that is meant: its id, and its transcript's path if any; null where there is no such session. */
function conversationMeant(
  place: Place,
  session: string | undefined,
): { id: string; path: string | null } | null {
  if (session === undefined) return tryOrNull(() => newestHere(place));
  const found = tryOrNull(() => transcriptOf(session, place.env));
  if (found !== null) return found;
  return exists(place.paths.conversation(session)) ? { id: session, path: null } : null;
}

const timeOf = (at: string | null | undefined): number | null => {
  const time = at == null ? Number.NaN : Date.parse(at);
  return Number.isNaN(time) ? null : time;
};

export function conversationFacts(
  place: Place,
  session: string | undefined,
  all: readonly ScopeSettings[],
): ConversationFacts | null {
  const meant = conversationMeant(place, session);
  if (meant === null) return null;
  const { id, path } = meant;
  const state: Conversation | null = tryOrNull(() => readConversation(place.paths, id));
  const facts = path === null ? null : (tryOrNull(() => scanWhole(path, claudeCode.facts))?.facts ?? null);
  const withHooks = all.filter((each) => each.installed.length > 0);
  // Compactions before a fork belong to another session.
  const own = (facts?.boundaries ?? []).filter((each) => (timeOf(each.at) ?? 0) >= (state?.forked_at ?? 0));
  const told = state?.alert?.checkpoint ?? null;
  const times = withHooks.map((each) => stampOf(each.path).mtimeMs);
  // Where settings hold our hooks, those of the plugin stay silent.
  const plugin = withHooks.length === 0 ? pluginRegistration(place, all) : null;
  return {
    id,
    transcript: path,
    isKnown: exists(place.paths.conversation(id)),
    off: state?.off ?? false,
    registered: plugin?.events ?? [
      ...new Set(withHooks.flatMap((each) => each.installed.map((hook) => hook.event))),
    ],
    registeredAt: plugin?.at ?? (times.length === 0 ? null : Math.max(...times)),
    beats: readBeats(place.paths, id),
    startedAt: timeOf(facts?.first?.at),
    answeredAt: timeOf(facts?.usage?.at),
    compactedAt: timeOf(own.at(-1)?.at),
    compactions: own.length,
    alert: state?.alert ?? null,
    evidence: told === null ? null : (acknowledgementOf(place.paths, told)?.evidence ?? null),
    resumption: state?.resumption ?? null,
  };
}
