// The door of hooks inside the client: what it knows of settings and session, and the processes that it starts.

import type { GivenAlert } from '../../../compaction/delivery.ts';
import { type DecisionNote, noteRun, type RunNote } from '../../../sessions/run-lines.ts';
import type { SessionPatch } from '../../../sessions/session-state.ts';
import { isObject, readNonEmpty } from '../../../text/json.ts';
import { findHookProgram, isOurHook, type Registration } from '../install/hooks.ts';
import { OURS_BY_ENV } from '../variables.ts';
import { hasNoVariables, readHookAnswer, runHookProcess } from './ask-process.io.ts';
import type { Client, HookAnswer } from './client.ts';
import {
  type Cache,
  type Known,
  type KnownSession,
  readKnown,
  readKnownSession,
  readLimitVariables,
} from './known.io.ts';
import { folderOf, type Memory, noteSample } from './sample.io.ts';

/** What a hook has on stdin. */
export type Payload = Record<string, unknown>;

/** Says the alert, and notes in the door that it was said. */
export type SayAlert = () => HookAnswer;
/** A compaction that the module serves: the file that says so, its session, and the alert after it, where it can be said here. */
export interface Served {
  mark: string;
  /** Kept once the file is written. */
  isMarked: Promise<unknown>;
  session: unknown;
  alert: Promise<SayAlert | null>;
}

export interface DoorMemory {
  sample: Memory;
  cache: Cache;
  /** Whether the settings that hooks keep are those of this session: nothing in its environment sets one. */
  isPlain: Promise<boolean> | null;
  /** The variables that decide limits, read once: those of the client's settings are with the settings. */
  limits: Promise<Known['limits']> | null;
  /** The events for which settings run a hook of ours, which then does the work; null where that is not known. */
  handled: Set<string> | null;
  /** What a process still keeps while the session goes on, and the end of a turn that is still looked at. */
  /** The facts for a summary, where that process took a compaction over. */
  kept: Promise<string | null>;
  ending: Promise<unknown>;
  isKeeping: boolean;
  /** What the state does not say yet, though it was said; null where it is current. */
  unkept: SessionPatch | null;
  /** The alert that was said here and no process has noted yet. */
  given: GivenAlert | null;
  /** The compaction that the module serves; null where it serves none. */
  served: Served | null;
  /** What a process had to say that nobody waited for, for the next event. */
  late: string | null;
  /** Whether the client was about to compact when it was looked at last. */
  isCompactionDue: boolean;
  /** What was read last to decide by, and when. */
  known: { at: number; value: Known | null };
  /** Answers that the file of runs does not have yet, and when it was written last. */
  notes: { run: RunNote; decided: DecisionNote }[];
  notedAt: number;
}

export const createDoor = (sample: Memory): DoorMemory => ({
  ...{ sample, cache: new Map(), isPlain: null, limits: null, handled: null },
  ...{ kept: Promise.resolve(null), ending: Promise.resolve(), isKeeping: false },
  ...{ unkept: null, given: null, served: null, late: null, isCompactionDue: false },
  ...{ known: { at: 0, value: null }, notes: [], notedAt: 0 },
});

/** So long what was read of settings holds between two tool calls, and the file of runs waits for its lines, in ms. */
export const HOLDS_MS = 1_000;

/** What settings run at the same moment under another name. */
const SAME_MOMENT: Record<string, string> = { PostToolBatch: 'PostToolUse' };
const EVENTS = [
  ...['UserPromptSubmit', 'PostToolBatch', 'PreToolUse', 'PreCompact', 'SessionStart'],
  ...['Stop', 'SubagentStop'],
];

/** The hooks of ours that settings run for an event. */
function hooksIn(settings: Record<string, unknown>, event: string): Registration[] {
  const groups = isObject(settings.hooks) ? settings.hooks[event] : [];
  return (Array.isArray(groups) ? groups : [])
    .flatMap((group: unknown) => (isObject(group) && Array.isArray(group.hooks) ? group.hooks : []))
    .filter(isOurHook) as Registration[];
}

/** Looks at the client's settings: which events our hooks in them answer, and whether they move our files or settings. */
export async function readClientSettings($: Client, door: DoorMemory): Promise<void> {
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

/** Reads what our hooks would decide by. */
export async function lookUpKnown($: Client, door: DoorMemory): Promise<void> {
  const { place } = door.sample;
  if (place === null) return;
  const at = performance.now();
  door.isPlain ??= hasNoVariables($).catch(() => false);
  door.limits ??= readLimitVariables($);
  const [isPlain, limits, known] = await Promise.all([
    door.isPlain,
    door.limits,
    readKnown($, door.cache, place),
  ]);
  door.known = { at, value: isPlain && known !== null ? { ...known, limits } : null };
}

/** What our hooks would decide by; null where a process has to find out. */
export async function findKnown($: Client, door: DoorMemory): Promise<Known | null> {
  // What a repository sets in its own client settings does not silence us: only a process can tell.
  if (door.sample.isSilenced || door.handled === null) return null;
  if (door.known.value === null || performance.now() - door.known.at >= HOLDS_MS) await lookUpKnown($, door);
  return door.sample.place && door.known.value;
}

export const isSwitchedOff = (door: DoorMemory, { resolved }: Known): boolean =>
  !resolved.settings.enabled || door.sample.isOff;

/** Writes down what was answered since the last time, as a process would have. */
export async function writeNotes($: Client, door: DoorMemory): Promise<void> {
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

const isOfMain = (payload: Payload): boolean => payload.agent_id === undefined;

/** What every hook has on stdin, where an event of the client does not carry it. */
export async function readCommonPayload($: Client): Promise<Payload> {
  const [session, { transcriptPath, promptId }, cwd] = await Promise.all([
    $.session.id(),
    $.session.info(),
    $.session.cwd(),
  ]);
  return { session_id: session, transcript_path: transcriptPath, cwd, prompt_id: promptId };
}

/** Looks at what a process is told: the usage as it is now, and its environment. */
export async function prepare(
  $: Client,
  door: DoorMemory,
  name: string,
  payload: Payload,
): Promise<Record<string, string>> {
  // At the end of a turn it was noted already, and a client that ends does not know it any more.
  const isKnown = name === 'Stop' || !isOfMain(payload);
  const seen = isKnown ? door.sample.queue : noteSample($, door.sample, 'call');
  const [env] = await Promise.all([$.process.hookEnv(), seen]);
  return env;
}

/** The alert that was said here in the session of an event and no process has noted yet. */
export const findGiven = ({ given }: DoorMemory, payload: Payload): GivenAlert | null =>
  given !== null && given.session === payload.session_id ? given : null;

/**
 * What one of our hooks prints. Of the main session it is told the usage, and notes the alert that was said here.
 * @param isAside whether nobody waits for it, and it serves a compaction too that begins meanwhile
 */
export async function runInProcess(
  $: Client,
  door: DoorMemory,
  env: Record<string, string>,
  name: string,
  payload: Payload,
  isAside = false,
): Promise<string> {
  // A hook before a tool call keeps nothing of the session, so it could not note the alert.
  const alert = name !== 'PreToolUse' && isOfMain(payload) ? findGiven(door, payload) : null;
  const usage = isOfMain(payload) ? door.sample.last : null;
  const printed = await runHookProcess($, env, name, { ...payload, plimsoll: { usage, alert, isAside } });
  if (alert !== null && door.given === alert) door.given = null;
  // It may have read other settings.
  door.known.value = null;
  return printed;
}

/** Reads the answer, and shows the person what is theirs. */
function hear($: Client, printed: string): HookAnswer | null {
  const answer = readHookAnswer(printed);
  if (answer?.person) $.ui.log(answer.person);
  return answer;
}

/** Asks a process, after the one before it. */
export async function ask(
  $: Client,
  door: DoorMemory,
  name: string,
  payload: Payload,
): Promise<HookAnswer | null> {
  const before = door.kept.then(() => writeNotes($, door));
  const [env] = await Promise.all([prepare($, door, name, payload), before]);
  return hear($, await runInProcess($, door, env, name, payload));
}

/** What the hooks have kept of the session of an event; null where no place for it is known yet. */
export async function readSessionOf(
  $: Client,
  door: DoorMemory,
  payload: Payload,
): Promise<KnownSession | null> {
  const { place } = door.sample;
  const session = readNonEmpty(payload.session_id);
  const transcript = readNonEmpty(payload.transcript_path);
  if (place === null || session === null || transcript === null) return null;
  return readKnownSession($, door.cache, { folder: folderOf(place, session), session, transcript });
}

const MONITOR = /<context-monitor>[\s\S]*?<\/context-monitor>/;

/**
 * Lets a process keep what happened while the session goes on. It is started while the client waits for us, unless another one
 * still runs: later, when the client works, each call through `$` takes some 20 ms.
 */
export async function keep($: Client, door: DoorMemory, name: string, payload: Payload): Promise<void> {
  const { isKeeping } = door;
  door.isKeeping = true;
  const begun = door.kept
    .then(() => Promise.all([prepare($, door, name, payload), writeNotes($, door)]))
    .then(([env]) => env);
  const kept = begun
    .then((env) => runInProcess($, door, env, name, payload, true))
    .then((printed) => {
      const [said = '', served] = printed.split('\n');
      const answer = hear($, said);
      // The usage was told here.
      const rest = answer?.context?.replace(MONITOR, '').trim() ?? '';
      if (rest !== '') door.late = rest;
      return served === undefined ? null : (JSON.parse(served) as { facts: string }).facts;
    })
    .catch(() => null)
    .then((facts) => {
      if (door.kept === kept) Object.assign(door, { isKeeping: false, unkept: null });
      return facts;
    });
  door.kept = kept;
  if (!isKeeping) await begun.catch(() => undefined);
}
