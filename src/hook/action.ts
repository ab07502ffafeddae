// The result of a hook: a list of independent actions, each with a claim, effects, a message and effects after it.

import type { CheckpointDraft } from '../compaction/checkpoint/checkpoint.ts';
import type { SessionSnapshot } from '../context/context-status.ts';
import type { Learned } from '../context/learned.ts';
import type { SessionPatch, SessionState, WorkflowFile } from '../sessions/session-state.ts';

/** A change that a hook asks for, on disk. */
export type Effect =
  | { do: 'patch-session'; session: string; patch: SessionPatch }
  | { do: 'write-checkpoint'; draft: CheckpointDraft }
  /** The ledger of a session, whole and without secrets. */
  | { do: 'save-ledger'; session: string; text: string }
  /** Marks a checkpoint, and all older ones of the same session, as told to the agent. */
  | { do: 'acknowledge'; session: string; checkpoint: string; evidence: string }
  /** Puts what a checkpoint knows into the resumption section of its workflow's file. */
  | { do: 'merge-checkpoint'; checkpoint: string }
  /** An automatic compaction happened at this usage (`points`), or a compaction left it (`sizes`). */
  | { do: 'learn-point'; kind: keyof Learned; key: string; tokens: number }
  /**
   * Removes what is kept for nothing any more, a bounded number at a time; so many of the newest checkpoints stay.
   * `orchestration`: the configured ORCHESTRATION.yaml; cwd: from where others are looked for.
   */
  | { do: 'prune'; keep: number; cwd: string; orchestration: string | null }
  /** Notes what has happened among the events of the session, after everything else. */
  | ({ do: 'append-events' } & AuditInput)
  /** What was done against rules: only the events keep it. */
  | { do: 'note-violations'; violations: RuleViolation[] }
  | AddonEffect
  /** Keeps the resolved settings, as text, for the next hook. */
  | { do: 'save-settings'; text: string };

/** An effect that an add-on applies itself, by its name in the registry. */
export interface AddonEffect {
  do: 'apply-in-addon';
  addon: string;
  data: unknown;
}

/** What keeps the active track from being worked on. */
export interface Evaluation {
  track: string;
  /** At least one, in a file of the track or about it as a whole. */
  findings: readonly {
    check: string;
    file: string | null;
    line: number | null;
    message: string;
    next: string;
  }[];
}

/** That something was against a rule: which one, by what tool where that is known, and what came of it. */
export interface RuleViolation {
  rule: string;
  tool: string | null;
  verdict: string;
}

/** An effect that was applied, and what it gave back. */
export interface AppliedEffect {
  effect: Effect;
  checkpoint?: { id: string } | null;
}

/** What the audit of a hook is made from. */
export interface AuditInput {
  session: string;
  /** What came: work begins a session, or goes on in one that has ended, as a `resume` does; a `prompt` also in a dropped one. */
  moment: 'prompt' | 'after-tool' | 'resume' | 'other';
  done: readonly AppliedEffect[];
  /** What was seen before anything was kept; null where nothing was looked at. */
  snapshot: SessionSnapshot | null;
  /** A subagent that has finished. */
  agent?: { id: string; type: string };
  /** The setting session.abandon_on. */
  abandonOn: 'none' | 'emergency' | 'compaction';
}

/** What the effects gave back so far, of this action and of those before it. */
export interface EffectResults {
  /** The checkpoint that was written, or null. */
  checkpoint: { id: string; at: string } | null;
  /** The file that a checkpoint was merged into, as it is now. */
  merged?: Pick<WorkflowFile, 'path' | 'mtimeMs' | 'last_checkpoint'>;
  /** All effects that were applied so far, in order. */
  done: readonly AppliedEffect[];
}

/** What a message may depend on: the effects so far, and the messages before it. */
export interface RenderContext extends EffectResults {
  /** Tokens of the messages before this one, by our own conservative count. */
  tokens: () => number;
}

/** An effect, or a function that makes one of the results so far; null when there is nothing to do. */
export type EffectOrFactory = Effect | ((results: EffectResults) => Effect | null);

export interface Message {
  /** For the model, as added context (or, before a compaction, as words for the summariser). */
  context?: string;
  /** For the person at the terminal. */
  person?: string;
  /** At the end of a turn: why it does not end yet. */
  blockStop?: string;
}

/** One independent piece of a hook's result: claim → effects → message → effects after the reply. One that fails never stops another. */
export interface Action {
  name: string;
  /** Exclusive right to this action; when another process has it, the action is dropped. */
  claim?: {
    name: string;
    /** The session in whose folder it lies, and whose state tells whether the thing is leased; the event's own unless named. */
    of?: string;
    isLeased: (state: SessionState) => boolean;
  };
  effects?: EffectOrFactory[];
  render?: (context: RenderContext) => Message | null;
  /** Effects that are applied after the reply was written to stdout. */
  afterReply?: EffectOrFactory[];
}

export type HookResult = Action[];
