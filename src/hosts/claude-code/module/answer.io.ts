// Answers prompts, tool calls and ends of turns inside the client; a process is asked where something has to be found out.

import { shortenAnswer } from '../../../compaction/work.ts';
import type { AnnouncementEvent } from '../../../context/announcement.ts';
import type { UsageSample } from '../../../context/client-usage.ts';
import { UNKEPT_BYTES } from '../../../context/nothing-to-save.ts';
import type { LastStop } from '../../../sessions/session-state.ts';
import { findGuardedCalls } from '../../../settings/read-guardrails.ts';
import { isObject, readNonEmpty } from '../../../text/json.ts';
import { isGuardedTool } from '../install/hooks.ts';
import { HOOK_NAMES } from '../names.ts';
import { SILENCE } from './ask-process.io.ts';
import type { ClassicAnswer, Client, HookAnswer } from './client.ts';
import { type Decision, decideInside } from './decide.io.ts';
import {
  ask,
  type DoorMemory,
  findGiven,
  findKnown,
  HOLDS_MS,
  isSwitchedOff,
  keep,
  lookUpKnown,
  type Payload,
  readClientSettings,
  readCommonPayload,
  readSessionOf,
  writeNotes,
} from './door.io.ts';
import type { Known, KnownSession } from './known.io.ts';
import { noteSample, readUsage } from './sample.io.ts';

/**
 * Whether a process has to keep what was decided. Where the client has come to the point of compacting, its own hook keeps all.
 * The end of a turn proves an alert; a prompt, where that was cut off or found no proof.
 */
function isToKeep(
  door: DoorMemory,
  { announcement, isUrgent, isLeased }: Decision,
  { isDue, isPrompt }: { isDue: boolean; isPrompt: boolean },
): boolean {
  if (isDue && !door.isCompactionDue) return false;
  if (isUrgent && announcement.isKept) return true;
  return (isUrgent || (isPrompt && isLeased)) && !door.isKeeping;
}

/** What an event is decided by. */
interface Seen {
  files: KnownSession | null;
  known: Known | null;
  sample: UsageSample | null;
}

/** Reads all of it at once: one call after the other takes three times as long. */
async function readAll($: Client, door: DoorMemory, isPrompt: boolean, payload: Payload): Promise<Seen> {
  const reading = readSessionOf($, door, payload);
  if (!isPrompt) {
    const [files, known, sample] = await Promise.all([
      reading,
      findKnown($, door),
      readUsage($, door.sample),
    ]);
    return { files, known, sample };
  }
  const [read] = await Promise.all([
    reading,
    noteSample($, door.sample, 'start'),
    readClientSettings($, door).catch(() => undefined),
    lookUpKnown($, door),
  ]);
  // The place may have been found just now.
  const files = read ?? (await readSessionOf($, door, payload));
  return { files, known: await findKnown($, door), sample: door.sample.last };
}

/** Answers a prompt or the tool calls of an answer in the main session; undefined where a process has to. */
async function answerHere(
  $: Client,
  door: DoorMemory,
  name: 'UserPromptSubmit' | 'PostToolBatch',
  payload: Payload,
  { files, known, sample }: Seen,
): Promise<HookAnswer | undefined> {
  const begun = performance.now();
  const isPrompt = name === 'UserPromptSubmit';
  const { place, session } = door.sample;
  const [transcript, cwd] = [readNonEmpty(payload.transcript_path), readNonEmpty(payload.cwd)];
  if (files === null || known === null || sample === null) return undefined;
  if (place === null || transcript === null || cwd === null || session !== payload.session_id)
    return undefined;
  if (isSwitchedOff(door, known)) return SILENCE;
  if (!isPrompt && known.resolved.addons.length > 0) return undefined;
  const isNotice = readNonEmpty(payload.prompt)?.startsWith('<task-notification>') === true;
  const event: AnnouncementEvent = isPrompt
    ? { kind: 'prompt', agent: null, isNotice }
    : { kind: 'after-tool', agent: null };
  const { unkept } = door;
  const decision = await decideInside($, { event, transcript, cwd, known, place, sample, files, unkept });
  if (decision === null) return undefined;
  const { context, announcement } = decision;
  if (decision.unkept !== null) door.unkept = { ...unkept, ...decision.unkept };
  const isDue = announcement.reason === 'compaction-due';
  if (isToKeep(door, decision, { isDue, isPrompt })) await keep($, door, name, payload);
  else {
    const now = performance.now();
    door.notes.push({
      run: { name, line: HOOK_NAMES.indexOf(name), now: sample.at, ms: now - begun },
      decided: { event: isPrompt ? 'prompt' : 'tool', announcement },
    });
    if (now - door.notedAt >= HOLDS_MS) void writeNotes($, door);
  }
  door.isCompactionDue = isDue;
  return { ...SILENCE, context };
}

/** Adds what a process had to say late. */
function withLate(door: DoorMemory, answer: HookAnswer | null): HookAnswer | null {
  const { late } = door;
  if (late === null) return answer;
  door.late = null;
  const context = [answer?.context ?? null, late].filter((each) => each !== null).join('\n\n');
  return { ...(answer ?? SILENCE), context };
}

/** What we answer at a prompt, or after the tool calls of an answer. */
export async function answerClassic(
  $: Client,
  door: DoorMemory,
  name: 'UserPromptSubmit' | 'PostToolBatch',
  payload: Payload,
): Promise<HookAnswer | null> {
  const isPrompt = name === 'UserPromptSubmit';
  if (!isPrompt && door.handled?.has(name)) return null;
  if (payload.agent_id !== undefined) {
    // A subagent is told nothing; what its tools did may be kept.
    const known = await findKnown($, door);
    return known?.resolved.addons.length === 0 ? null : ask($, door, name, payload);
  }
  const seen = await readAll($, door, isPrompt, payload);
  if (door.handled?.has(name)) return null;
  const here = await answerHere($, door, name, payload, seen);
  if (here !== undefined) return withLate(door, here);
  const asked = await ask($, door, name, payload);
  door.unkept = null;
  return withLate(door, asked);
}

/** Whether a tool call is judged, as far as the settings that hold say; undefined where a process has to find out. */
async function isJudged($: Client, door: DoorMemory, tool: unknown): Promise<boolean | undefined> {
  const known = await findKnown($, door);
  if (known === null) return undefined;
  const guarded = isSwitchedOff(door, known) ? 'none' : findGuardedCalls(known.resolved.settings);
  return guarded === 'all' || (guarded === 'changes' && isGuardedTool(String(tool)));
}

/** What we answer before a tool call: its verdict, where the guardrails judge it. */
export async function judgeCall($: Client, door: DoorMemory, call: Payload): Promise<HookAnswer | null> {
  const { tool, tool_use_id, agentId, ...input } = call;
  // The answer that calls the tool is known here, and stands in the transcript some time later: hooks of settings may look.
  if (agentId === undefined && door.handled?.size !== 0) void noteSample($, door.sample, 'call');
  if (door.handled?.has('PreToolUse') || (await isJudged($, door, tool)) === false) return null;
  return ask($, door, 'PreToolUse', {
    ...(await readCommonPayload($)),
    ...{ hook_event_name: 'PreToolUse', tool_name: tool, tool_input: input, tool_use_id },
    ...(agentId === undefined ? {} : { agent_id: agentId }),
  });
}

/** Notes the end of a turn, with an answer that a killed client never writes; a process reads on where much is new, or all. */
async function keepEnd($: Client, door: DoorMemory, payload: Payload): Promise<void> {
  const [seen] = await Promise.all([readSessionOf($, door, payload), noteSample($, door.sample, 'end')]);
  const { last } = door.sample;
  const state = seen?.state ? { ...seen.state, ...door.unkept } : null;
  const isRunning = state?.active && state.ended === null && state.dropped === null;
  if (seen === null || last === null || !isRunning) return keep($, door, 'Stop', payload);
  const { folder, transcript } = seen;
  const read = Math.max(state.last_stop?.offset ?? 0, state.last_checkpoint?.offset ?? 0);
  // A process that still runs may be finding out whether the alert has arrived. What a session was handed stands in its ledger alone.
  const isKept =
    door.isKeeping || (state.alert?.status !== 'leased' && (await $.fs.exists(`${folder}/ledger.json`)));
  if (!isKept || transcript.size - read > UNKEPT_BYTES) return keep($, door, 'Stop', payload);
  const said = readNonEmpty(payload.last_assistant_message);
  const at = new Date(last.at).toISOString();
  const stop: LastStop = { at, offset: transcript.size, answer: said && shortenAnswer(said) };
  await $.fs.write(`${folder}/stop.json`, JSON.stringify(stop));
}

/** What we answer at the end of a turn: nothing that anybody waits for, unless something may keep it from ending. */
export async function answerEnd($: Client, door: DoorMemory, payload: Payload): Promise<HookAnswer | null> {
  const isHandled = door.handled?.has('Stop') === true;
  const known = isHandled ? null : await findKnown($, door);
  const mayHold = known?.resolved.settings['orchestration.hold_stop'] || known?.resolved.addons.length !== 0;
  const isOff = known !== null && isSwitchedOff(door, known);
  if (!isHandled && !isOff && !mayHold) {
    door.ending = keepEnd($, door, payload).catch(() => undefined);
    return null;
  }
  await noteSample($, door.sample, 'end');
  return isHandled || isOff ? null : ask($, door, 'Stop', payload);
}

/** Keeps the end of a subagent; the client's own, as that of a compaction, have no type. */
export async function keepSubagentEnd($: Client, door: DoorMemory, payload: Payload): Promise<null> {
  if (door.handled?.has('SubagentStop') || readNonEmpty(payload.agent_type) === null) return null;
  const known = await findKnown($, door);
  if (known === null || !isSwitchedOff(door, known)) await keep($, door, 'SubagentStop', payload);
  return null;
}

/** Waits for what is still being kept, and has an alert noted that nobody has noted: nothing is started any more once the client has gone. */
export async function finish($: Client, door: DoorMemory, payload: Payload): Promise<void> {
  await door.ending;
  await Promise.all([door.kept, door.sample.queue, writeNotes($, door)]);
  if (findGiven(door, payload) !== null) await ask($, door, 'SessionEnd', payload);
}

/** What all other hooks have answered, and what we say beside it: theirs stays, and a refusal stays a refusal. */
export function addAnswer(others: unknown, ours: HookAnswer | null): unknown {
  if (ours === null || !(isObject(others) || others === undefined)) return others;
  const { allow, ...all } = { ...others } as ClassicAnswer;
  const isRefused = typeof all.deny === 'string';
  const isAsked = ours.deny === null && ours.ask !== null && !isRefused;
  return {
    ...all,
    ...(allow !== undefined && ours.deny === null && !isAsked ? { allow } : {}),
    ...(ours.context === null ? {} : { additionalContext: [...(all.additionalContext ?? []), ours.context] }),
    ...(ours.deny !== null && !isRefused ? { deny: ours.deny } : {}),
    ...(isAsked && ours.ask !== null ? { ask: ours.ask } : {}),
    ...(ours.block !== null && all.block === undefined ? { block: ours.block } : {}),
  };
}
