// Runs one hook: parses stdin, reads the settings, and loads the code that the event needs; root of the fast bundle.

import type { Announcement } from '../context/announcement.ts';
import {
  decideAnnouncement,
  isStoredReport,
  mayRiseNext,
  needsShortLineOnly,
} from '../context/announcement.ts';
import { findClientUsage, SAMPLE_VERSION, toUsageSample, type UsageSample } from '../context/client-usage.ts';
import { formatMinimalMonitor, formatShortMonitor } from '../context/context-monitor.ts';
import type { SessionSnapshot } from '../context/context-status.ts';
import { hasNothingToSave } from '../context/nothing-to-save.ts';
import { readFeed, writeSample } from '../context/usage-samples.io.ts';
import { claudeCodeHook } from '../hosts/claude-code/hook.io.ts';
import { type Event, type HookHost, isMainEvent, type MainEvent, type RareEvent } from '../hosts/host.ts';
import type { HookIo } from '../hosts/host-entry.ts';
import { exists } from '../platform/look.ts';
import type { Env, ProjectPaths } from '../platform/project/paths.ts';
import { findProject } from '../platform/project/root.ts';
import { tryStep } from '../platform/project/try-step.ts';
import { takeUnsafe } from '../platform/unsafe-file.ts';
import { recordHookRun } from '../sessions/last-runs.io.ts';
import { readCurrent } from '../sessions/session-state-file.io.ts';
import { listSettingsPaths } from '../settings/layers.io.ts';
import { hasOwnVariables, type Resolved } from '../settings/resolved.ts';
import { readSettingsSnapshot } from '../settings/settings-snapshot.io.ts';
import { isObject } from '../text/json.ts';
import type { FastContext, HookContext } from './snapshot.io.ts';
import { buildSnapshotFromState, isCurrent, isWorkflowSame, withRules } from './snapshot.io.ts';

export { isHandledBySettings, takeOverCompaction } from '../hosts/claude-code/yield.io.ts';

// The fast path of prompts and tools: answers with the minimal line or nothing, and loads the full path when needed.
type MainHook = FastContext & { event: MainEvent };

/** Whether a tool call has left something for an add-on, which `handleEvent` then asks. */
const isForAddon = async (hook: FastContext): Promise<boolean> =>
  hook.event.kind === 'after-tool' &&
  hook.resolved.addons.length > 0 &&
  (await import('../addons/at-tools.io.ts')).isDueAfterTool(hook);

/** Whether nothing but the short line can be due, even once the client has written the answer that called the tool. */
const isShort = (hook: MainHook, snapshot: SessionSnapshot, announcement: Announcement): boolean =>
  (needsShortLineOnly(announcement) || isStoredReport(announcement, snapshot.state)) &&
  (hook.event.kind === 'prompt' || !mayRiseNext(snapshot) || isCurrent(hook, snapshot));

/** The short form of what is said: in full only at NOMINAL. */
const SHORT = { full: formatShortMonitor, line: formatMinimalMonitor };

/** Answers a prompt or a tool, and tells whether the fast path was enough, and what was announced. */
async function takeFastPath(
  hook: MainHook,
  name: string,
  isNew: boolean,
  print: (text: string) => void,
): Promise<{ isFast: boolean; announcement: Announcement | null }> {
  const state = tryStep(hook, 'state', () => readCurrent(hook.paths, hook.event.session));
  const snapshot = state === null ? null : buildSnapshotFromState(hook, state);
  const { kind, transcript } = hook.event;
  const event = { isPrompt: kind === 'prompt', transcript };
  if (snapshot !== null && !isNew && hasNothingToSave(event, snapshot, isWorkflowSame)) {
    const announcement = decideAnnouncement(snapshot, hook.event, hook.resolved.settings);
    if (isShort(hook, snapshot, announcement) && !(await isForAddon(hook))) {
      const line = announcement.said && SHORT[announcement.said](snapshot.assessment);
      const reply = hook.host.formatReply(name, {
        context: withRules(hook, line),
        person: [],
        blockStop: null,
      });
      if (reply) print(reply);
      return { isFast: true, announcement };
    }
  }
  const { handleEvent } = await import('./handle-event.io.ts');
  return { isFast: false, announcement: await handleEvent(hook, snapshot, name, isNew, print) };
}

/** Settings from the snapshot; when a layer changed, or the environment sets something, from the layers themselves. */
async function settingsFor(paths: ProjectPaths, env: Env): Promise<{ resolved: Resolved; isNew: boolean }> {
  // Undefined means that no snapshot is saved: the environment sets something, or a newer version wrote the snapshot.
  const snapshot = hasOwnVariables(env)
    ? undefined
    : readSettingsSnapshot(paths.snapshot, listSettingsPaths(paths, env));
  if (snapshot) return { resolved: snapshot, isNew: false };
  const { reloadSettings } = await import('./handle-event.io.ts');
  return { resolved: await reloadSettings(paths.root, env), isNew: snapshot === null };
}

/** The settings of a project, whose state folder is registered first so that several first hooks share one folder. */
async function withSettings(
  paths: ProjectPaths,
  env: Env,
  onFailure: HookContext['onFailure'],
): Promise<{ paths: ProjectPaths; resolved: Resolved; isNew: boolean }> {
  const settings = await settingsFor(paths, env);
  if (paths.place.isRegistered || !settings.resolved.settings.enabled) return { paths, ...settings };
  const { readRegistered } = await import('./handle-event.io.ts');
  const named = tryStep({ onFailure }, 'state folder', () => readRegistered(paths, env)) ?? paths;
  return { paths: named, ...(await settingsFor(named, env)) };
}

/** The usage that the client itself reports; null when it reports none. */
const feedOf = (paths: ProjectPaths, session: string, told: UsageSample | null): HookContext['feed'] =>
  told !== null
    ? (seen) => findClientUsage(told, seen)
    : (['module', 'statusline'] as const).some((writer) => exists(paths.session(session).feed(writer)))
      ? readFeed(paths, session)
      : null;

/** What our module in the client adds to the payload of a process that it starts; undefined where another one starts it. */
const readModule = (payload: unknown): HookContext['module'] =>
  isObject(payload) && isObject(payload.plimsoll) ? payload.plimsoll : undefined;

/** Whether an event counts although it happened in a subagent: its tool calls, and its end. */
const isOfAgents = (event: Event | RareEvent): boolean =>
  event.kind === 'before-tool' || event.kind === 'after-tool' || (event.kind === 'rare' && event.ofAgents);

/** The host that starts our bundle. */
const OWN_HOST: HookHost = {
  ...claudeCodeHook,
  loadRuns: async () => (await import('../hosts/claude-code/tools/runs.ts')).claudeRuns,
  load: async () => (await import('./handle-event.io.ts')).claudeCode,
};

/** The host that the call names; the one that starts our bundle where it names none. */
async function findNamedHost(argv: readonly string[]): Promise<HookHost | null> {
  const at = argv.indexOf('--host');
  const name = at < 0 ? OWN_HOST.name : (argv[at + 1] ?? '');
  if (name === OWN_HOST.name) return OWN_HOST;
  return (await import('../hosts/registry.io.ts')).findHost(name)?.host ?? null;
}

/**
 * Runs one hook: `hook.cjs <EventName> [--host NAME]`, host JSON on stdin. Never throws, never exits by itself.
 * Failures go to the failure log, at the end.
 *
 * @param isHandled whether the settings run a hook of ours for the same event, which then does the work
 * @param inside the host in whose process this runs; null where the call names it
 */
export async function runHook(
  argv: readonly string[],
  given: Env,
  io: HookIo,
  isHandled: (event: string, cwd: string, env: Env) => boolean = () => false,
  inside: HookHost | null = null,
): Promise<void> {
  const host = inside ?? (await findNamedHost(argv));
  if (host === null) return;
  const cwd = io.cwd();
  const env = host.readEnvironment(given, cwd);
  if (env.PLIMSOLL === 'off') return;
  const name = argv[0] ?? '';
  if (cwd !== undefined && isHandled(name, cwd, env)) return;
  const failures: { part: string; error: unknown }[] = [];
  const onFailure = (part: string, error: unknown): void => void failures.push({ part, error });
  let paths: ProjectPaths | null = null;
  try {
    const payload = io.read();
    if (host.isOfOtherClient?.(payload, env) === true) return;
    let event = host.parseEvent(payload, name, env);
    if (event === null) {
      onFailure(
        'event',
        payload === null ? 'no whole JSON on stdin' : 'another event, or a field is missing',
      );
    } else if (event.agent === null || isOfAgents(event)) {
      // A subagent's events never change the main session's state, except that it has finished; its tool calls are
      // judged and recorded like all others.
      paths = findProject(event.cwd, env);
      const known = await withSettings(paths, env, onFailure);
      const { resolved, isNew } = known;
      paths = known.paths;
      if (resolved.settings.enabled && !exists(paths.off)) {
        if (io.lines !== undefined) {
          const { keepOwnLines } = await import('./handle-event.io.ts');
          event = { ...event, transcript: keepOwnLines(paths, event.session, host.name, io.lines) };
        }
        const { kind: moment } = event;
        const begun = moment === 'before-tool' ? undefined : host.readStart;
        const started = begun && tryStep({ onFailure }, 'start', () => begun(event as Event, env));
        const module = readModule(payload);
        const place = { host, env: started ?? env, now: io.now(), paths, resolved, onFailure, module };
        const isMain = event.agent === null;
        let create = isMain;
        let announcement: Announcement | null = null;
        let sample: UsageSample | null = null;
        if (event.kind === 'before-tool') {
          if (resolved.addons.length > 0) {
            const { judgeTool } = await import('../addons/at-tools.io.ts');
            await judgeTool({ ...place, event, elapsed: io.elapsed }, io.print);
          }
        } else if (event.kind === 'rare' || isMain) {
          const { session } = event;
          const told =
            io.told ?? tryStep({ onFailure }, 'limits', () => host.readTold?.(event as Event, env) ?? null);
          sample = told && { v: SAMPLE_VERSION, session, from: 'module', at: io.now(), ...told };
          // One of the module is not saved below: it writes its own.
          const feed = feedOf(paths, session, sample ?? toUsageSample(module?.usage, session));
          if (event.kind === 'rare') {
            const { handleLazyEvent } = await import('./handle-event.io.ts');
            await handleLazyEvent({ ...place, feed, event }, name, isNew, io.print);
          } else if (isMainEvent(event)) {
            const done = await takeFastPath({ ...place, feed, event }, name, isNew, io.print);
            create = !done.isFast;
            announcement = done.announcement;
          } else {
            const { handleEvent } = await import('./handle-event.io.ts');
            await handleEvent({ ...place, feed, event }, null, name, isNew, io.print);
          }
        }
        // Otherwise every call of a turn in which settings have changed would read them again.
        if (isNew && (event.agent !== null || event.kind === 'before-tool'))
          await (await import('./handle-event.io.ts')).saveSettings({ ...place, event }, name);
        // Runs last: if it fails, everything else has been printed.
        if (resolved.addons.length > 0 && event.kind === 'after-tool')
          await (await import('../addons/at-tools.io.ts')).recordTool({ ...place, event });
        // Of a subagent no usage is read, and nothing is announced to it.
        if (!isMain && isMainEvent(event)) announcement = decideAnnouncement(null, event, resolved.settings);
        const run = { name, line: host.hooks.indexOf(name), now: io.now(), ms: io.elapsed(), create };
        const kind = event.kind === 'prompt' ? 'prompt' : 'tool';
        if (announcement !== null) io.hear?.(announcement);
        recordHookRun(paths, event.session, run, announcement && { event: kind, announcement });
        if (sample !== null && exists(paths.session(event.session).folder)) writeSample(paths, sample);
      }
    }
  } catch (error) {
    onFailure('hook', error);
  }
  for (const error of takeUnsafe()) onFailure('file', error);
  if (failures.length === 0) return;
  const { logFailures } = await import('../platform/project/failures.ts');
  logFailures(paths, env, { hook: name, now: io.now(), failures });
}
