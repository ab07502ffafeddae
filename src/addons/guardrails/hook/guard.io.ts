// Decides before a tool call whether rules have to judge it, and records the worktree when it may change files.

import type { Evaluation } from '../../../hook/action.ts';
import { findTimeLeft, type GuardContext } from '../../../hook/snapshot.io.ts';
import { isParsedShell, isWritingTool, mayChangeFiles } from '../../../hosts/claude-code/tools/kinds.ts';
import { isReadOnlyCommand } from '../../../hosts/read-only-commands.ts';
import { isStronger, type Verdict } from '../../../hosts/verdict.ts';
import { runInTime } from '../../../platform/process.ts';
import { tryStep, tryStepAsync } from '../../../platform/project/try-step.ts';
import { readGuardrailOptions } from '../../../settings/read-guardrails.ts';
import { stripFolder } from '../../../text/path-text.ts';
import { findGate } from '../../addon.ts';
import { findGuardedName, LONGEST, shouldParse } from '../should-parse.ts';
import { readApprovedSince, readWorktreeSnapshot } from './kept-snapshot.io.ts';

/**
 * The evaluator of the active track, if tracks have to be ready before files are changed; null also for a command that
 * plainly only reads.
 */
async function gateOf(hook: GuardContext, plain: string | null): Promise<(() => Evaluation | null) | null> {
  const { paths, event, env, resolved } = hook;
  const { root } = paths;
  if (root === null || (plain !== null && isReadOnlyCommand(plain))) return null;
  const { session } = event;
  return tryStepAsync(hook, 'track gate', () => findGate({ root, env, paths, session }, resolved));
}

/** Records the worktree before a command, to find out later what the command changed. */
async function lookBefore(hook: GuardContext): Promise<void> {
  const { paths, event } = hook;
  const { agent, promptId, session } = event;
  const part = 'changed files';
  const last = tryStep(hook, part, () => readWorktreeSnapshot(paths, session));
  // Subagents work beside the main session: for them the worktree is recorded only if it never was.
  if (last === null || (agent === null && last.prompt !== promptId)) {
    await (await import('./worktree-diff.io.ts')).recordBaseline(hook, last);
    return;
  }
  const noted = tryStep(hook, part, () => readApprovedSince(paths, session, last.read).files);
  if (last.judged.length + (noted?.length ?? 0) > 0)
    await (await import('./worktree-diff.io.ts')).absorbApprovedEdits(hook, last);
}

/** Whether the active track is not ready to be worked on, or its evaluation takes too long. */
function isUnready(hook: GuardContext, evaluation: () => Evaluation | null): boolean {
  const found = runInTime(findTimeLeft(hook), evaluation);
  return !('done' in found) || found.done !== null;
}

/** Whether a command that does more than read may name a guarded file. */
function mayNameGuarded({ event, paths, resolved }: GuardContext, command: string): boolean {
  if (isReadOnlyCommand(command)) return false;
  const { paths: places, governance } = readGuardrailOptions(resolved.settings);
  const folder = stripFolder(event.cwd, paths.root ?? '') ?? event.cwd;
  const guarded = [...places.secrets, ...places.protected, ...governance.c4, ...governance.c3];
  return findGuardedName(guarded, `${folder} ${command}`);
}

/**
 * Judges a call before it runs; prints nothing for a call that may run, which leaves it to the user's own permissions.
 * Calls of subagents are judged like all others. Of a call that does several things each is judged, and the strongest
 * verdict is told.
 */
export async function guard(hook: GuardContext, print: (text: string) => void): Promise<void> {
  const { also = [], ...first } = hook.event;
  if (also.length === 0) return guardOne(hook, print);
  const verdicts: Verdict[] = [];
  const formatVerdict = (verdict: Verdict): null => {
    verdicts.push(verdict);
    return null;
  };
  const host = { ...hook.host, formatVerdict };
  for (const { tool, input } of [first, ...also])
    await guardOne({ ...hook, host, event: { ...first, tool, input } }, print);
  const [strongest] = verdicts.sort((a, b) => (isStronger(b.decision, a.decision) ? 1 : -1));
  const reply = strongest === undefined ? null : hook.host.formatVerdict(strongest);
  if (reply !== null) print(reply);
}

async function guardOne(hook: GuardContext, print: (text: string) => void): Promise<void> {
  const { settings } = hook.resolved;
  if (hook.paths.root === null) return;
  const { tool, input } = hook.event;
  if (tool === null || input === null) {
    hook.onFailure('event', 'a tool call without a name or an input');
    return;
  }
  const { allow = [], deny = [] } = settings['guardrails.tools'];
  const { fields = {} } = settings['guardrails.paths'];
  const isNamed = allow.length + deny.length + Object.keys(fields).length > 0;
  if (!isNamed && !isWritingTool(tool)) return;
  const { command } = input;
  const isPlain =
    isParsedShell(tool) &&
    typeof command === 'string' &&
    command.length < LONGEST &&
    !shouldParse(command) &&
    !mayNameGuarded(hook, command);
  const evaluation = await gateOf(hook, isPlain ? command : null);
  const hasTraces = mayChangeFiles({ tool, input });
  if (hasTraces) await lookBefore(hook);
  // A command that changes no file may still run something, which has to wait until the track is ready.
  if (allow.length + deny.length > 0 || !isPlain || (evaluation !== null && isUnready(hook, evaluation))) {
    const { checkCall } = await import('./verdict-bundle.io.ts');
    await checkCall(hook, { tool, input }, print, evaluation);
  }
}
