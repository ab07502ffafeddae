// Every path that we read or write, in one place.
import { basename, dirname, join, resolve, sep } from 'node:path';
import { safeName } from '../../text/file-slug.ts';
import { entriesIn, realPath } from '../look.ts';
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
    return realPath(path);
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
export const homeOf = (env: Env): string => env.HOME || env.USERPROFILE || systemHome();

/** All paths of the user's home folder, and the user's name; null when it is not known. */
export function findHomes(env: Env): { homes: string[]; user: string | null } {
  const home = homeOf(env);
  const user = env.USER || env.LOGNAME || env.USERNAME || basename(home) || null;
  return { homes: [...new Set([home, resolveReal(home)])], user };
}

// Separate from `userPaths`, because every hook needs this folder and not the others.
const userState = (env: Env): string =>
  join(env.XDG_STATE_HOME || join(homeOf(env), '.local', 'state'), 'plimsoll');
export const learnedPath = (env: Env): string => joinPath(userState(env), 'compaction-points.json');

/** Folders of the user, after the XDG base directory rules. */
export function userPaths(env: Env) {
  const base = homeOf(env);
  const config = join(env.XDG_CONFIG_HOME || join(base, '.config'), 'plimsoll');
  const state = userState(env);
  const data = join(env.XDG_DATA_HOME || join(base, '.local', 'share'), 'plimsoll');
  return {
    config: joinPath(config, 'config.toml'),
    state,
    learned: learnedPath(env),
    failures: joinPath(state, 'failures.jsonl'),
    data,
    /** The hook bundle that settings point to: a stable place, swapped on upgrade. */
    current: joinPath(data, 'current'),
    installs: joinPath(state, 'installs.json'),
    /** The values of committed settings that the user trusts, by project. */
    trust: joinPath(state, 'trust.json'),
  };
}

const SESSION = /^(.+)~([1-9]\d{0,5})$/;

/**
 * The name of a session's first or later session. `safeName` never gives a name with `~`, so no two sessions
 * share one.
 */
export const nameOfSession = (conversation: string, number: number): string =>
  number === 1 ? safeName(conversation) : `${safeName(conversation)}~${number}`;

/** The name of a session, made safe for a file name; a name that we gave stays as it is. */
function safeSession(session: string): string {
  const [, name = session, number = '1'] = SESSION.exec(session) ?? [];
  return nameOfSession(name, Number(number));
}

/** A path relative to a folder if it is below it; any other path unchanged. */
export const relativeTo = (path: string, folder: string | null): string =>
  folder !== null && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;

/**
 * The files of one project; everything that we trust as our own memory is in its state folder (state-place.ts).
 * @param start folder in which a session without a project began
 */
export function projectPaths(root: string | null, env: Env, start: string = homeOf(env)) {
  const place = placeState(root ?? start, root !== null, userState(env));
  const state = place.folder;
  const own = root === null ? state : joinPath(root, FOLDER);
  const conversations = joinPath(state, 'conversations');
  const of =
    (ending: string) =>
    (id: string): string =>
      joinPath(conversations, `${safeName(id)}.${ending}`);
  return {
    root,
    place,
    config: joinPath(own, 'config.toml'),
    localConfig: joinPath(state, 'config.local.toml'),
    snapshot: joinPath(state, 'config.snapshot.json'),
    state,
    off: joinPath(state, 'off'),
    checkpoints: joinPath(state, 'checkpoints'),
    conversations,
    claims: joinPath(state, 'claims'),
    threads: joinPath(state, 'threads'),
    failures: joinPath(state, 'failures.jsonl'),
    conversation: of('json'),
    beats: of('beats'),
    ledger: of('ledger'),
    feed: (id: string, writer: string) => of(`${writer}.feed`)(id),
  };
}

/** All ledgers of a project. */
export const listLedgers = ({ conversations }: { conversations: string }): string[] =>
  entriesIn(conversations)
    .filter(({ name, isFile }) => isFile && name.endsWith('.ledger'))
    .map(({ name }) => joinPath(conversations, name));

/** The last worktree snapshot of a session, and the list of files whose edits were judged since. */
export const lookedPaths = (paths: { conversations: string }, id: string) => ({
  looked: joinPath(paths.conversations, `${safeName(id)}.looked`),
  judged: joinPath(paths.conversations, `${safeName(id)}.judged`),
});

/** The project's own quality rules, a committed file. */
export const qualityPath = ({ config }: { config: string }): string =>
  joinPath(dirname(config), 'quality.md');

/** The event stream of a session; its name comes from `nameOfSession`, or from outside. */
export const streamPath = ({ state }: { state: string }, session: string): string =>
  joinPath(eventsFolder({ state }), `${safeSession(session)}.jsonl`);

/** Folder of all event streams. */
export const eventsFolder = ({ state }: { state: string }): string => joinPath(state, 'events');

export type ProjectPaths = ReturnType<typeof projectPaths>;

/** Files that protect us but that git does not list; they are checked after commands. */
export function watchedPaths(root: string, env: Env): string[] {
  const { localConfig } = projectPaths(root, env);
  const { config, current } = userPaths(env);
  return [localConfig, config, current];
}
