// A finished tool call, as a host tells of it.

/** A call as the host tells of it after it was made. */
export interface ToolRun {
  tool: string;
  input: Readonly<Record<string, unknown>>;
  ending: Ending;
  /** What it gave back, as text; '' where it was none. */
  output: string;
}

export type Ending =
  | { state: 'ok' | 'denied' | 'interrupted' | 'started' }
  /** `code`: the exit code of a command, where it is known. */
  | { state: 'failed'; code: number | null };
