// Leaves out of the environment what a project's own settings of the client put there: a repository ships those files.
import { isObject } from '../model/json.ts';
import { readJson, SETTINGS } from '../platform/read.ts';
import { below, type Env } from './paths.ts';

const FILES = ['.claude/settings.json', '.claude/settings.local.json'];

/** What moves our files or sets anything of ours; which track is worked on a project may name anyway. */
const OURS =
  /^(?:PLIMSOLL(?!_TRACK$)(?:_.*)?|XDG_(?:CONFIG|STATE|DATA)_HOME|HOME|USERPROFILE|CLAUDE_CONFIG_DIR)$/;

/** The variables that decide over us and that a folder's own settings of the client name, each with the file. */
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

function workingFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined; // it is gone
  }
}

/** The environment as far as it is the person's and the host's: their other layers count for what is left out. */
export function believedEnv(env: Env, cwd: string | undefined = workingFolder()): Env {
  const folders = new Set([env.CLAUDE_PROJECT_DIR, cwd].flatMap((each) => each || []));
  const named = [...folders].flatMap(committedVariables);
  if (named.length === 0) return env;
  const left = { ...env };
  for (const { name } of named) delete left[name];
  return left;
}
