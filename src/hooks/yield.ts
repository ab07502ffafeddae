// Are hooks of settings in force for this moment as well? Then the plugin's are silent: nothing is said or kept twice.
import { isOurs, programIn, type Registration } from '../agents/claude-code-hooks.ts';
import { isObject } from '../model/json.ts';
import { isVersionAtLeast } from '../model/version-order.ts';
import { exists } from '../platform/look.ts';
import { readJson, SETTINGS } from '../platform/read.ts';
import { gitFolder } from '../store/git.ts';
import { clientSettingsPaths, type Env, userPaths } from '../store/paths.ts';

/** After a batch of tools settings ask once, where the plugin asks after each tool. */
const SAME_MOMENT: Record<string, string> = { PostToolUse: 'PostToolBatch' };

function hooksIn(path: string, event: string | undefined): Registration[] {
  if (event === undefined) return [];
  try {
    const settings = readJson(path, SETTINGS);
    const groups = isObject(settings) && isObject(settings.hooks) ? settings.hooks[event] : [];
    return (Array.isArray(groups) ? groups : [])
      .flatMap((group: unknown) => (isObject(group) && Array.isArray(group.hooks) ? group.hooks : []))
      .filter(isOurs) as Registration[];
  } catch {
    // the client does not understand it either
    return [];
  }
}

/** First client that takes the local settings of the repository's main checkout, wherever in it, or in a worktree, it is started. */
const FIRST_WITH_SHARED_LOCAL = '2.1.211';

/** The version in which the client presents itself, or null. */
const clientIn = (env: Env): string | null =>
  /^claude-code_(\d+)-(\d+)-(\d+)/
    .exec(env.AI_AGENT ?? '')
    ?.slice(1)
    .join('.') ?? null;

/** The settings that the client reads where it was started, which need not be those of our root. */
function settingsRead(start: string, env: Env): string[] {
  const paths = clientSettingsPaths(start, env);
  const version = clientIn(env);
  if (version === null || !isVersionAtLeast(version, FIRST_WITH_SHARED_LOCAL)) return paths;
  const main = /^(.+)[\\/]\.git(?:[\\/]worktrees[\\/][^\\/]+)?$/.exec(gitFolder(start) ?? '')?.[1];
  return main === undefined ? paths : [...paths, ...clientSettingsPaths(main, env).slice(-1)];
}

/**
 * The entries themselves are the mark that `init` leaves: one that was taken out by hand, or whose bundle is gone,
 * silences nothing.
 */
export function yieldsToSettings(event: string, cwd: string, env: Env): boolean {
  return settingsRead(env.CLAUDE_PROJECT_DIR || cwd, env).some((path) =>
    [event, SAME_MOMENT[event]]
      .flatMap((each) => hooksIn(path, each))
      .some((hook) => exists(programIn(hook).bundle ?? `${userPaths(env).current}/hook.cjs`)),
  );
}
