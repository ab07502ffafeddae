// Reads what a transcript line records of a hook run: what it said, or that it was cut off, timed out or failed.
import { isObject, type JsonObject } from '../../../text/json.ts';

export interface HookTrace {
  /**
   * `said`: words that reached the model. `cut`: they were too long, and the client gave the model a file's name instead.
   * `timeout`: it ran out of its time, and what it said is lost. `cancelled`: it was broken off, the client does not say
   * why (Esc does it too). `failed`: its answer was not understood, or it ended with an error.
   */
  kind: 'said' | 'cut' | 'timeout' | 'cancelled' | 'failed';
  /** The event, without the name of a tool. */
  event: string;
  /** ISO time written by the client, or null. */
  at: string | null;
  /** Whether it was one of our hooks; null where the client does not say. */
  isOurs: boolean | null;
  /** The words, or what was wrong; '' where nothing is told. */
  text: string;
}

/** What Plimsoll may say, each in a tag of its own. */
export const OUR_TAGS = [
  'context-monitor',
  'compaction-alert',
  'resumption-context',
  'project-context',
  'quality-context',
  'quality-reinforcement',
] as const;
export type OurTag = (typeof OUR_TAGS)[number];

const TAGGED = new RegExp(`<(${OUR_TAGS.join('|')})>[\\s\\S]*?(?:</\\1>|$)`, 'g');

/** The parts of a hook's words that stand in our tags, with the tag of each. */
export const splitTagged = (text: string): { tag: OurTag; text: string }[] =>
  [...text.matchAll(TAGGED)].map((found) => ({ tag: found[1] as OurTag, text: found[0] }));

/** How the client begins what stands for words that were too long. */
const PERSISTED = '<persisted-output>';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function ownerOf(command: unknown): boolean | null {
  return typeof command === 'string' ? /plimsoll/i.test(command) && /hook\.cjs/.test(command) : null;
}

/** What the attachments of a hook come to; null for those that say nothing that matters here. */
export function readHookTrace(line: unknown): HookTrace | null {
  if (
    !isObject(line) ||
    line.type !== 'attachment' ||
    line.isSidechain === true ||
    line.agentId !== undefined
  )
    return null;
  const attachment: JsonObject | null = isObject(line.attachment) ? line.attachment : null;
  if (attachment === null) return null;
  const event = text(attachment.hookEvent) || (text(attachment.hookName).split(':')[0] ?? '');
  const base = { event, at: text(line.timestamp) || null, isOurs: ownerOf(attachment.command) };
  switch (attachment.type) {
    case 'hook_additional_context':
    case 'hook_success': {
      const parts = Array.isArray(attachment.content) ? attachment.content : [attachment.content];
      const said = parts.filter((part): part is string => typeof part === 'string' && part !== '').join('\n');
      if (said === '') return null;
      const isCut = said.includes(PERSISTED);
      // Plain words of a hook are none of ours, which speak JSON.
      if (attachment.type === 'hook_success' && !isCut) return null;
      const isOurs = splitTagged(said).length > 0 || base.isOurs === true;
      return { ...base, kind: isCut ? 'cut' : 'said', isOurs, text: said };
    }
    case 'hook_cancelled':
      return { ...base, kind: attachment.timedOut === true ? 'timeout' : 'cancelled', text: '' };
    case 'hook_non_blocking_error':
      return { ...base, kind: 'failed', text: text(attachment.stderr).split('\n')[0] ?? '' };
    case 'hook_error_during_execution':
      return { ...base, kind: 'failed', text: text(attachment.content).split('\n')[0] ?? '' };
    case 'hook_blocking_error': {
      const detail = isObject(attachment.blockingError) ? attachment.blockingError : {};
      return {
        ...base,
        kind: 'failed',
        isOurs: ownerOf(detail.command),
        text: text(detail.blockingError).split('\n')[0] ?? '',
      };
    }
    default:
      return null;
  }
}
