// The facts about the context that one line of a transcript can state, whatever the host.

/** The figures of one main-chain answer. */
export interface UsageFact {
  kind: 'usage';
  /** Context occupied by the call, in tokens: input + cache creation + cache read. */
  tokens: number;
  /** Output tokens of the answer; a lower bound on clients before 2.1.112, which store streaming partials. */
  output: number;
  model: string;
  /** ISO time written by the client, or null. */
  at: string | null;
  messageId: string | null;
}

/** A compaction of the main session. */
export interface BoundaryFact {
  kind: 'boundary';
  trigger: 'auto' | 'manual' | null;
  /** Tokens before the compaction as the client counted them, or null. */
  preTokens: number | null;
  at: string | null;
}

/** The model that the client named, with or without the `[1m]` mark of a large window; the last one counts. */
export interface WindowMarkFact {
  kind: 'window-mark';
  /** Name without the mark. */
  model: string;
  isMarked: boolean;
}

/** A hook's words that the client stored as delivered to the model. */
export interface InjectionFact {
  kind: 'injection';
  text: string;
}

export type LineFact = UsageFact | BoundaryFact | WindowMarkFact | InjectionFact;
