// Defines the hooks that we register with Claude Code and their commands, and recognises ours in a settings file.

import { quoteText } from '../../../text/escape.ts';
import { isObject, type JsonObject } from '../../../text/json.ts';
import { isVersionAtLeast } from '../../../text/version-order.ts';
import { CHANGING } from '../tools/kinds.ts';

/** One hook that the client is asked to run. */
export interface Registration {
  event: string;
  matcher?: string;
  command: string;
  args?: string[];
  /** Seconds. */
  timeout: number;
  /** Why the client does not run it, or not in time, in words that follow its name; absent on what we ask for. */
  flaw?: string;
}

/** First client with PostToolBatch: once a batch, and the transcript is current there. */
export const FIRST_WITH_BATCH = '2.1.118';

/** Events that came after the first clients that we know, with the version that brought each. */
const SINCE: Record<string, string> = {
  SubagentStart: '2.0.43',
  PostCompact: '2.1.76',
  StopFailure: '2.1.78',
  CwdChanged: '2.1.83',
  FileChanged: '2.1.83',
  PostToolBatch: FIRST_WITH_BATCH,
  PreModelSwitch: '2.1.251',
  PostModelSwitch: '2.1.251',
};
/** From this version on, an event that the client does not know no longer disables the other hooks of its file. */
const TOLERANT_SINCE = '2.1.101';

/** The events of a settings file that make this client drop all hooks of the file. */
export const listDroppingEvents = (events: readonly string[], clientVersion: string | null): string[] =>
  clientVersion === null || isVersionAtLeast(clientVersion, TOLERANT_SINCE)
    ? []
    : events.filter((event) => !isVersionAtLeast(clientVersion, SINCE[event] ?? '0.0.0'));

/** Matches exactly the tools that the hook checks. Anchored, because the client finds "Write" in "TodoWrite" too. */
const MATCHER = `^(?:${[...CHANGING, 'mcp__.*'].join('|')})$`;

/** Whether a tool may change something, so that guardrails that name no tools judge its calls. */
export const isGuardedTool = (tool: string): boolean => new RegExp(MATCHER).test(tool);

/** Variables that every hook is started without: certificates cost 40 ms a call on Node 20, and options of a person's may print, or end it. */
export const WITHOUT = 'NODE_EXTRA_CA_CERTS= NODE_OPTIONS=';

/** What a person sees of a hook before a compaction is its command: the rest of the line lies in a script. */
const SCRIPTED = 'PreCompact';
const inScript = (script: string): string => `${script} ${SCRIPTED} 2>/dev/null || :`;

/**
 * The script `hook` beside the bundle `name`, which runs a hook as its command would.
 * @param node quoted for a shell
 * @param first a line of shell that runs before
 */
export const buildHookScript = (name: string, node: string, first = ''): string =>
  `#!/bin/sh
# Runs a hook of Plimsoll: hook EVENT
${first}f=\${0%/*}/${name}; n=${node}; [ -f "$f" ] || exit 0; [ -x "$n" ] || n=node; command -v "$n" >/dev/null 2>&1 || exit 0
${WITHOUT} exec "$n" "$f" "$1"
`;

/**
 * The command of a hook.
 * POSIX: shell form, which every client version knows; it is silent when the bundle or Node is gone. Windows: exec form, for
 * there is no POSIX shell to count on.
 * Settings that a team shares hold nobody's own paths: the command finds each user's bundle and Node.
 */
export function buildHookCommand(input: {
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
  const file = isShared
    ? '"${XDG_DATA_HOME:-$HOME/.local/share}/plimsoll/current/hook.cjs"'
    : quoteText(bundle);
  if (event === SCRIPTED) {
    const script = file.replace(/\.cjs(?=['"]$)/, '');
    // Without quotes where none are needed, as a person would write it.
    return { command: inScript(/^'[\w./-]+'$/.test(script) ? script.slice(1, -1) : script) };
  }
  const program = isShared ? 'node' : quoteText(node);
  return {
    command: `f=${file}; n=${program}; [ -f "$f" ] || exit 0; [ -x "$n" ] || n=node; command -v "$n" >/dev/null 2>&1 || exit 0; ${WITHOUT} exec "$n" "$f" ${event}`,
  };
}

/**
 * The hooks that a configuration needs. A settings file that names an event which the client does not know loses all
 * its hooks on old clients, so PostToolBatch is asked for only where the client is known to have it. Where no client was
 * found, what is installed already stays as it is.
 *
 * @param clientVersion e.g. "2.1.332", or null when the client was not found
 */
export function listRegistrations(input: {
  clientVersion: string | null;
  installed?: readonly Registration[];
  bundle: string;
  node: string;
  windows: boolean;
  /** True for settings that a team shares. */
  isShared: boolean;
  /** The tool calls that guardrails check: those that change something, all, or none. */
  guarded?: 'changes' | 'all' | 'none';
}): Registration[] {
  const { clientVersion, installed = [], guarded = 'none' } = input;
  const hasBatch =
    clientVersion === null
      ? installed.some((each) => each.event === 'PostToolBatch')
      : isVersionAtLeast(clientVersion, FIRST_WITH_BATCH);
  const events: { event: string; matcher?: string; timeout: number }[] = [
    { event: 'UserPromptSubmit', timeout: 5 },
    { event: hasBatch ? 'PostToolBatch' : 'PostToolUse', timeout: 5 },
    ...(guarded === 'none'
      ? []
      : [{ event: 'PreToolUse', timeout: 5, ...(guarded === 'all' ? {} : { matcher: MATCHER }) }]),
    { event: 'PreCompact', timeout: 10 },
    { event: 'SessionStart', timeout: 10 },
    { event: 'Stop', timeout: 5 },
    { event: 'SubagentStop', timeout: 5 },
    // The client gives all hooks of an end 1.5 s together; a larger figure here would raise that.
    { event: 'SessionEnd', timeout: 1 },
  ];
  return events.map((each) => ({ ...each, ...buildHookCommand({ ...input, event: each.event }) }));
}

/**
 * Says what keeps a hook of a settings file from doing its work. Measured (2.1.332): the client silently leaves out an entry
 * of another form, and one with `if` on an event that is no tool's.
 */
export function findFlaw({ type, timeout, async, if: condition }: JsonObject): string | undefined {
  const words = (value: unknown): string => JSON.stringify(value) ?? 'not set';
  if (type !== 'command') return `does not run: its type is ${words(type)}`;
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0))
    return `does not run: its timeout is ${words(timeout)}, not a number of seconds`;
  if (condition !== undefined) return `does not run when it should: "if" is set`;
  return async === true ? 'is heard too late: "async" is set' : undefined;
}

const QUOTED = `('(?:[^']|'\\\\'')*'|"[^"]*"|[^;\\s]+);`;

/** The bundle and the Node that a registered hook names; null where each user's own is used, or none can be read. */
export function findHookProgram(hook: Registration): { bundle: string | null; node: string | null } {
  const own = (word: string | undefined): string | null =>
    word === undefined || word === 'node' || word.startsWith('"') ? null : word;
  if (hook.args !== undefined) return { node: own(hook.command), bundle: own(hook.args.at(-2)) };
  const unquote = (word: string | null): string | null =>
    word?.startsWith("'") ? word.slice(1, -1).replaceAll(`'\\''`, "'") : word;
  const script = /^('(?:[^']|'\\'')*'|"[^"]*"|\S+) PreCompact 2>/.exec(hook.command)?.[1];
  if (script !== undefined) {
    const path = unquote(own(script));
    return { bundle: path === null ? null : `${path}.cjs`, node: null };
  }
  const partOf = (name: string): string | null =>
    unquote(own(new RegExp(`(?:^|\\s)${name}=${QUOTED}`).exec(hook.command)?.[1]));
  return { bundle: partOf('f'), node: partOf('n') };
}

/** Whether a hook of a settings file is one of ours. */
export function isOurHook(hook: unknown): boolean {
  if (!isObject(hook)) return false;
  const args = Array.isArray(hook.args) ? hook.args : [];
  return [hook.command, ...args].some(
    (word) => typeof word === 'string' && /plimsoll[\\/]current[\\/]hook(?:\.cjs)?\b/.test(word),
  );
}

/** Events that every client with plugins knows; an older one can drop all hooks of a plugin that names another. */
const KNOWN_TO_ALL = [
  'PreToolUse',
  'PostToolUse',
  'Notification',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'SubagentStop',
  'PreCompact',
];

/**
 * The file that keeps our commands for a compaction from running, while it holds anything: the module does their work. It names
 * the client, so that one that was killed silences no other. Null where the client does not say all of it.
 */
export function findCompactionMark(env: Record<string, string | undefined>): string | null {
  const { CLAUDE_PLUGIN_DATA: folder, CLAUDE_PID: client, CLAUDE_CODE_SESSION_ID: session } = env;
  return folder && client && session ? `${folder}/compacting/${client}-${session}` : null;
}

/** Shell text that ends a command while that file holds anything. */
export const UNLESS_SERVED =
  '[ -s "$CLAUDE_PLUGIN_DATA/compacting/$CLAUDE_PID-$CLAUDE_CODE_SESSION_ID" ] && exit 0';

/** The command of a hook, in shell form, which every client runs; the client or the shell fills in the plugin's folder. */
function commandOf(event: string): string {
  if (event === SCRIPTED) return inScript('sh "${CLAUDE_PLUGIN_ROOT}/lib/hook"');
  const guard = event === 'SessionStart' ? `${UNLESS_SERVED}; ` : '';
  return `${guard}f="\${CLAUDE_PLUGIN_ROOT}/lib/plugin.cjs"; [ -f "$f" ] && command -v node >/dev/null 2>&1 || exit 0; ${WITHOUT} exec node "$f" ${event}`;
}

/** What the plugin's module does. */
const OF_MODULE = ['UserPromptSubmit', 'PostToolUse', 'PostToolBatch', 'PreToolUse', 'Stop', 'SubagentStop'];

/** The plugin's `hooks/hooks.json`: what settings would register on a client of any age, but for what the module does. */
export function buildPluginHooks() {
  const hooks: Record<string, { matcher?: string; hooks: unknown[] }[]> = {};
  const unknown = { clientVersion: null, bundle: '', node: '', windows: false, isShared: true };
  for (const { event, matcher, timeout } of listRegistrations(unknown)) {
    if (!KNOWN_TO_ALL.includes(event) || OF_MODULE.includes(event)) continue;
    const hook = { type: 'command', command: commandOf(event), timeout };
    hooks[event] = [
      ...(hooks[event] ?? []),
      { ...(matcher === undefined ? {} : { matcher }), hooks: [hook] },
    ];
  }
  return {
    description: 'Measures the context, warns before compaction, checkpoints, and re-orients after it.',
    hooks,
    modules: ['./register.js'],
  };
}
