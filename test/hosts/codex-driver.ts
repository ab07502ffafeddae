// Codex CLI as the scenario of all hosts drives it: by its app server, behind which a person sits who allows our hooks.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createHostSandbox, type HostSandbox, initHost, watchChild } from './sandbox.ts';
import type { HostDriver, HostSession } from './scenario.ts';

const WINDOW = 60_000;
const LIMIT = 40_000;

/** The last session of each sandbox, to go on with. */
const last = new WeakMap<HostSandbox, string>();

/** A model of Codex's own list, which has its patch tool; nothing is asked of anybody but the scripted model. */
const configFor = (url: string): string => `model = "gpt-5.5"
model_provider = "scripted"
model_context_window = ${WINDOW}
model_auto_compact_token_limit = ${LIMIT}
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[analytics]
enabled = false

[features]
apps = false
plugins = false

[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0
`;

/** Runs Codex with nobody in front of it, to its end. */
export async function runCodexAlone(
  program: string,
  { projectDir, env }: HostSandbox,
  prompt: string,
): Promise<void> {
  const options = { cwd: projectDir, env, stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'] };
  const child = spawn(program, ['exec', prompt], options);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`codex exec ended with ${code}: ${stderr}`);
}

/** The sandbox of a project with Codex in it, without us. */
async function openCodex({ script, ...more }: Parameters<HostDriver['open']>[0]): Promise<HostSandbox> {
  const sandbox = await createHostSandbox({
    script,
    ...more,
    env: { SCRIPTED_KEY: 'sk-none', HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '127.0.0.1' },
    kindOf: (body) => ((body.tools ?? []).length === 0 ? 'summary' : 'main'),
  });
  mkdirSync(path.join(sandbox.home, '.codex'), { recursive: true });
  writeFileSync(path.join(sandbox.home, '.codex', 'config.toml'), configFor(sandbox.model.url));
  return sandbox;
}

export function driveCodex(program: string): HostDriver {
  return {
    // Codex keeps a twentieth of the model's window for itself.
    window: WINDOW * 0.95,
    limit: LIMIT,
    async open(options) {
      const sandbox = await openCodex(options);
      return initHost(sandbox, 'codex');
    },
    async start(sandbox, how = 'new') {
      const child = spawn(program, ['app-server'], {
        cwd: sandbox.projectDir,
        env: sandbox.env,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      return talkTo(child, sandbox, how);
    },
    run: (cmd) => ({ name: 'exec_command', input: { cmd } }),
    write: (file, content) => ({
      name: 'apply_patch',
      input: { text: `*** Begin Patch\n*** Add File: ${file}\n+${content}*** End Patch\n` },
    }),
  };
}

type Answer = { id?: number; method?: string; result?: unknown; error?: { message?: string } };

async function talkTo(child: ChildProcess, sandbox: HostSandbox, how: 'new' | 'again'): Promise<HostSession> {
  const { gone, kill, stderr } = watchChild(child, sandbox);
  const waiting = new Map<number | string, (answer: Answer) => void>();
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer;
    waiting.get(answer.id ?? answer.method ?? '')?.(answer);
  });
  const hear = (what: number | string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const fail = (): void => reject(new Error(`codex gave no ${what}: ${stderr()}`));
      const timer = setTimeout(fail, 60_000);
      void gone.then(fail);
      waiting.set(what, (answer) => {
        clearTimeout(timer);
        waiting.delete(what);
        resolve(answer);
      });
    });
  let calls = 0;
  const call = async <T>(method: string, params: object): Promise<T> => {
    const id = ++calls;
    const answered = hear(id);
    child.stdin?.write(`${JSON.stringify({ id, method, params })}\n`);
    const { error, result } = await answered;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result as T;
  };
  await call('initialize', { clientInfo: { name: 'person', title: 'person', version: '1' } });
  child.stdin?.write(`${JSON.stringify({ method: 'initialized' })}\n`);
  await allowHooks(sandbox.projectDir, call);
  const known = how === 'again' ? last.get(sandbox) : undefined;
  const cwd = sandbox.projectDir;
  const { thread } = await call<{ thread: { id: string } }>(
    known === undefined ? 'thread/start' : 'thread/resume',
    known === undefined ? { cwd } : { cwd, threadId: known },
  );
  last.set(sandbox, thread.id);
  return {
    async say(text) {
      const done = hear('turn/completed');
      done.catch(() => undefined);
      await call('turn/start', { threadId: thread.id, input: [{ type: 'text', text }] });
      await done;
    },
    async end() {
      child.stdin?.end();
      const timer = setTimeout(() => child.kill('SIGTERM'), 5_000);
      await gone.finally(() => clearTimeout(timer));
    },
    kill,
  };
}

/** Allows all hooks, as a person does with `/hooks`: what Codex says of each goes back as it came. */
async function allowHooks(
  cwd: string,
  call: <T>(method: string, params: object) => Promise<T>,
): Promise<void> {
  type Listed = { data: { hooks: { key: string; currentHash: string }[]; errors: unknown[] }[] };
  const { data } = await call<Listed>('hooks/list', { cwds: [cwd] });
  const hooks = data.flatMap((each) => each.hooks);
  const value = Object.fromEntries(hooks.map((each) => [each.key, { trusted_hash: each.currentHash }]));
  const edits = [{ keyPath: 'hooks.state', value, mergeStrategy: 'upsert' }];
  if (hooks.length > 0) await call('config/batchWrite', { edits, reloadUserConfig: true });
}
