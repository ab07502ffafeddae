// Keeps the plugin's hooks from doing twice what settings, our module or another of its processes do.

import { findGitFolder } from '../../platform/git/git-state.ts';
import { exists, readStamp } from '../../platform/look.ts';
import { pause } from '../../platform/process.ts';
import { type Env, listUserPaths } from '../../platform/project/paths.ts';
import { tryOrNull } from '../../platform/project/try-step.ts';
import { readJson, SETTINGS_FILE } from '../../platform/read.ts';
import { isObject } from '../../text/json.ts';
import { isVersionAtLeast } from '../../text/version-order.ts';
import type { HookIo } from '../host-entry.ts';
import { listClientSettings } from './files.io.ts';
import { findCompactionMark, findHookProgram, isOurHook, type Registration } from './install/hooks.ts';
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

/** A mark that is older was made by a client that was killed, in ms. */
const LONGEST_BEGUN_MS = 10_000;
/** So long a process that keeps a rise looks whether one begins; the others look once. And so long between two looks, in ms. */
const [LOOKS_MS, STEP_MS] = [100, 4];

/** What the hook before a compaction has on stdin, as our module has marked it; null where it serves none in the session. */
function readBegun(env: Env, session: unknown): Record<string, unknown> | null {
  const mark = findCompactionMark(env);
  if (mark === null || Date.now() - readStamp(mark).mtimeMs > LONGEST_BEGUN_MS) return null;
  // It may still be being written.
  const payload = tryOrNull(() => readJson(mark, SETTINGS_FILE));
  return isObject(payload) && payload.session_id === session ? payload : null;
}

/**
 * Does the work of the hook before a compaction too, where our module has begun to serve one while a process that it had started
 * kept something: another process would take longer to start. The facts are printed on a line of their own.
 *
 * @param told what this process had on stdin
 */
export async function takeOverCompaction(
  runHook: (argv: readonly string[], env: Env, io: HookIo) => Promise<void>,
  io: Omit<HookIo, 'read'>,
  told: unknown,
): Promise<void> {
  // Nobody waits for such a process.
  if (!isObject(told) || !isObject(told.plimsoll) || told.plimsoll.isAside !== true) return;
  const look = () => readBegun(process.env, told.session_id);
  const end = Date.now() + (told.hook_event_name === 'PostToolBatch' ? LOOKS_MS : 0);
  let payload = look();
  while (payload === null && Date.now() < end) {
    pause(STEP_MS);
    payload = look();
  }
  if (payload === null) return;
  let facts = '';
  const print = (text: string): void => {
    facts += text;
  };
  await runHook(['PreCompact'], process.env, { ...io, read: () => payload, print });
  io.print(`\n${JSON.stringify({ facts })}`);
}
