// Where does everything lie? Every path that we read or write, on one screen.
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { FeedWriter } from '../model/feed.ts';
import { safeName } from '../model/safe-name.ts';
import { entriesIn, realPath } from '../platform/look.ts';
import { FOLDER, placeState } from './state-place.ts';

export type Env = Record<string, string | undefined>;

/**
 * A path below a folder, where neither holds `.`, `..` or an empty part. `join` looks at every character of both, in
 * JavaScript: over a long root and many files that is so much that V8 optimizes it, which costs a hook milliseconds.
 */
export const below = (folder: string, name: string): string =>
  sep === '/' && !folder.endsWith(sep) ? `${folder}/${name}` : join(folder, name);

/** The real path of what is there; of what is gone, the path as it is named. */
export const resolveReal = (path: string): string => {
  try {
    return realPath(path);
  } catch {
    return resolve(path);
  }
};

/** What the system knows of whoever runs this; `homedir()` would ask the environment again. */
function systemHome(): string {
  try {
    return process.getBuiltinModule('node:os').userInfo().homedir || '/';
  } catch {
    return '/';
  }
}

/** The home folder; where the environment names none, the one that the system knows. */
export const homeOf = (env: Env): string => env.HOME || env.USERPROFILE || systemHome();

/** Who the user is: all paths of the home folder, and the name; null where the system does not say. */
export function homesOf(env: Env): { homes: string[]; user: string | null } {
  const home = homeOf(env);
  const user = env.USER || env.LOGNAME || env.USERNAME || basename(home) || null;
  return { homes: [...new Set([home, resolveReal(home)])], user };
}

// Apart from the other folders of the user: what every hook asks for, and no more.
const userState = (env: Env): string =>
  join(env.XDG_STATE_HOME || join(homeOf(env), '.local', 'state'), 'plimsoll');
export const learnedPath = (env: Env): string => below(userState(env), 'compaction-points.json');

/** Folders of the user, after the XDG base directory rules. */
export function userPaths(env: Env) {
  const base = homeOf(env);
  const config = join(env.XDG_CONFIG_HOME || join(base, '.config'), 'plimsoll');
  const state = userState(env);
  const data = join(env.XDG_DATA_HOME || join(base, '.local', 'share'), 'plimsoll');
  return {
    config: below(config, 'config.toml'),
    state,
    learned: learnedPath(env),
    failures: below(state, 'failures.jsonl'),
    data,
    /** The hook bundle that settings point to: a stable place, swapped on upgrade. */
    current: below(data, 'current'),
    installs: below(state, 'installs.json'),
    /** Which values of which projects' committed settings the user lets count. */
    trust: below(state, 'trust.json'),
    claude: env.CLAUDE_CONFIG_DIR || join(base, '.claude'),
  };
}

const SESSION = /^(.+)~([1-9]\d{0,5})$/;

/**
 * The name of a conversation's session, its first or a later one. `~` stands in no name that `safeName` gives, so that no
 * two conversations ever share one.
 */
export const nameOfSession = (conversation: string, number: number): string =>
  number === 1 ? safeName(conversation) : `${safeName(conversation)}~${number}`;

/** The name of a session as it is safe in a file name; one that we gave stays as it is. */
function safeSession(session: string): string {
  const [, name = session, number = '1'] = SESSION.exec(session) ?? [];
  return nameOfSession(name, Number(number));
}

/** A path below a folder as it is typed from there; any other path as it is. */
export const shownBelow = (path: string, folder: string | null): string =>
  folder !== null && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;

/**
 * The files of one project; what we believe as our own memory lies in its state folder alone (state-place.ts).
 * @param start where a session without a project began
 */
export function projectPaths(root: string | null, env: Env, start: string = homeOf(env)) {
  const place = placeState(root ?? start, root !== null, userState(env));
  const state = place.folder;
  const own = root === null ? state : below(root, FOLDER);
  const conversations = below(state, 'conversations');
  const of =
    (ending: string) =>
    (id: string): string =>
      below(conversations, `${safeName(id)}.${ending}`);
  return {
    root,
    place,
    config: below(own, 'config.toml'),
    localConfig: below(state, 'config.local.toml'),
    snapshot: below(state, 'config.snapshot.json'),
    state,
    off: below(state, 'off'),
    checkpoints: below(state, 'checkpoints'),
    conversations,
    claims: below(state, 'claims'),
    threads: below(state, 'threads'),
    failures: below(state, 'failures.jsonl'),
    conversation: of('json'),
    beats: of('beats'),
    ledger: of('ledger'),
    feed: (id: string, writer: FeedWriter) => of(`${writer}.feed`)(id),
  };
}

/** All ledgers of a project. */
export const listLedgers = ({ conversations }: { conversations: string }): string[] =>
  entriesIn(conversations)
    .filter(({ name, isFile }) => isFile && name.endsWith('.ledger'))
    .map(({ name }) => below(conversations, name));

/** What git listed at the last look behind commands, and the files whose edits were judged since. */
export const lookedPaths = (paths: { conversations: string }, id: string) => ({
  looked: below(paths.conversations, `${safeName(id)}.looked`),
  judged: below(paths.conversations, `${safeName(id)}.judged`),
});

/** The project's own quality rules, which it commits. */
export const qualityPath = ({ config }: { config: string }): string => below(dirname(config), 'quality.md');

/** The events of a session; its name comes from `nameOfSession`, or from outside. */
export const streamPath = ({ state }: { state: string }, session: string): string =>
  below(eventsFolder({ state }), `${safeSession(session)}.jsonl`);

/** Folder of all streams of events. */
export const eventsFolder = ({ state }: { state: string }): string => below(state, 'events');

export type ProjectPaths = ReturnType<typeof projectPaths>;

/** Settings that whoever manages the machine sets over all others. */
export function managedSettingsPath(platform: string): string {
  if (platform === 'darwin') return '/Library/Application Support/ClaudeCode/managed-settings.json';
  return platform === 'win32'
    ? 'C:\\Program Files\\ClaudeCode\\managed-settings.json'
    : '/etc/claude-code/managed-settings.json';
}

/** Where the client remembers what it was told of folders. */
export const clientMemoryPath = (env: Env): string =>
  join(env.CLAUDE_CONFIG_DIR || homeOf(env), '.claude.json');

/** The client's own settings files that can change its compaction point, weakest first. */
export function clientSettingsPaths(root: string | null, env: Env): string[] {
  const user = join(userPaths(env).claude, 'settings.json');
  if (root === null) return [user];
  return [user, join(root, '.claude', 'settings.json'), join(root, '.claude', 'settings.local.json')];
}

/** Where we lie besides the project's own folder, and where our hooks may stand: what guardrails guard for themselves. */
export function ownPlaces(root: string | null, env: Env): { folders: string[]; settings: string[] } {
  const { config, state, data } = userPaths(env);
  return { folders: [dirname(config), state, data], settings: clientSettingsPaths(root, env) };
}

/** What git does not list, and guards us: looked at behind commands. */
export function watchedPaths(root: string, env: Env): string[] {
  const { localConfig } = projectPaths(root, env);
  const { config, current } = userPaths(env);
  return [localConfig, config, current];
}

/** Every file of settings, ours and the client's, and what the user trusts: what a snapshot of settings is made from. */
export function settingsPaths(
  { root, config, localConfig }: Pick<ProjectPaths, 'root' | 'config' | 'localConfig'>,
  env: Env,
): string[] {
  const { config: user, trust } = userPaths(env);
  return [...(root === null ? [] : [localConfig, config]), user, ...clientSettingsPaths(root, env), trust];
}
