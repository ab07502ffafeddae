// Composes a checkpoint draft from the ledger, the state of git and the orchestration file.
import { dirname } from 'node:path';
import { findOrchestration, readOrchestration } from '../../addons/orchestration/find-workflow.io.ts';
import { buildOrchestration } from '../../addons/orchestration/resumption.ts';
import type { Assessment } from '../../context/assessment.ts';
import { readGit } from '../../platform/git/git-state.ts';
import { exists, stampOf } from '../../platform/look.ts';
import { type Env, joinPath, type ProjectPaths, relativeTo } from '../../platform/project/paths.ts';
import { tryStep } from '../../platform/project/try-step.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { EMPTY_WORK } from '../work.ts';
import { buildWork } from '../work-of-ledger.ts';
import type { Orchestration } from '../workflow/workflow.ts';
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

/** The content of ORCHESTRATION.yaml, or null when there is none. */
export function readWorkflow(
  place: Pick<CheckpointSource, 'paths' | 'cwd' | 'orchestration' | 'since'>,
): Orchestration | null {
  const { root } = place.paths;
  const path = findOrchestration(root, place.cwd, place.orchestration);
  const source = path === null ? null : readOrchestration(path);
  const found = path === null || source === null ? null : buildOrchestration(source, relativeTo(path, root));
  if (found !== null && path !== null)
    found.state.section = {
      file_changed_at: new Date(stampOf(path).mtimeMs).toISOString(),
      session_since: place.since?.session ?? null,
      phase_since: place.since?.phase ?? null,
    };
  // By convention the plan is beside the file, unless the file names another one.
  const plan = path === null ? null : joinPath(dirname(path), 'ORCHESTRATION_PLAN.md');
  if (found !== null && found.state.plan_path === null && plan !== null && exists(plan))
    found.state.plan_path = relativeTo(plan, root);
  return found;
}

/** Composes a checkpoint; a source that fails is left out and logged. */
export function buildCheckpoint(
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
): CheckpointDraft {
  const { trigger, assessment, epoch } = input;
  return draftCheckpoint({
    trigger,
    assessment,
    orchestration: tryStep(place, 'orchestration file', () => readWorkflow(place)),
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
