// The events that a host can report; the wire format belongs to the host.

interface Common {
  /** The host's id of the session; never trusted in file names. */
  conversation: string;
  /** Path of the transcript; the file may not exist yet. */
  transcript: string | null;
  cwd: string;
  /** The host's id of the prompt that is being worked on, as the transcript names it, or null. */
  promptId: string | null;
  /** Id of the subagent in which the event happened, or null in the main session. */
  agent: string | null;
}

export type Event = Common &
  /** `isNotice`: the host's own words to the model, such as that a background agent has ended; nobody typed them. */
  (
    | { kind: 'prompt'; isNotice: boolean }
    /** A tool or a batch of tools has run; ids of the calls as the transcript will name them, and what the host sent. */
    | { kind: 'after-tool'; calls: string[]; payload: Record<string, unknown> }
    /** A tool is about to run; null where the host names none, or gives no input. */
    | { kind: 'before-tool'; tool: string | null; input: Record<string, unknown> | null }
    | { kind: 'pre-compact'; trigger: 'auto' | 'manual'; instructions: string | null }
    | {
        kind: 'session-start';
        source: 'startup' | 'resume' | 'clear' | 'compact' | 'fork';
        model: string | null;
      }
    /** A turn has ended; the last answer as the host has it, which the transcript may not show yet; held: it has been held before. */
    | { kind: 'stop'; answer: string | null; isHeld: boolean }
    /** A subagent has finished; no type where it is the host's own (one that writes a summary). `wrote`: its own transcript. */
    | { kind: 'subagent-stop'; type: string | null; answer: string | null; wrote: string | null }
    | { kind: 'session-end'; reason: string }
  );

/** An event at which the agent may be told of its context usage. */
export type MainEvent = Extract<Event, { kind: 'prompt' | 'after-tool' }>;

export const isMainEvent = (event: Event | RareEvent): event is MainEvent =>
  event.kind === 'prompt' || event.kind === 'after-tool';

/** An event of a rare moment, of which only what all events share has been read. */
export type RareEvent = Common & {
  kind: 'rare';
  /** Whether the event of a subagent is one too: else only the main session's is. */
  ofAgents: boolean;
  payload: Record<string, unknown>;
};
