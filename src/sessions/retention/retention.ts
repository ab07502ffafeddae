// Decides what in the state folder is no longer needed and may be removed, with a reason for each.

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** How old things must be to go, in ms. */
export const AGES = {
  checkpoint: 30 * DAY,
  session: 90 * DAY,
  claim: DAY,
  temporary: HOUR,
  lock: HOUR,
} as const;

/** Whether a session goes on, as far as disk can tell. */
export interface Liveness {
  /** The session's end came, and nothing since. */
  ended: boolean;
  /** Last sign of life in ms: a change of its files, now where its process runs; null where there is no file. */
  touched: number | null;
}

export interface StoredCheckpoint {
  /** `newer`: a newer version wrote it; `unreadable`: the system does not let us. */
  state: 'ok' | 'damaged' | 'newer' | 'unreadable';
  /** When it was written, in ms. */
  at: number;
  isAcknowledged: boolean;
  /** Of its session; null where it does not say whose it is. */
  life: Liveness | null;
}

export interface Leftover {
  /** `marker`: an acknowledgement whose checkpoint is gone; its name is the checkpoint's id. */
  kind: 'claim' | 'temporary' | 'lock' | 'marker';
  name: string;
  /** Last change in ms. */
  at: number;
  /** For a lock: whether the process that took it runs. */
  isOwnerAlive?: boolean;
}

/** What lies in the state folder. */
export interface StateInventory {
  /** Ids of all checkpoints, oldest first. */
  ids: readonly string[];
  /** What is known of those that were looked at. */
  checkpoints: Readonly<Record<string, StoredCheckpoint>>;
  /** The folder of the session of each checkpoint that was looked at for it; null where the checkpoint does not say. */
  owners: Readonly<Record<string, string | null>>;
  /** Folders of sessions. `isReadable`: whether this version can read the state in it; `touched`: the last sign of life in ms. */
  sessions: readonly { folder: string; isReadable: boolean; touched: number }[];
  /** Files that may be the work's; `source` is null where it cannot be read, `status` where it is not understood. */
  workflows: readonly { path: string; source: string | null; status: string | null }[];
  leftovers: readonly Leftover[];
}

export interface RetentionDecision {
  kind: 'checkpoint' | 'session' | Leftover['kind'];
  /** Id of a checkpoint or marker; path of anything else. */
  name: string;
  goes: boolean;
  reason: string;
}

type Judgement = Pick<RetentionDecision, 'goes' | 'reason'>;
const stays = (reason: string): Judgement => ({ goes: false, reason });
const goes = (reason: string): Judgement => ({ goes: true, reason });

/** The checkpoints that may go at all, oldest first: all but so many of the newest. */
export const listOutsideNewest = (ids: readonly string[], keep: number): readonly string[] =>
  ids.slice(0, Math.max(0, ids.length - Math.max(1, keep)));

/** How it is known that a session is over, or null while it may go on. */
function whyOver(life: Liveness, now: number): string | null {
  if (life.ended) return 'its session has ended';
  if (life.touched === null) return 'its session is gone';
  return now - life.touched > AGES.checkpoint ? 'its session was not touched for 30 days' : null;
}

/** Says of an id which workflow needs it, or null. A status that is not understood counts as active. */
function linksOf(workflows: StateInventory['workflows']): (id: string) => string | null {
  const active = workflows.filter(({ status }) => status === null || /^active$/i.test(status));
  return (id) => {
    const name = new RegExp(`(?<![\\w-])${id}(?!\\d)`);
    const found = active.find(({ source }) => source === null || name.test(source));
    if (found === undefined) return null;
    return found.source === null
      ? `"${found.path}" cannot be read and may name it`
      : `the active workflow of "${found.path}" names it`;
  };
}

function judgeCheckpoint(found: StoredCheckpoint | undefined, link: string | null, now: number): Judgement {
  if (found === undefined) return stays('not looked at in this run');
  if (link !== null) return stays(link);
  if (found.state === 'newer') return stays('a newer version of Plimsoll wrote it');
  if (found.state === 'unreadable') return stays('it cannot be read');
  const isOld = now - found.at > AGES.checkpoint;
  if (found.state === 'damaged' || found.life === null)
    return isOld ? goes('damaged, and older than 30 days') : stays('damaged, but younger than 30 days');
  const over = whyOver(found.life, now);
  if (over === null) return stays('its session may go on');
  if (found.isAcknowledged) return goes(`${over}, and the agent was told of it`);
  return isOld
    ? goes(`${over}, and it is older than 30 days`)
    : stays('the agent was not told of it, and it is younger than 30 days');
}

function judgeLeftover(each: Leftover, highest: string | undefined, now: number): Judgement {
  const isOld = each.kind !== 'marker' && now - each.at > AGES[each.kind];
  switch (each.kind) {
    case 'claim':
      return isOld ? goes('older than 24 hours') : stays('younger than 24 hours');
    case 'temporary':
      return isOld ? goes('left by a process that died') : stays('younger than an hour');
    case 'lock':
      if (each.isOwnerAlive) return stays('its process runs');
      return isOld ? goes('its process is dead') : stays('younger than an hour');
    case 'marker': {
      // The highest number that was ever given is never forgotten, so that it is not given again.
      const isBelow = highest !== undefined && Number(each.name.slice(3)) < Number(highest.slice(3));
      return isBelow ? goes('its checkpoint is gone') : stays('it keeps its number from being given again');
    }
  }
}

/** @param ids of all checkpoints, oldest first */
export const planLeftovers = (
  leftovers: readonly Leftover[],
  ids: readonly string[],
  now: number,
): RetentionDecision[] =>
  leftovers.map((each) => ({ kind: each.kind, name: each.name, ...judgeLeftover(each, ids.at(-1), now) }));

/**
 * Judges everything that lies in the state folder. What is not certain stays.
 * @param keep so many of the newest checkpoints stay, whatever else is true; at least one
 * @param now milliseconds since the epoch
 */
export function planRetention(stock: StateInventory, keep: number, now: number): RetentionDecision[] {
  const linkOf = linksOf(stock.workflows);
  const outside = new Set(listOutsideNewest(stock.ids, keep));
  const checkpoints = stock.ids.map((id): RetentionDecision => {
    const judgement = outside.has(id)
      ? judgeCheckpoint(stock.checkpoints[id], linkOf(id), now)
      : stays(`among the newest ${Math.max(1, keep)}`);
    return { kind: 'checkpoint', name: id, ...judgement };
  });

  const left = checkpoints.filter((each) => !each.goes).map((each) => stock.owners[each.name]);
  const sessions = stock.sessions.map(({ folder, isReadable, touched }): RetentionDecision => {
    const judge = (): Judgement => {
      if (now - touched <= AGES.session) return stays('touched within 90 days');
      if (!isReadable) return stays('this version cannot read it');
      if (left.includes(folder)) return stays('a checkpoint of it is left');
      return left.includes(undefined)
        ? stays('not all checkpoints were looked at in this run')
        : goes('not touched for 90 days, and no checkpoint of it is left');
    };
    return { kind: 'session', name: folder, ...judge() };
  });

  return [...checkpoints, ...sessions, ...planLeftovers(stock.leftovers, stock.ids, now)];
}
