// Lists the changes that bring the hooks of a settings file to the wanted set.
import { findHookProgram, type Registration } from './hooks.ts';

export interface HookChange {
  kind: 'add' | 'change' | 'remove';
  event: string;
  /** What is different, in words for a person. */
  detail: string;
}

const keyOf = (each: Registration): string =>
  JSON.stringify([
    each.event,
    each.matcher ?? null,
    each.command,
    each.args ?? null,
    each.timeout,
    each.flaw ?? null,
  ]);

const named = (matcher: string | undefined): string => (matcher === undefined ? 'every' : `"${matcher}"`);

function difference(from: Registration, to: Registration): string {
  const parts: string[] = from.flaw === undefined ? [] : [`which ${from.flaw}`];
  if (from.matcher !== to.matcher) parts.push(`matcher ${named(from.matcher)} → ${named(to.matcher)}`);
  if (from.timeout !== to.timeout) parts.push(`at most ${from.timeout} s → ${to.timeout} s`);
  const [before, after] = [findHookProgram(from), findHookProgram(to)];
  for (const what of ['node', 'bundle'] as const) {
    const [old, now] = [before[what], after[what]];
    if (old !== null && now !== null && old !== now) parts.push(`${what} ${old} → ${now}`);
  }
  return parts.length > 0 ? parts.join(', ') : 'another form of the command';
}

/** The changes in the order of the wanted hooks, then what goes; none when the file holds exactly what is wanted. */
export function listHookChanges(
  installed: readonly Registration[],
  wanted: readonly Registration[],
): HookChange[] {
  const left = [...installed];
  const take = (fits: (each: Registration) => boolean): Registration | undefined => {
    const at = left.findIndex(fits);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  const changes = wanted.flatMap((want): HookChange[] => {
    if (take((each) => keyOf(each) === keyOf(want)) !== undefined) return [];
    const { event } = want;
    const old = take((each) => each.event === event);
    if (old !== undefined) return [{ kind: 'change', event, detail: difference(old, want) }];
    const matcher = want.matcher === undefined ? '' : `matcher "${want.matcher}", `;
    return [{ kind: 'add', event, detail: `${matcher}at most ${want.timeout} s` }];
  });
  const events = new Set(wanted.map((each) => each.event));
  return [
    ...changes,
    ...left.map(
      ({ event }): HookChange => ({
        kind: 'remove',
        event,
        detail: events.has(event) ? 'a second copy' : 'not asked for any more',
      }),
    ),
  ];
}

const MARKS = { add: '+', change: '~', remove: '-' };

/** One change as a line: `+ Stop, at most 5 s`. */
export const changeLine = ({ kind, event, detail }: HookChange): string =>
  `${MARKS[kind]} ${event}, ${detail}`;
