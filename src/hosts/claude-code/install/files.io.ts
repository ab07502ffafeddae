// The files of Claude Code that we read or edit: settings, transcripts, trusted folders; and the client's version.

import { spawnSync } from 'node:child_process';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isCommitted } from '../../../platform/git/git-state.ts';
import { leadsOut, readNamed, resolveNamed } from '../../../platform/in-project.ts';
import {
  exists,
  listNames,
  readLinkTarget,
  readStamp,
  readStats,
  resolveRealPath,
} from '../../../platform/look.ts';
import type { Env } from '../../../platform/project/paths.ts';
import { type FileKind, readJson, readTextOrNull, SETTINGS_FILE } from '../../../platform/read.ts';
import { remove, removeFolder, replaceFile, setMode } from '../../../platform/write.ts';
import { isObject, type JsonObject } from '../../../text/json.ts';
import { makeSafeName } from '../../../text/path-text.ts';
import { isError } from '../../../text/plimsoll-error.ts';
import type { FoundTranscript, TranscriptFinder } from '../../host-entry.ts';
import { findClientMemory, findConfigFolder } from '../files.io.ts';
import type { SettingsScope } from './registration-findings.ts';

const objectIn = (path: string): JsonObject => {
  try {
    const value = readJson(path, SETTINGS_FILE);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
};

/** Instructions for agents: where each lies in our package, and where the client reads it in a project. */
const INSTRUCTIONS = [
  ['skills/workflow-state/SKILL.md', '.claude/skills/workflow-state/SKILL.md'],
  ['rules/resumption.md', '.claude/rules/resumption.md'],
] as const;

/**
 * What tells agents of a project how its workflow is kept current: paths from the root, and texts.
 * @param dist folder of the bundles: beside the plugin, or in it
 */
export function readInstructions(dist: string): [path: string, text: string][] {
  const plugin = [join(dist, 'plugin'), join(dist, '..')].find((each) => exists(join(each, 'rules')));
  return INSTRUCTIONS.flatMap(([from, to]) => {
    const text = plugin === undefined ? null : readTextOrNull(join(plugin, from), SETTINGS_FILE);
    return text === null ? [] : [[to, text]];
  });
}

/** The client's list of installed plugins. */
export const findInstalledPlugins = (env: Env): string =>
  join(findConfigFolder(env), 'plugins', 'installed_plugins.json');

/** The folder of a plugin whose marketplace is a local folder, which the client reads in place; null for any other. */
function folderInPlace(name: string, marketplace: string, env: Env): string | null {
  const known = objectIn(join(findConfigFolder(env), 'plugins', 'known_marketplaces.json'))[marketplace];
  const source = isObject(known) && isObject(known.source) ? known.source : {};
  if (source.source !== 'directory' || typeof source.path !== 'string') return null;
  const { plugins } = objectIn(join(source.path, '.claude-plugin', 'marketplace.json'));
  const entry = (Array.isArray(plugins) ? plugins : []).find((each) => isObject(each) && each.name === name);
  return typeof entry?.source === 'string' ? join(source.path, entry.source) : source.path;
}

/**
 * A plugin, named `name@marketplace`, that the client keeps a copy of; null when it keeps none.
 * `gone`: the folder that it would be read from, if that no longer exists.
 */
export function findKeptPlugin(id: string, env: Env): { gone: string | null } | null {
  const [name = '', marketplace = ''] = id.split('@');
  const cache = join(
    findConfigFolder(env),
    'plugins',
    'cache',
    makeSafeName(marketplace),
    makeSafeName(name),
  );
  if (!exists(cache)) return null;
  const folder = folderInPlace(name, marketplace, env);
  return { gone: folder !== null && !exists(folder) ? folder : null };
}

/** Follows a link out of the project only if it is not committed, because then the user must have made it. */
function throughOwnLink<T>(
  root: string | null,
  path: string,
  env: Env,
  read: (root: string | null, path: string) => T,
): T {
  try {
    return read(root, path);
  } catch (error) {
    if (!isError(error, 'leads-out') || root === null || isCommitted(root, path, env) !== false) throw error;
    return read(null, path);
  }
}

/**
 * Text of a settings file, through a link that the user made; null when it does not exist.
 * @throws PlimsollError `leads-out` for a link out of the project that is committed, or if there is no repository to tell
 */
export const readSettingsText = (root: string | null, path: string, env: Env): string | null =>
  throughOwnLink(root, path, env, readNamed);

/**
 * The real path of a settings file; null when it does not exist.
 * @throws PlimsollError `leads-out` as `readSettingsText`
 */
export const resolveSettings = (root: string | null, path: string, env: Env): string | null =>
  throughOwnLink(root, path, env, resolveNamed);

const MOST_LINKS = 40;
const isBelow = (folder: string, path: string): boolean => !/^\.\.(?:[\\/]|$)/.test(relative(folder, path));

/**
 * The file that a link to nothing leads to in the end, which is made there; null for what is no link.
 * @throws PlimsollError `leads-out` where it leads out of the project over anything that is committed
 */
function findMissingTarget(root: string | null, path: string, env: Env): string | null {
  let at = path;
  const way: string[] = [];
  for (let target = readLinkTarget(at); target !== null; target = readLinkTarget(at)) {
    way.push(at);
    if (way.length > MOST_LINKS) break;
    at = resolve(dirname(at), target);
  }
  if (way.length === 0) return null;
  const real = join(resolveRealPath(dirname(at)), basename(at));
  const isOut = root !== null && isBelow(root, path) && !isBelow(resolveRealPath(root), real);
  const isOwn = (each: string): boolean =>
    root === null || !isBelow(root, each) || isCommitted(root, each, env) === false;
  if (isOut && ![...way, at].every(isOwn)) throw leadsOut('A link leads out of the project', path, real);
  return real;
}

export function findSettingsPath(scope: SettingsScope, root: string, env: Env): string {
  if (scope === 'user') return join(findConfigFolder(env), 'settings.json');
  return join(root, '.claude', scope === 'local' ? 'settings.local.json' : 'settings.json');
}

/**
 * Writes a settings file through a link, with the mode that it had.
 * @throws PlimsollError `leads-out` as `readSettingsText`
 */
export function writeSettings(
  path: string,
  text: string,
  { root, env }: { root: string | null; env: Env },
): void {
  const target = resolveSettings(root, path, env) ?? findMissingTarget(root, path, env) ?? path;
  const mode = readStats(target)?.mode;
  replaceFile(target, text, { mode: (mode ?? 0o644) & 0o777 });
  if (mode !== undefined) setMode(target, mode & 0o777);
}

/** Removes a settings file that we had created, through a link that was there, and its folder when nothing else is in it. */
export function removeSettings(path: string): void {
  const isLink = readLinkTarget(path) !== null;
  remove(isLink ? resolveRealPath(path) : path);
  if (isLink) return;
  try {
    removeFolder(dirname(path));
  } catch {
    // other files of the client live there
  }
}

/** Version of a program that answers to `--version`, or null. */
export function readProgramVersion(program: string, env: Env): string | null {
  const result = spawnSync(program, ['--version'], {
    env: env as NodeJS.ProcessEnv,
    encoding: 'utf8',
    timeout: 10_000,
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32' && program === 'claude',
  });
  return /(\d+\.\d+\.\d+)/.exec(result.stdout ?? '')?.[1] ?? null;
}

/** Version of the client on PATH, or null. */
export const readClientVersion = (env: Env): string | null => readProgramVersion('claude', env);

/** Whether the client's user has trusted a folder or one above it; null when the client does not say. */
export function isTrusted(folder: string, env: Env): boolean | null {
  let projects: Record<string, { hasTrustDialogAccepted?: unknown } | undefined>;
  try {
    projects =
      (readJson(findClientMemory(env), MEMORY) as { projects?: typeof projects } | undefined)?.projects ?? {};
  } catch {
    return null;
  }
  for (let path = folder; ; path = dirname(path)) {
    if (projects[path]?.hasTrustDialogAccepted === true) return true;
    if (dirname(path) === path) break;
  }
  return projects[folder]?.hasTrustDialogAccepted === false ? false : null;
}

/** The client's memory file may be large, because it holds all prompts ever typed. */
const MEMORY: FileKind = { ...SETTINGS_FILE, most: 256 * 1024 * 1024 };

const transcriptsIn = (folder: string): FoundTranscript[] =>
  listNames(folder)
    .filter((name) => name.endsWith('.jsonl') && !name.startsWith('agent-'))
    .map((name) => ({ id: name.slice(0, -'.jsonl'.length), ...readStamp(join(folder, name)) }));

/**
 * Transcripts of the subagents of a session: in a folder of its own, or, of older clients, beside it; there only their
 * lines tell whose they are.
 */
export function listAgentTranscripts(path: string): string[] {
  const folders = [join(path.slice(0, -'.jsonl'.length), 'subagents'), dirname(path)];
  return folders.flatMap((folder) =>
    listNames(folder)
      .filter((name) => name.endsWith('.jsonl') && name.startsWith('agent-'))
      .map((name) => join(folder, name)),
  );
}

const projectFolders = (env: Env): string[] => {
  const base = join(findConfigFolder(env), 'projects');
  return listNames(base).map((name) => join(base, name));
};

/** The client's name for a working folder: every character except letters and digits becomes `-`; long ones are cut. */
const slugOf = (folder: string): string => folder.replace(/[^A-Za-z0-9]/g, '-').slice(0, 200);

const physical = (folder: string): string => {
  try {
    return resolveRealPath(folder);
  } catch {
    return folder; // one that is gone can still have sessions
  }
};

/** Whether a transcript is of a session that ran in a folder or below it, as the name of its own folder tells. */
function ranBelow(transcript: string, folder: string): boolean {
  const slug = slugOf(physical(folder));
  const name = basename(dirname(transcript));
  return name === slug || name.startsWith(slug.length === 200 ? slug : `${slug}-`);
}

/** The transcripts of sessions that ran in a folder, or of all, the newest first. */
export function listTranscripts(folder: string | null, env: Env): FoundTranscript[] {
  const slug = folder === null ? null : slugOf(physical(folder));
  return projectFolders(env)
    .filter((path) => {
      const name = basename(path);
      return slug === null || name === slug || (slug.length === 200 && name.startsWith(slug));
    })
    .flatMap(transcriptsIn)
    .sort((a, b) => b.mtimeMs - a.mtimeMs);
}

/** The transcript of a session, wherever it ran, or null. */
function locateTranscript(id: string, env: Env): FoundTranscript | null {
  return (
    projectFolders(env)
      .flatMap(transcriptsIn)
      .find((each) => each.id === id) ?? null
  );
}

export const claudeTranscripts: TranscriptFinder = {
  list: listTranscripts,
  locate: locateTranscript,
  ranBelow,
  // Its first lines differ from version to version.
  isBegunBy: () => false,
};
