// Types of the client's module interface, as far as ours uses it. It is young: whatever is missing, we do without.

/** The module's way out of its sandbox, `$`. Every call goes to the client and may fail. */
export interface Client {
  session: {
    id(): Promise<string>;
    /** The folder in which the client was started, whatever the agent's `cd` did. */
    root(): Promise<string>;
    /** Model id, with the client's mark of its window. */
    model(): Promise<string>;
    /** `tokens` is absent where the client does not know: before the first answer, after a compaction. */
    usage(): Promise<{ context: { tokens?: number; window?: number } }>;
  };
  clock: { now(): Promise<number> };
  env: { get(name: string): Promise<string | undefined> };
  fs: {
    read(path: string): Promise<string>;
    /** Makes the folders on the way; mode 0600. */
    write(path: string, text: string): Promise<void>;
    exists(path: string): Promise<boolean>;
    stat(path: string, options: { resolve: true }): Promise<{ realPath?: string }>;
  };
}

/** The fields of an event that our hooks read; the event is passed on as it came. */
export interface ClientEvent {
  /** Id of the subagent in which it happens. */
  agentId?: string;
  /** Of a compaction: `precompute` makes a summary that may be used later. */
  trigger?: string;
}

type Hook = ($: Client, e: ClientEvent, next: (e: ClientEvent) => Promise<unknown>) => Promise<unknown>;
type StreamHook = (
  $: Client,
  e: ClientEvent,
  next: (e: ClientEvent) => AsyncGenerator<unknown, unknown>,
) => AsyncGenerator<unknown, unknown>;

/** Registers a module's hook for an event: `on`. */
export interface On {
  (event: 'turn.step', hook: StreamHook): unknown;
  (event: 'session.start' | 'prompt.submit' | 'tool.call' | 'session.compact', hook: Hook): unknown;
}
