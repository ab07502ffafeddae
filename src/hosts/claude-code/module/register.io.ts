// Writes the client's own context usage and window to a file whenever they change, for the hooks and commands to read.
import type { UsageSample } from '../../../context/client-usage.ts';
import { SAMPLE_VERSION, sampleFile } from '../../../context/client-usage.ts';
import { listSlots, parseRootEntry } from '../../../platform/project/root-entry.ts';
import { isObject } from '../../../text/json.ts';

// Finds a project's state folder as the hooks do (`findRoot`, `placeState` of store/), through the user's root entry.
const FOLDER = '.plimsoll';

/** The folder above; '' above the top. */
const above = (path: string): string => path.replace(/[\\/]+[^\\/]*$/, '');

async function realOf($: Client, path: string): Promise<string> {
  try {
    return (await $.fs.stat(path, { resolve: true })).realPath ?? path;
  } catch {
    return path;
  }
}

/** The nearest folder with `.plimsoll` from the start up to the git top level, else the start. */
async function rootOf($: Client, start: string, home: string): Promise<string> {
  let nearest: string | null = null;
  for (let folder = start; folder !== '' && folder !== home; folder = above(folder)) {
    if (nearest === null && (await $.fs.exists(`${folder}/${FOLDER}`))) nearest = folder;
    if (await $.fs.exists(`${folder}/.git`)) return nearest ?? start;
  }
  return start;
}

/** The state folder that the hooks made for a root, in it or in the user's state folder; null where there is none yet. */
async function madeFor($: Client, root: string, user: string): Promise<string | null> {
  for (const slot of listSlots(root)) {
    const entry = parseRootEntry(await $.fs.read(`${user}/roots/${slot}.json`));
    if (entry?.root !== root) continue;
    for (const folder of [`${root}/${FOLDER}/${entry.state}`, `${user}/projects/${slot}`])
      if (await $.fs.exists(`${folder}/sessions`)) return folder;
    return null;
  }
  return null;
}

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

/** The state folder, or null where there is none or everything is switched off. Throws where the user has no root entry. */
export async function stateFolder($: Client): Promise<string | null> {
  const home = (await $.env.get('HOME')) || (await $.env.get('USERPROFILE')) || '';
  const user = `${(await $.env.get('XDG_STATE_HOME')) || `${home}/.local/state`}/plimsoll`;
  const start = await realOf($, await $.session.root());
  const root = await rootOf($, start, home === '' ? '' : await realOf($, home));
  const folder = await madeFor($, root, user);
  return folder === null || (await isDisabled($, folder)) ? null : folder;
}

/** The module's way out of its sandbox, `$`. Every call goes to the client and may fail. */
export interface Client {
  session: {
    id(): Promise<string>;
    /** The folder in which the client was started, whatever the agent's `cd` did. */
    root(): Promise<string>;
    /** Model id, with the client's mark of its window. */
    model(): Promise<string>;
    /** `tokens` is absent where the client does not know: before the first answer, after a compaction. */
    usage(): Promise<{ context: { tokens?: number; window?: number } }>;
  };
  clock: { now(): Promise<number> };
  env: { get(name: string): Promise<string | undefined> };
  fs: {
    read(path: string): Promise<string>;
    /** Makes the folders on the way; mode 0600. */
    write(path: string, text: string): Promise<void>;
    exists(path: string): Promise<boolean>;
    stat(path: string, options: { resolve: true }): Promise<{ realPath?: string }>;
  };
}

/** The fields of an event that our hooks read; the event is passed on as it came. */
export interface ClientEvent {
  /** Id of the subagent in which it happens. */
  agentId?: string;
  /** Of a compaction: `precompute` makes a summary that may be used later. */
  trigger?: string;
}

type Hook = ($: Client, e: ClientEvent, next: (e: ClientEvent) => Promise<unknown>) => Promise<unknown>;
type StreamHook = (
  $: Client,
  e: ClientEvent,
  next: (e: ClientEvent) => AsyncGenerator<unknown, unknown>,
) => AsyncGenerator<unknown, unknown>;

/** Registers a module's hook for an event: `on`. */
export interface On {
  (event: 'turn.step', hook: StreamHook): unknown;
  (event: 'session.start' | 'prompt.submit' | 'tool.call' | 'session.compact', hook: Hook): unknown;
}

interface Memory {
  /** The figures written last, and where; the same figures of one answer are not written twice. */
  figures: string;
  folder: string | null;
  /** The tokens before a compaction: for a moment after it the client still reports them. */
  before: number | null;
  /** One write after the other: two at once could leave a mixture. */
  queue: Promise<void>;
}

/** What triggers a write: an answer (its figures are new), a tool call, a start or prompt, the end of a compaction. */
type Moment = 'answer' | 'call' | 'start' | 'compaction';

async function write($: Client, memory: Memory, moment: Moment): Promise<void> {
  if ((await $.env.get('PLIMSOLL')) === 'off') return;
  const { context } = await $.session.usage();
  if (!context.window) return;
  let tokens = context.tokens || null;
  if (moment === 'compaction') memory.before = tokens;
  if (moment === 'answer') memory.before = null;
  if (tokens === memory.before) tokens = null;
  const session = await $.session.id();
  const figures = { tokens, window: context.window, model: (await $.session.model()) || null };
  const text = JSON.stringify([session, figures]);
  // Several calls of one answer write once; otherwise the time has to be fresh.
  if (moment === 'call' && text === memory.figures) return;
  // The hooks may have made their folder since, or the settings may name another one.
  if (moment === 'start' || memory.folder === null) memory.folder = await stateFolder($);
  const { folder } = memory;
  if (folder === null || (await $.fs.exists(`${folder}/off`))) return;
  const file = `${folder}/${sampleFile(session, 'module')}`;
  // Only the hooks create the folder of a session: one of our own would have to be kept out of git.
  if (!(await $.fs.exists(file.replace(/\/[^/]+$/, '')))) return;
  const at = await $.clock.now();
  const frame: UsageSample = { v: SAMPLE_VERSION, session, from: 'module', at, ...figures };
  await $.fs.write(file, `${JSON.stringify(frame)}\n`);
  memory.figures = text;
}

/**
 * Queues a write, which fails silently: the hooks do without, as they do with clients that know no modules. It sets no time
 * limit: a timer of the client that still runs keeps `claude -p` from ending.
 */
function note($: Client, memory: Memory, moment: Moment): Promise<void> {
  memory.queue = memory.queue.then(() => write($, memory, moment)).catch(() => undefined);
  return memory.queue;
}

/** Registers our hooks; the client calls it once, when it loads the plugin. Subagents have their own context: ignored. */
export function register(on: On): void {
  const memory: Memory = { figures: '', folder: null, before: null, queue: Promise.resolve() };
  on('session.start', async ($, e, next) => {
    await note($, memory, 'start');
    return next(e);
  });
  on('prompt.submit', async ($, e, next) => {
    await note($, memory, 'start');
    return next(e);
  });
  // Before the tool's own hooks run: the answer that calls it is known here, and stands in the file some time later.
  on('tool.call', async ($, e, next) => {
    if (e.agentId === undefined) await note($, memory, 'call');
    return next(e);
  });
  on('turn.step', async function* ($, e, next) {
    const result = yield* next(e);
    if (e.agentId === undefined) await note($, memory, 'answer');
    return result;
  });
  on('session.compact', async ($, e, next) => {
    const result = await next(e);
    const isDone = isObject(result) && result.skip === undefined && e.trigger !== 'precompute';
    if (e.agentId === undefined && isDone) await note($, memory, 'compaction');
    return result;
  });
}
