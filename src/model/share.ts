// What of our data may be shown to somebody else: without what people wrote, and without who they are?
import { isObject } from './json.ts';
import { redactDeep } from './redact.ts';

/** Fields in which the words of people, of the agent or of programs stand. */
const TEXT = new Set([
  'active',
  'agent_summaries',
  'answer',
  'command',
  'critical_context',
  'current_activity',
  'current_phase_name',
  'custom_instructions',
  'decisions_since_last_checkpoint',
  'defect_gates',
  'defect_patterns',
  'last_answer',
  'last_gate_primary_defect',
  'lowest_dimension',
  'next_action',
  'next_step',
  'note',
  'output',
  'phase_name',
  'requests',
  'subject',
  'summary',
  'unresolved_defects',
]);

/** Words become how many there were; figures and marks stay. */
function hidden(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? '' : `[text left out: ${value.length} characters]`;
  if (Array.isArray(value)) return value.map(hidden);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, each], index) => [keyOf(key, index), hidden(each)]))
    : value;
}
/** Keys of what is hidden may be words as well: names of patterns, of agents. */
const keyOf = (key: string, index: number): string => (/^[a-z_]{1,40}$/.test(key) ? key : `[${index}]`);

/** A plain value without what people wrote: their words are counted, not told. */
export function withoutText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutText);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, TEXT.has(key) ? hidden(each) : withoutText(each)]),
  );
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Names that are everybody's tell nothing, and are words of their own. */
const COMMON = /^(?:root|user|home|admin|node|dev|me|ubuntu|runner)?$/i;

/** The client's name for a folder, as it stands in the paths of transcripts. */
const slugOf = (folder: string): string => folder.replace(/[^A-Za-z0-9]/g, '-');

/**
 * Replaces home folders, also as the client writes them into names, and the name of the user by `~`, in every string.
 * @param homes all paths of the home folder: as it is named, and as it is
 */
export function anonymous(value: unknown, homes: readonly string[], user: string | null): unknown {
  const paths = homes.filter((home) => home.length > 1).sort((a, b) => b.length - a.length);
  const patterns = [
    ...paths.map((home) => new RegExp(`${escaped(home)}(?![\\w-]|\\.\\w)`, 'g')),
    ...paths.map((home) => new RegExp(`${escaped(slugOf(home))}(?![A-Za-z0-9])`, 'g')),
    ...(user === null || COMMON.test(user)
      ? []
      : [new RegExp(`(?<![A-Za-z0-9])${escaped(user)}(?![A-Za-z0-9])`, 'gi')]),
  ];
  const clean = (text: string): string => patterns.reduce((result, each) => result.replace(each, '~'), text);
  const walk = (each: unknown): unknown => {
    if (typeof each === 'string') return clean(each);
    if (Array.isArray(each)) return each.map(walk);
    return isObject(each)
      ? Object.fromEntries(Object.entries(each).map(([key, inner]) => [clean(key), walk(inner)]))
      : each;
  };
  return walk(value);
}

/** All of that at once, secrets first: what stands beside a secret's name must still stand there. */
export function shareable(
  value: unknown,
  options: { homes: readonly string[]; user: string | null; withText: boolean },
): unknown {
  const plain: unknown = JSON.parse(JSON.stringify(value));
  const safe = redactDeep(options.withText ? plain : withoutText(plain));
  return anonymous(safe, options.homes, options.user);
}
