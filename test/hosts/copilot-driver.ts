// Copilot CLI as the scenario of all hosts drives it: by the Agent Client Protocol, behind which a person sits.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { lastText } from '../kit/request-body.ts';
import { pause } from '../kit/wait.ts';
import { createHostSandbox, type HostSandbox, initHost, watchChild } from './sandbox.ts';
import type { HostDriver, HostSession } from './scenario.ts';

const WINDOW = 60_000;

/** The last session of each sandbox, to go on with. */
const last = new WeakMap<HostSandbox, string>();

/** What lets Copilot ask the scripted model alone, without a login. */
export const copilotEnv = (program: string, url: string, window: number): Record<string, string> => ({
  ...{ COPILOT_OFFLINE: 'true', COPILOT_PROVIDER_BASE_URL: url, COPILOT_PROVIDER_TYPE: 'anthropic' },
  ...{ COPILOT_PROVIDER_API_KEY: 'sk-none', COPILOT_MODEL: 'scripted' },
  ...{ COPILOT_PROVIDER_MAX_PROMPT_TOKENS: String(window), COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: '2000' },
  // Where it unpacks itself, once for all sandboxes.
  COPILOT_PKG_CACHE_HOME: path.join(path.dirname(program), 'unpacked'),
});

export function driveCopilot(program: string): HostDriver {
  return {
    window: WINDOW,
    limit: WINDOW * 0.8,
    compactsBeside: true,
    async open({ script, ...more }) {
      const sandbox = await createHostSandbox({
        script,
        ...more,
        kindOf: (body) => (/write the summary now/.test(lastText(body)) ? 'summary' : 'main'),
      });
      // Its tool for new files makes no folders.
      for (const name of ['atlas', 'dist', 'src'])
        mkdirSync(path.join(sandbox.projectDir, name), { recursive: true });
      Object.assign(sandbox.env, copilotEnv(program, sandbox.model.url, WINDOW));
      return initHost(sandbox, 'copilot');
    },
    async start(sandbox, how = 'new') {
      const child = spawn(program, ['--acp', '--allow-all-tools'], {
        cwd: sandbox.projectDir,
        env: sandbox.env,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      return talkTo(child, sandbox, how);
    },
    // It writes its lines up to a second late; a tool that is faster hears of the usage a step later.
    run: (command) => ({ name: 'bash', input: { command: `sleep 1.5; ${command}` } }),
    write: (file, text) => ({ name: 'create', input: { path: file, file_text: text } }),
  };
}

type Answer = { id?: number; error?: { message?: string }; result?: unknown };

async function talkTo(child: ChildProcess, sandbox: HostSandbox, how: 'new' | 'again'): Promise<HostSession> {
  const { gone, kill: killNow, stderr } = watchChild(child, sandbox);
  const kill = async (): Promise<void> => {
    // It writes its lines a moment after what they tell: without them it goes on as if that had not happened.
    await pause(500);
    await killNow();
  };
  const waiting = new Map<number, (answer: Answer) => void>();
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer;
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  let calls = 0;
  const call = <T>(method: string, params: object): Promise<T> =>
    new Promise((resolve, reject) => {
      const id = ++calls;
      const fail = (why = 'no answer'): void => reject(new Error(`${method}: ${why} ${stderr()}`));
      const timer = setTimeout(fail, 60_000);
      const done = (): void => clearTimeout(timer);
      void gone.then(done).then(() => fail('gone'));
      waiting.set(id, ({ error, result }) => {
        done();
        if (error === undefined) resolve(result as T);
        else fail(error.message);
      });
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  await call('initialize', { protocolVersion: 1, clientCapabilities: {} });
  const known = how === 'again' ? last.get(sandbox) : undefined;
  const place = { cwd: sandbox.projectDir, mcpServers: [] };
  const made =
    known === undefined
      ? await call<{ sessionId: string }>('session/new', place)
      : await call('session/load', { ...place, sessionId: known });
  const sessionId = known ?? (made as { sessionId: string }).sessionId;
  last.set(sandbox, sessionId);
  return {
    say: async (text) => void (await call('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })),
    async end() {
      child.stdin?.end();
      const timer = setTimeout(() => child.kill('SIGTERM'), 5_000);
      await gone.finally(() => clearTimeout(timer));
    },
    kill,
  };
}
