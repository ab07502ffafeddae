// Composes a checkpoint draft from the ledger, the state of git and the orchestration file.
import { WORKFLOW } from '../../addons/addon.ts';
import type { Assessment } from '../../context/assessment.ts';
import { readGit } from '../../platform/git/git-state.ts';
import type { Env, ProjectPaths } from '../../platform/project/paths.ts';
import { tryStep, tryStepAsync } from '../../platform/project/try-step.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { EMPTY_WORK } from '../work.ts';
import { buildWork } from '../work-of-ledger.ts';
import { type CheckpointDraft, draftCheckpoint, type Trigger } from './checkpoint.ts';

/** The session that a checkpoint is taken of, and the sources for it. */
export interface CheckpointSource {
  paths: ProjectPaths;
  env: Env;
  conversation: string;
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
      session_id: place.conversation,
      epoch,
      transcript: place.transcript,
      cwd: place.cwd,
      git: tryStep(place, 'git', () => readGit(place.cwd, place.env)),
    },
    writtenBy: `${input.by} (${trigger.source})`,
  });
}
