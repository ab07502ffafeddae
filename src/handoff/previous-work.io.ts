// Reads what a session that has ended or died left behind: a checkpoint draft, and why its work is unfinished.

import { WORKFLOW } from '../addons/addon.ts';
import type { WorkflowPlace } from '../addons/workflow-port.ts';
import { type CheckpointDraft, draftWorkflow } from '../compaction/checkpoint/checkpoint.ts';
import { buildCheckpoint } from '../compaction/checkpoint/keep-checkpoint.io.ts';
import type { Ledger } from '../compaction/ledger/ledger.ts';
import { findWorkflowVoice } from '../compaction/workflow/workflow.ts';
import type { WorkflowTold } from '../compaction/workflow/workflow-lines.ts';
import type { AssessmentSettings } from '../context/assessment.ts';
import { buildContextStatus } from '../context/context-status.ts';
import { readLearned } from '../context/learned-thresholds.io.ts';
import type { TranscriptScan } from '../context/usage.ts';
import { readFeed } from '../context/usage-samples.io.ts';
import type { FactReader, HostLimits } from '../hosts/host.ts';
import { scanTail } from '../hosts/scan-facts.io.ts';
import { exists } from '../platform/look.ts';
import type { Env, ProjectPaths } from '../platform/project/paths.ts';
import { findUnfinished, type Unfinished } from './decide-handoff.ts';
import type { PreviousSession } from './previous-session.io.ts';

/** What the workflow's file tells of, where no session is; null where there is none, or it is over. */
export async function readWorkflowTold(place: WorkflowPlace, now: number): Promise<WorkflowTold | null> {
  const found = (await WORKFLOW?.read(place)) ?? null;
  return found === null || findWorkflowVoice(found.state, now) === 'history' ? null : draftWorkflow(found);
}

export interface PreviousWork {
  /** Composed like a checkpoint of the session, but not written. */
  draft: CheckpointDraft;
  /** Why its work is unfinished. */
  because: Unfinished[];
  /** Seconds since its last activity. */
  age_s: number;
  root: string | null;
}

/** Reads what a session left, as of now: git and the orchestration file may have changed since it ended. */
export async function readPreviousWork(
  { state, at }: PreviousSession,
  place: {
    paths: ProjectPaths;
    env: Env;
    cwd: string;
    orchestration: string | null;
    /** The ledger of its thread of work, or null when it cannot be read. */
    ledger: Ledger | null;
    /** The client's own settings, merged, and the settings by which usage is assessed. */
    client: Record<string, unknown>;
    limits: HostLimits;
    facts: FactReader;
    assessment: AssessmentSettings;
    /** Milliseconds since the epoch. */
    now: number;
    by: string;
    onFailure: (part: string, error: unknown) => void;
  },
): Promise<PreviousWork> {
  // The client removes transcripts after some weeks; then only the newest checkpoint is left.
  const { transcript: path } = state;
  let scan: TranscriptScan | null = null;
  try {
    scan = path === null ? null : scanTail(path, place.facts, { until: state.transcript_position.offset });
  } catch (error) {
    place.onFailure('transcript', error);
  }
  const transcript = scan === null ? null : path;
  const { assessment, epoch } = buildContextStatus({
    state,
    facts: scan?.facts ?? null,
    head: null,
    feed: readFeed(place.paths, state.session_id),
    isWhole: false,
    now: at,
    env: place.env,
    limits: place.limits,
    client: place.client,
    learned: readLearned(place.env),
    settings: place.assessment,
  });
  const ownFile = state.workflow_file?.path ?? null;
  const draft = await buildCheckpoint(
    {
      paths: place.paths,
      env: place.env,
      session: state.session_id,
      transcript,
      cwd: place.cwd,
      // The session may have worked in another folder, with its own file.
      orchestration: place.orchestration ?? (ownFile !== null && exists(ownFile) ? ownFile : null),
      since: { session: state.started, phase: state.workflow_file?.phase_since ?? null },
      onFailure: place.onFailure,
    },
    {
      trigger: { type: 'late', source: 'end of the session', custom_instructions: null },
      assessment,
      epoch: epoch.number,
      by: place.by,
      ledger: place.ledger,
    },
  );
  return {
    draft,
    because: findUnfinished(state, draft, place.now),
    age_s: Math.max(0, (place.now - at) / 1000),
    root: place.paths.root,
  };
}
