// Runs our hooks at a compaction of a past transcript of Claude Code, in a folder made for it.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fillFile, makeTemporaryFolder, removeTree } from '../../../platform/folders.ts';
import { tryOrNull } from '../../../platform/project/try-step.ts';
import { makeFolder } from '../../../platform/write.ts';
import { isObject } from '../../../text/json.ts';

interface Replayed {
  /** What PreCompact gave the summariser. */
  facts: string;
  /** What the agent was told after it. */
  said: string;
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
    return { facts: back(facts), said: back(said) };
  } finally {
    removeTree(base);
  }
}
