// Serves a compaction: a process keeps the work and says what the summary has to hold; the alert after it is given from its checkpoint.

import type { CheckpointDraft } from '../../../compaction/checkpoint/checkpoint.ts';
import { buildLeasePatch, isEpochSettled } from '../../../compaction/delivery.ts';
import { composeAlert, formatCompactedNote } from '../../../compaction/messages.ts';
import { isObject, readNonEmpty } from '../../../text/json.ts';
import { findCompactionMark } from '../install/hooks.ts';
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
  readCommonPayload,
  readSessionOf,
  runInProcess,
  type SayAlert,
  type Served,
} from './door.io.ts';
import type { Known } from './known.io.ts';
import type { Place } from './place.io.ts';

/** Whether the module serves a compaction: an automatic or manual one of the main session, for which no hooks of settings run. */
const isServed = ({ handled }: DoorMemory, { agentId, trigger }: ClientEvent): boolean =>
  agentId === undefined &&
  (trigger === 'auto' || trigger === 'manual') &&
  handled !== null &&
  !handled.has('PreCompact');

/**
 * Keeps the work by a process, silences our commands, and returns the event with the facts for the summariser; as it came where
 * the commands cannot be silenced.
 */
async function beginServing<E extends ClientEvent>($: Client, door: DoorMemory, e: E): Promise<E> {
  const [env, common] = await Promise.all([prepare($, door, 'PreCompact', {}), readCommonPayload($)]);
  const mark = findCompactionMark(env);
  if (mark === null) return e;
  const payload = {
    ...{ ...common, hook_event_name: 'PreCompact', trigger: e.trigger },
    custom_instructions: e.instructions ?? null,
  };
  const isMarked = $.fs.write(mark, JSON.stringify({ ...payload, plimsoll: { usage: door.sample.last } }));
  const served: Served = { mark, isMarked, session: common.session_id, alert: Promise.resolve(null) };
  door.served = served;
  // What the process does not change is read while it runs.
  const settled = readSettled($, door, payload).catch(() => null);
  await isMarked;
  // A process that still keeps something takes this over, unless it was about to end.
  const taken = door.isKeeping && door.given === null ? await door.kept : null;
  const facts = taken ?? (await runInProcess($, door, env, 'PreCompact', payload));
  served.alert = prepareAlert($, door, payload, settled).catch(() => null);
  // Once the client goes on, each call through `$` takes some 20 ms.
  if (!door.isKeeping) await served.alert;
  return facts === '' ? e : { ...e, instructions: [e.instructions, facts].filter(Boolean).join('\n\n') };
}

/** Lets our commands run again. */
async function endServing($: Client, door: DoorMemory): Promise<void> {
  const { served } = door;
  door.served = null;
  if (served === null) return;
  await served.isMarked.catch(() => undefined);
  await $.fs.write(served.mark, '').catch(() => undefined);
}

/** Lets a compaction go on, with our facts where the module serves it. */
export async function serveCompaction<E extends ClientEvent>(
  $: Client,
  door: DoorMemory,
  e: E,
  next: (e: E) => Promise<unknown>,
): Promise<unknown> {
  if (!isServed(door, e)) return next(e);
  const asked = await beginServing($, door, e).catch(async () => {
    await endServing($, door);
    return e;
  });
  try {
    return await next(asked);
  } finally {
    // Only the end of the session waits for it.
    door.ending = Promise.all([door.ending, endServing($, door)]);
  }
}

async function readCheckpoint($: Client, { state }: Place, id: string): Promise<CheckpointDraft | null> {
  const value: unknown = JSON.parse(await $.fs.read(`${state}/checkpoints/${id}-checkpoint.json`));
  return isObject(value) && value.event_id === id ? (value as unknown as CheckpointDraft) : null;
}

/** The settings by which an alert is made; null where something that only a process tells may be due besides. */
async function readSettled($: Client, door: DoorMemory, payload: Payload): Promise<Known | null> {
  const [known, files] = await Promise.all([findKnown($, door), readSessionOf($, door, payload)]);
  const { place } = door.sample;
  if (known === null || place === null || files === null) return null;
  const { settings, addons } = known.resolved;
  if (isSwitchedOff(door, known) || addons.length > 0 || settings['state.auto_merge']) return null;
  const cwd = readNonEmpty(payload.cwd) ?? place.root;
  const [hasWorkflow, hasQuality] = await Promise.all([
    mayHaveWorkflow($, { known, place, cwd, files }),
    $.fs.exists(`${place.root}/.plimsoll/quality.md`),
  ]);
  return hasWorkflow || hasQuality ? null : known;
}

/**
 * Reads what the alert is made from, and returns a function that says it, which the next process notes. Null where something
 * else may be due besides, or it is not plain which compaction this is: a process finds out.
 */
async function prepareAlert(
  $: Client,
  door: DoorMemory,
  payload: Payload,
  settled: Promise<Known | null>,
): Promise<SayAlert | null> {
  await door.kept;
  // Both processes are done: the state says all.
  door.unkept = null;
  const [known, files] = await Promise.all([settled, readSessionOf($, door, payload)]);
  const { place } = door.sample;
  const state = files?.state ?? null;
  if (known === null || place === null || files === null || state === null) return null;
  if (
    state.workflow_file !== null ||
    state.transcript !== payload.transcript_path ||
    files.transcript.size < 0
  )
    return null;
  const { pending_compaction: pending, session_id: session } = state;
  const id = pending?.checkpoint ?? null;
  if (pending === null || id === null || !state.active || state.off || !isEpochSettled(state)) return null;
  const [draft, preparedAt] = await Promise.all([readCheckpoint($, place, id), $.clock.now()]);
  if (draft === null) return null;
  const startedAt = performance.now();
  return () => {
    // The client waits here: no further call through `$`.
    const now = Math.round(preparedAt + performance.now() - startedAt);
    const epoch = state.epoch + 1;
    const alert = {
      ...{ epoch, checkpoint: id, channel: 'SessionStart', tries: 1 },
      ...{ at: new Date(now).toISOString(), offset: files.transcript.size },
    };
    // The boundary may be in the file by now; it stands behind what the hook before it has read.
    const unflushed = { epoch, offset: pending.offset, at: now };
    door.given = { session, alert, unflushed };
    door.unkept = buildLeasePatch(alert, unflushed);
    const context = composeAlert({
      ...{ event: epoch, checkpoint: id, draft, root: place.root, now },
      most: known.resolved.settings['compaction.alert_tokens'],
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
