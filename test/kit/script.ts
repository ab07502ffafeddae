// The script of the stand-in model: what it says, and which turn answers a given request.
import type { RecordedRequest } from './scripted-model.ts';

/** The origin of a request: the session's own loop, a subagent, a compaction, or housekeeping such as titles. */
export type Kind = 'main' | 'agent' | 'summary' | 'side';

export type Usage = {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
};

export type Turn = {
  text?: string;
  tools?: readonly { name: string; input: Record<string, unknown>; id?: string }[];
  /** Tokens of context this call occupied, reported the way a warm cache would split them. */
  fill?: number;
  /** Raw numbers instead of `fill`; what is left out counts 0. */
  usage?: Partial<Usage> & Record<string, unknown>;
  output?: number;
  error?: { status: number; type?: string; message: string };
  delayMs?: number;
  stopReason?: string;
  /** The turn waits for a request whose last message matches. */
  when?: RegExp;
  /** Called before the answer goes out: the moment to kill a process or look at files. */
  onRequest?: (request: RecordedRequest) => void | Promise<void>;
};

export type Script = {
  main: readonly Turn[];
  agent?: readonly Turn[];
  /** A single turn answers every compaction; a list answers them in order. */
  summary?: Turn | readonly Turn[];
  side?: Turn;
  /** What main and agent requests get once their lists are used up. */
  fallback?: Turn;
};

const defaultSummary: Turn = {
  text: '<analysis>scripted</analysis>\n<summary>\n1. Primary Request and Intent: SCRIPTED-SUMMARY.\n</summary>',
};

const isList = (turns: Turn | readonly Turn[]): turns is readonly Turn[] => Array.isArray(turns);

/** Per kind: turns used once, in order, then one standing turn for ever. */
export function createCues(script: Script) {
  const summary = script.summary ?? defaultSummary;
  const standing: Record<Kind, Turn> = {
    main: script.fallback ?? { text: 'OK' },
    agent: script.fallback ?? { text: 'OK' },
    summary: isList(summary) ? defaultSummary : summary,
    side: script.side ?? { text: 'OK' },
  };
  const waiting: Record<Kind, Turn[]> = {
    main: [...script.main],
    agent: [...(script.agent ?? [])],
    summary: isList(summary) ? [...summary] : [],
    side: [],
  };
  return {
    push: (kind: Kind, ...turns: Turn[]) => void waiting[kind].push(...turns),
    next(kind: Kind, lastText: string): Turn {
      // `search` rather than `test`: it ignores the state a global expression carries between calls.
      const index = waiting[kind].findIndex((turn) => !turn.when || lastText.search(turn.when) >= 0);
      return (index >= 0 ? waiting[kind].splice(index, 1)[0] : undefined) ?? standing[kind];
    },
  };
}
