// Writes the client's own context usage and window to a file whenever they change, for the hooks and commands to read.
import { SAMPLE_VERSION, sampleFile, type UsageSample } from '../../../context/client-usage.ts';
import { isObject } from '../../../text/json.ts';
import type { Client, On } from './client.ts';
import { stateFolder } from './root.io.ts';

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
  const conversation = await $.session.id();
  const figures = { tokens, window: context.window, model: (await $.session.model()) || null };
  const text = JSON.stringify([conversation, figures]);
  // Several calls of one answer write once; otherwise the time has to be fresh.
  if (moment === 'call' && text === memory.figures) return;
  // The hooks may have made their folder since, or the settings may name another one.
  if (moment === 'start' || memory.folder === null) memory.folder = await stateFolder($);
  const { folder } = memory;
  if (folder === null || (await $.fs.exists(`${folder}/off`))) return;
  const file = `${folder}/${sampleFile(conversation, 'module')}`;
  // Only the hooks create the folder of a session: one of our own would have to be kept out of git.
  if (!(await $.fs.exists(file.replace(/\/[^/]+$/, '')))) return;
  const at = await $.clock.now();
  const frame: UsageSample = { v: SAMPLE_VERSION, conversation, from: 'module', at, ...figures };
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
