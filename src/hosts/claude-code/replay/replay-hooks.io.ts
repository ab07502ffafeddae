// Runs our hooks in a folder made for it: at a compaction of a past transcript, and before a write that is to be refused.

import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fillFile, makeTemporaryFolder, removeTree } from '../../../platform/folders.ts';
import { exists, listNames } from '../../../platform/look.ts';
import { type Env, listProjectPaths, listUserPaths } from '../../../platform/project/paths.ts';
import { tryOrNull } from '../../../platform/project/try-step.ts';
import { readTextOrNull, STATE_FILE } from '../../../platform/read.ts';
import { makeFolder } from '../../../platform/write.ts';
import { isObject } from '../../../text/json.ts';

// Tries a write on the real hook, as Claude Code asks it before the call, in a folder made for it.
const MOST_MS = 20_000;

/** The bundle that settings start; if none is installed, the one beside the command. */
export function findHookBundle(env: Env, dist: string): { path: string; isInstalled: boolean } {
  const installed = join(listUserPaths(env).current, 'hook.cjs');
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
export function buildTrialEnvironment(env: Env, root: string): Env {
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
  const env = buildTrialEnvironment(input.env, root);
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

interface Replayed {
  /** What PreCompact gave the summariser. */
  facts: string;
  /** What the agent was told after it. */
  said: string;
  /** The checkpoint that the hooks wrote, with the paths of the session; null where they wrote none. */
  checkpoint: unknown;
}

interface ReplayInput {
  /** The hook bundle. */
  hook: string;
  /** The lines of the transcript in front of the boundary. */
  lines: readonly string[];
  trigger: 'auto' | 'manual';
}

const fieldOf = (lines: readonly string[], name: string): string | null => {
  for (const line of lines) {
    const parsed: unknown = tryOrNull(() => JSON.parse(line));
    if (isObject(parsed) && typeof parsed[name] === 'string') return parsed[name];
  }
  return null;
};

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

const TIME = /"timestamp":"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g;

/** Lines as if the last of them had been written now: what is said of ages must not depend on when the probe runs. */
function moveToNow(lines: readonly string[], now: number): string[] {
  const times = lines.flatMap((line) => [...line.matchAll(TIME)].map(([, time = '']) => Date.parse(time)));
  const last = times.reduce((latest, time) => Math.max(latest, time), 0);
  if (last === 0) return [...lines];
  return lines.map((line) =>
    line.replace(TIME, (_, time: string) => {
      const moved = new Date(Date.parse(time) - last + now).toISOString();
      return `"timestamp":"${moved}"`;
    }),
  );
}

function runHook(
  hook: string,
  input: Record<string, unknown>,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [hook, String(input.hook_event_name)], {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.on('error', reject);
    child.on('close', () => resolve(said));
    child.stdin.on('error', () => {}).end(JSON.stringify(input));
  });
}

function contextIn(answer: string): string {
  const parsed: unknown = tryOrNull(() => JSON.parse(answer));
  const output = isObject(parsed) ? parsed.hookSpecificOutput : null;
  return isObject(output) && typeof output.additionalContext === 'string' ? output.additionalContext : '';
}

/** What the hooks say at a compaction. Nothing of the person's own is read or written: home and project are made for it. */
export async function replayHooks({ hook, lines, trigger }: ReplayInput): Promise<Replayed> {
  const base = makeTemporaryFolder('plimsoll-probe-');
  try {
    const [project, home] = [join(base, 'project'), join(base, 'home')];
    for (const folder of [join(project, '.plimsoll'), home]) makeFolder(folder);
    const cwd = fieldOf(lines, 'cwd');
    const moved = moveToNow(lines, Date.now());
    const own = cwd === null ? moved : moved.map((line) => line.replaceAll(inJson(cwd), inJson(project)));
    const transcript = join(base, 'transcript.jsonl');
    fillFile(transcript, own.map((line) => `${line}\n`).join(''));
    const env = { PATH: process.env.PATH, HOME: home, USERPROFILE: home, CLAUDE_PROJECT_DIR: project };
    const common = {
      session_id: fieldOf(lines, 'sessionId') ?? 'probe',
      transcript_path: transcript,
      cwd: project,
    };
    const fire = (event: string, fields: Record<string, unknown>): Promise<string> =>
      runHook(hook, { ...common, hook_event_name: event, ...fields }, project, env);
    const facts = await fire('PreCompact', { trigger, custom_instructions: '' });
    const said = contextIn(await fire('SessionStart', { source: 'compact' }));
    const back = (text: string): string => (cwd === null ? text : text.replaceAll(project, cwd));
    const backInJson = (text: string): string =>
      cwd === null ? text : text.replaceAll(inJson(project), inJson(cwd));
    const { checkpoints } = listProjectPaths(project, env);
    const written = listNames(checkpoints)
      .filter((name) => /^cx-\d+-checkpoint\.json$/.test(name))
      .sort()
      .at(-1);
    const text = written === undefined ? null : readTextOrNull(join(checkpoints, written), STATE_FILE);
    const checkpoint: unknown = text === null ? null : tryOrNull(() => JSON.parse(backInJson(text)));
    return { facts: back(facts), said: back(said), checkpoint };
  } finally {
    removeTree(base);
  }
}
