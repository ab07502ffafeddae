// Builds the command of our status line, which keeps the user's earlier one inside it, and reads that one out again.
import { isObject, type JsonObject } from '../../text/json.ts';
import { quoted } from '../../text/shell-word.ts';

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
 * The command of our status line. Like that of a hook, it clears NODE_EXTRA_CA_CERTS for us; the wrapped one gets it back.
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
    : quoted(bundle);
  const name = wrapped?.isOwn ? 'was' : 'from';
  const before = wrapped === null ? '' : `${name}=${quoted(wrapped.command)}; `;
  const ours = `f=${file}; n=${isShared ? 'node' : quoted(node)}; [ -x "$n" ] || n=node; `;
  const isThere = '[ -f "$f" ] && command -v "$n" >/dev/null 2>&1';
  return wrapped === null
    ? `${ours}${isThere} || exit 0; NODE_EXTRA_CA_CERTS= exec "$n" "$f"`
    : `${before}${ours}c=$NODE_EXTRA_CA_CERTS; ${isThere} && NODE_EXTRA_CA_CERTS= exec "$n" "$f" --ca "$c" --wrap "$${name}"; exec sh -c "$${name}"`;
}

/** The status line that a command of ours wraps, or null. */
export function parseWrapped(command: string): Wrapped | null {
  const [, name, text] = new RegExp(`^(was|from)=(${QUOTED});`).exec(command) ?? [];
  return text === undefined ? null : { command: unquote(text), isOwn: name === 'was' };
}

/** The file that a command of ours starts; null where each user's own is used. The wrapped command is ignored. */
export function lineProgram(command: string): string | null {
  const own = command.replace(new RegExp(`^(?:was|from)=${QUOTED};`), '');
  const [, file] = new RegExp(`(?:^|\\s)f=(${QUOTED});`).exec(own) ?? [];
  if (file !== undefined) return unquote(file);
  const name = String.raw`plimsoll[\\/]current[\\/]statusline\.cjs`;
  const [, double, single, bare] =
    new RegExp(`"([^"$]*${name})"|'([^']*${name})'|(?:^|\\s)([^\\s"'$]*${name})`).exec(own) ?? [];
  return double ?? single ?? bare ?? null;
}
