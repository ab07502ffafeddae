// The door of hooks inside the client: who answers an event, and whether a process is started for it.

import type { AnnouncementEvent } from '../../../context/announcement.ts';
import { type DecisionNote, noteRun, type RunNote } from '../../../sessions/run-lines.ts';
import { findGuardedCalls } from '../../../settings/read-guardrails.ts';
import { isObject, readNonEmpty } from '../../../text/json.ts';
import { findHookProgram, isGuardedTool, isOurHook, type Registration } from '../install/hooks.ts';
import { HOOK_NAMES } from '../names.ts';
import { OURS_BY_ENV } from '../variables.ts';
import { askProcess, hasNoVariables, SILENCE } from './ask-process.io.ts';
import type { Client, HookAnswer } from './client.ts';
import { type Cache, type Known, readKnown } from './known.io.ts';
import { answerQuietly } from './quiet.io.ts';
import { folderOf, type Memory, noteSample, readUsage } from './sample.io.ts';

/** What a hook has on stdin. */
type Payload = Record<string, unknown>;

export interface DoorMemory {
  sample: Memory;
  cache: Cache;
  /** Whether the settings that hooks keep are those of this session: nothing in its environment sets one. */
  isPlain: Promise<boolean> | null;
  /** The events for which settings run a hook of ours, which then does the work; null where that is not known. */
  handled: Set<string> | null;
  /** What a process still keeps while the session goes on. */
  kept: Promise<unknown>;
  /** What was read last to decide by, and when. */
  known: { at: number; value: Known | null };
  /** Answers that the file of runs does not have yet, and when it was written last. */
  notes: { run: RunNote; decided: DecisionNote }[];
  notedAt: number;
}

export const createDoor = (sample: Memory): DoorMemory => ({
  ...{ sample, cache: new Map(), isPlain: null, handled: null, kept: Promise.resolve() },
  ...{ known: { at: 0, value: null }, notes: [], notedAt: 0 },
});

/** So long what was read of settings holds between two tool calls, and the file of runs waits for its lines, in ms. */
const HOLDS_MS = 1_000;

/** What settings run at the same moment under another name. */
const SAME_MOMENT: Record<string, string> = { PostToolBatch: 'PostToolUse' };
const EVENTS = ['UserPromptSubmit', 'PostToolBatch', 'PreToolUse', 'Stop'];

/** The hooks of ours that settings run for an event. */
function hooksIn(settings: Record<string, unknown>, event: string): Registration[] {
  const groups = isObject(settings.hooks) ? settings.hooks[event] : [];
  return (Array.isArray(groups) ? groups : [])
    .flatMap((group: unknown) => (isObject(group) && Array.isArray(group.hooks) ? group.hooks : []))
    .filter(isOurHook) as Registration[];
}

/** Looks at the client's settings: which events our hooks in them answer, and whether they move our files or settings. */
async function readClientSettings($: Client, door: DoorMemory): Promise<void> {
  door.handled = null;
  const settings = await $.settings.read();
  if (Object.keys(isObject(settings.env) ? settings.env : {}).some((name) => OURS_BY_ENV.test(name))) return;
  const handled = new Set<string>();
  for (const event of EVENTS)
    for (const each of [event, SAME_MOMENT[event]].flatMap((name) => name ?? []))
      for (const hook of hooksIn(settings, each)) {
        const { bundle } = findHookProgram(hook);
        // Where each user's own is named, the process that is asked finds it.
        if (bundle === null) return;
        if (await $.fs.exists(bundle)) handled.add(event);
      }
  door.handled = handled;
}

/** What our hooks would decide by; null where a process has to find out. */
async function findKnown($: Client, door: DoorMemory, age = HOLDS_MS): Promise<Known | null> {
  const { place, isSilenced } = door.sample;
  // What a repository sets in its own client settings does not silence us: only a process can tell.
  if (place === null || isSilenced || door.handled === null) return null;
  const now = performance.now();
  if (door.known.value !== null && now - door.known.at < age) return door.known.value;
  door.isPlain ??= hasNoVariables($).catch(() => false);
  const [isPlain, known] = await Promise.all([door.isPlain, readKnown($, door.cache, place)]);
  door.known = { at: now, value: isPlain ? known : null };
  return door.known.value;
}

const isSwitchedOff = (door: DoorMemory, { resolved }: Known): boolean =>
  !resolved.settings.enabled || door.sample.isOff;

/** Writes down what was answered since the last time, as a process would have. */
async function writeNotes($: Client, door: DoorMemory): Promise<void> {
  const { place, session } = door.sample;
  const notes = door.notes.splice(0);
  door.notedAt = performance.now();
  if (place === null || notes.length === 0) return;
  const file = `${folderOf(place, session)}/runs`;
  try {
    const text = await $.fs.read(file);
    await $.fs.write(
      file,
      notes.reduce((all, { run, decided }) => noteRun(all, run, decided), text),
    );
  } catch {
    // no file yet, or none that can be written
  }
}

/** Asks a process, with the usage as it is now in its place, after the process before it. */
async function ask($: Client, door: DoorMemory, name: string, payload: Payload): Promise<HookAnswer | null> {
  await Promise.all([door.sample.queue, door.kept, writeNotes($, door)]);
  const answer = await askProcess($, name, payload);
  // It may have read other settings.
  door.known.value = null;
  if (answer?.person) $.ui.log(answer.person);
  return answer;
}

/** Answers a prompt or the tool calls of an answer in the main session; undefined where a process has to. */
async function answerHere(
  $: Client,
  door: DoorMemory,
  name: 'UserPromptSubmit' | 'PostToolBatch',
  payload: Payload,
): Promise<HookAnswer | undefined> {
  const begun = performance.now();
  const isPrompt = name === 'UserPromptSubmit';
  const [known, sample] = await Promise.all([
    findKnown($, door, isPrompt ? 0 : HOLDS_MS),
    readUsage($, door.sample),
  ]);
  const { place } = door.sample;
  const transcript = readNonEmpty(payload.transcript_path);
  if (known === null || place === null || sample === null || transcript === null) return undefined;
  if (sample.session !== payload.session_id) return undefined;
  if (isSwitchedOff(door, known)) return SILENCE;
  if (!isPrompt && known.resolved.addons.length > 0) return undefined;
  const isNotice = readNonEmpty(payload.prompt)?.startsWith('<task-notification>') === true;
  const event: AnnouncementEvent = isPrompt
    ? { kind: 'prompt', agent: null, isNotice }
    : { kind: 'after-tool', agent: null };
  const folder = folderOf(place, sample.session);
  const quiet = await answerQuietly($, door.cache, { event, transcript, known, sample, folder });
  if (quiet === null) return undefined;
  const { context, announcement } = quiet;
  const now = performance.now();
  door.notes.push({
    run: { name, line: HOOK_NAMES.indexOf(name), now: sample.at, ms: now - begun },
    decided: { event: isPrompt ? 'prompt' : 'tool', announcement },
  });
  if (now - door.notedAt >= HOLDS_MS) void writeNotes($, door);
  return { ...SILENCE, context };
}

/** What we answer at a prompt, or after the tool calls of an answer. */
export async function answerClassic(
  $: Client,
  door: DoorMemory,
  name: 'UserPromptSubmit' | 'PostToolBatch',
  payload: Payload,
): Promise<HookAnswer | null> {
  if (name === 'UserPromptSubmit')
    await Promise.all([
      noteSample($, door.sample, 'start'),
      readClientSettings($, door).catch(() => undefined),
    ]);
  if (door.handled?.has(name)) return null;
  if (payload.agent_id !== undefined) {
    // A subagent is told nothing; what its tools did may be kept.
    const known = await findKnown($, door);
    return known?.resolved.addons.length === 0 ? null : ask($, door, name, payload);
  }
  return (await answerHere($, door, name, payload)) ?? ask($, door, name, payload);
}

/** What we answer at the end of a turn: nothing that anybody waits for, unless something may keep it from ending. */
export async function answerEnd($: Client, door: DoorMemory, payload: Payload): Promise<HookAnswer | null> {
  await noteSample($, door.sample, 'end');
  if (door.handled?.has('Stop')) return null;
  const known = await findKnown($, door);
  if (known !== null && isSwitchedOff(door, known)) return null;
  const mayHold = known?.resolved.settings['orchestration.hold_stop'] || known?.resolved.addons.length !== 0;
  const asked = ask($, door, 'Stop', payload);
  if (known === null || mayHold) return asked;
  door.kept = asked.catch(() => null);
  return null;
}

/** Waits for what is still being kept: nothing is started any more once the client has gone. */
export async function finish($: Client, door: DoorMemory): Promise<void> {
  await Promise.all([door.kept, writeNotes($, door)]);
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
  // The answer that calls the tool is known here, and stands in the transcript some time later.
  if (agentId === undefined) void noteSample($, door.sample, 'call');
  if (door.handled?.has('PreToolUse') || (await isJudged($, door, tool)) === false) return null;
  const [session, { transcriptPath, promptId }, cwd] = await Promise.all([
    $.session.id(),
    $.session.info(),
    $.session.cwd(),
  ]);
  return ask($, door, 'PreToolUse', {
    ...{ session_id: session, transcript_path: transcriptPath, cwd, prompt_id: promptId },
    ...{ hook_event_name: 'PreToolUse', tool_name: tool, tool_input: input, tool_use_id },
    ...(agentId === undefined ? {} : { agent_id: agentId }),
  });
}
