// Builds a checkpoint of the event's session, and reads and saves the ledger that it is made from.

import { WORKFLOW } from '../../addons/addon.ts';
import type { Assessment } from '../../context/assessment.ts';
import type { SessionSnapshot } from '../../context/context-status.ts';
import type { Action } from '../../hook/action.ts';
import type { HookContext } from '../../hook/snapshot.io.ts';
import { readGit } from '../../platform/git/git-state.ts';
import type { Env, ProjectPaths } from '../../platform/project/paths.ts';
import { tryStep, tryStepAsync } from '../../platform/project/try-step.ts';
import { readLastStop } from '../../sessions/session-states.io.ts';
import { VERSION } from '../../version.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Thread } from '../ledger/thread.io.ts';
import { buildWork, EMPTY_WORK, withStop } from '../work.ts';
import { type CheckpointDraft, draftCheckpoint, type Trigger } from './checkpoint.ts';

/** The session that a checkpoint is taken of, and the sources for it. */
interface CheckpointSource {
  paths: ProjectPaths;
  env: Env;
  session: string;
  transcript: string | null;
  cwd: string;
  /** The configured ORCHESTRATION.yaml, or null: then it is searched for. */
  orchestration: string | null;
  /** Start of the session and of the workflow's present phase, as ISO times, to judge the age of its file by. */
  since?: { session: string | null; phase: string | null };
  /** Logs a source that failed; the checkpoint is composed without it. */
  onFailure: (part: string, error: unknown) => void;
}

/** Composes a checkpoint; a source that fails is left out and logged. */
export async function buildCheckpoint(
  place: CheckpointSource,
  input: {
    trigger: Trigger;
    assessment: Assessment;
    epoch: number;
    /** Name and version of the program that writes it. */
    by: string;
    /** The ledger of the thread of work; null when it could not be read. */
    ledger: Ledger | null;
  },
): Promise<CheckpointDraft> {
  const { trigger, assessment, epoch } = input;
  return draftCheckpoint({
    trigger,
    assessment,
    orchestration: await tryStepAsync(place, 'orchestration file', async () => {
      const { paths, cwd, orchestration: configured } = place;
      return (await WORKFLOW?.read({ root: paths.root, cwd, configured }, place.since)) ?? null;
    }),
    work: input.ledger === null ? EMPTY_WORK : buildWork(input.ledger),
    ledger: input.ledger,
    conversation: {
      session_id: place.session,
      epoch,
      transcript: place.transcript,
      cwd: place.cwd,
      // A rise does not wait for git: the compaction after it does, and a new session asks anew.
      git: tryStep(place, 'git', () => readGit(place.cwd, place.env, trigger.type !== 'tier-rise')),
    },
    writtenBy: `${input.by} (${trigger.source})`,
  });
}

/** The sources for a checkpoint of the event's session. */
const placeIn = (hook: HookContext, snapshot: SessionSnapshot): CheckpointSource => ({
  paths: hook.paths,
  env: hook.env,
  session: hook.event.session,
  transcript: hook.event.transcript,
  cwd: hook.event.cwd,
  orchestration: hook.resolved.settings['orchestration.path'],
  since: {
    session: snapshot.state?.started ?? null,
    phase: snapshot.state?.workflow_file?.phase_since ?? null,
  },
  onFailure: hook.onFailure,
});

/** Milliseconds that a hook reads far back; the hook before a compaction ends within three seconds, and the next hook reads on. */
const LONGEST_READING = 1_700;

/** Threads that were read already, so that each is read once per hook run. */
const threads = new WeakMap<HookContext, Promise<Thread | null>>();

const threadIn = (hook: HookContext): Promise<Thread | null> => {
  const read =
    threads.get(hook) ??
    tryStepAsync(hook, 'ledger', async () => {
      const { readCurrentThread } = await import('../ledger/thread.io.ts');
      const { openThread } = await import('../ledger/open-thread.io.ts');
      const { host, paths, event } = hook;
      const source = await openThread(host, paths, event.session);
      return readCurrentThread({ ...source, longest: LONGEST_READING }, event.session, event.transcript);
    });
  threads.set(hook, read);
  return read;
};

/** The current ledger of the event's session, or null when it cannot be read. */
export async function readLedger(hook: HookContext, snapshot: SessionSnapshot): Promise<Ledger | null> {
  const thread = await threadIn(hook);
  const { state } = snapshot;
  return thread && withStop(thread.ledger, state && readLastStop(hook.paths, state));
}

/** Saves the ledger as far as it was read, so that the next hook continues from there. */
export async function buildLedgerAction(hook: HookContext): Promise<Action[]> {
  const thread = await threadIn(hook);
  if (thread === null) return [];
  const { isStored, formatThread } = await import('../ledger/thread.io.ts');
  if (isStored(thread)) return [];
  const { session } = hook.event;
  return [{ name: 'ledger', effects: [{ do: 'save-ledger', session, text: formatThread(thread) }] }];
}

/** Composes a checkpoint; a source that fails is left out and logged. */
export async function takeCheckpoint(
  hook: HookContext,
  snapshot: SessionSnapshot,
  input: Omit<Parameters<typeof buildCheckpoint>[1], 'by' | 'ledger'>,
): Promise<CheckpointDraft> {
  const ledger = await readLedger(hook, snapshot);
  return buildCheckpoint(placeIn(hook, snapshot), { ...input, ledger, by: `plimsoll ${VERSION}` });
}
