// A host, as far as a hook can tell: a temporary project, a transcript that grows, and the hooks that answer its events.
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSyncFn } from 'synckit';
import { onTestFinished } from 'vitest';
import { listProjectPaths } from '../../src/platform/project/paths.ts';
import type { SessionState } from '../../src/sessions/session-state.ts';
import { isLong } from '../kit/effort.ts';
import { DIST } from '../kit/plimsoll.ts';
import { jsonl, type Line } from '../unit/lines.ts';

export interface Answer {
  code: number | null;
  stdout: string;
  stderr: string;
  /** What the model would read, '' when nothing. */
  context: string;
  /** What the person would see, '' when nothing. */
  person: string;
}

interface HookCall {
  event: string;
  cwd: string;
  env: Record<string, string>;
  payload: unknown;
}

function answerInWorker(call: HookCall): string {
  // One worker for all calls: the library keeps it by its file.
  const worker = createSyncFn<(call: HookCall) => Promise<string>>(
    new URL('../kit/hook-worker.mjs', import.meta.url),
  );
  // As JSON, like what a client sends: a field that is undefined is none.
  return worker({ ...call, payload: JSON.parse(JSON.stringify(call.payload)) });
}

export interface Host {
  root: string;
  project: string;
  transcript: string;
  env: Record<string, string>;
  /** A path below the project's state folder. */
  state: (...names: string[]) => string;
  /** A path beside it, where the team keeps what it shares. */
  shared: (...names: string[]) => string;
  append: (...lines: Line[]) => void;
  fire: (event: string, fields?: Record<string, unknown>, stdin?: string | Buffer) => Answer;
}

/** The state folder of a host's project; `files` may lie in it. */
export const STATE = '.plimsoll/state-5f0c9a7be213d4860e9f1c2a';

/** Names the state folder of a project as a hook would that was there before. */
function nameState(project: string, env: Record<string, string>): void {
  const { entry } = listProjectPaths(project, env).place;
  mkdirSync(path.dirname(entry), { recursive: true });
  writeFileSync(entry, JSON.stringify({ root: project, state: path.basename(STATE) }));
}

export const SESSION = '0f6e3a52-1111-4222-8333-444455556666';

/** The user's own settings, as `files` names them: a project may not loosen anything by itself. */
export const MINE = '../home/config/plimsoll/config.toml';

export function writeMine(host: Host, text: string): void {
  const file = path.join(host.project, MINE);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** A host of its own for one test; environment built from nothing, folders removed afterwards. */
export function newHost(
  options: { env?: Record<string, string>; files?: Record<string, string> } = {},
): Host {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'plh-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const project = path.join(root, 'project');
  const home = path.join(root, 'home');
  const transcripts = path.join(home, '.claude', 'projects', 'p');
  for (const folder of [path.join(project, '.git'), transcripts, path.join(root, 'temporary')])
    mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(project, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  const transcript = path.join(transcripts, `${SESSION}.jsonl`);
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_STATE_HOME: path.join(home, 'state'),
    XDG_CONFIG_HOME: path.join(home, 'config'),
    XDG_DATA_HOME: path.join(home, 'data'),
    TMPDIR: path.join(root, 'temporary'),
    CLAUDE_PROJECT_DIR: project,
    ...options.env,
  };
  for (const [name, text] of Object.entries(options.files ?? {})) {
    mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
    writeFileSync(path.join(project, name), text);
  }
  nameState(project, env);
  return {
    root,
    project,
    transcript,
    env,
    state: (...names) => path.join(project, STATE, ...names),
    shared: (...names) => path.join(project, '.plimsoll', ...names),
    append: (...lines) => appendFileSync(transcript, jsonl(lines)),
    fire: (event, fields = {}, stdin) => {
      const common = {
        session_id: SESSION,
        transcript_path: transcript,
        cwd: project,
        hook_event_name: event,
      };
      // Each event in a process of its own, as the client starts it: in verify:long, and where more than the answer is asked.
      if (!isLong && stdin === undefined && env.NODE_OPTIONS === undefined) {
        const stdout = answerInWorker({ event, cwd: project, env, payload: { ...common, ...fields } });
        return { ...wordsIn(event, stdout), code: 0, stdout, stderr: '' };
      }
      const result = spawnSync(process.execPath, [path.join(DIST, 'hook.cjs'), event], {
        cwd: project,
        env,
        input: stdin ?? JSON.stringify({ ...common, ...fields }),
        encoding: 'utf8',
        timeout: 60_000,
      });
      const { status: code, stdout, stderr } = result;
      return { ...wordsIn(event, stdout), code, stdout, stderr };
    },
  };
}

/** Our state of the host's session. */
export const sessionFile = (host: Host): string => host.state('sessions', SESSION, 'state.json');
export const sessionOf = (host: Host): SessionState =>
  JSON.parse(readFileSync(sessionFile(host), 'utf8')) as SessionState;

/** Where files of the user lie that are of no project. */
export const userState = (host: Host): string => path.join(host.env.XDG_STATE_HOME ?? '', 'plimsoll');

/** Reads an answer as the host does: one JSON object for this very event, or (PreCompact) plain text. */
export function wordsIn(event: string, stdout: string): { context: string; person: string } {
  if (stdout === '') return { context: '', person: '' };
  if (event === 'PreCompact') {
    if (stdout.startsWith('{')) throw new Error(`PreCompact must not answer in JSON: ${stdout}`);
    return { context: stdout, person: '' };
  }
  const {
    hookSpecificOutput: output,
    systemMessage,
    ...unknown
  } = JSON.parse(stdout) as {
    hookSpecificOutput?: { hookEventName: string; additionalContext?: string };
    systemMessage?: string;
    decision?: string;
    reason?: string;
  };
  // The end of a turn may be held, with a reason and nothing else.
  if (event === 'Stop' && unknown.decision === 'block' && unknown.reason) return { context: '', person: '' };
  if (Object.keys(unknown).length > 0)
    throw new Error(`unknown keys in the answer: ${Object.keys(unknown).join(', ')}`);
  if (output && output.hookEventName !== event) throw new Error(`an answer for ${output.hookEventName}`);
  if ((output?.additionalContext?.length ?? 0) > 10_000)
    throw new Error('the host cuts at 10,000 characters');
  return { context: output?.additionalContext ?? '', person: systemMessage ?? '' };
}
