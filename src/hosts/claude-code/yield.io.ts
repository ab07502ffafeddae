// Tells the plugin's hooks to stay silent when the settings run the same hook, so that nothing happens twice.

import { findGitFolder } from '../../platform/git/git-state.ts';
import { exists } from '../../platform/look.ts';
import { type Env, listUserPaths } from '../../platform/project/paths.ts';
import { readJson, SETTINGS_FILE } from '../../platform/read.ts';
import { isObject } from '../../text/json.ts';
import { isVersionAtLeast } from '../../text/version-order.ts';
import { listClientSettings } from './files.io.ts';
import { findHookProgram, isOurHook, type Registration } from './install/hooks.ts';
import { readReportedVersion } from './variables.ts';

/** Settings of an older client register a hook for each tool, where the plugin answers a batch of them. */
const SAME_MOMENT: Record<string, string> = { PostToolUse: 'PostToolBatch', PostToolBatch: 'PostToolUse' };

function hooksIn(path: string, event: string | undefined): Registration[] {
  if (event === undefined) return [];
  try {
    const settings = readJson(path, SETTINGS_FILE);
    const groups = isObject(settings) && isObject(settings.hooks) ? settings.hooks[event] : [];
    return (Array.isArray(groups) ? groups : [])
      .flatMap((group: unknown) => (isObject(group) && Array.isArray(group.hooks) ? group.hooks : []))
      .filter(isOurHook) as Registration[];
  } catch {
    // the client does not understand it either
    return [];
  }
}

/** First client version that reads the local settings of the main checkout, even from a subfolder or a worktree. */
const FIRST_WITH_SHARED_LOCAL = '2.1.211';

/** The settings files that the client reads for its start folder, which need not be those of our root. */
function settingsRead(start: string, env: Env): string[] {
  const paths = listClientSettings(start, env);
  const version = readReportedVersion(env);
  if (version === null || !isVersionAtLeast(version, FIRST_WITH_SHARED_LOCAL)) return paths;
  const main = /^(.+)[\\/]\.git(?:[\\/]worktrees[\\/][^\\/]+)?$/.exec(findGitFolder(start) ?? '')?.[1];
  return main === undefined ? paths : [...paths, ...listClientSettings(main, env).slice(-1)];
}

/**
 * Only the hook entries that `init` writes count: one that was removed by hand, or whose bundle is gone, does not
 * silence the plugin.
 */
export function isHandledBySettings(event: string, cwd: string, env: Env): boolean {
  return settingsRead(env.CLAUDE_PROJECT_DIR || cwd, env).some((path) =>
    [event, SAME_MOMENT[event]]
      .flatMap((each) => hooksIn(path, each))
      .some((hook) => exists(findHookProgram(hook).bundle ?? `${listUserPaths(env).current}/hook.cjs`)),
  );
}
