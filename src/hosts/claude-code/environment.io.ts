// Reads the environment: without what a repository's own client settings set, and with names that no host owns.

import { type Env, joinPath } from '../../platform/project/paths.ts';
import { readJson, SETTINGS_FILE } from '../../platform/read.ts';
import { isObject } from '../../text/json.ts';
import { isVersionAtLeast } from '../../text/version-order.ts';
import { FIRST_WITH_MODULES, OURS_BY_ENV, readReportedVersion } from './variables.ts';

const FILES = ['.claude/settings.json', '.claude/settings.local.json'];

/** The variables that affect us and that a folder's own client settings set, each with the file. */
export function listCommittedVariables(folder: string): { name: string; file: string }[] {
  return FILES.flatMap((file) => {
    try {
      const settings = readJson(joinPath(folder, file), SETTINGS_FILE);
      const env = isObject(settings) && isObject(settings.env) ? settings.env : {};
      return Object.keys(env).flatMap((name) => (OURS_BY_ENV.test(name) ? [{ name, file }] : []));
    } catch {
      // the client does not understand it either
      return [];
    }
  });
}

/** Without the variables that a project's own client settings set: a repository can ship those files. */
function believedEnv(env: Env, cwd: string | undefined): Env {
  const folders = new Set([env.CLAUDE_PROJECT_DIR, cwd].flatMap((each) => each || []));
  const named = [...folders].flatMap(listCommittedVariables);
  if (named.length === 0) return env;
  const left = { ...env };
  for (const { name } of named) delete left[name];
  return left;
}

/** What a client lacks that starts hooks of the plugin, and is too old for its module. */
function lackOf(env: Env): string | undefined {
  if (!env.CLAUDE_PLUGIN_ROOT) return undefined;
  const version = readReportedVersion(env);
  return version !== null && isVersionAtLeast(version, FIRST_WITH_MODULES)
    ? undefined
    : `the plugin needs Claude Code ${FIRST_WITH_MODULES} or later${version === null ? '' : `, and this is ${version}`}: prompts and tool calls are not looked at. Next: "plimsoll init" in this project, which works with this client`;
}

/** The environment that the rest of the code reads: what the host tells stands in it under neutral names. */
export function readEnvironment(given: Env, cwd: string | undefined): Env {
  const env = believedEnv(given, cwd);
  return {
    ...env,
    // The folder that the session began in.
    HOST_PROJECT: env.CLAUDE_PROJECT_DIR,
    // The session that starts a command.
    HOST_SESSION: env.CLAUDE_CODE_SESSION_ID,
    HOST_PID: env.CLAUDE_PID,
    // How the session was started: in a terminal, by a script, from an editor.
    HOST_ENTRYPOINT: env.CLAUDE_CODE_ENTRYPOINT,
    // Set where an agent runs the command.
    HOST_AGENT: env.CLAUDECODE,
    // Why the hooks of prompts and tools do not run, where they do not.
    HOST_LACKS: lackOf(env),
  };
}
