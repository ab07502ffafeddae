// Parses what Claude Code sends its status line about a session, and drops figures that cannot be true.
import { isObject, type JsonObject, readNonEmpty } from '../../text/json.ts';

export interface StatusFrame {
  conversation: string;
  transcript: string | null;
  cwd: string | null;
  /** Folder that the client was started in, or null. */
  project: string | null;
  model: { id: string | null; name: string | null };
  /** Window in tokens; null where the client names none, or one that its own figures contradict. */
  window: number | null;
  /** Tokens in the context; null before the first answer and after a compaction, where the client says null or zero. */
  tokens: number | null;
}

const object = (value: unknown): JsonObject => (isObject(value) ? value : {});
const count = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;

/** The frame of a status line's payload; null where it names no session. */
export function statusFrame(payload: unknown): StatusFrame | null {
  const fields = object(payload);
  const conversation = readNonEmpty(fields.session_id);
  if (conversation === null) return null;
  const workspace = object(fields.workspace);
  const model = object(fields.model);
  const context = object(fields.context_window);
  const usage = object(context.current_usage);
  const tokens =
    count(usage.input_tokens) +
    count(usage.cache_creation_input_tokens) +
    count(usage.cache_read_input_tokens);
  const window = count(context.context_window_size);
  return {
    conversation,
    transcript: readNonEmpty(fields.transcript_path),
    cwd: readNonEmpty(fields.cwd) ?? readNonEmpty(workspace.current_dir),
    project: readNonEmpty(workspace.project_dir),
    model: { id: readNonEmpty(model.id), name: readNonEmpty(model.display_name) },
    window: window === 0 || tokens > window ? null : window,
    tokens: tokens === 0 ? null : tokens,
  };
}
