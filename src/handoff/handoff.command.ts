// Runs `plimsoll handoff`: prints what the last session left, and what the next one would be told.

import { WORKFLOW } from '../addons/addon.ts';
import type { WorkflowPlace } from '../addons/workflow-port.ts';
import { type Output, toJson } from '../cli/output.io.ts';
import type { ProjectContext } from '../cli/project.io.ts';
import type { Checkpoint } from '../compaction/checkpoint/checkpoint.ts';
import { openForHandoff } from '../compaction/checkpoint/find-checkpoint.io.ts';
import type { Ledger } from '../compaction/ledger/ledger.ts';
import { readCurrentThread } from '../compaction/ledger/thread.io.ts';
import {
  composeHandoff,
  composePointer,
  composeWorkflowHandoff,
  composeWorkflowPointer,
  type HandoffInput,
  isHollow,
} from '../compaction/messages.ts';
import { withStop } from '../compaction/work.ts';
import { isActive } from '../compaction/workflow/workflow.ts';
import { findHostOf, openThreads } from '../sessions/commands/find-session.io.ts';
import { type AbandonOptions, abandonSession } from '../sessions/commands/session.command.ts';
import type { SessionState } from '../sessions/session-state.ts';
import { readLastStop, readSessionState } from '../sessions/session-states.io.ts';
import { BUDGETS } from '../text/budget.ts';
import { PlimsollError } from '../text/plimsoll-error.ts';
import { VERSION } from '../version.ts';
import { decideHandoff, findUnfinished, readHandoffSettings, type Unfinished } from './decide-handoff.ts';
import { findPrevious, isAnotherRunning } from './previous-session.io.ts';
import { readPreviousWork, readWorkflowTold } from './previous-work.io.ts';

export interface HandoffOptions {
  preview?: boolean;
  json?: boolean;
}

/** The ledger of a session's thread; null where it cannot be read. */
function ledgerLeft(place: ProjectContext, state: SessionState): Ledger | null {
  try {
    const { ledger } = readCurrentThread(openThreads(place), state.session_id, state.transcript);
    return withStop(ledger, readLastStop(place.paths, state));
  } catch {
    // Left out, like everything that cannot be read.
    return null;
  }
}

const previousOf = (
  place: ProjectContext,
  { headless }: { headless: boolean },
): ReturnType<typeof findPrevious> =>
  findPrevious(place.paths, {
    // The agent that runs this command is not its own predecessor.
    except: [place.env.HOST_SESSION ?? ''],
    now: place.now,
    maxAgeHours: place.resolved.settings['resume.max_age_hours'],
    headless,
  });

/** The handoff of the session before, and why the next session might not be told it; null when there is none. */
async function previousFacts(
  place: ProjectContext,
  options: { headless: boolean },
): Promise<{ facts: HandoffInput; obstacle: string | null } | null> {
  const { settings } = place.resolved;
  const found = previousOf(place, options);
  if (found === null) return null;
  const { host } = findHostOf(place, found.state.session_id);
  const left = await readPreviousWork(found, {
    paths: place.paths,
    env: place.env,
    cwd: place.root ?? place.cwd,
    orchestration: settings['orchestration.path'],
    limits: host.limits,
    facts: host.facts,
    client: place.resolved.client,
    assessment: place.resolved.assessment,
    ledger: ledgerLeft(place, found.state),
    now: place.now,
    by: `plimsoll ${VERSION}`,
    // What cannot be read is left out, as in the hooks; `doctor` says what is wrong.
    onFailure: () => {},
  });
  return {
    facts: { ...left, checkpoint: found.state.last_checkpoint?.id ?? null, now: place.now },
    obstacle: found.obstacle,
  };
}

/** The handoff of a checkpoint: what was open at that moment; as if its session had ended there, where it was the last one. */
function checkpointFacts(place: ProjectContext, checkpoint: Checkpoint): HandoffInput {
  let because: Unfinished[] = [];
  let wentOn = false;
  try {
    const state = readSessionState(place.paths, checkpoint.conversation.session_id);
    wentOn = state?.last_checkpoint != null && state.last_checkpoint.id !== checkpoint.event_id;
    if (!wentOn)
      because = findUnfinished({ ended: state?.ended ?? { at: '', reason: '' } }, checkpoint, place.now);
  } catch {
    // The session's state is unreadable; the checkpoint alone has to do.
  }
  return {
    draft: checkpoint,
    checkpoint: checkpoint.event_id,
    ...{ because, wentOn },
    age_s: Math.max(0, (place.now - Date.parse(checkpoint.timestamp)) / 1000),
    root: place.root,
    now: place.now,
  };
}

/** Where the workflow of the project is looked for. */
const workflowPlaceOf = ({ root, cwd, resolved }: ProjectContext): WorkflowPlace => ({
  root,
  cwd,
  configured: resolved.settings['orchestration.path'],
});

interface Preview {
  told: string | null;
  because: string;
}

/** The same where no session is told of: of the workflow's file, as far as there is one. */
async function previewOfWorkflow(place: ProjectContext, why: string): Promise<Preview> {
  const { now, paths, env, resolved } = place;
  const told = await readWorkflowTold(workflowPlaceOf(place), place.now);
  if (told === null || !isActive(told.orchestration_state?.workflow_status))
    return { told: null, because: why };
  if (isAnotherRunning(paths, env.HOST_SESSION ?? '', now))
    return { told: null, because: `${why}, and another session, which may be at the workflow, goes on` };
  const start = { source: 'startup', isHeadless: false } as const;
  const step = decideHandoff(readHandoffSettings(resolved.settings), start, ['workflow']);
  if (step === 'nothing') return { told: null, because: 'resume.auto is "off"' };
  return {
    told:
      step === 'pointer'
        ? composeWorkflowPointer(told, now)
        : composeWorkflowHandoff(told, now, BUDGETS.resumption),
    because: `${why}, and a workflow is active`,
  };
}

/** What the person's next session would be told, and why. */
async function previewOf(place: ProjectContext): Promise<Preview> {
  const found = await previousFacts(place, { headless: place.resolved.settings['resume.headless'] });
  if (found === null)
    return previewOfWorkflow(
      place,
      'there is no ended session of this project to tell of (headless runs do not count)',
    );
  const { facts, obstacle } = found;
  if (obstacle === 'taken over')
    return previewOfWorkflow(place, 'another session has taken the last one over');
  if (obstacle === 'too old')
    return previewOfWorkflow(place, 'the last session is older than resume.max_age_hours');
  if (isHollow(facts)) return previewOfWorkflow(place, 'the last session left nothing to tell');
  const step = decideHandoff(
    readHandoffSettings(place.resolved.settings),
    { source: 'startup', isHeadless: false },
    facts.because,
  );
  if (step === 'nothing') return { told: null, because: 'resume.auto is "off"' };
  const isFinished =
    facts.because.length === 0 ? 'the last session is finished' : 'resume.auto asks for one line';
  if (step === 'context') return { told: composeHandoff(facts), because: `the last session is unfinished` };
  const told = composePointer(facts);
  return told === null
    ? previewOfWorkflow(place, 'the last session left nothing to tell')
    : { told, because: isFinished };
}

/** Prints the handoff of the last session or of a checkpoint, or with --preview what the next session would be told. */
export async function showHandoff(
  place: ProjectContext,
  given: string | undefined,
  options: HandoffOptions,
  output: Output,
): Promise<void> {
  if (options.preview && given !== undefined) {
    throw new PlimsollError('usage', '--preview is about the next session, not about a checkpoint', {
      hint: `plimsoll handoff ${given} prints what that checkpoint holds`,
    });
  }
  if (options.preview) {
    const preview = await previewOf(place);
    output.print(
      options.json
        ? toJson(preview)
        : preview.told === null
          ? `The next session is told nothing: ${preview.because}.`
          : `The next session is told this, because ${preview.because}:\n\n${preview.told}`,
    );
    return;
  }
  const facts =
    given === undefined
      ? (await previousFacts(place, { headless: true }))?.facts
      : checkpointFacts(place, openForHandoff(place, given));
  const isLeft = facts !== undefined && (given !== undefined || !isHollow(facts));
  const workflow = isLeft ? null : await readWorkflowTold(workflowPlaceOf(place), place.now);
  if (workflow !== null) {
    const text = composeWorkflowHandoff(workflow, place.now, BUDGETS.resumption);
    output.print(options.json ? toJson({ text, because: ['workflow'], state: workflow }) : text);
    return;
  }
  if (facts === undefined) throw noneEnded();
  if (!isLeft) {
    throw new PlimsollError('not-found', 'The last session of this project left nothing to tell', {
      hint: 'plimsoll session list shows how the sessions stand',
    });
  }
  const text = composeHandoff(facts);
  output.print(options.json ? toJson({ text, because: facts.because, state: facts.draft }) : text);
}

const noneEnded = (): PlimsollError =>
  new PlimsollError('not-found', 'There is no ended session of this project to tell of', {
    hint: 'plimsoll session list shows how the sessions stand; plimsoll handoff cx-NNN prints a checkpoint',
  });

/** Drops what `plimsoll handoff` would print. */
export function dismissHandoff(place: ProjectContext, options: AbandonOptions, output: Output): void {
  const found = previousOf(place, { headless: true });
  if (found === null) throw noneEnded();
  abandonSession(place, found.state.session_id, options, output);
  const active = WORKFLOW?.readActive(workflowPlaceOf(place)) ?? null;
  if (active !== null && options.json !== true)
    output.print(
      `${active.path} keeps an active workflow all the same, and the next session is told of it; plimsoll state status PAUSED ends that.`,
    );
}
