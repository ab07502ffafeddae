// What the client gives to our module: its way out of the sandbox, `$`, and the events that it raises (measured on 2.1.332).

/** `$`. Every call goes to the client, takes 0.3 to 1 ms (many at once 0.2 ms each), and may fail. */
export interface Client {
  session: {
    id(): Promise<string>;
    /** The folder in which the client was started, whatever the agent's `cd` did. */
    root(): Promise<string>;
    cwd(): Promise<string>;
    /** Model id, with the client's mark of its window. */
    model(): Promise<string>;
    /** `tokens` is absent where the client does not know: before the first answer, after a compaction. */
    usage(): Promise<{ context: { tokens?: number; window?: number } }>;
    info(): Promise<{ transcriptPath?: string; promptId?: string }>;
  };
  clock: { now(): Promise<number> };
  env: { get(name: string): Promise<string | undefined> };
  fs: {
    read(path: string): Promise<string>;
    /** Makes the folders on the way; mode 0600. */
    write(path: string, text: string): Promise<void>;
    exists(path: string): Promise<boolean>;
    /** Throws where there is nothing. */
    stat(
      path: string,
      options?: { resolve: true },
    ): Promise<{ size: number; mtimeMs: number; realPath?: string }>;
  };
  process: {
    /** Runs a program without a shell, in the client's own environment and what is given; costs what the program costs, and 3 ms. */
    run(
      argv: readonly string[],
      options: { stdin?: string; cwd?: string; env?: Record<string, string>; timeoutMs?: number },
    ): Promise<{ exitCode: number; stdout: string }>;
    /** What command hooks find in their environment besides: the plugin's folder, the project's, the session. */
    hookEnv(): Promise<Record<string, string>>;
  };
  /** All layers of the client's settings as one. */
  settings: { read(): Promise<Record<string, unknown>> };
  /** Shows a text to the person, and to nobody else. */
  ui: { log(text: string): void };
}

/** The fields of an event that our hooks read; the event is passed on as it came. */
export interface ClientEvent {
  /** Id of the subagent in which it happens. */
  agentId?: string;
  /** Of a compaction: `precompute` makes a summary that may be used later. */
  trigger?: string;
  /** What the summariser is asked besides; `next` may be given more of it. */
  instructions?: string;
}

/** What all hooks of an event have answered, those of settings included; what is not named here is passed on. */
export interface ClassicAnswer {
  additionalContext?: readonly string[];
  /** Why a tool call is refused, or asked about. */
  deny?: string;
  ask?: string;
  allow?: true;
  /** Why a turn does not end yet. */
  block?: string;
}

/** What a hook of ours has to say; null for nothing. */
export interface HookAnswer {
  context: string | null;
  /** For the person alone. */
  person: string | null;
  /** Why a tool call is refused, or asked about. */
  deny: string | null;
  ask: string | null;
  /** Why a turn does not end yet. */
  block: string | null;
}

type Hook<E = ClientEvent> = ($: Client, e: E, next: (e: E) => Promise<unknown>) => Promise<unknown>;
/**
 * Registers a module's hook for an event: `on`. The classic events carry what a command hook has on stdin, whether or not one is
 * registered; only before a tool call it is the call itself: its input, and beside it `tool`, `tool_use_id` and `agentId`.
 */
export interface On {
  (event: 'session.start' | 'session.compact', hook: Hook): unknown;
  (
    event: `classic.${'UserPromptSubmit' | 'PostToolBatch' | 'PreToolUse' | 'SessionStart' | 'Stop' | 'SubagentStop' | 'SessionEnd'}`,
    hook: Hook<Record<string, unknown>>,
  ): unknown;
}
