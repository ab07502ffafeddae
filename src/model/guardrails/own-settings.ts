// Extracts from the host's settings what decides whether our hooks run.

type Json = Record<string, unknown>;
const entries = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value as Json) : [];

const OURS = /plimsoll/i;
/** What moves our files, or changes the process that runs our hooks. */
const VARIABLE = /^(?:PLIMSOLL|XDG_|HOME$|NODE_|PATH$|CLAUDE_CONFIG_DIR$|BASH_ENV$|ENV$)/;

/** Of a settings file, as text: hooks and plugins of ours, whether hooks run at all, and variables that move us. `{}`: nothing. */
export function decidesOverUs(text: string | null): string {
  if (text === null || text.trim() === '') return '{}';
  let settings: Json;
  try {
    settings = JSON.parse(text) as Json;
  } catch {
    // A broken file is one that the host leaves out as a whole.
    return '{}';
  }
  const { hooks, env, enabledPlugins, disableAllHooks, allowManagedHooksOnly } = Object(settings) as Json;
  const ofUs = (value: unknown): boolean => OURS.test(JSON.stringify(value) ?? '');
  const kept = entries(hooks).flatMap(([event, groups]) => {
    const ours = (Array.isArray(groups) ? groups : []).filter(ofUs);
    return ours.length > 0 ? [[event, ours]] : [];
  });
  const plugins = entries(enabledPlugins).filter(([name]) => OURS.test(name));
  const variables = entries(env).filter(([name]) => VARIABLE.test(name));
  const found = {
    ...(kept.length > 0 ? { hooks: kept } : {}),
    ...(plugins.length > 0 ? { plugins } : {}),
    ...(variables.length > 0 ? { variables } : {}),
    ...(disableAllHooks ? { disableAllHooks } : {}),
    ...(allowManagedHooksOnly ? { allowManagedHooksOnly } : {}),
  };
  return JSON.stringify(found);
}
