// The project that a command runs in: root, paths, settings and environment.

import type { Host } from '../hosts/host.ts';
import { HOSTS } from '../hosts/registry.io.ts';
import type { Env, ProjectPaths } from '../platform/project/paths.ts';
import { findProject } from '../platform/project/root.ts';
import { loadSettings } from '../settings/load.io.ts';
import type { Resolved } from '../settings/resolved.ts';

export interface ProjectContext {
  /** The one that is meant where nothing names another. */
  host: Host;
  cwd: string;
  env: Env;
  root: string | null;
  paths: ProjectPaths;
  resolved: Resolved;
  /** Milliseconds since the epoch. */
  now: number;
}

/** The environment of a command, with what the host tells in whose shell it runs. */
export function readShellEnvironment(given: Env, cwd: string): Env {
  const env = HOSTS[0].host.readEnvironment(given, cwd);
  if (env.HOST_SESSION) return env;
  return Object.assign(env, ...HOSTS.map(({ readShell }) => readShell?.(given) ?? {}));
}

/** Finds the project as the hooks do, but reads the settings from the files, not from the snapshot. */
export function readProjectContext(cwd: string, env: Env, now: number): ProjectContext {
  const paths = findProject(cwd, env);
  const { root } = paths;
  const resolved = loadSettings(root, env);
  return { host: HOSTS[0].host, cwd, env, root, paths, resolved, now };
}

/** Formats a path for people: relative below cwd, with `~` below the home folder. */
export function displayPath(path: string, place: Pick<ProjectContext, 'cwd' | 'env'>): string {
  const below = (folder: string | undefined): string | null =>
    folder && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
  const relative = below(place.cwd);
  if (relative !== null) return relative;
  const fromHome = below(place.env.HOME);
  return fromHome === null ? path : `~/${fromHome}`;
}
