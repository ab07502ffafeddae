// Composes a checkpoint of the work, of git and of the orchestration file.
import { dirname } from 'node:path';
import type { Ledger } from '../compaction/ledger.ts';
import { workOfLedger } from '../compaction/work-of-ledger.ts';
import type { Assessment } from '../model/assessment.ts';
import { attempt } from '../model/attempt.ts';
import { type CheckpointDraft, draftCheckpoint, type Trigger } from '../model/checkpoint.ts';
import { type Orchestration, orchestrationOf } from '../model/resumption.ts';
import { EMPTY_WORK } from '../model/work.ts';
import { exists, stampOf } from '../platform/look.ts';
import { readGit } from './git.ts';
import { findOrchestration, readOrchestration } from './orchestration.ts';
import { below, type Env, type ProjectPaths, shownBelow } from './paths.ts';

/** Where a checkpoint is taken: which conversation, and what may be read for it. */
export interface Place {
  paths: ProjectPaths;
  env: Env;
  conversation: string;
  transcript: string | null;
  cwd: string;
  /** The configured ORCHESTRATION.yaml, or null: then it is looked for. */
  orchestration: string | null;
  /** Since when the session and the phase that the workflow names are there, as ISO times; what its file's age is judged by. */
  since?: { session: string | null; phase: string | null };
  /** Notes a source that failed; the checkpoint goes without it. */
  fail: (part: string, error: unknown) => void;
}

/** What ORCHESTRATION.yaml says, or null where there is none. */
export function orchestrationIn(
  place: Pick<Place, 'paths' | 'cwd' | 'orchestration' | 'since'>,
): Orchestration | null {
  const { root } = place.paths;
  const path = findOrchestration(root, place.cwd, place.orchestration);
  const source = path === null ? null : readOrchestration(path);
  const found = path === null || source === null ? null : orchestrationOf(source, shownBelow(path, root));
  if (found !== null && path !== null)
    found.state.section = {
      file_changed_at: new Date(stampOf(path).mtimeMs).toISOString(),
      session_since: place.since?.session ?? null,
      phase_since: place.since?.phase ?? null,
    };
  // By convention the plan lies beside the file, where the file does not name another one.
  const plan = path === null ? null : below(dirname(path), 'ORCHESTRATION_PLAN.md');
  if (found !== null && found.state.plan_path === null && plan !== null && exists(plan))
    found.state.plan_path = shownBelow(plan, root);
  return found;
}

/** Composes a checkpoint; every source that fails is left out and noted. */
export function takeCheckpoint(
  place: Place,
  input: {
    trigger: Trigger;
    assessment: Assessment;
    epoch: number;
    /** Name and version of who writes it. */
    by: string;
    /** What is known of the whole thread of work; null where it could not be read. */
    ledger: Ledger | null;
  },
): CheckpointDraft {
  const { trigger, assessment, epoch } = input;
  return draftCheckpoint({
    trigger,
    assessment,
    orchestration: attempt(place, 'orchestration file', () => orchestrationIn(place)),
    work: input.ledger === null ? EMPTY_WORK : workOfLedger(input.ledger),
    ledger: input.ledger,
    conversation: {
      session_id: place.conversation,
      epoch,
      transcript_path: place.transcript,
      cwd: place.cwd,
      git: attempt(place, 'git', () => readGit(place.cwd, place.env)),
    },
    writtenBy: `${input.by} (${trigger.source})`,
  });
}
