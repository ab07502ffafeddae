// Are hooks of settings in force for this moment as well? Then the plugin's are silent: nothing is said or kept twice.
import { isOurs, programIn, type Registration } from '../agents/claude-code-hooks.ts';
import { isObject } from '../model/json.ts';
import { exists, readText } from '../store/files.ts';
import { clientSettingsPaths, type Env, userPaths } from '../store/paths.ts';

/** After a batch of tools settings ask once, where the plugin asks after each tool. */
const SAME_MOMENT: Record<string, string> = { PostToolUse: 'PostToolBatch' };

function hooksIn(path: string, event: string | undefined): Registration[] {
  if (event === undefined) return [];
  try {
    const settings: unknown = JSON.parse(readText(path) ?? '{}');
    const groups = isObject(settings) && isObject(settings.hooks) ? settings.hooks[event] : [];
    return (Array.isArray(groups) ? groups : [])
      .flatMap((group: unknown) => (isObject(group) && Array.isArray(group.hooks) ? group.hooks : []))
      .filter(isOurs) as Registration[];
  } catch {
    // the client does not understand it either
    return [];
  }
}

/**
 * The entries themselves are the mark that `init` leaves: one that was taken out by hand, or whose bundle is gone,
 * silences nothing. What counts is the settings that the client reads where it was started, not those of our root.
 */
export function yieldsToSettings(event: string, cwd: string, env: Env): boolean {
  return clientSettingsPaths(env.CLAUDE_PROJECT_DIR || cwd, env).some((path) =>
    [event, SAME_MOMENT[event]]
      .flatMap((each) => hooksIn(path, each))
      .some((hook) => exists(programIn(hook).bundle ?? `${userPaths(env).current}/hook.cjs`)),
  );
}
