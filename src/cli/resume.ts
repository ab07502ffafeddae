// What does the conversation before this one leave to the next, and what would the next one be told?
import type { Ledger } from '../compaction/ledger.ts';
import { composeHandoff, composePointer, type HandoffInput } from '../compaction/messages.ts';
import { currentThread } from '../compaction/thread.io.ts';
import { withStop } from '../compaction/work-of-ledger.ts';
import { resumeSettings } from '../config/resume.ts';
import type { Checkpoint } from '../model/checkpoint.ts';
import type { Conversation } from '../model/conversation.ts';
import { resumeStep, type Unfinished, unfinishedBecause } from '../model/resume.ts';
import { readConversation } from '../store/conversations.ts';
import { leftBy } from '../store/left.ts';
import { findPrevious } from '../store/previous.ts';
import { VERSION } from '../version.ts';
import { idOf, openCheckpoint } from './checkpoint.ts';
import { type Output, toJson, UserError } from './output.ts';
import type { Place } from './place.ts';

export interface ResumeOptions {
  preview?: boolean;
  json?: boolean;
}

/** What is known of the thread of a conversation's work; null where that cannot be read. */
function ledgerLeft({ paths }: Place, state: Conversation): Ledger | null {
  try {
    const { ledger } = currentThread(paths, state.session_id, state.transcript_path);
    return withStop(ledger, state.stopped);
  } catch {
    // left out, as everything that cannot be read
    return null;
  }
}

/** What is known of the conversation that came before, and why the next one might not be told; null when there is none. */
function previousFacts(
  place: Place,
  options: { headless: boolean },
): { facts: HandoffInput; obstacle: string | null } | null {
  const { settings } = place.resolved;
  const found = findPrevious(place.paths, {
    // The agent that runs this command is not its own predecessor.
    except: [place.env.CLAUDE_CODE_SESSION_ID ?? ''],
    now: place.now,
    maxAgeHours: settings['resume.max_age_hours'],
    headless: options.headless,
  });
  if (found === null) return null;
  const left = leftBy(found, {
    paths: place.paths,
    env: place.env,
    cwd: place.root ?? place.cwd,
    orchestration: settings['orchestration.path'],
    client: place.resolved.client,
    assessment: place.resolved.assessment,
    ledger: ledgerLeft(place, found.state),
    now: place.now,
    by: `plimsoll ${VERSION}`,
    // What cannot be read is left out, as in the hooks; `doctor` says what is wrong.
    fail: () => {},
  });
  return {
    facts: { ...left, checkpoint: found.state.last_checkpoint?.id ?? null, now: place.now },
    obstacle: found.obstacle,
  };
}

/** A checkpoint told as the end of its conversation: what was open at that moment. */
function checkpointFacts(place: Place, checkpoint: Checkpoint): HandoffInput {
  let because: Unfinished[] = [];
  try {
    const state = readConversation(place.paths, checkpoint.conversation.session_id);
    because = unfinishedBecause({ ended: state?.ended ?? { at: '', reason: '' } }, checkpoint, place.now);
  } catch {
    // its conversation's state is unreadable: the checkpoint speaks for itself
  }
  return {
    draft: checkpoint,
    checkpoint: checkpoint.event_id,
    because,
    age_s: Math.max(0, (place.now - Date.parse(checkpoint.timestamp)) / 1000),
    root: place.root,
    now: place.now,
  };
}

/** What the next conversation of a person would be told, and why. */
function previewOf(place: Place): { told: string | null; because: string } {
  const found = previousFacts(place, { headless: place.resolved.settings['resume.headless'] });
  if (found === null)
    return {
      told: null,
      because: 'no earlier conversation of this project has ended (headless runs do not count)',
    };
  const { facts, obstacle } = found;
  if (obstacle === 'taken over')
    return { told: null, because: 'another conversation has taken the last one over' };
  if (obstacle === 'too old')
    return { told: null, because: 'the last conversation is older than resume.max_age_hours' };
  const step = resumeStep(
    resumeSettings(place.resolved.settings),
    { source: 'startup', isHeadless: false },
    facts.because,
  );
  if (step === 'nothing') return { told: null, because: 'resume.auto is "off"' };
  const isFinished =
    facts.because.length === 0 ? 'the last conversation is finished' : 'resume.auto asks for one line';
  return step === 'context'
    ? { told: composeHandoff(facts), because: `the last conversation is unfinished` }
    : { told: composePointer(facts), because: isFinished };
}

/** Prints the resumption of the last conversation, of a checkpoint, or what the next conversation would be told. */
export function resume(
  place: Place,
  given: string | undefined,
  options: ResumeOptions,
  output: Output,
): void {
  if (options.preview && given !== undefined) {
    throw new UserError('--preview is about the next conversation, not about a checkpoint', {
      hint: `plimsoll handoff ${given} prints what that checkpoint holds`,
      code: 2,
    });
  }
  if (options.preview) {
    const preview = previewOf(place);
    output.print(
      options.json
        ? toJson(preview)
        : preview.told === null
          ? `The next conversation is told nothing: ${preview.because}.`
          : `The next conversation is told this, because ${preview.because}:\n\n${preview.told}`,
    );
    return;
  }
  const facts =
    given === undefined
      ? previousFacts(place, { headless: true })?.facts
      : checkpointFacts(place, openCheckpoint(place, idOf(place, given)));
  if (facts === undefined) {
    throw new UserError('No earlier conversation of this project has ended', {
      hint: 'plimsoll status shows the one that runs; plimsoll handoff cx-NNN prints a checkpoint',
    });
  }
  const text = composeHandoff(facts);
  output.print(options.json ? toJson({ text, because: facts.because, state: facts.draft }) : text);
}
