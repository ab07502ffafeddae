// Names the files that settings are made from, our own and the host's, and those that guardrails protect for themselves.
import { dirname } from 'node:path';
import { clientSettingsPaths } from '../hosts/claude-code/files.io.ts';
import { type Env, type ProjectPaths, userPaths } from '../platform/project/paths.ts';

/** Our folders outside the project and the settings that may hold our hooks, which guardrails protect for themselves. */
export function ownPlaces(root: string | null, env: Env): { folders: string[]; settings: string[] } {
  const { config, state, data } = userPaths(env);
  return { folders: [dirname(config), state, data], settings: clientSettingsPaths(root, env) };
}

/** All files that a snapshot of settings is made from: our settings, the client's, and the user's trust. */
export function settingsPaths(
  { root, config, localConfig }: Pick<ProjectPaths, 'root' | 'config' | 'localConfig'>,
  env: Env,
): string[] {
  const { config: user, trust } = userPaths(env);
  return [...(root === null ? [] : [localConfig, config]), user, ...clientSettingsPaths(root, env), trust];
}
