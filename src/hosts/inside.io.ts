// The in-process door: what an extension in a host's own process asks at an event, and how it is answered.

import type { Env } from '../platform/project/paths.ts';
import { findProject } from '../platform/project/root.ts';
import { isObject } from '../text/json.ts';
import type { Event, HookHost } from './host.ts';
import {
  type AskInside,
  type HookIo,
  type HostSetup,
  type InsideAnswer,
  NOTHING,
  type ReportInside,
} from './host-entry.ts';

/** The name of an event's hook: `after-tool` is `afterTool`. */
const nameOf = ({ kind }: Event): string =>
  kind.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The hooks' own entry, `runHook`: it lies above the hosts, and is handed down. */
export type RunHook = (
  argv: readonly string[],
  env: Env,
  io: HookIo,
  isHandled: undefined,
  host: HookHost,
) => Promise<void>;

/** The environment of the host's process, with what it tells under neutral names. */
const environmentFor = (event: Event, entrypoint: string | undefined): Env => ({
  ...process.env,
  HOST_PROJECT: undefined,
  HOST_SESSION: event.session,
  HOST_PID: String(process.pid),
  HOST_ENTRYPOINT: entrypoint,
});

async function answer(
  host: HookHost,
  run: RunHook,
  ...[event, more]: Parameters<AskInside>
): Promise<InsideAnswer> {
  const begun = performance.now();
  const printed: unknown[] = [];
  const io: HookIo = {
    told: more?.told,
    lines: more?.lines,
    cwd: () => event.cwd,
    now: Date.now,
    elapsed: () => performance.now() - begun,
    read: () => event,
    print: (text: string) => void printed.push(JSON.parse(text)),
    hear: ({ reason, tier, fractionOfLimit: fraction }) => {
      if (reason !== 'off' && tier !== null && fraction !== null) printed.push({ usage: { fraction, tier } });
    },
  };
  await run([nameOf(event)], environmentFor(event, more?.entrypoint), io, undefined, host);
  return Object.assign({ ...NOTHING }, ...printed.filter(isObject)) as InsideAnswer;
}

/** @param run answers an event */
export function createAsk(host: HookHost, run: RunHook): AskInside {
  // Two answers at once could both say what only one has to say.
  let last: Promise<unknown> = Promise.resolve();
  return (event, more) => {
    const next = last.then(() => answer(host, run, event, more)).catch(() => NOTHING);
    last = next;
    return next;
  };
}

/** Notes what a handler has thrown; where even that fails, nothing is left to do. */
export const reportInside: ReportInside = (handler, error, cwd) => {
  const env = process.env;
  const failures = [{ part: handler, error }];
  import('../platform/project/failures.ts')
    .then(({ logFailures }) =>
      logFailures(findProject(cwd, env), env, { hook: 'extension', now: Date.now(), failures }),
    )
    .catch(() => undefined);
};

/** How every extension of ours begins. */
const MARK = '// Plimsoll for ';

/** The setup of a host that loads a file of ours: the same for everybody. @param begin its last line, where `begin(name, api)` loads our bundle */
export function createSetup(
  name: string,
  places: Pick<HostSetup, 'findFile' | 'findFolder' | 'findPackage'>,
  begin: string,
): HostSetup {
  const text = `${MARK}${name}: "plimsoll uninstall --host ${name}" removes this file.
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

function begin(host, api) {
  try {
    const load = module.createRequire(import.meta.url);
    const bundle = join(process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'plimsoll', 'current');
    return load(join(bundle, 'hosts.cjs')).attach(host, api, load(join(bundle, 'fast.cjs')).runHook);
  } catch {
    return undefined; // the bundle is gone: silence
  }
}

${begin}
`;
  return {
    ...places,
    text,
    isOurs: (before) => before.startsWith(MARK),
    next: null,
  };
}
