// Writes the client's own context usage and window to a file whenever they change, for hooks and commands to read.

import type { UsageSample } from '../../../context/client-usage.ts';
import { SAMPLE_VERSION, sampleFile } from '../../../context/client-usage.ts';
import type { Client } from './client.ts';
import { findPlace, type Place } from './place.io.ts';

/** What the module remembers of the client between two events. */
export interface Memory {
  session: string;
  place: Place | null;
  /** Whether the environment switches everything off. */
  isSilenced: boolean;
  /** Whether the settings did when they were looked at last, and whether `plimsoll off` did. */
  isDisabled: boolean;
  isOff: boolean;
  /** What the client knew last. */
  last: UsageSample | null;
  /** The tokens before a compaction: for a moment after it the client still reports them. */
  before: number | null;
  /** One write after the other: two at once could leave a mixture. */
  queue: Promise<unknown>;
}

export const createMemory = (): Memory => ({
  ...{ session: '', place: null, isSilenced: false, isDisabled: false, isOff: false, last: null },
  ...{ before: null, queue: Promise.resolve() },
});

/** The folder of a session. */
export const folderOf = (place: Place, session: string): string =>
  `${place.state}/${sampleFile(session, 'module').replace(/\/[^/]+$/, '')}`;

/** Whether the settings that the hooks resolved last switch everything off. */
async function isDisabled($: Client, folder: string): Promise<boolean> {
  try {
    const snapshot = JSON.parse(await $.fs.read(`${folder}/config.snapshot.json`)) as {
      resolved: { settings: { enabled?: boolean } };
    };
    return snapshot.resolved.settings.enabled === false;
  } catch {
    return false;
  }
}

/** What triggers a write: a start or prompt, a call of a process or of a tool, the end of a turn, the end of a compaction. */
type Moment = 'start' | 'call' | 'end' | 'compaction';

/** What the client knows now, without the figure of a context that has just been compacted. */
async function readSample($: Client, memory: Memory, moment: Moment): Promise<UsageSample | null> {
  const [{ context }, model, at] = await Promise.all([$.session.usage(), $.session.model(), $.clock.now()]);
  const known = context.tokens || null;
  if (moment === 'compaction') memory.before = known;
  if (moment === 'end') memory.before = null;
  if (!context.window) return null;
  const tokens = known === memory.before ? null : known;
  return {
    ...{ v: SAMPLE_VERSION, session: memory.session, from: 'module', at, tokens },
    ...{ window: context.window, model: model || null },
  };
}

/** What is looked at once a prompt: which session it is, and where its state lies. */
async function begin($: Client, memory: Memory): Promise<void> {
  const [session, off] = await Promise.all([$.session.id(), $.env.get('PLIMSOLL')]);
  memory.session = session;
  memory.isSilenced = off === 'off';
}

/** The usage now, with what else was known last; null where nothing was. */
export async function readUsage($: Client, memory: Memory): Promise<UsageSample | null> {
  const [{ context }, at] = await Promise.all([$.session.usage(), $.clock.now()]);
  const { last, before } = memory;
  const { tokens, window } = context;
  return (
    last && { ...last, at, tokens: tokens === before ? null : tokens || null, window: window || last.window }
  );
}

/** Looks at what the client knows, and returns what has to be written of it, and where. */
async function look(
  $: Client,
  memory: Memory,
  moment: Moment,
): Promise<{ file: string; sample: UsageSample } | null> {
  const { last: before } = memory;
  const begun = moment === 'start' || memory.session === '' ? begin($, memory) : null;
  // Of the session that it was before; all calls at once take a third of the time.
  if (memory.session === '' || memory.place === null) await begun;
  // The hooks may have made their folder since.
  if (memory.place === null) {
    memory.place = await findPlace($).catch(() => null);
    if (memory.place !== null) memory.isDisabled = await isDisabled($, memory.place.state);
  }
  const { place, session } = memory;
  const [seen, wasThere, isOff] = await Promise.all([
    readSample($, memory, moment),
    place !== null && $.fs.exists(folderOf(place, session)),
    place !== null && $.fs.exists(`${place.state}/off`),
    begun,
  ]);
  const folder = place && folderOf(place, memory.session);
  const isThere = memory.session === session ? wasThere : folder !== null && (await $.fs.exists(folder));
  const sample = seen && { ...seen, session: memory.session };
  memory.last = sample;
  memory.isOff = isOff;
  // They may have made another one.
  if (!isThere) memory.place = null;
  // Several calls of one answer write once; otherwise the time has to be fresh.
  if (moment === 'call' && before !== null && isDeepSame(before, sample)) return null;
  // Only the hooks create the folder of a session: one of our own would have to be kept out of git.
  if (sample === null || !isThere || isOff || memory.isSilenced || memory.isDisabled) return null;
  return { file: `${folder}/module.feed`, sample };
}

const isDeepSame = (a: UsageSample, b: UsageSample | null): boolean =>
  JSON.stringify({ ...a, at: 0 }) === JSON.stringify({ ...b, at: 0 });

/**
 * Looks at the client's usage, which is known when the promise is kept; a write is only queued behind it, and fails silently:
 * the hooks do without, as they do with clients that know no modules. It sets no time limit: a timer of the client that still
 * runs keeps `claude -p` from ending.
 */
export function noteSample($: Client, memory: Memory, moment: Moment): Promise<unknown> {
  const seen = memory.queue
    .then(() => look($, memory, moment))
    .catch(() => {
      memory.last = null;
      return null;
    });
  memory.queue = seen
    .then((found) => found && $.fs.write(found.file, `${JSON.stringify(found.sample)}\n`))
    .catch(() => undefined);
  return seen;
}
