// The moments at which the client calls a hook, what it sends on stdin, and what must hold of every call.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { listRegistrations } from '../../src/hosts/claude-code/install/hooks.ts';
import { some } from '../kit/effort.ts';
import { DIST } from '../kit/plimsoll.ts';
import { answer, request } from '../unit/lines.ts';
import { type Answer, type Host, newHost, SESSION, userState, wordsIn } from './host.ts';

export interface Moment {
  name: string;
  event: string;
  /** What the client sends with it, besides what it sends with every event. */
  fields: Record<string, unknown>;
}

const start = (source: string): Moment => ({
  name: `SessionStart (${source})`,
  event: 'SessionStart',
  fields: { source, model: 'claude-sonnet-4-5' },
});

const bash = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'toolu_1' };

export const MOMENTS: Moment[] = [
  { name: 'UserPromptSubmit', event: 'UserPromptSubmit', fields: { prompt: 'go on' } },
  { name: 'PostToolUse', event: 'PostToolUse', fields: { ...bash, tool_response: { stdout: 'a' } } },
  {
    name: 'PostToolBatch',
    event: 'PostToolBatch',
    fields: { tool_calls: [{ ...bash, tool_response: 'a' }] },
  },
  { name: 'PreCompact', event: 'PreCompact', fields: { trigger: 'auto', custom_instructions: null } },
  ...['startup', 'resume', 'clear', 'compact', 'fork'].map(start),
  { name: 'Stop', event: 'Stop', fields: { stop_hook_active: false, last_assistant_message: 'Done.' } },
  {
    name: 'SubagentStop',
    event: 'SubagentStop',
    fields: { agent_id: 'a1', agent_type: 'general-purpose', last_assistant_message: 'Done.' },
  },
  { name: 'SessionEnd', event: 'SessionEnd', fields: { reason: 'other' } },
];

export const PROMPT = MOMENTS.find(({ event }) => event === 'UserPromptSubmit') as Moment;
export const COMPACTED = MOMENTS.find(({ fields }) => fields.source === 'compact') as Moment;
const OTHERS = MOMENTS.filter((each) => each !== PROMPT && each !== COMPACTED);

/**
 * Moments at which the case of a table is tried: the two that say most, and others in turn, so that a table of five has
 * them all. What goes wrong at one goes wrong at the prompt, or is a matter of few moments, which a case names itself.
 */
export const momentsOf = (index: number): Moment[] => [
  PROMPT,
  COMPACTED,
  ...OTHERS.filter((_, at) => Math.floor(at / 2) === index % (OTHERS.length / 2)),
];

/** Cases of a table, each with its moments. */
export const withMoments = <T extends object>(cases: T[]): (T & { moments: Moment[] })[] =>
  cases.map((each, index) => ({ ...each, moments: some(momentsOf(index), 1) }));

/** Seconds that the client gives a hook, by event, as `init` asks for them. */
export const SECONDS = new Map(
  ['2.1.332', null].flatMap((clientVersion) =>
    listRegistrations({ clientVersion, bundle: 'b', node: 'n', windows: false, isShared: false }).map(
      ({ event, timeout }) => [event, timeout] as const,
    ),
  ),
);

/** The second that an end of a session has is too little on a machine that runs other tests beside this one. */
const LEAST_SECONDS = 5;

export interface Odd {
  /** Fields of the payload that are other than usual; undefined takes one away. */
  fields?: Record<string, unknown>;
  /** Everything on stdin, instead of a payload. */
  stdin?: string | Buffer;
  /** A program that starts the hook: its last arguments are the hook's command. */
  wrapper?: string[];
  /** Variables that are other than usual; undefined takes one away. */
  env?: Record<string, string | undefined>;
}

/** A host whose session has begun, with nothing of ours on its disk yet. */
export function measured(): Host {
  const host = newHost();
  host.append(request('go'), answer(30_000));
  return host;
}

export function payloadOf(host: Host, moment: Moment, fields: Record<string, unknown> = {}): string {
  return JSON.stringify({
    session_id: SESSION,
    transcript_path: host.transcript,
    cwd: host.project,
    hook_event_name: moment.event,
    ...moment.fields,
    ...fields,
  });
}

/** Calls a hook as the client does at this moment, with something odd about it. */
export function call(host: Host, moment: Moment, odd: Odd = {}): Answer & { signal: string | null } {
  const [program = process.execPath, ...args] = [
    ...(odd.wrapper ?? []),
    process.execPath,
    path.join(DIST, 'hook.cjs'),
    moment.event,
  ];
  const env = Object.fromEntries(
    Object.entries({ ...host.env, ...odd.env }).filter(
      (each): each is [string, string] => each[1] !== undefined,
    ),
  );
  const result = spawnSync(program, args, {
    cwd: existsSync(host.project) ? host.project : host.root,
    env,
    input: odd.stdin ?? payloadOf(host, moment, odd.fields),
    encoding: 'utf8',
    timeout: Math.max(SECONDS.get(moment.event) ?? 0, LEAST_SECONDS) * 1000,
    killSignal: 'SIGKILL',
  });
  const { status: code, stdout, stderr, signal } = result;
  return { ...wordsIn(moment.event, stdout), code, signal, stdout, stderr };
}

/** Exit 0, nothing on stderr, and at most one answer of the form that the event allows. */
export function expectAllowed(moment: Moment, answer: Answer): void {
  expect({ code: answer.code, stderr: answer.stderr }).toEqual({ code: 0, stderr: '' });
  if (moment.event === 'Stop' || moment.event === 'SessionEnd') expect(answer.stdout).toBe('');
  if (moment.event === 'PreCompact') {
    expect(answer.stdout).not.toMatch(/^\s*\{/);
    expect(Buffer.byteLength(answer.stdout)).toBeLessThanOrEqual(1024);
  }
}

/** The state folder of the host's project where it lies among the files of the user; null where there is none. */
export function fallbackOf(host: Host): string | null {
  const folder = path.join(userState(host), 'projects');
  const [name] = existsSync(folder) ? readdirSync(folder) : [];
  return name === undefined ? null : path.join(folder, name);
}

/** Lines of the failure logs: the project's, wherever it lies, and the user's. */
export function failuresOf(host: Host): { at: string; hook: string; part: string; error: string }[] {
  const folders = [host.state(), fallbackOf(host) ?? [], userState(host)].flat();
  return folders.flatMap((folder) => {
    const file = path.join(folder, 'failures.jsonl');
    if (!existsSync(file) || !lstatSync(file).isFile()) return [];
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as { at: string; hook: string; part: string; error: string });
  });
}

const LARGE = 1024 * 1024;

/** Everything below the host's folder but what is ours, with what it holds. */
export function othersOf(host: Host): Record<string, string> {
  const found: Record<string, string> = {};
  const ours = [host.state(), userState(host)];
  const visit = (target: string): void => {
    if (ours.includes(target)) return;
    const name = path.relative(host.root, target);
    const stats = lstatSync(target);
    if (stats.isDirectory()) {
      found[name] = 'folder';
      for (const each of readdirSync(target)) visit(path.join(target, each));
    } else if (stats.isSymbolicLink()) found[name] = `link to ${readlinkSync(target)}`;
    else if (!stats.isFile()) found[name] = `special, ${stats.mode}`;
    else if (stats.size > LARGE) found[name] = `${stats.size} bytes of ${stats.mtimeMs}`;
    else found[name] = createHash('sha256').update(readFileSync(target)).digest('hex');
  };
  visit(host.root);
  // Folders that lead to ours may be made for it.
  for (const each of ours) {
    for (let folder = path.dirname(each); folder.startsWith(host.root); folder = path.dirname(folder))
      delete found[path.relative(host.root, folder)];
  }
  return found;
}
