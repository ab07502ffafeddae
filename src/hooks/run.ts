// From stdin to stdout: parse, look, and say the short line; whatever needs more than that is loaded when it happens.
import { formatReply, parseEvent } from '../agents/claude-code.ts';
import { hasOwnVariables, type Resolved, readSnapshot } from '../config/snapshot.ts';
import { attempt } from '../model/attempt.ts';
import { noteBeat } from '../store/beats.ts';
import { readCurrent } from '../store/conversation-file.ts';
import { exists } from '../store/files.ts';
import { type Env, findRoot, type ProjectPaths, projectPaths } from '../store/paths.ts';
import { printAll, readPayload } from '../store/stdio.ts';
import { shortMonitor } from '../tags/short-monitor.ts';
import { type Call, isQuiet, isUnchanged, type Look, lookWith, withRules } from './look.ts';

/** Settings from the snapshot; when a layer changed, or the environment sets something, from the layers themselves. */
async function settingsFor(root: string | null, env: Env): Promise<{ resolved: Resolved; isNew: boolean }> {
  // Undefined: nothing is kept, for this environment or beside a snapshot of a newer version.
  const snapshot = hasOwnVariables(env) ? undefined : readSnapshot(projectPaths(root, env).snapshot);
  if (snapshot) return { resolved: snapshot, isNew: false };
  const { settingsAnew } = await import('./settings.ts');
  return { resolved: await settingsAnew(root, env), isNew: snapshot === null };
}

/** What the client itself tells of the fill, where it tells anything. */
const feedOf = async (paths: ProjectPaths, conversation: string): Promise<Call['feed']> =>
  (['module', 'statusline'] as const).some((writer) => exists(paths.feed(conversation, writer)))
    ? (await import('../store/feed.ts')).feedIn(paths, conversation)
    : null;

/** What is said when nothing has changed: at a prompt the short line, after a tool nothing. */
function quietReply(call: Call, look: Look, name: string): string | null {
  const { settings } = call.resolved;
  const isSpoken =
    call.event.kind === 'prompt' &&
    settings['context_monitor.enabled'] &&
    settings['context_monitor.emit'] === 'always';
  const line = isSpoken ? shortMonitor(look.assessment) : null;
  return formatReply(name, { context: withRules(call, line), person: [] });
}

/** Answers a prompt or a tool; true when more than the short way was needed. */
async function respond(call: Call, name: string, isNew: boolean): Promise<boolean> {
  const state = attempt(call, 'state', () => readCurrent(call.paths, call.event.conversation));
  const look = state === null ? null : lookWith(call, state);
  if (look !== null && !isNew && isUnchanged(call, look)) {
    let reply: string | null | undefined;
    if (isQuiet(call, look)) reply = quietReply(call, look, name);
    else reply = await (await import('./steady.ts')).steadyReply(call, look, name);
    if (reply) printAll(reply);
    if (reply !== undefined) return false;
  }
  const { attend } = await import('./attend.ts');
  await attend(call, look, name, isNew, printAll);
  return true;
}

/**
 * Runs one hook: `hook.cjs <EventName>`, host JSON on stdin. Never throws, never exits by itself.
 * `now`: ms since the epoch; `elapsed`: ms since the process began.
 * What went wrong goes to the failure log, at the end.
 */
export async function runHook(
  argv: readonly string[],
  env: Env,
  clock: { now: () => number; elapsed: () => number },
): Promise<void> {
  if (env.PLIMSOLL === 'off') return;
  const name = argv[0] ?? '';
  const failures: { part: string; error: unknown }[] = [];
  const fail = (part: string, error: unknown): void => void failures.push({ part, error });
  let paths: ProjectPaths | null = null;
  try {
    const payload = readPayload(clock.now);
    const event = parseEvent(payload, name);
    if (event === null) {
      fail(
        'event',
        `not understood: ${payload === null ? 'no whole JSON on stdin' : 'another event, or a field is missing'}`,
      );
    } else if (event.agent === null || /^SubagentStop|Tool/.test(name)) {
      // A subagent's events never move the main conversation; that it has finished is the main one's business, and its
      // tool calls are judged and noted like all others.
      const root = findRoot(event.cwd, env);
      paths = projectPaths(root, env);
      const { resolved, isNew } = await settingsFor(root, env);
      paths = projectPaths(root, env, resolved.settings.state_dir);
      if (resolved.settings.enabled && !exists(paths.off)) {
        const place = { env, now: clock.now(), paths, resolved, fail };
        let create = event.agent === null;
        if (event.kind === 'rare' && name === 'PreToolUse') {
          await (await import('./guard.ts')).guard({ ...place, event }, printAll);
        } else if (event.kind === 'rare' || create) {
          const feed = await feedOf(paths, event.conversation);
          if (event.kind === 'rare') {
            const { attendRare } = await import('./attend.ts');
            await attendRare({ ...place, feed, event }, name, isNew, printAll);
          } else create = await respond({ ...place, feed, event }, name, isNew);
        }
        // Last: whatever becomes of it, everything else has been said.
        if (resolved.tracks && event.kind === 'after-tool')
          await (await import('./capture.ts')).capture({ ...place, event });
        noteBeat(paths, event.conversation, { name, now: clock.now(), ms: clock.elapsed(), create });
      }
    }
  } catch (error) {
    fail('hook', error);
  }
  if (failures.length === 0) return;
  const { logFailures } = await import('../store/failures.ts');
  logFailures(paths, env, { hook: name, now: clock.now(), failures });
}
