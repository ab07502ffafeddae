// opencode and Kilo as the scenario of all hosts drives them: by their server, behind which a person sits.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { contentText } from '../kit/request-body.ts';
import { pause } from '../kit/wait.ts';
import { createHostSandbox, type HostSandbox, initHost, watchChild } from './sandbox.ts';
import type { HostDriver, HostSession } from './scenario.ts';

const WINDOW = 60_000;
const OUTPUT = 20_000;

/** The last session of each sandbox, to go on with. */
const last = new WeakMap<HostSandbox, string>();

/** @param name as Plimsoll calls the host, and the host its folders */
export function driveOpencode(name: 'opencode' | 'kilo', program: string): HostDriver {
  return {
    window: WINDOW,
    limit: WINDOW - OUTPUT,
    async open({ script, ...more }) {
      const sandbox = await createHostSandbox({
        script,
        ...more,
        env: {
          OPENCODE_DISABLE_AUTOUPDATE: '1',
          OPENCODE_DISABLE_MODELS_FETCH: '1',
          OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        },
        kindOf: (body) => {
          if ((body.tools ?? []).length > 0) return 'main';
          return /title generator/.test(contentText(body.system)) ? 'side' : 'summary';
        },
      });
      const folder = path.join(sandbox.home, '.config', name);
      mkdirSync(folder, { recursive: true });
      const model = { name: 'scripted', limit: { context: WINDOW, output: OUTPUT }, tool_call: true };
      const options = { baseURL: `${sandbox.model.url}/v1`, apiKey: 'sk-none' };
      const config = {
        provider: {
          scripted: { npm: '@ai-sdk/anthropic', name: 'scripted', options, models: { scripted: model } },
        },
        ...{
          model: 'scripted/scripted',
          small_model: 'scripted/scripted',
          autoupdate: false,
          share: 'disabled',
        },
      };
      writeFileSync(path.join(folder, `${name}.json`), `${JSON.stringify(config)}\n`);
      return initHost(sandbox, name);
    },
    async start(sandbox, how = 'new') {
      const child = spawn(program, ['serve', '--hostname', '127.0.0.1', '--port', '0'], {
        cwd: sandbox.projectDir,
        env: sandbox.env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      return talkTo(child, sandbox, how);
    },
    run: (command) => ({ name: 'bash', input: { command, description: 'a step' } }),
    write: (file, content) => ({ name: 'write', input: { filePath: file, content } }),
  };
}

async function talkTo(child: ChildProcess, sandbox: HostSandbox, how: 'new' | 'again'): Promise<HostSession> {
  let printed = '';
  const { gone, kill } = watchChild(child, sandbox);
  const url = await new Promise<string>((resolve, reject) => {
    const look = (text: string): void => {
      printed += text;
      const found = /listening on (http:\S+)/.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    };
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', look);
    void gone.then(() => reject(new Error(`the server went: ${printed}`)));
  });
  const call = async (way: string, body: object): Promise<Record<string, unknown>> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}${way}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${way}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const id = (how === 'again' ? last.get(sandbox) : undefined) ?? String((await call('/session', {})).id);
  last.set(sandbox, id);
  return {
    async say(text) {
      await call(`/session/${id}/message`, { parts: [{ type: 'text', text }] });
    },
    async end() {
      // What its own interface asks of the server before it goes.
      await call('/instance/dispose', {});
      await pause(2_000);
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await gone.finally(() => clearTimeout(timer));
    },
    kill,
  };
}
