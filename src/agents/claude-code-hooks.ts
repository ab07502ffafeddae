// Which hooks does Claude Code need to be asked for, in which form, and how do we know ours again?
import { isObject } from '../model/json.ts';

/** One hook that the client is asked to run. */
export interface Registration {
  event: string;
  matcher?: string;
  command: string;
  args?: string[];
  /** Seconds. */
  timeout: number;
}

/** First client with PostToolBatch: once a batch, and the transcript is current there. */
const FIRST_WITH_BATCH = [2, 1, 118];

const isAtLeast = (version: string, least: readonly number[]): boolean => {
  const parts = version.split('.').map(Number);
  for (let index = 0; index < least.length; index++) {
    const difference = (parts[index] ?? 0) - (least[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
};

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * The command of a hook.
 * POSIX: shell form, which every client version knows; it clears NODE_EXTRA_CA_CERTS (40 ms a call on Node 20) and is
 * silent when the bundle or Node is gone. Windows: exec form, for there is no POSIX shell to count on.
 * In settings that a team shares, nobody's own paths stand: every user's bundle and Node are found where they are.
 */
export function hookCommand(input: {
  bundle: string;
  node: string;
  event: string;
  windows: boolean;
  isShared: boolean;
}): { command: string; args?: string[] } {
  const { bundle, node, event, isShared } = input;
  if (input.windows) {
    const start = `try{process.argv.splice(1,0,'');require(process.argv[2])}catch{}`;
    return { command: isShared ? 'node' : node, args: ['-e', start, bundle, event] };
  }
  const file = isShared ? '"${XDG_DATA_HOME:-$HOME/.local/share}/plimsoll/current/hook.cjs"' : quote(bundle);
  const program = isShared ? 'node' : quote(node);
  return {
    command: `f=${file}; n=${program}; [ -f "$f" ] || exit 0; [ -x "$n" ] || n=node; command -v "$n" >/dev/null 2>&1 || exit 0; NODE_EXTRA_CA_CERTS= exec "$n" "$f" ${event}`,
  };
}

/**
 * The hooks that a configuration needs. A settings file that names an event which the client does not know loses all
 * its hooks on old clients, so PostToolBatch is asked for only where the client is known to have it.
 *
 * @param clientVersion e.g. "2.1.332", or null when the client was not found
 */
export function registrationsFor(input: {
  clientVersion: string | null;
  bundle: string;
  node: string;
  windows: boolean;
  /** True for settings that a team shares. */
  isShared: boolean;
}): Registration[] {
  const hasBatch = input.clientVersion !== null && isAtLeast(input.clientVersion, FIRST_WITH_BATCH);
  const events: { event: string; matcher?: string; timeout: number }[] = [
    { event: 'UserPromptSubmit', timeout: 5 },
    { event: hasBatch ? 'PostToolBatch' : 'PostToolUse', timeout: 5 },
    { event: 'PreCompact', timeout: 10 },
    { event: 'SessionStart', timeout: 10 },
    { event: 'Stop', timeout: 5 },
    // The client gives all hooks of an end 1.5 s together; a larger figure here would raise that.
    { event: 'SessionEnd', timeout: 1 },
  ];
  return events.map((each) => ({ ...each, ...hookCommand({ ...input, event: each.event }) }));
}

/** Whether a hook of a settings file is one of ours. */
export function isOurs(hook: unknown): boolean {
  if (!isObject(hook)) return false;
  const args = Array.isArray(hook.args) ? hook.args : [];
  return [hook.command, ...args].some(
    (word) => typeof word === 'string' && /plimsoll[\\/]current[\\/]hook\.cjs/.test(word),
  );
}
