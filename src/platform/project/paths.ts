// Every path that we read or write, in one place.
import { basename, dirname, join, resolve, sep } from 'node:path';
import { makeSafeName } from '../../text/path-text.ts';
import { listEntries, resolveRealPath } from '../look.ts';
import { FOLDER, placeState } from './state-place.ts';

export type Env = Record<string, string | undefined>;

/**
 * A path below a folder, if neither holds `.`, `..` or an empty part. `join` examines every character of both in
 * JavaScript: for a long root and many files V8 starts to optimize it, which costs a hook milliseconds.
 */
export const joinPath = (folder: string, name: string): string =>
  sep === '/' && !folder.endsWith(sep) ? `${folder}/${name}` : join(folder, name);

/** The real path of an existing file; for a missing one the absolute path as given. */
export const resolveReal = (path: string): string => {
  try {
    return resolveRealPath(path);
  } catch {
    return resolve(path);
  }
};

/** The home folder that the system knows for the user; `homedir()` would ask the environment again. */
function systemHome(): string {
  try {
    return process.getBuiltinModule('node:os').userInfo().homedir || '/';
  } catch {
    return '/';
  }
}

/** The home folder from the environment, else the one that the system knows. */
export const findHome = (env: Env): string => env.HOME || env.USERPROFILE || systemHome();

/** All paths of the user's home folder, and the user's name; null when it is not known. */
export function findHomes(env: Env): { homes: string[]; user: string | null } {
  const home = findHome(env);
  const user = env.USER || env.LOGNAME || env.USERNAME || basename(home) || null;
  return { homes: [...new Set([home, resolveReal(home)])], user };
}

// Separate from `listUserPaths`, because every hook needs this folder and not the others.
const userState = (env: Env): string =>
  join(env.XDG_STATE_HOME || join(findHome(env), '.local', 'state'), 'plimsoll');
export const findLearnedPath = (env: Env): string => joinPath(userState(env), 'compaction-points.json');

/** Folders of the user, after the XDG base directory rules. */
export function listUserPaths(env: Env) {
  const base = findHome(env);
  const config = join(env.XDG_CONFIG_HOME || join(base, '.config'), 'plimsoll');
  const state = userState(env);
  const data = join(env.XDG_DATA_HOME || join(base, '.local', 'share'), 'plimsoll');
  return {
    config: joinPath(config, 'config.toml'),
    state,
    learned: findLearnedPath(env),
    failures: joinPath(state, 'failures.jsonl'),
    data,
    /** The hook bundle that settings point to: a stable place, swapped on upgrade. */
    current: joinPath(data, 'current'),
    installs: joinPath(state, 'installs.json'),
    /** The values of committed settings that the user trusts, by project. */
    trust: joinPath(state, 'trust.json'),
  };
}

/** The files of one session, all in its folder: removing the folder removes the session. */
export const listSessionPaths = (folder: string) => ({
  folder,
  /** What is remembered between two hooks; its time is the last change. */
  state: joinPath(folder, 'state.json'),
  ledger: joinPath(folder, 'ledger.json'),
  /** The end of the last turn, as the client's module notes it. */
  stop: joinPath(folder, 'stop.json'),
  events: joinPath(folder, 'events.jsonl'),
  /** What was said and done, where the host keeps that in no file that we read. */
  lines: joinPath(folder, 'lines.jsonl'),
  claims: joinPath(folder, 'claims'),
  /** When each hook ran last, and what was decided about announcements. */
  runs: joinPath(folder, 'runs'),
  /** The last worktree snapshot, and the files whose edits were judged since. */
  looked: joinPath(folder, 'looked'),
  judged: joinPath(folder, 'judged'),
  /** The pinned track, what was told of it, and why it was not compacted. */
  track: joinPath(folder, 'track'),
  told: joinPath(folder, 'told'),
  refusal: joinPath(folder, 'refusal'),
  /** What the host itself reported last, by who wrote it down. */
  feed: (writer: string): string => joinPath(folder, `${writer}.feed`),
});

/** A path relative to a folder if it is below it; any other path unchanged. */
export const makeRelative = (path: string, folder: string | null): string =>
  folder !== null && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;

/**
 * The files of one project; everything that we trust as our own memory is in its state folder (state-place.ts).
 * @param start folder in which a session without a project began
 */
export function listProjectPaths(root: string | null, env: Env, start: string = findHome(env)) {
  const place = placeState(root ?? start, root !== null, userState(env));
  const state = place.folder;
  const own = root === null ? state : joinPath(root, FOLDER);
  const sessions = joinPath(state, 'sessions');
  return {
    root,
    place,
    config: joinPath(own, 'config.toml'),
    localConfig: joinPath(state, 'config.local.toml'),
    snapshot: joinPath(state, 'config.snapshot.json'),
    state,
    off: joinPath(state, 'off'),
    checkpoints: joinPath(state, 'checkpoints'),
    sessions,
    failures: joinPath(state, 'failures.jsonl'),
    /** The files of a session, whatever the host sent as its id. */
    session: (id: string) => listSessionPaths(joinPath(sessions, makeSafeName(id))),
  };
}

/** The files of all sessions of a project; a link in place of a folder is none, and what is being removed has a dot in its name. */
export const listSessionFolders = ({
  sessions,
}: {
  sessions: string;
}): ReturnType<typeof listSessionPaths>[] =>
  listEntries(sessions)
    .filter(({ name, isFolder }) => isFolder && !name.includes('.'))
    .map(({ name }) => listSessionPaths(joinPath(sessions, name)));

/** The project's own quality rules, a committed file. */
export const findQualityPath = ({ config }: { config: string }): string =>
  joinPath(dirname(config), 'quality.md');

export type ProjectPaths = ReturnType<typeof listProjectPaths>;

/** Files that protect us but that git does not list; they are checked after commands. */
export function listWatchedPaths(root: string, env: Env): string[] {
  const { localConfig } = listProjectPaths(root, env);
  const { config, current } = listUserPaths(env);
  return [localConfig, config, current];
}
