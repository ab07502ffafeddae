// The client's status line: the frame that it sends, and the command that shows ours and keeps the user's earlier one.

import { type DoctorFinding, error, type Formatter, info, ok } from '../../doctor/finding.ts';
import { quoteText } from '../../text/escape.ts';
import { isObject, type JsonObject, readCount, readNonEmpty } from '../../text/json.ts';
import { WITHOUT } from './install/hooks.ts';
import type { SettingsScope } from './install/registration-findings.ts';

// Parses what Claude Code sends its status line about a session, and drops figures that cannot be true.
export interface StatusFrame {
  session: string;
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
/** The frame of a status line's payload; null where it names no session. */
export function statusFrame(payload: unknown): StatusFrame | null {
  const fields = object(payload);
  const session = readNonEmpty(fields.session_id);
  if (session === null) return null;
  const workspace = object(fields.workspace);
  const model = object(fields.model);
  const context = object(fields.context_window);
  const usage = object(context.current_usage);
  const tokens =
    readCount(usage.input_tokens) +
    readCount(usage.cache_creation_input_tokens) +
    readCount(usage.cache_read_input_tokens);
  const window = readCount(context.context_window_size);
  return {
    session,
    transcript: readNonEmpty(fields.transcript_path),
    cwd: readNonEmpty(fields.cwd) ?? readNonEmpty(workspace.current_dir),
    project: readNonEmpty(workspace.project_dir),
    model: { id: readNonEmpty(model.id), name: readNonEmpty(model.display_name) },
    window: window === 0 || tokens > window ? null : window,
    tokens: tokens === 0 ? null : tokens,
  };
}

// Checks that our status line is the one the client shows, and that the program behind it exists.
export interface LineFacts {
  /** The status lines of all settings that count here, the nearest first: the first one is shown. */
  lines: {
    scope: SettingsScope;
    path: string;
    isOurs: boolean;
    /** Command that ours is shown below, or null. */
    wraps: string | null;
  }[];
  /** Where the bundle has to have it, and whether it has. */
  program: { path: string; exists: boolean };
}

/** Nobody has to have one: where there is none of ours, there is nothing to say. */
export function checkStatusLine({ lines, program }: LineFacts, words: Formatter): DoctorFinding[] {
  const [shown] = lines;
  const ours = lines.find((each) => each.isOurs);
  if (shown === undefined || ours === undefined) return [];
  const where = words.path(ours.path);
  if (!program.exists) {
    return [
      error(
        'status line',
        `${where} asks for it, and there is none at ${words.path(program.path)}${ours.wraps === null ? '' : '; the other one is shown alone'}`,
        'plimsoll init --statusline',
      ),
    ];
  }
  if (ours !== shown) {
    return [
      info(
        'status line',
        `that of ${words.path(shown.path)} is nearer and shown instead of ours in ${where}`,
        `plimsoll init --statusline --scope ${shown.scope}`,
      ),
    ];
  }
  return [ok('status line', `in ${where}${ours.wraps === null ? '' : `, below that of: ${ours.wraps}`}`)];
}

/** The setting as the client has it; only the command is known to us, the other keys stay. */
export type StatusLineSetting = JsonObject & { command: string };

/** The user's own status line, which ours shows above its line. */
export interface Wrapped {
  command: string;
  /** True when it was in these very settings, false when it was copied from settings that these now hide. */
  isOwn: boolean;
}

const QUOTED = `'(?:[^']|'\\\\'')*'`;
const unquote = (text: string): string => text.slice(1, -1).replaceAll(`'\\''`, "'");

/** The status line that a setting asks for, or null where there is none that could be run. */
export const parseStatusLine = (value: unknown): StatusLineSetting | null =>
  isObject(value) && typeof value.command === 'string' && value.command.trim() !== ''
    ? { ...value, command: value.command }
    : null;

/** Whether `init` wrote this command. */
export const isOurLine = (command: string): boolean =>
  /plimsoll[\\/]current[\\/]statusline\.cjs/.test(command);

/** Whether a command is our status line, written by `init` or by hand. */
export const isAnyOfOurs = (command: string): boolean =>
  isOurLine(command) || /\bplimsoll(?:\.cmd)?['"]?\s+statusline\b/.test(command);

/**
 * The command of our status line. Like that of a hook, it clears variables of Node for us; the wrapped one gets them back.
 * Without the bundle or Node, the wrapped one runs alone. Settings that a team shares hold nobody's own paths.
 */
export function statusLineCommand(input: {
  bundle: string;
  node: string;
  windows: boolean;
  isShared: boolean;
  wrapped: Wrapped | null;
}): string {
  const { bundle, node, isShared, wrapped } = input;
  if (input.windows) {
    const word = (text: string): string => `"${text.replaceAll('"', '\\"')}"`;
    const start = `${isShared ? 'node' : word(node)} ${word(bundle)}`;
    return wrapped === null ? start : `${start} --wrap ${word(wrapped.command)}`;
  }
  const file = isShared
    ? '"${XDG_DATA_HOME:-$HOME/.local/share}/plimsoll/current/statusline.cjs"'
    : quoteText(bundle);
  const name = wrapped?.isOwn ? 'was' : 'from';
  const before = wrapped === null ? '' : `${name}=${quoteText(wrapped.command)}; `;
  const ours = `f=${file}; n=${isShared ? 'node' : quoteText(node)}; [ -x "$n" ] || n=node; `;
  const isThere = '[ -f "$f" ] && command -v "$n" >/dev/null 2>&1';
  return wrapped === null
    ? `${ours}${isThere} || exit 0; ${WITHOUT} exec "$n" "$f"`
    : `${before}${ours}c=$NODE_EXTRA_CA_CERTS; o=$NODE_OPTIONS; ${isThere} && ${WITHOUT} exec "$n" "$f" --ca "$c" --options "$o" --wrap "$${name}"; exec sh -c "$${name}"`;
}

/** The status line that a command of ours wraps, or null. */
export function parseWrapped(command: string): Wrapped | null {
  const [, name, text] = new RegExp(`^(was|from)=(${QUOTED});`).exec(command) ?? [];
  return text === undefined ? null : { command: unquote(text), isOwn: name === 'was' };
}

/** The file that a command of ours starts; null where each user's own is used. The wrapped command is ignored. */
export function findLineProgram(command: string): string | null {
  const own = command.replace(new RegExp(`^(?:was|from)=${QUOTED};`), '');
  const [, file] = new RegExp(`(?:^|\\s)f=(${QUOTED});`).exec(own) ?? [];
  if (file !== undefined) return unquote(file);
  const name = String.raw`plimsoll[\\/]current[\\/]statusline\.cjs`;
  const [, double, single, bare] =
    new RegExp(`"([^"$]*${name})"|'([^']*${name})'|(?:^|\\s)([^\\s"'$]*${name})`).exec(own) ?? [];
  return double ?? single ?? bare ?? null;
}
