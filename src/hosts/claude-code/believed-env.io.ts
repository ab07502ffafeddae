// Removes environment variables that a project's own client settings set, because a repository can ship those files.
import { isObject } from '../../model/json.ts';
import { readJson, SETTINGS } from '../../platform/read.ts';
import { below, type Env } from '../../store/paths.ts';

const FILES = ['.claude/settings.json', '.claude/settings.local.json'];

/** Variables that move our files or set a setting of ours; a project may set PLIMSOLL_TRACK. */
const OURS =
  /^(?:PLIMSOLL(?!_TRACK$)(?:_.*)?|XDG_(?:CONFIG|STATE|DATA)_HOME|HOME|USERPROFILE|CLAUDE_CONFIG_DIR)$/;

/** The variables that affect us and that a folder's own client settings set, each with the file. */
export function committedVariables(folder: string): { name: string; file: string }[] {
  return FILES.flatMap((file) => {
    try {
      const settings = readJson(below(folder, file), SETTINGS);
      const env = isObject(settings) && isObject(settings.env) ? settings.env : {};
      return Object.keys(env).flatMap((name) => (OURS.test(name) ? [{ name, file }] : []));
    } catch {
      // the client does not understand it either
      return [];
    }
  });
}

/** The environment without variables that a project's own client settings set. */
export function believedEnv(env: Env, cwd: string | undefined): Env {
  const folders = new Set([env.CLAUDE_PROJECT_DIR, cwd].flatMap((each) => each || []));
  const named = [...folders].flatMap(committedVariables);
  if (named.length === 0) return env;
  const left = { ...env };
  for (const { name } of named) delete left[name];
  return left;
}
