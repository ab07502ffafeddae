// Asks one of our own hooks by a process, as the client would run it, and reads its answer.

import { isObject, readNonEmpty } from '../../../text/json.ts';
import type { Client, HookAnswer } from './client.ts';

export const SILENCE: HookAnswer = { context: null, person: null, deny: null, ask: null, block: null };

/** As a registered hook has: more around a compaction, and at a start. */
const MOST_MS = 5_000;
const LONG_MS = 10_000;
const LONG = ['PreCompact', 'SessionStart'];
/** As every hook of ours is started: the certificates of a company cost 40 ms, and options may print. */
const WITHOUT = { NODE_EXTRA_CA_CERTS: '', NODE_OPTIONS: '' };

/** What hook JSON says, as far as we write any. */
export function readHookAnswer(stdout: string): HookAnswer | null {
  let value: unknown;
  try {
    value = JSON.parse(stdout);
  } catch {
    return null;
  }
  if (!isObject(value)) return null;
  const said = isObject(value.hookSpecificOutput) ? value.hookSpecificOutput : {};
  const reason = readNonEmpty(said.permissionDecisionReason);
  return {
    context: readNonEmpty(said.additionalContext),
    person: readNonEmpty(value.systemMessage),
    deny: said.permissionDecision === 'deny' ? reason : null,
    ask: said.permissionDecision === 'ask' ? reason : null,
    block: value.decision === 'block' ? readNonEmpty(value.reason) : null,
  };
}

/**
 * What one of our hooks prints, run as a process.
 * @param env what the client gives to its command hooks
 * @throws where none can be started, or it takes too long
 */
export async function runHookProcess(
  $: Client,
  env: Record<string, string>,
  name: string,
  payload: Record<string, unknown>,
): Promise<string> {
  const { stdout } = await $.process.run(['node', `${env.CLAUDE_PLUGIN_ROOT}/lib/plugin.cjs`, name], {
    stdin: JSON.stringify(payload),
    ...(typeof payload.cwd === 'string' ? { cwd: payload.cwd } : {}),
    env: { ...env, ...WITHOUT },
    timeoutMs: LONG.includes(name) ? LONG_MS : MOST_MS,
  });
  return stdout;
}

/** Whether no variable of the client's environment sets a setting of ours: such settings are in no snapshot. */
export async function hasNoVariables($: Client): Promise<boolean> {
  const code =
    'process.exit(Object.entries(process.env).some(([n,v])=>v&&/^PLIMSOLL_(?!TRACK$)/.test(n))?1:0)';
  const { exitCode } = await $.process.run(['node', '-e', code], { env: WITHOUT, timeoutMs: MOST_MS });
  return exitCode === 0;
}
