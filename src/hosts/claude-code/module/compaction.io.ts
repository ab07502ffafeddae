// Serves a compaction: a process keeps the work and says what the summary has to hold; the alert after it is given from its checkpoint.

import type { CheckpointDraft } from '../../../compaction/checkpoint/checkpoint.ts';
import { buildLeasePatch, isEpochPlain } from '../../../compaction/delivery.ts';
import { composeAlert, formatCompactedNote } from '../../../compaction/messages.ts';
import { isObject, readNonEmpty } from '../../../text/json.ts';
import { SILENCE } from './ask-process.io.ts';
import type { Client, ClientEvent, HookAnswer } from './client.ts';
import { mayHaveWorkflow } from './decide.io.ts';
import {
  ask,
  type DoorMemory,
  findKnown,
  isSwitchedOff,
  type Payload,
  prepare,
  readSessionOf,
  runInProcess,
  type SayAlert,
  type Served,
} from './door.io.ts';
import type { Place } from './place.io.ts';

/**
 * The file that keeps our commands for a compaction from running, while it holds anything: the module does their work. They
 * stay registered for clients that know no modules, and for a module that fails.
 */
const findMark = ({
  CLAUDE_PLUGIN_DATA: folder,
  CLAUDE_CODE_SESSION_ID: session,
}: Record<string, string>): string | null => (folder && session ? `${folder}/compacting/${session}` : null);

/** What a hook before a compaction has on stdin. */
async function readPayload($: Client, { trigger, instructions }: ClientEvent): Promise<Payload> {
  const [session, { transcriptPath, promptId }, cwd] = await Promise.all([
    $.session.id(),
    $.session.info(),
    $.session.cwd(),
  ]);
  return {
    ...{ session_id: session, transcript_path: transcriptPath, cwd, prompt_id: promptId },
    ...{ hook_event_name: 'PreCompact', trigger, custom_instructions: instructions ?? null },
  };
}

/** Whether the module serves a compaction: an automatic or manual one of the main session, for which no hooks of settings run. */
const isServed = ({ handled }: DoorMemory, { agentId, trigger }: ClientEvent): boolean =>
  agentId === undefined &&
  (trigger === 'auto' || trigger === 'manual') &&
  handled !== null &&
  !handled.has('PreCompact');

/** What the summariser is asked, with what it has to keep word for word. */
async function begin<E extends ClientEvent>($: Client, door: DoorMemory, e: E): Promise<E> {
  const [env, payload] = await Promise.all([prepare($, door, 'PreCompact'), readPayload($, e)]);
  const mark = findMark(env);
  if (mark === null) return e;
  const served: Served = { mark, session: payload.session_id, alert: Promise.resolve(null) };
  door.served = served;
  // Beside the process that may still be keeping a rise.
  const [facts] = await Promise.all([
    runInProcess($, door, env, 'PreCompact', payload),
    $.fs.write(mark, 'The module serves this compaction.\n'),
  ]);
  served.alert = prepareAlert($, door, payload).catch(() => null);
  return facts === '' ? e : { ...e, instructions: [e.instructions, facts].filter(Boolean).join('\n\n') };
}

/** Lets our commands run again. */
async function end($: Client, door: DoorMemory): Promise<void> {
  const { served } = door;
  door.served = null;
  if (served !== null) await $.fs.write(served.mark, '').catch(() => undefined);
}

/** Lets a compaction go on, with our facts where the module serves it. */
export async function serveCompaction<E extends ClientEvent>(
  $: Client,
  door: DoorMemory,
  e: E,
  next: (e: E) => Promise<unknown>,
): Promise<unknown> {
  if (!isServed(door, e)) return next(e);
  const asked = await begin($, door, e).catch(async () => {
    await end($, door);
    return e;
  });
  try {
    return await next(asked);
  } finally {
    void end($, door);
  }
}

async function readCheckpoint($: Client, { state }: Place, id: string): Promise<CheckpointDraft | null> {
  const value: unknown = JSON.parse(await $.fs.read(`${state}/checkpoints/${id}-checkpoint.json`));
  return isObject(value) && value.event_id === id ? (value as unknown as CheckpointDraft) : null;
}

/**
 * Reads what the alert is made from while the summary is being written, and returns a function that says it, which the next
 * process notes. Null where something else may be due besides, or it is not plain which compaction this is: a process finds out.
 */
async function prepareAlert($: Client, door: DoorMemory, payload: Payload): Promise<SayAlert | null> {
  await door.kept;
  const [known, files] = await Promise.all([findKnown($, door), readSessionOf($, door, payload)]);
  const { place } = door.sample;
  const state = files?.state ?? null;
  if (known === null || place === null || files === null || state === null) return null;
  const { settings, addons } = known.resolved;
  if (isSwitchedOff(door, known) || addons.length > 0 || settings['state.auto_merge']) return null;
  if (state.transcript !== payload.transcript_path || files.transcript.size < 0) return null;
  const { pending_compaction: pending, session_id: session } = state;
  const id = pending?.checkpoint ?? null;
  if (pending === null || id === null || !state.active || state.off || !isEpochPlain(state)) return null;
  const cwd = readNonEmpty(payload.cwd) ?? place.root;
  const [hasWorkflow, hasQuality, draft, read] = await Promise.all([
    mayHaveWorkflow($, { known, place, cwd, files }),
    $.fs.exists(`${place.root}/.plimsoll/quality.md`),
    readCheckpoint($, place, id),
    $.clock.now(),
  ]);
  if (hasWorkflow || hasQuality || draft === null) return null;
  const clock = performance.now();
  return () => {
    const now = Math.round(read + performance.now() - clock);
    const epoch = state.epoch + 1;
    const at = new Date(now).toISOString();
    const alert = { epoch, checkpoint: id, channel: 'SessionStart', at, offset: files.transcript.size };
    const unflushed = { epoch, offset: pending.offset, at: now };
    door.given = { ...alert, session, unflushed };
    door.unkept = buildLeasePatch({ ...alert, tries: 1 }, unflushed);
    const context = composeAlert({
      ...{ event: epoch, checkpoint: id, draft, root: place.root, now },
      most: settings['compaction.alert_tokens'],
    });
    return { ...SILENCE, context, person: formatCompactedNote(id, draft) };
  };
}

/** Re-orients the agent after a compaction that the module serves. */
export async function tellCompacted(
  $: Client,
  door: DoorMemory,
  payload: Payload,
): Promise<HookAnswer | null> {
  const { served } = door;
  if (served === null || payload.agent_id !== undefined || door.handled?.has('SessionStart')) return null;
  const say = served.session === payload.session_id ? await served.alert : null;
  if (say === null) return ask($, door, 'SessionStart', payload);
  const answer = say();
  if (answer.person !== null) $.ui.log(answer.person);
  return answer;
}
