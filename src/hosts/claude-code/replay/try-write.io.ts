// Tries a write on the real hook, as Claude Code asks it before the call, in a folder made for it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { exists } from '../../../platform/look.ts';
import { type Env, userPaths } from '../../../platform/project/paths.ts';
import { tryOrNull } from '../../../platform/project/try-step.ts';
import { isObject } from '../../../text/json.ts';

const MOST_MS = 20_000;

/** The bundle that settings start; if none is installed, the one beside the command. */
export function hookBundle(env: Env, dist: string): { path: string; isInstalled: boolean } {
  const installed = join(userPaths(env).current, 'hook.cjs');
  return exists(installed)
    ? { path: installed, isInstalled: true }
    : { path: join(dist, 'hook.cjs'), isInstalled: false };
}

/** Runs the hook of an event with a payload. @throws when it does not end by itself with code 0 */
function runHookBundle(
  bundle: string,
  input: { event: string; payload: Record<string, unknown>; cwd: string; env: Env },
): string {
  const { event, payload, cwd, env } = input;
  const result = spawnSync(process.execPath, [bundle, event], {
    cwd,
    env: env as NodeJS.ProcessEnv,
    input: JSON.stringify({ ...payload, hook_event_name: event, cwd }),
    encoding: 'utf8',
    timeout: MOST_MS,
  });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`The hook ended with code ${result.status}: ${result.stderr}`);
  return result.stdout;
}

/** The environment of the hook: the user's own settings and variables, state in the folder. */
export function trialEnvironment(env: Env, root: string): Env {
  const kept = Object.entries(env).filter(
    ([name]) =>
      name.startsWith('PLIMSOLL_') ||
      /^(?:PATH|HOME|USERPROFILE|XDG_CONFIG_HOME|CLAUDE_CONFIG_DIR)$/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    PLIMSOLL_TRACK: undefined,
    XDG_STATE_HOME: `${root}/.state`,
    CLAUDE_PROJECT_DIR: root,
  };
}

/** A transcript with one answer, so that there is a session to log events in. */
const TRANSCRIPT = [
  { type: 'user', isSidechain: false, message: { role: 'user', content: 'Try it' } },
  {
    type: 'assistant',
    isSidechain: false,
    message: {
      id: 'm1',
      model: 'claude-sonnet-4-5',
      role: 'assistant',
      content: [{ type: 'text', text: 'Trying.' }],
      usage: { input_tokens: 1_000, output_tokens: 10 },
    },
  },
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');

/**
 * Asks the hook about a write of a file.
 *
 * @param folder where it is tried; `write` makes a file there
 */
export function tryWrite(
  bundle: string,
  input: { session: string; file: string; env: Env },
  folder: { root: string; write: (path: string, text: string) => void },
): { answer: string; decision: unknown } {
  const { root } = folder;
  const env = trialEnvironment(input.env, root);
  const common = { session_id: input.session, transcript_path: `${root}/transcript.jsonl` };
  const fire = (event: string, more: Record<string, unknown> = {}): string =>
    runHookBundle(bundle, { event, payload: { ...common, ...more }, cwd: root, env });
  folder.write('transcript.jsonl', TRANSCRIPT);
  fire('UserPromptSubmit');
  const answer = fire('PreToolUse', {
    tool_name: 'Write',
    tool_input: { file_path: `${root}/${input.file}`, content: 'x' },
    tool_use_id: 'gate',
  });
  const reply: unknown = tryOrNull(() => JSON.parse(answer));
  const output = isObject(reply) ? reply.hookSpecificOutput : null;
  return { answer, decision: isObject(output) ? output.permissionDecision : null };
}
