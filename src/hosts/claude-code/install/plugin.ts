// Builds the plugin's hooks.json: the hooks it registers, and the command that starts the bundle inside the plugin.
import { registrationsFor } from './hooks.ts';

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
 * The command of a hook, in shell form, which every client runs; the client or the shell fills in the plugin's folder. It
 * clears NODE_EXTRA_CA_CERTS and is silent where Node or the bundle is missing, as hooks of settings are.
 */
const commandOf = (event: string): string =>
  `f="\${CLAUDE_PLUGIN_ROOT}/lib/plugin.cjs"; [ -f "$f" ] && command -v node >/dev/null 2>&1 || exit 0; NODE_EXTRA_CA_CERTS= exec node "$f" ${event}`;

/** The plugin's `hooks/hooks.json`: what settings would register on a client of any age, and the module. */
export function pluginHooks() {
  const hooks: Record<string, { matcher?: string; hooks: unknown[] }[]> = {};
  const unknown = { clientVersion: null, bundle: '', node: '', windows: false, isShared: true };
  for (const { event, matcher, timeout } of registrationsFor(unknown)) {
    if (!KNOWN_TO_ALL.includes(event)) continue;
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
