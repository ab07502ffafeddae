// Which events does a hook leave behind? They follow from what it kept: from the same transitions, and after them.
import type { Assessment } from './assessment.ts';
import type { CheckpointDraft } from './checkpoint.ts';
import type { Alert, Conversation, ConversationPatch, Said } from './conversation.ts';
import { type Epoch, ownBoundaries } from './delivery.ts';
import type { TranscriptFacts } from './fill.ts';
import type { LogEvent } from './log-event.ts';
import { isAbove } from './tier.ts';

/** One thing that was kept. */
export type Done =
  | { conversation: string; patch: ConversationPatch }
  | { draft: CheckpointDraft; id: string };

/** What was seen of the conversation before anything was kept. */
export interface Sight {
  state: Conversation | null;
  said: Said | null;
  scan: { facts: TranscriptFacts } | null;
  epoch: Epoch;
  assessment: Assessment;
}

/** What a hook leaves behind for the audit. */
export interface Happening {
  conversation: string;
  /** What came: work begins a session, or goes on with one that has ended. */
  moment: 'prompt' | 'after-tool' | 'other';
  done: readonly Done[];
  sight: Sight;
  /** The setting session.abandon_on. */
  abandonOn: 'none' | 'emergency' | 'compaction';
}

/** The compactions that an alert brings to light: all since the last one that was told of. Usually there is one. */
function compactions(conversation: string, { state, scan, epoch }: Sight, newest: number): LogEvent[] {
  const first = state === null ? newest : Math.min(newest, state.epoch + 1);
  const boundaries = ownBoundaries(state, scan?.facts ?? null);
  return Array.from({ length: newest - first + 1 }, (_, index): LogEvent => {
    const number = first + index;
    // Its boundary, where the file shows it already; the newest one is usually announced only.
    const boundary = number > epoch.boundaries ? null : boundaries.at(number - epoch.boundaries - 1);
    const isNewest = number === newest;
    const fill = isNewest && !boundary ? (scan?.facts.usage?.tokens ?? state?.last_seen?.tokens) : null;
    return {
      type: 'CompactionDetected',
      id: `compaction:${conversation}:e${number}`,
      conversation,
      epoch: number,
      trigger: boundary?.trigger ?? (isNewest ? state?.pending?.trigger : null) ?? null,
      tokens: boundary?.preTokens ?? fill ?? null,
    };
  });
}

function ofAlert(conversation: string, alert: Alert, sight: Sight): LogEvent[] {
  const { epoch, checkpoint, channel, tries, status } = alert;
  const id = `alert:${conversation}:e${epoch}`;
  if (status !== 'leased')
    return [{ type: 'AlertDelivered', id: `${id}:settled`, conversation, epoch, checkpoint, status, tries }];
  const said = { conversation, epoch, checkpoint, channel };
  return tries > 1
    ? [{ type: 'AlertRepeated', id: `${id}:${tries}`, ...said, tries }]
    : [...compactions(conversation, sight, epoch), { type: 'AlertLeased', id: `${id}:1`, ...said }];
}

/** A tier that was reached for the first time in this epoch and window. */
function ofRise(conversation: string, { epoch, top, window }: Said, sight: Sight): LogEvent[] {
  if (!isAbove(top, sight.said?.top ?? 'NOMINAL')) return [];
  const { reading, window_fill: fill } = sight.assessment;
  return [
    {
      type: 'ContextThresholdReached',
      id: `tier:${conversation}:e${epoch}:w${window}:${top}`,
      conversation,
      tier: top,
      tokens: reading.tokens,
      window,
      fill: fill === null ? null : Number(fill.toFixed(4)),
      epoch,
    },
  ];
}

function ofPatch(conversation: string, patch: ConversationPatch, sight: Sight): LogEvent[] {
  const { said, alert, resumption } = patch;
  return [
    ...(said ? ofRise(conversation, said, sight) : []),
    ...(alert ? ofAlert(conversation, alert, sight) : []),
    ...(resumption && resumption.status !== 'leased'
      ? [
          {
            type: 'ResumptionDelivered',
            id: `resumption:${conversation}:${resumption.from}`,
            conversation,
            from: resumption.from,
            status: resumption.status,
            tries: resumption.tries,
          } as const,
        ]
      : []),
  ];
}

/** The events of what was kept for a conversation, in order. What it did to other conversations is theirs. */
export const eventsOf = (conversation: string, done: readonly Done[], sight: Sight): LogEvent[] =>
  done.flatMap((each): LogEvent[] => {
    if ('patch' in each)
      return each.conversation === conversation ? ofPatch(conversation, each.patch, sight) : [];
    const { trigger, conversation: of } = each.draft;
    const id = `checkpoint:${each.id}`;
    const checkpoint = { checkpoint: each.id, trigger: trigger.type, epoch: of.epoch };
    return [{ type: 'CheckpointCreated', id, conversation, ...checkpoint }];
  });

/** Whether what was kept may be an event at all: asked before any of this is loaded. */
export const isNews = (done: Done): boolean =>
  'id' in done || Boolean(done.patch.said ?? done.patch.alert ?? done.patch.resumption ?? done.patch.ended);
